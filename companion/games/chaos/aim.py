"""What an attacker points at: a ray from its tip, blocked by the first footprint that it meets."""

import math
from dataclasses import dataclass

from companion.events import BeamPath
from companion.games.chaos import geometry as g
from companion.games.chaos.colours import targets
from companion.games.chaos.geometry import SIX_INCHES_MM, Tolerances
from companion.games.chaos.position import Position, Standing

LOOK_MM = 2000.0  # beyond any table


@dataclass(frozen=True, slots=True)
class Aim:
    """The first piece in the ray and its distance from the tip; `verdict` says whether it is a target."""

    verdict: str  # nothing, attacker, other-colour, out-of-reach, doubtful, target
    target: Standing | None = None
    distance_mm: float = LOOK_MM


def aim(position: Position, attacker: Standing, tolerances: Tolerances = g.DEFAULT) -> Aim:
    """What a lying piece points at (C13, C15, CA1, CA15). It never counts itself."""
    start, best = g.tip(attacker), Aim("nothing")
    for other in position.pieces:
        if other == attacker:
            continue
        distance = g.reach_along(start, attacker.heading_deg, other, LOOK_MM)
        if distance is not None and distance < best.distance_mm:
            best = Aim("target", other, distance)
    if best.target is None:
        return best
    return Aim(_verdict(position, attacker, best, tolerances), best.target, best.distance_mm)


def close_call(position: Position, attacker: Standing, tolerances: Tolerances = g.DEFAULT) -> Standing | None:
    """The piece of which the camera's error decides whether the ray meets it, where a capture hangs on it (CA2)."""
    start, (dx, dy) = g.tip(attacker), g.direction(attacker.heading_deg)
    near: list[tuple[float, float, Standing]] = []  # how far along the ray, how far inside the footprint, the piece
    for other in position.pieces:
        offsets = [(x - start[0], y - start[1]) for x, y in g.corners(other)]
        along = min(x * dx + y * dy for x, y in offsets)
        beside = [y * dx - x * dy for x, y in offsets]
        if other != attacker and 0 < along <= SIX_INCHES_MM + tolerances.doubtful_mm:
            near.append((along, min(max(beside), -min(beside)), other))
    prizes: list[str | None] = []  # what may be captured, as far as can be told
    doubted: Standing | None = None
    for along, inside, other in sorted(near, key=lambda one: one[0]):
        slack = tolerances.ray_mm + along * math.tan(math.radians(tolerances.ray_deg))
        if inside > -slack:
            verdict = _verdict(position, attacker, Aim("target", other, along), tolerances)
            prizes.append(other.colour if verdict == "target" else None)
            if inside > slack:
                break
            doubted = doubted or other
    else:
        prizes.append(None)  # where all are missed, nothing is captured
    return doubted if len(set(prizes)) > 1 else None


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
