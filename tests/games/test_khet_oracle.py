"""The fast rules against the plain ones in `companion.bench.khet_plain`, board by board."""

import random
from collections import Counter

import pytest

from companion.bench import khet_plain as plain
from companion.bench.khet import compare, plain_board
from companion.games import khet
from companion.games.khet.actions import over, turns
from companion.games.khet.layouts import LAYOUTS

PLIES = 30
GAMES = 3


def _as_set(board: plain.Board) -> frozenset[tuple[plain.Square, plain.Piece]]:
    return frozenset(board.items())


@pytest.mark.parametrize("into_reserved", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_both_rules_agree_on_every_board_of_random_games(layout: str, into_reserved: bool) -> None:
    chance = random.Random(layout)
    for _ in range(GAMES):
        position = khet.start({"layout": layout, "swap_into_reserved": into_reserved})
        cells, seat, house = position.cells, 0, position.house
        for _ in range(PLIES):
            if over(cells):
                break
            board, colour = plain_board(cells), ("silver", "red")[seat]
            ours = turns(cells, seat, house)
            theirs = [
                plain.play(board, colour, house.edition, action)
                for action in plain.actions(board, colour, into_reserved)
            ]
            assert Counter(_as_set(plain_board(b)) for b in ours) == Counter(map(_as_set, theirs))
            # prefer boards on which something was hit, so that games come to their end
            hit = [b for b in ours if b.count(0) > cells.count(0)]
            cells, seat = bytes(chance.choice(hit or ours)), 1 - seat


def test_both_speeds_are_those_of_the_same_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.bench.khet.beside", lambda fast, slow, rounds: (fast(), slow()))
    ours, theirs = compare("classic-2.0", rounds=1)
    assert ours == theirs > 1000
