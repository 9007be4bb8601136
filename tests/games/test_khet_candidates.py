"""What a picture suggests: every thinkable slip of a hand is among the candidates, and play explains it."""

import random

import pytest
from khet_boards import conceivable, play, seen, table

from companion.errors import IllegalMove
from companion.games import khet
from companion.games.base import Layout
from companion.games.khet.layouts import LAYOUTS
from companion.pieces import Piece


def test_without_a_change_only_the_legal_moves() -> None:
    position = khet.start({})
    assert list(khet.candidates(position, seen(khet.layout(position)))) == list(khet.moves(position))


SLIPS_TRIED = 30
SLIPS = [
    ("imhotep-2.0", ("e4d5", "h8+", "c1ud1"), "g3g1", "two-squares"),
    ("classic-2.0", (), "c4c6", "two-squares"),
    ("classic-2.0", (), "c4b4+", "moved-and-turned"),
    ("classic-2.0", (), "c4b4-", "moved-and-turned"),
    ("classic-2.0", (), "c4b4++", "moved-and-turned"),
    ("classic-2.0", (), "c4++", "half-turn"),
    ("classic-2.0", (), "j1i2", "sphinx-moves"),
    ("classic-2.0", (), "j1+", "sphinx-off-board"),
    ("classic-2.0", (), "d6d7", ""),
    ("classic-2.0", (), "g8g7", "not-your-piece"),
    ("classic-2.0", (), "g8+", "not-your-piece"),
    ("classic-2.0", ("d1c2", "c7b7", "c1b2", "b7c7", "b2b3", "c7b7"), "b3a3", "reserved-square"),
    ("classic-2.0", (), "d1ue1", "no-swap"),
    ("classic-2.0", (), "d1e1", "occupied"),
    ("osiris-2.0", (), "b8uc7", "swap-into-reserved"),
    ("classic-1.0", (), "d1te1", "occupied"),
    ("classic-1.0", (), "d1td3", "two-squares"),
]


@pytest.mark.parametrize(("layout", "before", "slip", "name"), SLIPS)
def test_a_slip_is_suggested_and_explained(layout: str, before: tuple[str, ...], slip: str, name: str) -> None:
    position = play(khet.start({"layout": layout}), *before)
    move = khet.read_move(position, slip)
    found = list(khet.candidates(position, seen(khet.during(position, move))))
    assert move in found
    assert len(found) == len(set(found))
    if name:
        assert move not in khet.moves(position)
        with pytest.raises(IllegalMove) as refused:
            khet.play(position, move)
        assert refused.value.name == name
    else:
        assert move in khet.moves(position)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_whatever_a_hand_did_some_candidate_looks_like_it(layout: str) -> None:
    position = khet.start({"layout": layout})
    at_rest = _looks(khet.layout(position))
    slips = random.Random(layout).sample(conceivable(position), SLIPS_TRIED)
    for move in slips:
        shown = _looks(khet.during(position, move))
        # a stack's height cannot be seen, and a piece put onto its own like just seems to be gone
        if shown != at_rest and not shown.items() < at_rest.items():
            suggested = khet.candidates(position, seen(khet.during(position, move)))
            assert any(_looks(khet.during(position, other)) == shown for other in suggested), move


def _looks(shown: Layout) -> dict[str | None, Piece]:
    return {lying.cell: lying.piece for lying in shown.pieces}


def test_unsure_cells_are_no_reason_to_suggest_everything() -> None:
    position = table({"e4": "Pne"})
    view = seen(khet.layout(position), sure=0.85)
    assert list(khet.candidates(position, view)) == list(khet.moves(position))


def test_layout_and_during() -> None:
    position = khet.start({"layout": "classic-1.0", "colours": "silver-gold"})
    shown = khet.layout(position)
    stack = next(lying for lying in shown.pieces if lying.cell == "d1")
    assert (stack.piece, stack.count) == (Piece("obelisk", "silver"), 2)
    assert stack.words == "the silver stack of two obelisks on d1"
    gold = next(lying for lying in shown.pieces if lying.cell == "f8")
    assert (gold.piece, gold.words) == (Piece("pharaoh", "red"), "the gold pharaoh on f8")
    assert khet.seats(position) == ("silver", "gold")
    after = khet.during(position, khet.read_move(position, "d1tc2"))
    assert {lying.cell: lying.count for lying in after.pieces if lying.cell in ("d1", "c2")} == {"c2": 1, "d1": 1}
