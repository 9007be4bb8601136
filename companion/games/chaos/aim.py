"""What an attacker points at: a ray from its tip, blocked by the first footprint that it meets."""

import itertools
import math
from collections.abc import Collection
from dataclasses import dataclass

from companion.events import BeamPath
from companion.games.chaos import geometry as g
from companion.games.chaos.colours import targets
from companion.games.chaos.geometry import SIX_INCHES_MM, Tolerances, Vector
from companion.games.chaos.placement import largest
from companion.games.chaos.position import Position, Standing

LOOK_MM = 2000.0  # beyond any table
SHARES = (-1.0, -0.5, 0.0, 0.5, 1.0)  # of the camera's error, by which a ray is tried to be off


@dataclass(frozen=True, slots=True)
class Aim:
    """The first piece in the ray and its distance from the tip; `verdict` says whether it is a target."""

    verdict: str  # nothing, attacker, other-colour, out-of-reach, doubtful, target
    target: Standing | None = None
    distance_mm: float = LOOK_MM


def aim(position: Position, attacker: Standing, tolerances: Tolerances = g.DEFAULT) -> Aim:
    """What a lying piece points at (C13, C15, CA1, CA15). It never counts itself."""
    others = [other for other in position.pieces if other != attacker]
    return _first(position, attacker, others, g.tip(attacker), attacker.heading_deg, tolerances)


def _first(
    position: Position,
    attacker: Standing,
    others: Collection[Standing],
    start: Vector,
    heading_deg: float,
    tolerances: Tolerances,
) -> Aim:
    """The first of the others that a ray meets."""
    best = Aim("nothing")
    for other in others:
        distance = g.reach_along(start, heading_deg, other, LOOK_MM)
        if distance is not None and distance < best.distance_mm:
            best = Aim("target", other, distance)
    if best.target is None:
        return best
    return Aim(_verdict(position, attacker, best, tolerances), best.target, best.distance_mm)


def close_call(position: Position, attacker: Standing, tolerances: Tolerances = g.DEFAULT) -> Standing | None:
    """The piece of which the camera's error decides whether the ray meets it, where a capture hangs on it (CA2)."""
    near = [other for other in position.pieces if other != attacker and _near_ray(attacker, other, tolerances)]
    if not near:
        return None
    (x, y), (dx, dy) = g.tip(attacker), g.direction(attacker.heading_deg)
    told = _first(position, attacker, near, (x, y), attacker.heading_deg, tolerances)
    prize = _prize(position, told)
    for aside, turn in itertools.product(SHARES, SHARES):
        start = (x - dy * aside * tolerances.ray_mm, y + dx * aside * tolerances.ray_mm)
        heading = attacker.heading_deg + turn * tolerances.ray_deg
        other = _first(position, attacker, near, start, heading, tolerances)
        if _prize(position, other) != prize:
            comes_before = other.target is not None and other.distance_mm < told.distance_mm
            return other.target if comes_before or told.target is None else told.target
    return None


def _near_ray(attacker: Standing, other: Standing, tolerances: Tolerances) -> bool:
    """True if a ray that is off by the camera's error might meet the piece within its reach."""
    (x, y), (dx, dy) = g.tip(attacker), g.direction(attacker.heading_deg)
    offsets = [(u - x, v - y) for u, v in g.corners(other)]
    along = [u * dx + v * dy for u, v in offsets]
    beside = [v * dx - u * dy for u, v in offsets]
    slack = tolerances.ray_mm + max(max(along), 0.0) * math.tan(math.radians(tolerances.ray_deg))
    reached = max(along) > 0 and min(along) <= SIX_INCHES_MM + tolerances.doubtful_mm
    return reached and max(beside) > -slack and min(beside) < slack


def _prize(position: Position, seen: Aim) -> str | None:
    """The colour that is captured so (C14, C16, CA16)."""
    if seen.target is None or seen.verdict != "target":
        return None
    colour = seen.target.colour
    had = any(colour == other for other, _ in position.captured[position.seat])
    return None if had or largest(position, colour) is None else colour


def path(attacker: Standing, seen: Aim) -> BeamPath:
    """The ray as a path to draw, at most six inches long."""
    start = g.tip(attacker)
    dx, dy = g.direction(attacker.heading_deg)
    length = min(seen.distance_mm, SIX_INCHES_MM)
    end = (round(start[0] + dx * length, 1), round(start[1] + dy * length, 1))
    return BeamPath(((round(start[0], 1), round(start[1], 1)), end), "mm", seen.verdict, attacker.colour)


def _verdict(position: Position, attacker: Standing, seen: Aim, tolerances: Tolerances) -> str:
    target = seen.target
    if target is None or target.pose != "upright":
        return "attacker"
    if target.colour not in targets(attacker.colour, position.house.colours):
        return "other-colour"
    beyond = seen.distance_mm - SIX_INCHES_MM
    if beyond <= tolerances.sure_mm:
        return "target"
    return "doubtful" if beyond <= tolerances.doubtful_mm else "out-of-reach"
