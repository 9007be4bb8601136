"""What an attacker points at: a ray from its tip, blocked by the first footprint that it meets."""

import itertools
import math
from collections.abc import Collection
from dataclasses import dataclass

from companion.events import BeamPath
from companion.games.chaos import geometry as g
from companion.games.chaos.colours import targets
from companion.games.chaos.geometry import SIX_INCHES_MM
from companion.games.chaos.placement import largest
from companion.games.chaos.position import Position, Standing, standing

LOOK_MM = 2000.0  # beyond any table
SHARES = (-1.0, -0.5, 0.0, 0.5, 1.0)  # of the camera's error, by which a ray is tried to be off


@dataclass(frozen=True, slots=True)
class Aim:
    """The first piece in the ray and its distance from the tip; `verdict` says whether it is a target."""

    verdict: str  # nothing, attacker, other-colour, out-of-reach, doubtful, target
    target: Standing | None = None
    distance_mm: float = LOOK_MM


def aim(position: Position, attacker: Standing) -> Aim:
    """What a lying piece points at (C13, C15, CA1, CA15). It never counts itself."""
    return _first(position, attacker, [other for other in position.pieces if other != attacker])


def _first(position: Position, attacker: Standing, others: Collection[Standing]) -> Aim:
    """The first of the others that its ray meets."""
    best, start = Aim("nothing"), g.tip(attacker)
    for other in others:
        distance = g.reach_along(start, attacker.heading_deg, other, LOOK_MM)
        if distance is not None and distance < best.distance_mm:
            best = Aim("target", other, distance)
    if best.target is None:
        return best
    return Aim(_verdict(position, attacker, best), best.target, best.distance_mm)


def close_call(position: Position, attacker: Standing) -> Standing | None:
    """The piece of which the camera's error decides whether the ray meets it, where a capture hangs on it (CA2)."""
    other = otherwise(position, attacker)
    if other is None:
        return None
    told, seen = aim(position, attacker), aim(position, other)
    comes_before = seen.target is not None and seen.distance_mm < told.distance_mm
    return seen.target if comes_before or told.target is None else told.target


def otherwise(position: Position, attacker: Standing) -> Standing | None:
    """The attacker so little aside, within the camera's error, that it captures something else; None if it cannot."""
    near = [other for other in position.pieces if other != attacker and _near_ray(attacker, other)]
    if not near:
        return None
    told = _prize(position, _first(position, attacker, near))
    for aside, turn in sorted(itertools.product(SHARES, SHARES), key=lambda off: math.hypot(*off)):
        other = _off(attacker, aside * g.TOLERANCES.ray_mm, turn * g.TOLERANCES.ray_deg)
        if _prize(position, _first(position, other, near)) != told:
            return other
    return None


def prize(position: Position, attacker: Standing) -> str | None:
    """The colour of which an attacker captures a piece when it is placed (C14, C16, CA16)."""
    return _prize(position, aim(position, attacker))


def _off(attacker: Standing, aside_mm: float, turn_deg: float) -> Standing:
    """The attacker with its tip so far to the left, and turned so far about it."""
    (x, y), (dx, dy) = g.tip(attacker), g.direction(attacker.heading_deg)
    heading_deg, half = attacker.heading_deg + turn_deg, g.slant_mm(attacker.size) / 2
    u, v = g.direction(heading_deg)
    x_mm, y_mm = x - dy * aside_mm - u * half, y + dx * aside_mm - v * half
    return standing(attacker.colour, attacker.size, attacker.pose, x_mm, y_mm, heading_deg)


def _near_ray(attacker: Standing, other: Standing) -> bool:
    """True if a ray that is off by the camera's error might meet the piece within its reach."""
    (x, y), (dx, dy) = g.tip(attacker), g.direction(attacker.heading_deg)
    offsets = [(u - x, v - y) for u, v in g.corners(other)]
    along = [u * dx + v * dy for u, v in offsets]
    beside = [v * dx - u * dy for u, v in offsets]
    slack = g.TOLERANCES.ray_mm + max(max(along), 0.0) * math.tan(math.radians(g.TOLERANCES.ray_deg))
    reached = max(along) > 0 and min(along) <= SIX_INCHES_MM + g.TOLERANCES.doubtful_mm
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


def _verdict(position: Position, attacker: Standing, seen: Aim) -> str:
    target = seen.target
    if target is None or target.pose != "upright":
        return "attacker"
    if target.colour not in targets(attacker.colour, position.house.colours, position.house.reach):
        return "other-colour"
    beyond = seen.distance_mm - SIX_INCHES_MM
    if beyond <= g.TOLERANCES.sure_mm:
        return "target"
    return "doubtful" if beyond <= g.TOLERANCES.doubtful_mm else "out-of-reach"
