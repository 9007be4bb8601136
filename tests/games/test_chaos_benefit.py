"""Chaos: what the camera measures is not held against players where it errs (CA3)."""

import math
from dataclasses import replace

import pytest
from chaos_tables import attacker, chaos_table, defender
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import IllegalMove
from companion.games.chaos import geometry as g
from companion.games.chaos.benefit import believed
from companion.games.chaos.placement import check

BASE = g.base_mm("large")
ERROR_MM = 2.5  # of each of the two pieces
errors = st.tuples(st.floats(0, ERROR_MM), st.floats(0, 360), st.floats(-3, 3))


def measured(colour, x, y, turned, error):
    off, way, more = error
    dx, dy = g.direction(way)
    return defender(colour, x + off * dx, y + off * dy, heading=turned + more)


@given(st.floats(0, 90), st.floats(-1, 1), errors, errors)
def test_pieces_that_touch_are_never_told_to_stand_in_each_other(turned, along, one, other) -> None:
    dx, dy = g.direction(turned)
    beside = (BASE * dx - along * BASE * dy, BASE * dy + along * BASE * dx)
    stands, comes = measured("red", 0.0, 0.0, turned, one), measured("white", *beside, turned, other)
    taken = believed(chaos_table(stands), comes)
    assert g.overlap_mm(taken, stands) <= g.TOLERANCES.overlap_mm
    assert math.dist((taken.x_mm, taken.y_mm), (comes.x_mm, comes.y_mm)) < 3 * ERROR_MM


@given(st.floats(0, 360), st.floats(0, 12))
def test_a_piece_in_the_midst_of_another_is_judged_as_it_was_measured(way, off) -> None:
    dx, dy = g.direction(way)
    stands, comes = defender("red", 0.0), defender("white", off * dx, off * dy)
    assert believed(chaos_table(stands), comes) == comes


def lies_by(out: float, along: float, turned: float):
    """A table that wants an attacker of white, and one so far from lying flush on an edge of a defender."""
    start = chaos_table(defender("white", 0.0), defender("white", 400.0))
    comes = attacker("white", BASE / 2 + out, along, turned)
    return replace(start, array=((4, 0, 0), *start.array[1:])), comes


@given(st.floats(-2, 4.5), st.floats(-4, 4), st.floats(-13, 13))
def test_an_attacker_that_may_lie_flush_is_taken_to(out, along, turned) -> None:
    table, comes = lies_by(out, along, turned)
    taken = believed(table, comes)
    assert check(table, taken) == ()
    assert g.turned(taken.heading_deg, comes.heading_deg) <= 7.0
    assert math.dist((taken.x_mm, taken.y_mm), (comes.x_mm, comes.y_mm)) < 8.0


@given(
    st.one_of(
        st.tuples(st.floats(6, 40), st.just(0.0), st.just(0.0)),
        st.tuples(st.just(0.5), st.floats(7, 20), st.just(0.0)),
        st.tuples(st.just(1.0), st.just(0.0), st.floats(16, 40)),
    )
)
def test_an_attacker_that_clearly_lies_amiss_is_not_believed_to_lie_flush(amiss) -> None:
    table, comes = lies_by(*amiss)
    taken = believed(table, comes)
    assert taken.heading_deg == comes.heading_deg
    with pytest.raises(IllegalMove):
        check(table, taken)


@given(st.floats(-5, 5), st.floats(-2, 2), st.floats(-2, 2))
def test_a_row_of_attackers_lies_nearly_as_it_is_seen_though_its_defender_was_seen_turned(turned, one, other) -> None:
    start = chaos_table(defender("white", 0.0, heading=turned), defender("white", 400.0))
    table = replace(start, array=((4, 0, 0), *start.array[1:]))
    first = attacker("white", BASE / 2, 0.0, one)
    side = g.supports(attacker("white", BASE / 2, 0.0, 0.0))[0]
    middle = tuple((a + b) / 2 for a, b in zip(side.start, side.end, strict=True))
    second = attacker("white", *middle, side.normal_deg + other)
    for seen, askew in ((first, 2.4), (second, 1.8)):  # square to its edges the row would be 7 degrees off
        taken = believed(table, seen)
        assert g.turned(taken.heading_deg, seen.heading_deg) < askew
        assert math.dist((taken.x_mm, taken.y_mm), (seen.x_mm, seen.y_mm)) < 3.0
        check(table, taken)
        table = replace(table, pieces=(*table.pieces, taken))
