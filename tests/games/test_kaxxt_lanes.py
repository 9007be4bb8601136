"""From millimetres and degrees to rows, columns and directions."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.kaxxt.lanes import Tolerances, corners, direction, lanes, line_gap_mm
from companion.games.kaxxt.pyramids import SET, Pyramid, read_codes
from companion.games.kaxxt.sides import BEARINGS, Side, side_at, sides
from companion.games.kaxxt.stands import Stand, stand
from companion.pieces import PYRAMID_BASE_MM

SOUTH = Side("south")
SIDES = [Side(name) for name in BEARINGS]


def placed(code: str, across: float, away: float, points: str = "up", side: Side = SOUTH) -> Stand:
    """A pyramid at a place as its player sees it."""
    return stand(read_codes(code), *side.table(across, away), side.heading(points))


@pytest.mark.parametrize("side", SIDES, ids=lambda side: side.name)
@pytest.mark.parametrize("points", ["kaxxt", "self", "left", "right"])
@pytest.mark.parametrize("off", [-30, -15, 0, 29.9, 30])
def test_XA11_within_thirty_degrees_a_direction_counts(side: Side, points: str, off: float) -> None:
    exact = side.heading(points)
    assert exact is not None
    assert direction(exact + off, side) == points
    assert direction(exact + off + 360, side) == points


@pytest.mark.parametrize("side", SIDES, ids=lambda side: side.name)
def test_XA11_beyond_that_the_table_is_asked(side: Side) -> None:
    for heading in (31, 45, 59, 121, 135, 225, 315, 329):
        assert direction(heading, side) == "ask"
    assert direction(None, side) == "up"
    assert direction(45, side, Tolerances(direction_deg=45)) != "ask"


def test_X14_the_four_headings_of_south() -> None:
    assert {heading: direction(heading, SOUTH) for heading in (0, 90, 180, 270)} == {
        0: "right",
        90: "kaxxt",
        180: "left",
        270: "self",
    }


def test_XA2_left_of_each_player_is_the_next_clockwise() -> None:
    order = sides(4)
    for seat, side in enumerate(order):
        left = side.heading("left")
        assert left is not None
        x, y = side.table(0, 100)
        beyond = (x + 300 * math.cos(math.radians(left)), y + 300 * math.sin(math.radians(left)))
        assert side_at(4, *beyond) == (seat + 1) % 4
        assert side.local(*side.table(-20, 100)) == pytest.approx((-20, 100))


@pytest.mark.parametrize("size", ["small", "medium", "large"])
def test_XA10_an_upright_pyramid_is_on_the_line_within_a_small_base_of_it(size: str) -> None:
    code = {"small": "r1", "medium": "r2", "large": "r3"}[size]
    edge = PYRAMID_BASE_MM[size] / 2 + 14
    for sign in (-1, 1):
        assert lanes([placed(code, sign * (edge - 0.2), 100)], SOUTH)[0].col == 0
        assert lanes([placed(code, sign * (edge + 0.2), 100)], SOUTH)[0].col == sign


def test_XA10_a_lying_pyramid_reaches_with_its_tip_and_its_base() -> None:
    half = math.hypot(44.45, 25.4 / 2) / 2  # it lies on a triangle
    assert line_gap_mm(placed("r3", -half - 5, 100, "right"), SOUTH) == pytest.approx(5, abs=0.1)
    assert line_gap_mm(placed("r3", -half - 5, 100, "left"), SOUTH) == pytest.approx(5, abs=0.1)
    assert line_gap_mm(placed("r3", half - 1, 100, "left"), SOUTH) == 0
    assert line_gap_mm(placed("r3", -20, 100, "kaxxt"), SOUTH) == pytest.approx(20 - 12.7, abs=0.1)
    right, left, tip = corners(stand(read_codes("r3"), 10, 20, 90))
    assert tip == pytest.approx((10, 20 + half))
    assert left == pytest.approx((-2.7, 20 - half))
    assert right == pytest.approx((22.7, 20 - half))
    square = corners(stand(read_codes("r1"), 0, 0))
    assert {(round(x, 3), round(y, 3)) for x, y in square} == {(i * 7.145, j * 7.145) for i in (-1, 1) for j in (-1, 1)}


def test_XA9_rows_and_columns() -> None:
    stands = [
        placed("r3", 0, 100),
        placed("b3", -60, 104),
        placed("g3", 55, 146),
        placed("y3", -110, 100),
        placed("k3", -52, 150),
        placed("r1", 3, 149),
    ]
    slots = [(slot.row, slot.col) for slot in lanes(stands, SOUTH)]
    assert slots == [(0, 0), (0, -1), (1, 1), (0, -2), (1, -1), (1, 0)]


def test_lanes_are_as_wide_as_the_tolerance_from_their_first() -> None:
    stands = [placed("r1", 0, away) for away in (100, 112, 112.5, 124)]
    assert [slot.row for slot in lanes(stands, SOUTH)] == [0, 0, 1, 1]
    beside = [placed("r1", -across, 100) for across in (50, 62, 62.5)]
    assert [slot.col for slot in lanes(beside, SOUTH)] == [-1, -1, -2]
    beside = [placed("r1", across, 100) for across in (50, 62, 62.5)]
    assert [slot.col for slot in lanes(beside, SOUTH)] == [1, 1, 2]
    assert [slot.row for slot in lanes(stands, SOUTH, Tolerances(lane_mm=5))] == [0, 1, 1, 2]
    assert lanes([], SOUTH) == ()


def test_two_small_ones_side_by_side_are_two_lanes() -> None:
    stands = [placed("r1", 0, 100), placed("b1", 0, 100 + PYRAMID_BASE_MM["small"])]
    assert [slot.row for slot in lanes(stands, SOUTH)] == [0, 1]


cases = st.lists(
    st.tuples(st.sampled_from(SET), st.floats(-150, 150), st.floats(40, 240), st.none() | st.floats(0, 359.9)),
    max_size=8,
)


@given(cases, st.integers(1, 3))
def test_turning_the_whole_table_changes_no_lane(
    pyramids: list[tuple[Pyramid, float, float, float | None]], quarters: int
) -> None:
    def seen_from(seat: int, tolerances: Tolerances) -> list[tuple[int, int, str]]:
        side = sides(4)[seat]
        stands = [
            Stand((pyramid,), *exact(side, across, away), None if heading is None else heading - 90 * seat)
            for pyramid, across, away, heading in pyramids
        ]
        return [(slot.row, slot.col, slot.points) for slot in lanes(stands, side, tolerances)]

    wide, narrow = (Tolerances(14 + tiny, 12 + tiny, 30 + tiny) for tiny in (1e-6, -1e-6))
    if seen_from(0, wide) == seen_from(0, narrow):  # else it hangs on the last digit of a sine
        assert seen_from(quarters, Tolerances()) == seen_from(0, Tolerances())


def exact(side: Side, across: float, away: float) -> tuple[float, float]:
    """The place on the table, not rounded."""
    turn = math.radians(side.bearing_deg)
    return away * math.cos(turn) - across * math.sin(turn), away * math.sin(turn) + across * math.cos(turn)


def test_places_belong_to_the_side_they_lie_before() -> None:
    assert [side_at(4, x, y) for x, y in ((0, -10), (-10, 0), (0, 10), (10, 0))] == [0, 1, 2, 3]
    assert [side_at(2, x, y) for x, y in ((100, -10), (100, 10))] == [0, 1]
    assert SOUTH.beyond_deg(0, -5) == 0
    assert SOUTH.beyond_deg(5, -5) == pytest.approx(45)
    assert SOUTH.beyond_deg(-5, 0) == pytest.approx(90)
