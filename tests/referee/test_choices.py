"""What a page offers before a game: no choice that the game refuses with what is chosen above it."""

import pytest

from companion.errors import UnreadableText
from companion.games import GAMES
from companion.games import game as game_named
from companion.referee.choices import choices


def unfit(game: str, option: str) -> set[tuple[object, str, object]]:
    (offered,) = choices({game: game_named(game)})
    (one,) = [one for one in offered["options"] if one["name"] == option]
    return {(pair["choice"], pair["name"], pair["value"]) for pair in one["unfit"]}


def test_kaxxt_attacks_nobody_first_who_does_not_sit_at_the_table() -> None:
    assert unfit("kaxxt", "first") == {("west", "seats", 2), ("east", "seats", 2), ("east", "seats", 3)}
    assert unfit("kaxxt", "draws") == set()


def test_no_squares_are_blocked_on_boards_too_small_for_it() -> None:
    small = {(pattern, "board", board) for pattern in ("corners", "sides") for board in (3, 4, "hex")}
    assert unfit("ataxx", "blocked") == small


@pytest.mark.parametrize("name", GAMES)
def test_what_is_not_offered_together_is_refused(name: str) -> None:
    game = game_named(name)
    for option in game.OPTIONS:
        assert (option.default, option.name) not in {(value, other) for _, other, value in unfit(name, option.name)}
        for choice, other, value in unfit(name, option.name):
            with pytest.raises(UnreadableText):
                game.start({other: value, option.name: choice})
