"""Faces of tiles on which something stands: what was seen of one before it did tells more than what is left of it.

A pawn on the stroke of a 5 leaves a 3. Where what is not covered looks as it did, nobody has laid another tile there.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.view import Sighting
from companion.vision.channels import least, most
from companion.vision.convex import shared
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.piecepack.settings import PiecepackSettings
from companion.vision.piecepack.stayed import change_since

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def with_faces_before(
    ground: Ground, tiles: Sequence[Found], small: Sequence[Found], s: PiecepackSettings
) -> list[Found]:
    """The tiles, each face on which something stands as it was read before, if what is seen of it is as it was."""
    if ground.past is None:
        return list(tiles)
    covers = [_seen_over(ground, piece, s) for piece in small if not piece.sighting.faint]
    before = [old for old in ground.past.found if _is_face(old.sighting) and old.sure >= s.joined_to]
    news: Mask | None = None
    told = []
    for tile in tiles:
        own = [cover for cover in covers if shared(cover, tile.outline_mm) > 0]
        old = _the_same(tile, before, s) if own and _is_face(tile.sighting) else None
        if old is not None and old.sighting.piece != tile.sighting.piece:
            news = _news(ground, s) if news is None else news
            if _as_it_was(ground, tile, own, news, s):
                tile = replace(tile, sighting=replace(tile.sighting, beliefs=old.sighting.beliefs, why=None))
        told.append(tile)
    return told


def _is_face(sighting: Sighting) -> bool:
    """True for a tile's front that was read."""
    return sighting.piece.kind == "tile" and sighting.piece.face == "front" and not sighting.faint


def _the_same(tile: Found, before: Sequence[Found], s: PiecepackSettings) -> Found | None:
    """The face that lay just there; None where there was none."""
    middle = tile.outline_mm.mean(axis=0)
    near = (old for old in before if float(np.hypot(*(old.outline_mm.mean(axis=0) - middle))) <= s.stayed_mm)
    return next(near, None)


def _seen_over(ground: Ground, piece: Found, s: PiecepackSettings) -> Floats:
    """The outline of a small piece as it is seen over what it stands on: a pawn's head leans away from the camera."""
    high = s.pawn_high_mm if piece.sighting.piece.kind == "pawn" else 0.0
    lean = (piece.outline_mm.mean(axis=0) - ground.camera[:2]) * high / ground.camera[2]
    both = np.vstack([piece.outline_mm, piece.outline_mm + lean]).astype(np.float32)
    return np.asarray(cv2.convexHull(both), np.float64)[:, 0]


def _news(ground: Ground, s: PiecepackSettings) -> Mask:
    """(h, w) coarse: where the table differs from before by more than a shadow that came or went."""
    assert ground.past is not None
    off, seen = change_since(ground, ground.past.ground, s)
    noise = np.asarray(s.grey * np.exp(-least(seen)), np.float32)
    lowest, highest = least(off), most(off)
    return np.asarray((highest - lowest > s.face_hue + noise) | (highest > s.differs + noise))


def _as_it_was(ground: Ground, tile: Found, covers: Sequence[Floats], news: Mask, s: PiecepackSettings) -> bool:
    """True if enough of the tile is seen beside what covers it, and hardly any of that is new."""
    wide = 2 * round(s.rim_mm / ground.coarse_mm) + 1
    kernel = np.ones((wide, wide), np.uint8)
    own = np.asarray(cv2.erode(ground.filled([tile.outline_mm]), kernel), np.uint8)
    whole = int(own.sum())
    own[cv2.dilate(ground.filled(covers), kernel) > 0] = 0
    left = own > 0
    return bool(left.sum() >= s.least_face * max(whole, 1)) and float(news[left].mean()) < s.same_face
