"""Where tiles lay when the table was last looked at: most of them lie there still.

A row of backs looks alike half a tile on: their quartering lines pass for the seams. What was told once, by the row's
ends or a face in it, is not to be told otherwise by the next picture's noise.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.convex import shared
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground, redrawn
from companion.vision.piecepack.places import Spot
from companion.vision.piecepack.settings import PiecepackSettings

Singles = NDArray[np.float32]


def tiles_before(ground: Ground, s: PiecepackSettings) -> list[Spot]:
    """The places of the tiles that were surely there, as they would be seen now."""
    if ground.past is None:
        return []
    found = []
    for tile in ground.past.found:
        if _was_tile(tile, s):
            middle = ground.fine_px(tile.outline_mm.mean(axis=0))
            along = tile.outline_mm[0] - tile.outline_mm[1]
            heading = math.degrees(math.atan2(float(along[1]), float(along[0])))
            found.append(Spot(0, float(middle[0]), float(middle[1]), heading, s.expected))
    return found


def with_still(ground: Ground, tiles: Sequence[Found], s: PiecepackSettings) -> list[Found]:
    """The tiles, and those that surely lay there and are less surely made out now, where nothing has changed since."""
    if ground.past is None:
        return list(tiles)
    firm = [tile for tile in tiles if _made_out(tile, s)]
    missed = [old for old in ground.past.found if _was_tile(old, s) and not _overlaps(old, firm, s)]
    if not missed:
        return list(tiles)
    now, (off, seen) = ground.as_taken, change_since(ground, ground.past.ground, s)
    noise = np.asarray(s.grey * np.exp(-seen), np.float32)
    still = [_marked(now, tile, s) for tile in missed if _looks_as_it_did(now, off, noise, tile, s)]
    return [*(tile for tile in tiles if _made_out(tile, s) or not _overlaps(tile, still, s)), *still]


def change_since(ground: Ground, past: Ground, s: PiecepackSettings) -> tuple[Singles, Singles]:
    """(h, w, 3) coarse logarithms: by how much the table as taken differs from before, and how it looks."""
    now, then = ground.as_taken, past.as_taken
    change = now.log - redrawn(then, then.log, now, now.settings.coarse)
    off, seen = (np.asarray(cv2.blur(layer, (s.blur_px,) * 2), np.float32) for layer in (change, now.log))
    return off, seen


def _looks_as_it_did(now: Ground, off: Singles, noise: Singles, tile: Found, s: PiecepackSettings) -> bool:
    """True if hardly a part of it differs (h, w, 3) from before, and all of it has its tone, told from around it."""
    own = now.filled([tile.outline_mm]) > 0
    ring = now.grown(own, s.around_mm) & ~own
    if not own.any() or not ring.any():
        return False
    inside = off[own] - np.median(off[ring], axis=0)
    differs = (np.abs(inside) > s.differs + noise[own]).any(axis=1)
    return float(differs.mean()) < s.still and float(np.abs(np.median(inside, axis=0)).max()) < s.one_tone


def _marked(now: Ground, tile: Found, s: PiecepackSettings) -> Found:
    """The tile with its pixel in this picture: between two photographs the camera may have been moved."""
    told = tile.sighting
    assert told.x_mm is not None
    ((x, y),) = now.pose.project(np.array([[told.x_mm, told.y_mm, s.thickness_mm]])).tolist()
    return replace(tile, sighting=replace(told, x_px=x, y_px=y))


def _made_out(tile: Found, s: PiecepackSettings) -> bool:
    """True if it is seen as surely as what is remembered: less sure a look tells less than that nothing changed."""
    return not tile.sighting.faint and tile.sure >= s.joined_to


def _was_tile(claim: Found, s: PiecepackSettings) -> bool:
    return claim.sighting.piece.kind == "tile" and claim.sure >= s.joined_to


def _overlaps(tile: Found, others: Sequence[Found], s: PiecepackSettings) -> bool:
    return any(shared(tile.outline_mm, other.outline_mm) >= s.overlap for other in others)


def near_one(ground: Ground, spot: Spot, others: Sequence[Spot], within_mm: float) -> bool:
    """True if it is where one of the others is."""
    reach = within_mm / ground.settings.fine_mm
    return any(math.hypot(spot.x - other.x, spot.y - other.y) <= reach for other in others)
