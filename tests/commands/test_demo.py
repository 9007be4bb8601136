"""`companion demo` as a person calls it."""

import pytest
from click.testing import CliRunner

from companion.cli import group


def run(*words):
    return CliRunner().invoke(group, words)


@pytest.mark.parametrize("words", [("demo", "--fast", "--script", "nudge"), ("play", "khet")])
def test_a_seed_is_no_negative_number(words):
    refused = run(*words, "--seed", "-1")
    assert refused.exit_code == 2
    assert "'--seed': -1 is not in the range x>=0" in refused.output
