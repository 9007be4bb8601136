"""Cases of a parametrized test that are like others and take long."""

import pytest


def long(*values: object):
    """One case that only `make test-long` runs."""
    return pytest.param(*values, marks=pytest.mark.long)
