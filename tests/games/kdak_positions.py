"""Positions of K'Dak's Tower, and turns played from them."""

import pytest

from companion.errors import IllegalMove
from companion.games import kdak
from companion.games.base import Turn
from companion.games.kdak.position import Position
from companion.games.kdak.tower import TILES

NEW = ".".join("?" * 6)
FULL = "/".join([NEW] * 4)


def at(text: str) -> Position:
    """A position; missing fields at the end stand for scores 0,0, no coins, nothing gone."""
    position: Position = kdak.read_position(text)
    return position


def played(position: Position, *texts: str) -> Turn:
    """The last turn after some moves."""
    turn = Turn(position)
    for text in texts:
        turn = kdak.play(turn.position, kdak.read_move(turn.position, text))
    return turn


def refused(position: Position, text: str) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        played(position, text)
    return caught.value


def legal(position: Position) -> set[str]:
    return {kdak.write_move(position, move) for move in kdak.moves(position)}


def duel(
    tower: str = FULL,
    pawns: str = "-,-",
    phase: str = "move",
    door: str = "shut",
    rest: str = "0,0 0,0 - -",
    seat: int = 0,
) -> Position:
    return at(f"duel {tower} {pawns} {seat} {phase} {door} {rest}")


SWITCH = "?.?.?.?.S5.?/?.?.?.?.S4.?/" + f"{NEW}/{NEW}"
FEW = "A4/S3/-/-"
FEW_GONE = ".".join(name for name in TILES if name not in ("A4", "S3"))


def talisman(text: str) -> Position:
    return at(f"talisman {text}")


def solo(text: str) -> Position:
    return at(f"solitaire {text}")
