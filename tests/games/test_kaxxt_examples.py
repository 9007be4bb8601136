"""The two worked examples of the rules, hop by hop and beam by beam."""

import pytest
from kaxxt_tables import ADVANCED, fire, table

from companion.games.kaxxt.beam import Tracer

OVERFLOW = {0: (("r3", "left", 0, 0),), 1: (("r2", "right", 0, 0),)}
METHODS = ("fraction", "capacity")


def test_X29_XA3_XA5_stack_overflow_example() -> None:
    trace = fire(2, OVERFLOW, 0, "red")
    assert trace.damage == {1: 2}  # one point twice
    assert trace.annihilated == {0: "X29"}
    assert trace.stopped == 1


def test_XA1_stack_overflow_under_capacity_has_the_same_end() -> None:
    trace = fire(2, OVERFLOW, 0, "red", method="capacity")
    assert trace.damage == {1: 1}
    assert trace.annihilated == {0: "X29"}
    assert trace.stopped == 2


def test_stack_overflow_is_drawn_hop_by_hop_in_millimetres() -> None:
    paths = fire(2, OVERFLOW, 0, "red").paths
    turned = [(path.power, path.points[-1]) for path in paths if path.end == "turned"]
    assert turned == [(3.0, (0.0, -70.0)), (3.0, (0.0, 70.0)), (2.0, (0.0, -70.0)), (2.0, (0.0, 70.0))]
    assert [path.power for path in paths if path.end == "hit"] == [1.0, 1.0]
    assert {path.unit for path in paths} == {"mm"}
    assert paths[0].points[0] == (0.0, 0.0)


WEST_RIGHT = (-150.0, -130.0)  # where beams that leave south to the left arrive
# colour -> from Kaxxt, from the left, from the right: recharge, damage, power that leaves to the left
BEAMS = {
    "red": ((0, 0, 3), (0, 0, 3), (0, 0, 3)),
    "blue": ((1, 0, 2), (2, 0, 1), (1, 0, 2)),
    "green": ((3, 0, 0), (3, 0, 0), (3, 0, 0)),
    "yellow": ((0, 3, 0), (1, 2, 0), (1, 2, 0)),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("colour", BEAMS)
@pytest.mark.parametrize("origin", ["kaxxt", "left", "right"])
def test_X21_to_X28_XA1_XA9_advanced_example(colour: str, origin: str, method: str) -> None:
    tracer = Tracer(table(4, {0: ADVANCED}), (True,) * 4, method)
    trace = tracer.fire(0, colour, 3) if origin == "kaxxt" else tracer.enter(0, origin, colour, 3)
    recharge, damage, leaves = BEAMS[colour][("kaxxt", "left", "right").index(origin)]
    assert trace.recharge == ({0: recharge} if recharge else {})
    assert trace.damage == {seat: points for seat, points in ((0, damage), (1, leaves)) if points}
    sent_left = [path.power for path in trace.paths if path.end == "passed on"]
    assert sent_left == ([leaves] if leaves else [])
    assert all(path.points[-1] == WEST_RIGHT for path in trace.paths if path.end == "passed on")
