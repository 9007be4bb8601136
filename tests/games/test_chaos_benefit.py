"""Chaos: what the camera measures is not held against players where it errs (CA3)."""

import math

from chaos_tables import chaos_table
from hypothesis import given
from hypothesis import strategies as st
from test_chaos_rules import defender

from companion.games.chaos import geometry as g
from companion.games.chaos.benefit import believed

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
    assert g.overlap_mm(taken, stands) <= g.DEFAULT.overlap_mm
    assert math.dist((taken.x_mm, taken.y_mm), (comes.x_mm, comes.y_mm)) < 3 * ERROR_MM


@given(st.floats(0, 360), st.floats(0, 12))
def test_a_piece_in_the_midst_of_another_is_judged_as_it_was_measured(way, off) -> None:
    dx, dy = g.direction(way)
    stands, comes = defender("red", 0.0), defender("white", off * dx, off * dy)
    assert believed(chaos_table(stands), comes) == comes
