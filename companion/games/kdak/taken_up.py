"""The tower as it lies, taken up again: what the tiles and pawns tell, and what no view of them can."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.errors import UnreadableText
from companion.games.kdak import tower as t
from companion.games.kdak.position import Pawn, Position
from companion.games.kdak.table import AWAY
from companion.games.kdak.tower import LEVELS, Column, Place, Tile
from companion.pieces import EMPTY, Piece

MOST_MISREAD = 1  # faces of a column that were others before
Faces = tuple[str | None, ...]  # of a column, from level 0 upwards; None = face-down


def taken_up(position: Position, cells: Mapping[str, Piece], seat: int) -> Position:
    """The position in which these places show this, with that seat to move; UnreadableText where none does.

    A face that lies open counts, though that tile, or another one, was thought to have it: it was misread then.
    Scores, coins and the talisman stay as they were. That the door is open is told by tiles that are gone or were
    turned down again (K8), by a pawn that has left or is on level 5, and by two that stand on face-down tiles; which
    face-down tile of a column is gone is known only where it can be no other.
    """
    shown = [_column(cells, corner) for corner in range(4)]
    found = [_left(old, faces) for old, faces in zip(position.tower, shown, strict=True)]
    lies_open = {face for faces in shown for face in faces if face is not None}
    a, b, c, d = (column for column, _ in found)
    heads = [_head(position, cells, at) for at in range(position.house.seats)]
    up = replace(
        position,
        tower=(a, b, c, d),
        gone=(*position.gone, *(name for _, names in found for name in names)),
        pawns=tuple(map(_moved, position.pawns, heads)),
        phase="move",
        seat=seat,
        level=None,
        calm=False,
    )
    up = up.without_face(*lies_open)
    up = replace(up, door_open=position.door_open or _opened(position, up))
    return _to_turn(replace(up, pawns=tuple(_landed(up, *pair) for pair in zip(position.pawns, up.pawns, strict=True))))


# --- tiles --------------------------------------------------------------------------------------------------------


def _column(cells: Mapping[str, Piece], corner: int) -> Faces:
    """The faces of a column; UnreadableText where a tile has nothing below it."""
    pieces = [cells.get(str(Place(level, corner)), EMPTY) for level in range(LEVELS)]
    faces = tuple(_face(piece) for piece in itertools.takewhile(lambda piece: piece != EMPTY, pieces))
    if any(piece != EMPTY for piece in pieces[len(faces) :]):
        raise UnreadableText(f"column {t.CORNERS[corner]} is still to be moved down")
    return faces


def _face(piece: Piece) -> str | None:
    if piece.kind != "tile":
        raise UnreadableText(f"a {piece.kind} is no tile")
    if piece.face == "back":
        return None
    name = next((name for name in t.TILES if (t.suit(name), t.value(name)) == (piece.suit, piece.value)), None)
    if name is None:
        raise UnreadableText("a tile of no set")
    return name


def _left(old: Column, shown: Faces) -> tuple[Column, tuple[str, ...]]:
    """The column that shows these faces, and the tiles that left it; what cannot be told is not known any more."""
    all_ways = list(itertools.combinations(range(len(old)), len(shown)))
    odd = [_misread(old, kept, shown) for kept in all_ways]
    ways = [kept for kept, misread in zip(all_ways, odd, strict=True) if misread == min(odd)]
    if not ways or min(odd) > MOST_MISREAD:
        raise UnreadableText("no tile is put on the tower, nor changed")
    column = tuple(_tile({old[kept[level]].name for kept in ways}, face) for level, face in enumerate(shown))
    lost = [{old[at].name for at in set(range(len(old))) - set(kept)} for kept in ways]
    told = sorted(name for name in set.intersection(*lost) if name is not None)
    return column, (*told, *[t.UNSEEN] * (len(old) - len(shown) - len(told)))


def _tile(names: set[str | None], face: str | None) -> Tile:
    """The tile that shows this face, or lies face-down and is one of these."""
    if face is not None:
        return Tile(face, up=True)
    return Tile(next(iter(names))) if len(names) == 1 else Tile()


def _misread(old: Column, kept: Sequence[int], shown: Faces) -> int:
    """How many faces are others than they were, if these tiles of the column are what lies there."""
    return sum(face is not None and old[at].name not in (None, face) for at, face in zip(kept, shown, strict=True))


def _opened(before: Position, up: Position) -> bool:
    """True if the table shows that the switch was hit since; whether the talisman was found alone it never does."""
    if before.house.alone:
        return False
    tiles_left = len(up.gone) > len(before.gone)
    left = any(pawn.out and not old.out for old, pawn in zip(before.pawns, up.pawns, strict=True))
    on_backs = sum(_on_back(up, pawn) for pawn in up.pawns) > 1  # before the switch only the pawn that has just entered
    turned_down = any(map(_turned_down, before.tower, up.tower))
    return tiles_left or left or on_backs or turned_down or any(_on_top(up, pawn) for pawn in up.pawns)


def _turned_down(old: Column, now: Column) -> bool:
    """True if a tile lies face-down that lay face-up."""
    down = {tile.name for tile in now if not tile.up and tile.name is not None}
    return any(tile.up and tile.name in down for tile in old)


def _on_top(position: Position, pawn: Pawn) -> bool:
    """True if the pawn stands on a tile of level 5 that it has turned up."""
    return pawn.place is not None and pawn.place.level == LEVELS - 1 and t.tile_at(position.tower, pawn.place).up


def _on_back(position: Position, pawn: Pawn) -> bool:
    """True if the pawn stands on a face-down tile."""
    return pawn.place is not None and not t.tile_at(position.tower, pawn.place).up


# --- pawns --------------------------------------------------------------------------------------------------------


def _head(position: Position, cells: Mapping[str, Piece], seat: int) -> str:
    """Where a pawn stands; UnreadableText where that is not told, or no tile lies there."""
    suit = position.house.pawns[seat]
    heads = [cell.partition("/")[0] for cell, piece in cells.items() if piece == Piece("pawn", suit=suit)]
    if len(heads) != 1 or (heads[0] != AWAY and cells.get(heads[0], EMPTY) == EMPTY):
        raise UnreadableText(f"the pawn of {suit} stands on no tile, or on more than one")
    return heads[0]


def _moved(before: Pawn, head: str) -> Pawn:
    """The pawn there; one that was in the tower and is beside it has left."""
    if head == AWAY:
        return Pawn(out=before.out or before.place is not None)
    place = Place(int(head[0]), t.CORNERS.index(head[1]))
    return before if place == before.place else Pawn(place)


def _landed(position: Position, before: Pawn, pawn: Pawn) -> Pawn:
    """On a face-down tile of a tower that crumbles it has fallen, unless it stood there (K15)."""
    if pawn.place is None or not position.crumbling or t.tile_at(position.tower, pawn.place).up:
        return replace(pawn, fallen=False)
    return pawn if pawn.place == before.place else replace(pawn, fallen=True)


def _to_turn(position: Position) -> Position:
    """With the tile still to be turned up that a pawn has just entered; UnreadableText if another seat is to do it.

    The seat on turn whose pawn is out has just left, and throws next: it has no other turn (K17).
    """
    if position.finished:
        return replace(position, phase="over")
    entered = [seat for seat, pawn in enumerate(position.pawns) if _enters(position, pawn)]
    if any(seat != position.seat for seat in entered):
        raise UnreadableText("another seat's tile is still to be turned up")
    if entered:
        return replace(position, phase="reveal")
    return replace(position, phase="roll") if position.pawn.out and _inside(position) else position


def _inside(position: Position) -> bool:
    """True if some pawn is still to leave."""
    return any(not pawn.out for pawn in position.pawns)


def _enters(position: Position, pawn: Pawn) -> bool:
    """True if a pawn stands on a tile that nobody has seen, in a tower in which nobody falls yet."""
    return pawn.place is not None and not position.crumbling and t.tile_at(position.tower, pawn.place) == Tile()
