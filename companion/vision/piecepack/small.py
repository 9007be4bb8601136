"""Coins, pawns and dice of a piecepack, on the table or on tiles."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import SUITS, VALUES, Piece
from companion.vision.convex import round_outline
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.piecepack.networks import KINDS, Singles
from companion.vision.piecepack.places import Place, Spot, found_piece, on_table
from companion.vision.piecepack.settings import PiecepackSettings

Floats = NDArray[np.float64]


def small_among(ground: Ground, places: Sequence[Place], tiles: Sequence[Found], s: PiecepackSettings) -> list[Found]:
    """Every coin, pawn and die, the surest first; of what lies too near one another the first."""
    found: list[Found] = []
    for place in _each_once(ground, places, s):
        kind = KINDS[place.spot.kind]
        piece = little(ground, place.spot, place.told, place.sure, tiles, s)
        least = s.no_print if kind == "die" and _on_digit(_seen_at(ground, place), tiles, s) else s.piece
        found.append(replace(piece, sighting=replace(piece.sighting, faint=place.sure < least)))
    return found


def _each_once(ground: Ground, places: Sequence[Place], s: PiecepackSettings) -> list[Place]:
    """Of places that are too near one another to be of two pieces the first; of a pawn's head and foot the foot."""
    kept: list[tuple[Floats, Place]] = []
    for place in places:
        at = _seen_at(ground, place)
        if place.sure < s.faint or any(float(np.hypot(*(at - other))) < s.apart_mm for other, _ in kept):
            continue
        own = [(other, pawn) for other, pawn in kept if _of_one_suit(place, pawn)]
        if any(_is_head(ground, at, foot, s) for foot, _ in own):
            continue
        heads = [pawn for head, pawn in own if place.sure >= s.piece and _is_head(ground, head, at, s)]
        kept = [*((other, one) for other, one in kept if not any(one is head for head in heads)), (at, place)]
    return [place for _, place in kept]


def _seen_at(ground: Ground, place: Place) -> Floats:
    """Millimetres where it is seen on the table."""
    return ground.to_mm(np.array([place.spot.x, place.spot.y]))


def feet_of(ground: Ground, spots: Sequence[Spot], places: Sequence[Place], s: PiecepackSettings) -> Iterator[Spot]:
    """Where pawns may stand whose head, leaning out of the picture, was proposed rather than their foot."""
    fine, nadir = ground.settings.fine_mm, ground.fine_px(ground.camera[:2])
    told = [(p.spot.x, p.spot.y) for p in places if p.sure >= s.piece]
    for spot in spots:
        if KINDS[spot.kind] != "pawn" or any(math.dist((spot.x, spot.y), at) * fine < s.apart_mm for at in told):
            continue
        lean = (np.array([spot.x, spot.y]) - nadir) * s.pawn_high_mm / ground.camera[2]
        if math.hypot(*lean) * fine < s.least_lean_mm:
            continue
        for share in s.leans:
            yield replace(spot, x=spot.x - share * lean[0], y=spot.y - share * lean[1])


def _is_head(ground: Ground, at: Floats, foot: Floats, s: PiecepackSettings) -> bool:
    """True where the leaning body of a pawn that stands at `foot` is seen; both as seen on the table."""
    lean = (foot - ground.camera[:2]) * s.pawn_high_mm / ground.camera[2]
    along = float(np.clip((at - foot) @ lean / max(float(lean @ lean), 1e-9), 0, 1))
    return float(np.hypot(*(foot + along * lean - at))) < s.apart_mm


def _of_one_suit(one: Place, other: Place) -> bool:
    """True for two pawns of one suit."""
    pawns = KINDS[one.spot.kind] == KINDS[other.spot.kind] == "pawn"
    return pawns and int(one.told["suit"].argmax()) == int(other.told["suit"].argmax())


def _on_digit(at: Floats, tiles: Sequence[Found], s: PiecepackSettings) -> bool:
    """True in the middle of a tile's front, where a digit is printed; both as seen on the table."""
    fronts = (t for t in tiles if not t.sighting.faint and t.sighting.likeliest.face == "front")
    return any(float(np.hypot(*(t.outline_mm.mean(axis=0) - at))) < s.printed_mm for t in fronts)


def little(
    ground: Ground, spot: Spot, told: dict[str, Singles], sure: float, tiles: Sequence[Found], s: PiecepackSettings
) -> Found:
    """What a place of a coin, a pawn or a die is told to be, on the table or on the tile that carries it."""
    kind = KINDS[spot.kind]
    seen = ground.to_mm(np.array([spot.x, spot.y]))
    rise = s.rise_mm(kind)
    foot = on_table(ground, seen, s.thickness_mm + rise)
    firm = ((i, tile) for i, tile in enumerate(tiles) if not tile.sighting.faint)
    below = next((i for i, tile in firm if _carries(ground, tile, foot, s)), None)
    height = rise + (0.0 if below is None else s.thickness_mm)
    angle = math.degrees(math.atan2(float(told["heading"][1]), float(told["heading"][0]))) % 360
    heading = None if kind == "pawn" else angle
    radius = {"coin": s.coin_mm / 2, "pawn": s.pawn_mm / 2, "die": s.die_mm * 0.6}[kind]
    outline = round_outline(seen, radius)
    return found_piece(ground, spot, height, _beliefs(kind, told), sure, heading, outline, below, s)


def _beliefs(kind: str, told: dict[str, Singles]) -> list[tuple[Piece, float]]:
    """Every coin, pawn or die that it may be."""
    suits = list(zip(SUITS, told["suit"], strict=True))
    if kind == "pawn":
        return [(Piece("pawn", suit=suit), float(p)) for suit, p in suits]
    values = list(zip(VALUES, told["value"], strict=True))
    if kind == "die":
        return [(Piece("die", suit=suit, value=value), float(p * q)) for suit, p in suits for value, q in values]
    by_value, by_suit = (float(p) for p in told["face"])
    with_value = [(Piece("coin", value=value, face="value"), by_value * float(p)) for value, p in values]
    return with_value + [(Piece("coin", suit=suit, face="suit"), by_suit * float(p)) for suit, p in suits]


def _carries(ground: Ground, tile: Found, at: Floats, s: PiecepackSettings) -> bool:
    corners = on_table(ground, tile.outline_mm, s.thickness_mm).astype(np.float32)
    return cv2.pointPolygonTest(corners, (float(at[0]), float(at[1])), False) >= 0
