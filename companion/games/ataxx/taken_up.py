"""A board of Ataxx as it lies, taken up again."""

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import UnreadableText
from companion.games.ataxx.hands import DISCS
from companion.games.ataxx.position import Position
from companion.pieces import Piece


def taken_up(position: Position, cells: Mapping[str, Piece], seat: int) -> Position:
    """The position in which these cells show this, with that seat to move; UnreadableText where no disc can lie."""
    board, sides = position.board, [0, 0]
    for cell, piece in cells.items():
        if piece not in DISCS or not 1 << board.bit(cell) & board.cells & ~position.blocked:
            raise UnreadableText(f"no disc can lie on {cell}")
        sides[DISCS.index(piece)] |= 1 << board.bit(cell)
    x, o = sides
    return replace(position, x=x, o=o, turn=seat, half_moves=0, offered_by=None)
