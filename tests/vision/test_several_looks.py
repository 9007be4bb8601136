"""Of several looks at a table that rests most decide, piece by piece."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.found import Found
from companion.vision.several_looks import agreed

NEAR_MM = 8.0
BACK, FACE, PAWN = Piece("tile", face="back"), Piece("tile", suit="suns", value="3", face="front"), Piece("pawn")


def found(piece: Piece, x: float, sure: float = 0.9, on: int | None = None, faint: bool = False) -> Found:
    outline = np.array([(x - 5.0, -5.0), (x + 5.0, -5.0), (x + 5.0, 5.0), (x - 5.0, 5.0)])
    return Found(Sighting(((piece, sure),), x, 0.0, faint=faint), sure, outline, on)


def told(looks: list[list[Found]]) -> list[tuple[Piece, int]]:
    """What is clearly seen, and where to the nearest centimetre."""
    clear = (f for f in agreed(looks, NEAR_MM) if not f.sighting.faint)
    return sorted(((f.sighting.piece, round(f.outline_mm[:, 0].mean() / 10) * 10) for f in clear), key=str)


@pytest.mark.parametrize("missed", [(), (0,), (1,), (3,), (4,), (0, 4), (2, 3)])
def test_a_piece_that_most_looks_see_is_there(missed):
    looks = [[found(PAWN, 100.0)] + ([] if n in missed else [found(BACK, 0.0 + n / 2)]) for n in range(5)]
    assert told(looks) == sorted([(BACK, 0), (PAWN, 100)], key=str)


@pytest.mark.parametrize("seen", [(0,), (4,), (1, 2), (0, 4)])
def test_a_piece_that_few_looks_see_is_not_and_is_faint_where_the_last_saw_it(seen):
    looks = [[found(PAWN, 100.0)] + ([found(BACK, 0.0)] if n in seen else []) for n in range(5)]
    assert told(looks) == [(PAWN, 100)]
    assert any(f.sighting.faint for f in agreed(looks, NEAR_MM)) == (4 in seen)


def test_two_looks_decide_nothing_and_the_last_one_stands():
    first, last = [found(BACK, 0.0), found(PAWN, 100.0)], [found(BACK, 0.0)]
    assert agreed([first, last], NEAR_MM) is last


@pytest.mark.parametrize(("last", "stands"), [(BACK, BACK), (FACE, FACE)])
def test_where_looks_are_even_the_last_one_decides_what_a_piece_is(last, stands):
    other = FACE if last == BACK else BACK
    assert told([[found(piece, 0.0)] for piece in (last, other, other, last)]) == [(stands, 0)]


def test_what_a_single_look_takes_a_piece_for_gives_way_to_what_the_others_do_however_sure_it_is():
    looks = [[found(BACK, 0.0, sure=0.6)]] * 3 + [[found(FACE, 0.0, sure=0.99)]]
    seen = sorted(agreed(looks, NEAR_MM), key=lambda f: -f.sure)
    assert [(f.sighting.piece, f.sighting.faint) for f in seen] == [(BACK, False), (FACE, True)]


def test_a_faint_look_is_half_a_look():
    looks = [[found(BACK, 0.0, faint=n in (2, 4))] for n in range(5)]
    seen = agreed(looks, NEAR_MM)
    assert [f.sighting.faint for f in seen] == [False]
    assert told([[found(BACK, 0.0, faint=n > 0)] for n in range(3)]) == []


def test_what_is_carried_stays_on_what_carries_it():
    carried = [found(BACK, 0.0), found(PAWN, 2.0, on=0)]
    turned = [found(PAWN, 2.0, on=1), found(BACK, 0.0)]
    seen = agreed([carried, turned, [found(BACK, 0.0)]], NEAR_MM)
    pawn = next(f for f in seen if f.sighting.piece == PAWN)
    assert pawn.on is not None
    assert seen[pawn.on].sighting.piece == BACK


def test_what_is_carried_by_what_is_not_there_is_carried_by_nothing():
    looks = [[found(PAWN, 2.0)], [found(PAWN, 2.0)], [found(PAWN, 2.0)], [found(BACK, 40.0), found(PAWN, 2.0, on=0)]]
    pawn = next(f for f in agreed(looks, NEAR_MM) if f.sighting.piece == PAWN)
    assert pawn.on is None or agreed(looks, NEAR_MM)[pawn.on].sighting.faint


@given(st.lists(st.lists(st.sampled_from([0.0, 30.0, 60.0, 90.0]), unique=True), min_size=3, max_size=7))
def test_every_piece_is_where_most_looks_see_it_and_nowhere_else(places):
    looks = [[found(BACK, x) for x in look] for look in places]
    counts = {x: sum(x in look for look in places) for look in places for x in look}
    must = {x for x, n in counts.items() if 2 * n > len(places)}
    may = {x for x, n in counts.items() if 2 * n >= len(places)}
    seen = {float(x) for _, x in told(looks)}
    assert must <= seen <= may


@given(st.lists(st.integers(0, 4), min_size=3, max_size=5))
def test_looks_that_agree_are_told_as_the_last_one_saw(order):
    look = [found(PAWN if n % 2 else BACK, 30.0 * n) for n in order[:1] + [k + 5 for k in range(3)]]
    looks = [[replace(f, sure=0.5 + n / 10) for f in look] for n in range(4)]
    assert [f.sure for f in agreed(looks, NEAR_MM)] == [0.8] * len(look)
