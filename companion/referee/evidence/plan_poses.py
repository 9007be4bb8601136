"""Where the parts of a plan lie on the table: poses, and how they are drawn onto what is seen.

Points of the table are complex numbers, x + iy in millimetres.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.games.base import Lying, Plan, Spot
from companion.view import Sighting

Point = complex


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a part lies: a point p of the plan is seen at `shift + turn * p`; |turn| = 1."""

    turn: complex = 1 + 0j
    shift: complex = 0j

    def at(self, point: Point) -> Point:
        """A point of the plan on the table."""
        return self.shift + self.turn * point

    def back(self, seen: Point) -> Point:
        """A point of the table on the plan."""
        return (seen - self.shift) / self.turn


Poses = Mapping[str, Pose]


def turned_round(plan: Plan, poses: Poses) -> dict[str, Pose]:
    """The same places taken from the other end: a point p of the plan lies where -p lay."""
    middles = part_middles(plan)
    opposite = {part: min(middles, key=lambda p: abs(middles[p] + middle)) for part, middle in middles.items()}
    return {part: Pose(-poses[other].turn, poses[other].shift) for part, other in opposite.items()}


def nearest_part(plan: Plan, poses: Poses, lying: Lying) -> Point:
    """Where a point of the plan is on the table, by the part that is nearest to it."""
    point = complex(lying.x_mm or 0.0, lying.y_mm or 0.0)
    middles = part_middles(plan)
    return poses[min(middles, key=lambda part: abs(middles[part] - point))].at(point)


def drawn_onto(pose: Pose, pairs: Sequence[tuple[Point, Point]], share: float) -> Pose:
    """A pose moved a share of the way onto pairs of (point of the plan, point of the table); one pair turns nothing."""
    ours = sum(a for a, _ in pairs) / len(pairs)
    theirs = sum(b for _, b in pairs) / len(pairs)
    turn = pose.turn
    if len(pairs) > 1:
        towards = sum((b - theirs) * (a - ours).conjugate() for a, b in pairs)
        if abs(towards):
            turn = pose.turn * (towards / abs(towards) / pose.turn) ** share
            turn /= abs(turn)
    here = pose.at(ours)
    there = here + share * (theirs - here)
    return Pose(turn, there - turn * ours)


def drawn(pose: Pose, own: Sequence[tuple[Spot, Point]], share: float) -> Pose:
    """`drawn_onto` for spots and the points where they are seen."""
    return drawn_onto(pose, [(complex(s.x_mm, s.y_mm), at) for s, at in own], share)


def part_middles(plan: Plan) -> dict[str, Point]:
    """The middle of each part's spots, on the plan."""
    parts: dict[str, list[Point]] = {}
    for spot in plan.spots:
        parts.setdefault(spot.part, []).append(complex(spot.x_mm, spot.y_mm))
    return {part: sum(points) / len(points) for part, points in parts.items()}


def part_offsets(plan: Plan, spread: float) -> dict[str, Point]:
    """How far each part is shifted when neighbours lie `spread` further apart along X."""
    middles = part_middles(plan)
    order = sorted(middles, key=lambda part: middles[part].real)
    return {part: complex((i - (len(order) - 1) / 2) * spread, 0.0) for i, part in enumerate(order)}


def point_of(sighting: Sighting) -> Point:
    """Where on the table."""
    return complex(sighting.x_mm or 0.0, sighting.y_mm or 0.0)
