"""What is chosen before a game has words for a page, not only the names by which it is written down."""

import pytest

from companion.games import GAMES, game
from companion.referee.settings import TABLE_OPTIONS


@pytest.mark.parametrize("name", GAMES)
def test_every_option_and_every_choice_is_said_in_words(name: str) -> None:
    for option in (*game(name).OPTIONS, *TABLE_OPTIONS):
        said = option.said or tuple(map(str, option.choices))
        assert option.label, option.name
        assert option.meaning.endswith("."), option.name
        assert len(set(said)) == len(option.choices) == len(said), option.name
        assert not any("_" in words for words in (option.label, *said)), option.name
