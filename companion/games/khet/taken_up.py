"""A board of Khet as it lies, taken up again."""

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import UnreadableText
from companion.games.khet import faces
from companion.games.khet.position import Position, board
from companion.games.khet.squares import NAME, ON_BOARD
from companion.games.khet.table import looks
from companion.pieces import EMPTY, Piece


def taken_up(position: Position, cells: Mapping[str, Piece], seat: int) -> Position:
    """The position in which these squares show this, with that seat to move; UnreadableText for what is no piece.

    An obelisk where a stack stood is that stack; any other stands alone, as a camera sees no more of it.
    """
    after = {square: _code(position.cells[square], cells.get(NAME[square], EMPTY)) for square in ON_BOARD}
    return replace(position, cells=board(after), to_move=seat).afresh


def _code(before: int, piece: Piece) -> int:
    if piece == EMPTY:
        return faces.EMPTY
    if before != faces.EMPTY and looks(before).fits(piece):
        return before
    facing = piece.facing if piece.kind in faces.TURNED else None
    try:
        return faces.CODE[faces.COLOUR.index(piece.colour or ""), piece.kind, facing]
    except (KeyError, ValueError):
        raise UnreadableText(f"a {piece.colour} {piece.kind} is no piece of Khet") from None
