"""How tiles lie beside each other: flush, corner to corner in rows, or staggered."""

import math
from collections.abc import Sequence

from companion.headings import turn_deg
from companion.vision.ground.foreground import Ground
from companion.vision.piecepack.places import Spot
from companion.vision.piecepack.settings import PiecepackSettings


def flush(ground: Ground, one: Spot, other: Spot, s: PiecepackSettings) -> bool:
    """True if the other would lie side to side with the first, corner to corner."""
    slip, apart = _offsets_mm(ground, one, other)
    return slip < s.flush_mm and abs(apart - s.tile_mm) < s.flush_mm


def bond(ground: Ground, one: Spot, other: Spot, s: PiecepackSettings) -> float:
    """Log odds for two tiles to lie so: hands lay them corner to corner, and seldom side to side otherwise."""
    turned = abs(turn_deg(one.heading_deg, other.heading_deg, 90.0))
    slip, apart = _offsets_mm(ground, one, other)
    if turned > s.askew_deg or abs(apart - s.tile_mm) > s.flush_mm or slip > s.tile_mm - s.flush_mm:
        return 0.0
    return -s.staggered if slip > s.askew_mm else s.cornered


def rows(ground: Ground, spots: Sequence[Spot], s: PiecepackSettings) -> list[list[int]]:
    """Which spots hang together corner to corner: one list of indices for each row, square or field of tiles."""
    found: list[list[int]] = []
    for i, spot in enumerate(spots):
        joined = [row for row in found if any(flush(ground, spots[j], spot, s) for j in row)]
        found = [row for row in found if row not in joined]
        found.append([j for row in joined for j in row] + [i])
    return found


def _offsets_mm(ground: Ground, one: Spot, other: Spot) -> tuple[float, float]:
    """The lesser and the greater distance of two middles along the sides of the first."""
    fine, a = ground.settings.fine_mm, math.radians(one.heading_deg)
    dx, dy = fine * (other.x - one.x), fine * (one.y - other.y)
    less, more = sorted((abs(dx * math.cos(a) + dy * math.sin(a)), abs(dy * math.cos(a) - dx * math.sin(a))))
    return less, more
