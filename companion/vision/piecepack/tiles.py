"""Tiles of a piecepack: which places have one, where one completes a square, and which faces they show."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.pieces import SUITS, VALUES, Piece
from companion.vision.chances import chance_of
from companion.vision.choice import heaviest, margins
from companion.vision.convex import shared
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.piecepack.networks import Singles, log_odds
from companion.vision.piecepack.places import Place, Spot, found_piece
from companion.vision.piecepack.rows import bond, flush, rows
from companion.vision.piecepack.settings import PiecepackSettings
from companion.vision.piecepack.stayed import near_one
from companion.vision.piecepack.tones import tone_odds

Floats = NDArray[np.float64]

FACES = (
    Piece("tile", face="back"),
    *(Piece("tile", suit=suit, value=value, face="front") for suit in SUITS for value in VALUES),
)
ROUNDS = 12


def tiles_among(
    ground: Ground, places: Sequence[Place], s: PiecepackSettings, before: Sequence[Spot] = ()
) -> list[Found]:
    """Every tile: the heaviest set of places that share no table, then what is faintly seen where none is.

    Where tiles lay `before` they rather lie than half a tile on.
    """
    threshold = log_odds(s.least_tile)
    likely = [(place, _square(ground, place.spot, s)) for place in places if place.sure >= s.least_tile]
    weights = [log_odds(place.sure) - threshold for place, _ in likely]
    spots = [place.spot for place, _ in likely]
    excludes = np.zeros((len(likely), len(likely)), bool)
    bonds = np.zeros((len(likely), len(likely)))
    for i, (_, one) in enumerate(likely):
        for j, (_, other) in enumerate(likely[:i]):
            excludes[i, j] = excludes[j, i] = shared(one, other) >= s.overlap
            bonds[i, j] = bonds[j, i] = bond(ground, spots[i], spots[j], s)
    stays = [s.stays * near_one(ground, spot, before, s.stayed_mm) for spot in spots]
    chosen = [weight + more for weight, more in zip(weights, stays, strict=True)]
    stand = heaviest(chosen, excludes, bonds, rows(ground, spots, s)) if likely else []
    sure = 1 / (1 + np.exp(-np.array(margins(weights, excludes, stand)) - threshold))
    kept = [(replace(likely[i][0], sure=float(p)), likely[i][1]) for i, p in zip(stand, sure, strict=True)]
    kept = [pair for pair in kept if pair[0].sure >= s.piece or _joins(ground, pair[0], kept, s)]
    kept = sorted(kept, key=lambda pair: -pair[0].sure)[: len(FACES) - 1] if s.one_deck else kept
    firm = len(kept)
    for place in places:
        outline = _square(ground, place.spot, s)
        if place.sure >= s.faint and all(shared(outline, other) < s.overlap for _, other in kept):
            kept.append((place, outline))
    shares = np.array([_faces(place.told) for place, _ in kept]).reshape(-1, len(FACES))
    if s.one_deck:
        shares[:firm] = one_of_each(shares[:firm])
    return [_tile(ground, place, shares[i], outline, i >= firm, s) for i, (place, outline) in enumerate(kept)]


def _joins(ground: Ground, place: Place, among: Sequence[tuple[Place, Floats]], s: PiecepackSettings) -> bool:
    """True if it lies flush with a tile that is surely there.

    However many it lies flush with, a place where little is seen is no tile: it may have been taken from there.
    """
    return any(
        other is not place and other.sure >= s.joined_to and flush(ground, place.spot, other.spot, s)
        for other, _ in among
    )


def completing(ground: Ground, places: Sequence[Place], s: PiecepackSettings) -> Iterator[Spot]:
    """Where a tile would lie flush with two that are surely there: the fourth of a square, hidden by what is on it.

    One that is seen half a tile beside does not hide it: which of them lies there is not settled yet.
    Tiles are as far apart as they seem, which is a little more than their size.
    """
    fine = ground.settings.fine_mm
    high = float(ground.camera[2])
    pitch = s.tile_mm / fine * high / (high - s.thickness_mm)
    firm = [place.spot for place in places if place.sure >= s.joined_to]
    beside: list[tuple[float, float, float, int]] = []
    for number, spot in enumerate(firm):
        for quarter in range(4):
            a = math.radians(spot.heading_deg + 90.0 * quarter)
            beside.append((spot.x + pitch * math.cos(a), spot.y - pitch * math.sin(a), spot.heading_deg, number))
    taken = [(spot.x, spot.y) for spot in firm]
    looked = [(place.spot.x, place.spot.y) for place in places]
    for i, (x, y, heading, one) in enumerate(beside):
        for u, v, _, other in beside[:i]:
            if other == one or math.hypot(x - u, y - v) * fine > s.flush_mm:
                continue
            at = (x + u) / 2, (y + v) / 2
            if any(math.dist(at, there) < s.same_tile * pitch for there in taken):
                continue
            taken.append(at)
            if all(math.dist(at, there) * fine > s.looked_at_mm for there in looked):
                yield Spot(0, *at, heading, s.expected)


def toned(ground: Ground, places: Sequence[Place], s: PiecepackSettings) -> list[Place]:
    """The places of tiles, the surest first; where a tile may be missing beside others its tone was compared.

    What a tone makes sure of holds its neighbours in turn: of tiles that the network doubts there are many on a table.
    """
    alone = [(place, _square(ground, place.spot, s)) for place in places]
    doubted = [bool(place.told) and (_is_plain(place) or place.sure < s.sure_face) for place in places]
    odds = tone_odds(ground, [outline for _, outline in alone], [place.sure for place in places], doubted)
    found, joined = alone, 0
    while True:
        joins = [bool(more) and _joins(ground, place, found, s) for (place, _), more in zip(alone, odds, strict=True)]
        found = [
            (replace(place, sure=chance_of(log_odds(place.sure) + more)), outline) if told else (place, outline)
            for (place, outline), more, told in zip(alone, odds, joins, strict=True)
        ]
        if sum(joins) <= joined:
            return sorted((place for place, _ in found), key=lambda place: -place.sure)
        joined = sum(joins)


def _is_plain(place: Place) -> bool:
    """It shows a back, or a face of which nearly all is bare."""
    back, front = (float(place.told["kind"][answer]) for answer in (1, 2))
    return back > front or VALUES[int(np.argmax(place.told["value"]))] == "null"


def _square(ground: Ground, spot: Spot, s: PiecepackSettings) -> Floats:
    h = s.tile_mm / 2
    a = math.radians(spot.heading_deg)
    along, across = np.array([math.cos(a), math.sin(a)]) * h, np.array([-math.sin(a), math.cos(a)]) * h
    middle = ground.to_mm(np.array([spot.x, spot.y]))
    return np.array(
        [middle + along + across, middle - along + across, middle - along - across, middle + along - across]
    )


def _tile(ground: Ground, place: Place, shares: Floats, outline: Floats, faint: bool, s: PiecepackSettings) -> Found:
    beliefs = [(piece, float(p)) for piece, p in zip(FACES, shares, strict=True)]
    heading = None
    if shares[1:].sum() > 0.5:
        heading = (place.spot.heading_deg - 90.0 * int(place.told["turn"].argmax())) % 360
    tile = found_piece(ground, place.spot, s.thickness_mm, beliefs, place.sure, heading, outline, None, s)
    return replace(tile, sighting=replace(tile.sighting, faint=faint))


def _faces(told: dict[str, Singles]) -> Floats:
    """Probabilities of a tile's faces, in the order of `FACES`."""
    front = float(told["kind"][2]) / max(1e-9, float(told["kind"][1] + told["kind"][2]))
    return np.array([1 - front, *(front * np.outer(told["suit"], told["value"]).ravel().astype(np.float64))])


def one_of_each(shares: Floats) -> Floats:
    """(n, faces) probabilities of tiles of which each front lies there at most once; the back counts freely.

    What several tiles claim goes to the surest: columns are brought to a sum of at most one, rows to one, in turns.
    """
    told = shares + 1e-12
    for _ in range(ROUNDS):
        told[:, 1:] /= np.maximum(1.0, told[:, 1:].sum(axis=0))
        told /= told.sum(axis=1, keepdims=True)
    return told
