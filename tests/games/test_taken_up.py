"""A board as it lies is a position to play on from, whoever is to move."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import UnreadableText
from companion.games import ataxx, hexxagon, khet
from companion.pieces import EMPTY, Piece
from companion.referee.evidence import cells_of

STARTS = [
    (khet, {"layout": "classic-2.0"}),
    (khet, {"layout": "imhotep-2.0"}),
    (ataxx, {"board": "5"}),
    (ataxx, {"board": "7"}),
    (hexxagon, {}),
]


def played(game, position, plies: int, seed: int):
    rng = random.Random(seed)
    for _ in range(plies):
        if game.outcome(position) is not None:
            break
        position = game.play(position, rng.choice(list(game.moves(position)))).position
    return position


@given(st.sampled_from(STARTS), st.integers(0, 40), st.integers(0, 10_000), st.integers(0, 1))
def test_what_lies_there_is_the_position(start, plies, seed, seat) -> None:
    game, options = start
    begun = game.start(options)
    shown = cells_of(game.layout(played(game, begun, plies, seed)))
    position = game.taken_up(begun, shown, seat)
    assert cells_of(game.layout(position)) == shown
    assert game.to_move(position) in (seat, None)
    assert game.from_json(game.to_json(position)) == position


def test_a_stack_stays_one_where_an_obelisk_is_seen() -> None:
    begun = khet.start({"layout": "classic-1.0"})
    assert any(lying.count == 2 for lying in khet.layout(begun).pieces)
    assert khet.taken_up(begun, cells_of(khet.layout(begun)), 0) == begun


@pytest.mark.parametrize(
    ("game", "cells"),
    [
        (ataxx, {"a1": Piece("pyramid", "red", facing="NE")}),
        (ataxx, {"a1": EMPTY}),
        (hexxagon, {"e4": Piece("disc", "black")}),  # one of the three holes
        (khet, {"a1": Piece("disc", "black")}),
        (khet, {"a1": Piece("pyramid", "red", facing="N")}),
    ],
)
def test_what_no_piece_of_the_game_is_is_refused(game, cells) -> None:
    holes = {"holes": True} if game is hexxagon else {}
    with pytest.raises(UnreadableText):
        game.taken_up(game.start(holes), cells, 0)
