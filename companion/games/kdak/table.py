"""Where everything lies: six squares of tiles in a line, level 0 left, and the score track in front of them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache

from companion.games.base import Layout, Lying, Plan, Spot, Walker
from companion.games.kdak import tower as t
from companion.games.kdak.position import House, Move, Pawn, Position
from companion.games.kdak.tower import LEVELS, PLACES, Place
from companion.games.kdak.track import SQUARES, square_at, square_mm
from companion.games.kdak.words import place_words, seat_name, tile_words, up_again
from companion.pieces import COIN_DIAMETER_MM, TILE_SIDE_MM, VALUES, Piece

AWAY = "beside the tower"
TRACK = "the track"
BACK, FRONT = Piece("tile", face="back"), Piece("tile", face="front")
# the set-up, the middle of the line of squares being the origin
GAP_MM = 4.0  # between neighbouring squares
SPREAD_MM = 56.0  # by which it may be wider
TRACK_Y_MM = -140.0  # centre of the score track's sheet
WAITING_MM = (18.0, -68.0)  # of pawns before level 0: apart, and from the line's middle


def place_mm(place: Place) -> tuple[float, float]:
    """The centre of a tile."""
    pitch = 2 * TILE_SIDE_MM + GAP_MM
    x = (place.level - (LEVELS - 1) / 2) * pitch + (0.5 if place.corner % 2 else -0.5) * TILE_SIDE_MM
    return x, (0.5 if place.corner >= 2 else -0.5) * TILE_SIDE_MM


# of the squares, which are rigid, each for itself
SPOTS = tuple(Spot(str(place), *place_mm(place), part=f"level {place.level}") for place in PLACES)


def layout(position: Position) -> Layout:
    """The table as the position asks for it: tiles, pawns, level coins, score coins."""
    tiles = {place: t.tile_at(position.tower, place) for place in t.places(position.tower)}
    return _layout(position, tiles)


def during(position: Position, move: Move) -> Layout:
    """The table right after the hand let go: a pawn on a tile not yet turned, a gap where a tile was taken."""
    tiles = {place: t.tile_at(position.tower, place) for place in t.places(position.tower)}
    if move.kind == "take" and move.place is not None:
        tiles.pop(move.place, None)
    if move.kind == "tile" and position.phase == "reveal" and position.pawn.place is not None:
        tiles[position.pawn.place] = t.Tile(None if move.tile == t.UNSEEN else move.tile, up=True)
    pawns = list(position.pawns)
    if move.kind == "go":
        pawns[position.seat] = replace(position.pawn, place=move.place)
    if move.kind == "out":
        pawns[position.seat] = replace(position.pawn, place=None, out=True)
    if move.kind == "take" and move.place is not None:
        pawns = _fallen(position, move.place)
    shown = [move.tile] if move.kind == "tile" and position.phase == "discard" and move.tile in t.TILES else []
    return _layout(replace(position, pawns=tuple(pawns)), tiles, shown)


def under_way(position: Position, move: Move) -> Iterator[tuple[Layout, str]]:
    """The table as the tiles above one that was taken come down, pawns and all, one after the other (K12).

    Each with the way back in words; the last one when all are down.
    """
    if move.kind != "take" or (hole := move.place) is None or not t.has(position.tower, hole):
        return
    tiles = {place: t.tile_at(position.tower, place) for place in t.places(position.tower) if place != hole}
    pawns = _fallen(position, hole)
    for level in range(hole.level + 1, t.height(position.tower, hole.corner)):
        above, below = Place(level, hole.corner), Place(level - 1, hole.corner)
        tiles[below] = tiles.pop(above)
        pawns = [replace(pawn, place=below) if pawn.place == above else pawn for pawn in pawns]
        laid = _layout(replace(position, pawns=tuple(pawns)), dict(tiles))
        yield laid, up_again(position, hole, level - hole.level)


def _fallen(position: Position, hole: Place) -> list[Pawn]:
    """The pawns once a tile is taken: who stood on it lies beneath it, or outside (K11)."""
    below = Place(hole.level - 1, hole.corner) if hole.level else None
    return [replace(pawn, place=below) if pawn.place == hole else pawn for pawn in position.pawns]


@cache
def _walkers(house: House) -> tuple[Walker, ...]:
    return tuple(Walker(suit, Piece("pawn", suit=suit)) for suit in house.pawns[: house.seats])


def on_sheet(sheet: str, x_mm: float, y_mm: float) -> str:
    """The square of the score track at a point of the plan, in words; "" beside it."""
    square = square_at(x_mm, y_mm - TRACK_Y_MM) if sheet == TRACK else None
    return "" if square is None else str(square)


@cache
def front(name: str) -> Piece:
    """A tile's face."""
    return Piece("tile", face="front", suit=t.suit(name), value=t.value(name))


def _layout(position: Position, tiles: dict[Place, t.Tile], shown: Iterable[str] = ()) -> Layout:
    plan = Plan(
        "tower",
        SPOTS,
        TILE_SIDE_MM,
        walkers=_walkers(position.house),
        away=AWAY,
        shows=position.phase == "discard",
        gone=tuple(front(name) for name in position.gone if name != t.UNSEEN),
        spread_mm=SPREAD_MM,
    )
    pieces = (
        *(_tile(place, tile) for place, tile in tiles.items()),
        *(Lying(front(name), plan.shown_cell, words=tile_words(name), shown=True) for name in shown),
        *(_pawn(position.house, seat, position.pawns[seat].place) for seat in range(position.house.seats)),
        *_level_coins(position.house.alone and not position.door_open),
        *_score_coins(position.house, position.scores),
    )
    return Layout(pieces, plan=plan)


@lru_cache(maxsize=4096)
def _tile(place: Place, tile: t.Tile) -> Lying:
    piece, words = BACK, "a face-down tile"
    if tile.up:  # without a name in a record of which not all is told
        piece, words = (FRONT, "a face-up tile") if tile.name is None else (front(tile.name), tile_words(tile.name))
    words = f"{words} on {place_words(place)}"
    return Lying(piece, str(place), *place_mm(place), words=words)


@lru_cache(maxsize=4096)
def _pawn(house: House, seat: int, place: Place | None) -> Lying:
    """On its tile; who is not in yet or has left stands before level 0."""
    suit, name = house.pawns[seat], seat_name(house, seat)
    apart, ahead = WAITING_MM
    x, y = place_mm(Place(0, 0))[0] + (2 * seat + 0.5) * apart, ahead
    where, words = AWAY, f"{name}'s pawn {AWAY}"
    if place is not None:
        (x, y), where, words = place_mm(place), str(place), f"{name}'s pawn on {place_words(place)}"
    return Lying(Piece("pawn", suit=suit), f"{where}/{suit}", x, y, words=words)


@cache
def _level_coins(talisman: bool) -> tuple[Lying, ...]:
    """A coin with its value up behind each level (K0), and alone the talisman, face-down, by level 5 (K25)."""
    behind = TILE_SIDE_MM + COIN_DIAMETER_MM
    coins = []
    for level in range(LEVELS):
        x = (place_mm(Place(level, 0))[0] + place_mm(Place(level, 1))[0]) / 2
        coin = Piece("coin", face="value", value=VALUES[level])
        words = f"the coin of level {level}"
        coins.append(Lying(coin, f"by level {level}/coin", x, behind, words=words, soft=True))
    if talisman:
        x = place_mm(Place(LEVELS - 1, 1))[0] + TILE_SIDE_MM
        coin = Piece("coin", face="suit")
        coins.append(
            Lying(coin, f"by level {LEVELS - 1}/talisman", x, 0.0, words="the talisman (a coin, suit up)", soft=True)
        )
    return tuple(coins)


@lru_cache(maxsize=4096)
def _score_coins(house: House, scores: tuple[int, ...]) -> tuple[Lying, ...]:
    coins = []
    for seat in range(house.seats):
        suit, name = house.pawns[seat], seat_name(house, seat)
        points = min(scores[seat], SQUARES - 1)
        dx, dy = square_mm(points)
        coin, words = Piece("coin", face="suit", suit=suit), f"{name}'s coin belongs on {points}"
        y = TRACK_Y_MM + dy
        coins.append(Lying(coin, f"on {points} of {TRACK}/{suit}", dx, y, words=words, soft=True, sheet=TRACK))
    return tuple(coins)
