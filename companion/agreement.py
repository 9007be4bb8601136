"""Whether what a referee recorded is what was played; on a free table hands and camera are allowed their error."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.base import Game, Layout, Lying, Move, Position
from companion.headings import turn_deg

DECIMAL = re.compile(r"-?\d+\.\d+")
PLACE_MM, HEADING_DEG = 15.0, 25.0  # so far apart two notes of one free piece may be


def same_moves(game: Game, start: Position, played: Sequence[str], read: Sequence[str]) -> bool:
    """True if both records name the same moves, one after the other, each in its own game."""
    if len(played) != len(read):
        return False
    one = other = start
    for a, b in zip(played, read, strict=True):
        mine, theirs = game.read_move(one, a), game.read_move(other, b)
        if a != b and not _same_move(game, (one, mine), (other, theirs)):
            return False
        one, other = game.play(one, mine).position, game.play(other, theirs).position
    return True


def same_position(game: Game, one: Position, other: Position) -> bool:
    """True if two positions differ in nothing but where exactly free pieces lie."""
    if game.write_position(one) == game.write_position(other):
        return True
    return same_layout(game.layout(one), game.layout(other)) and _bare(game.to_json(one)) == _bare(game.to_json(other))


def same_layout(one: Layout, other: Layout) -> bool:
    """True if every piece of one table lies on the other, too."""
    left = list(other.pieces)
    for piece in one.pieces:
        found = next((p for p in left if _same_place(piece, p)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _same_move(game: Game, mine: tuple[Position, Move], theirs: tuple[Position, Move]) -> bool:
    bare = _bare(game.to_json(mine[1])) == _bare(game.to_json(theirs[1]))
    return bare and same_layout(game.during(*mine), game.during(*theirs))


def _same_place(one: Lying, other: Lying) -> bool:
    if (one.piece, one.cell, one.count) != (other.piece, other.cell, other.count):
        return False
    if one.x_mm is None or other.x_mm is None or one.y_mm is None or other.y_mm is None:
        return one.x_mm is other.x_mm
    near = max(abs(one.x_mm - other.x_mm), abs(one.y_mm - other.y_mm)) <= PLACE_MM
    if one.heading_deg is None or other.heading_deg is None:
        return near
    period = 90 if one.piece.pose == "upright" else 360
    return near and abs(turn_deg(one.heading_deg, other.heading_deg, period)) <= HEADING_DEG


def _bare(value: Any) -> Any:
    """JSON without millimetres and degrees (in texts, too), and without the order in which things are listed."""
    if isinstance(value, str):
        return DECIMAL.sub("", value)
    if isinstance(value, Mapping):
        return {k: _bare(v) for k, v in value.items() if not isinstance(v, float)}
    if isinstance(value, list | tuple):
        return sorted((_bare(v) for v in value if not isinstance(v, float)), key=repr)
    return value
