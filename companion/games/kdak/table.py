"""Where everything lies: six squares of tiles in a line, level 0 left, and the score track in front of them."""

from dataclasses import dataclass, replace

from companion.games.base import Layout, Lying
from companion.games.kdak import tower as t
from companion.games.kdak.position import Move, Position
from companion.games.kdak.tower import LEVELS, Place
from companion.games.kdak.track import SQUARES, square_mm
from companion.games.kdak.words import place_words, seat_name, tile_words
from companion.pieces import COIN_DIAMETER_MM, TILE_SIDE_MM, VALUES, Piece


@dataclass(frozen=True, slots=True)
class Geometry:
    """Millimetres of the set-up; the middle of the line of squares is the origin."""

    tile_mm: float = TILE_SIDE_MM
    gap_mm: float = 4.0  # between neighbouring squares
    track_y_mm: float = -140.0  # centre of the score track's sheet


DEFAULT = Geometry()


def place_mm(place: Place, geometry: Geometry = DEFAULT) -> tuple[float, float]:
    """The centre of a tile."""
    pitch = 2 * geometry.tile_mm + geometry.gap_mm
    x = (place.level - (LEVELS - 1) / 2) * pitch + (0.5 if place.corner % 2 else -0.5) * geometry.tile_mm
    return x, (0.5 if place.corner >= 2 else -0.5) * geometry.tile_mm


def layout(position: Position, geometry: Geometry = DEFAULT) -> Layout:
    """The table as the position asks for it: tiles, level coins, pawns, score coins."""
    tiles = {place: t.tile_at(position.tower, place) for place in t.places(position.tower)}
    return Layout((*_tiles(tiles, geometry), *_level_coins(position, geometry), *_players(position, geometry)))


def during(position: Position, move: Move, geometry: Geometry = DEFAULT) -> Layout:
    """The table right after the hand let go: a pawn on a tile not yet turned, a gap where a tile was taken."""
    tiles = {place: t.tile_at(position.tower, place) for place in t.places(position.tower)}
    if move.kind == "take" and move.place is not None:
        tiles.pop(move.place, None)
    if move.kind == "tile" and position.phase == "reveal" and position.pawn.place is not None:
        tiles[position.pawn.place] = t.Tile(move.tile, up=True)
    pawns = list(position.pawns)
    if move.kind == "go":
        pawns[position.seat] = replace(position.pawn, place=move.place)
    if move.kind == "out":
        pawns[position.seat] = replace(position.pawn, place=None, out=True)
    after = replace(position, pawns=tuple(pawns))
    return Layout((*_tiles(tiles, geometry), *_level_coins(position, geometry), *_players(after, geometry)))


def _tiles(tiles: dict[Place, t.Tile], geometry: Geometry) -> list[Lying]:
    lying = []
    for place, tile in tiles.items():
        x, y = place_mm(place, geometry)
        piece = Piece("tile", face="back")
        if tile.up and tile.name is not None:
            piece = Piece("tile", face="front", suit=t.suit(tile.name), value=t.value(tile.name))
        words = f"{tile_words(tile.name if tile.up else None)} on {place_words(place)}"
        lying.append(Lying(piece, x_mm=x, y_mm=y, words=words))
    return lying


def _level_coins(position: Position, geometry: Geometry) -> list[Lying]:
    """A coin with its value up behind each level (K0), and alone the talisman, face-down, by level 5 (K25)."""
    lying = []
    behind = geometry.tile_mm + COIN_DIAMETER_MM
    for level in range(LEVELS):
        x = (place_mm(Place(level, 0), geometry)[0] + place_mm(Place(level, 1), geometry)[0]) / 2
        coin = Piece("coin", face="value", value=VALUES[level])
        lying.append(Lying(coin, x_mm=x, y_mm=behind, words=f"the coin of level {level}"))
    if position.house.alone and not position.door_open:
        x = place_mm(Place(LEVELS - 1, 1), geometry)[0] + geometry.tile_mm
        lying.append(Lying(Piece("coin", face="suit"), x_mm=x, y_mm=0.0, words="the talisman"))
    return lying


def _players(position: Position, geometry: Geometry) -> list[Lying]:
    lying = []
    for seat in range(position.house.seats):
        suit, name = position.house.pawns[seat], seat_name(position.house, seat)
        pawn = position.pawns[seat]
        if pawn.place is not None:
            x, y = place_mm(pawn.place, geometry)
            words = f"{name}'s pawn on {place_words(pawn.place)}"
            lying.append(Lying(Piece("pawn", suit=suit), x_mm=x, y_mm=y, words=words))
        points = min(position.scores[seat], SQUARES - 1)
        dx, dy = square_mm(points)
        coin = Piece("coin", face="suit", suit=suit)
        words = f"{name}'s coin belongs on {points}"
        lying.append(Lying(coin, x_mm=dx, y_mm=geometry.track_y_mm + dy, words=words))
    return lying
