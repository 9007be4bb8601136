"""What is said of a text that names no position and no move: what would."""

import re

import pytest

from companion.errors import UnreadableText
from companion.games import GAMES, game


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", ["", "nonsense"])
def test_who_writes_no_position_is_shown_one(name: str, text: str) -> None:
    rules = game(name)
    with pytest.raises(UnreadableText) as refused:
        rules.read_position(text)
    shown = re.search(r"for example '(.*)'", str(refused.value))
    assert shown is not None
    assert rules.read_position(shown[1]) is not None


def test_a_roll_without_its_number_is_told_how_it_is_written() -> None:
    rules = game("kdak")
    with pytest.raises(UnreadableText, match=r"'roll' is no move; write .*r4"):
        rules.read_move(rules.start({}), "roll")
