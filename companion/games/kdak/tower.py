"""Tiles, columns and places of the tower. Levels count from 0; each level is a 2x2 square with corners a b / c d."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.pieces import SUITS, VALUES

LEVELS = 6
CORNERS = "abcd"  # a front left, b front right, c back left, d back right
BESIDE = ((1, 2), (0, 3), (0, 3), (1, 2))  # corners that share an edge; the diagonal is no step (K4)

_SUIT_CODES = {suit[0].upper(): suit for suit in SUITS}
_VALUE_CODES = {("n" if value == "null" else "a" if value == "ace" else value): value for value in VALUES}
TILES = tuple(s + v for s in _SUIT_CODES for v in _VALUE_CODES)  # piecepack codes: Sn Sa S2 .. A5
UNSEEN = "?"  # in place of the face of a tile that has left the game


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile in the tower. `name` is None until somebody has seen its face."""

    name: str | None = None
    up: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A tile's place: level from below, corner 0..3."""

    level: int
    corner: int

    def __str__(self) -> str:
        return f"{self.level}{CORNERS[self.corner]}"


PLACES = tuple(Place(level, corner) for level in range(LEVELS) for corner in range(4))  # level by level
Column = tuple[Tile, ...]  # from level 0 upwards, without gaps: tiles fall
Tower = tuple[Column, Column, Column, Column]

UNTOUCHED: Tower = ((Tile(),) * LEVELS,) * 4


def suit(name: str) -> str:
    """The suit of a tile: "suns" for Sa."""
    return _SUIT_CODES[name[0]]


def value(name: str) -> str:
    """The value of a tile as the piecepack says it: "ace" for Sa."""
    return _VALUE_CODES[name[1]]


def gold(name: str) -> int:
    """What a tile is worth (K2, K14): null 0, ace 1, 2 to 5 their number."""
    return VALUES.index(value(name))


def height(tower: Tower, corner: int) -> int:
    """How many tiles a column has left."""
    return len(tower[corner])


def has(tower: Tower, place: Place) -> bool:
    """True if a tile lies there."""
    return 0 <= place.level < height(tower, place.corner)


def tile_at(tower: Tower, place: Place) -> Tile:
    """The tile that lies there; IndexError when none does."""
    return tower[place.corner][place.level]


def with_tile(tower: Tower, place: Place, tile: Tile) -> Tower:
    """The tower with another tile at a place."""
    column = tower[place.corner]
    return _with_column(tower, place.corner, (*column[: place.level], tile, *column[place.level + 1 :]))


def without(tower: Tower, place: Place) -> Tower:
    """The tower after a tile is gone and those above have dropped one level (K12)."""
    column = tower[place.corner]
    return _with_column(tower, place.corner, (*column[: place.level], *column[place.level + 1 :]))


def turned_down(tower: Tower) -> Tower:
    """Every tile face-down (K8)."""
    a, b, c, d = (tuple(Tile(tile.name) for tile in column) for column in tower)
    return a, b, c, d


def places(tower: Tower) -> Iterator[Place]:
    """Every place that has a tile, level by level."""
    for level in range(LEVELS):
        yield from places_on(tower, level)


def places_on(tower: Tower, level: int) -> Iterator[Place]:
    """The places of one level that have a tile."""
    return (Place(level, corner) for corner in range(4) if level < height(tower, corner))


def doomed_level(tower: Tower, rolled: int) -> int:
    """The level that loses a tile: the rolled one, or the highest that is left (K16)."""
    if any(rolled < len(column) for column in tower):
        return rolled
    return max(len(column) for column in tower) - 1


def known(tower: Tower) -> Iterator[str]:
    """Names of the tiles whose face somebody has seen."""
    return (tile.name for column in tower for tile in column if tile.name is not None)


def _with_column(tower: Tower, corner: int, column: Column) -> Tower:
    a, b, c, d = (column if i == corner else old for i, old in enumerate(tower))
    return a, b, c, d
