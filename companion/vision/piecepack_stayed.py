"""Where tiles lay when the table was last looked at: most of them lie there still.

A row of backs looks alike half a tile on: their quartering lines pass for the seams. What was told once, by the row's
ends or a face in it, is not to be told otherwise by the next picture's noise.
"""

import math
from collections.abc import Sequence

from companion.vision.foreground import Ground
from companion.vision.piecepack_places import Spot
from companion.vision.piecepack_settings import PiecepackSettings


def tiles_before(ground: Ground, s: PiecepackSettings) -> list[Spot]:
    """The places of the tiles that were surely there, as they would be seen now."""
    if ground.past is None:
        return []
    found = []
    for tile in ground.past.found:
        if tile.sighting.piece.kind == "tile" and tile.sure >= s.joined_to:
            middle = ground.fine_px(tile.outline_mm.mean(axis=0))
            along = tile.outline_mm[0] - tile.outline_mm[1]
            heading = math.degrees(math.atan2(float(along[1]), float(along[0])))
            found.append(Spot(0, float(middle[0]), float(middle[1]), heading, s.expected))
    return found


def near_one(ground: Ground, spot: Spot, others: Sequence[Spot], within_mm: float) -> bool:
    """True if it is where one of the others is."""
    reach = within_mm / ground.settings.fine_mm
    return any(math.hypot(spot.x - other.x, spot.y - other.y) <= reach for other in others)
