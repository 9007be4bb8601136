"""What the table should show."""

from functools import lru_cache

from companion.games.base import Layout, Lying
from companion.games.khet import faces, words
from companion.games.khet.play import after_action
from companion.games.khet.position import Move, Position
from companion.games.khet.squares import FILES, NAME, ON_BOARD, RANKS, SIGNS
from companion.pieces import Piece
from companion.view import BoardShape

BOARD = BoardShape(FILES, RANKS, cell_mm=38.0, border_mm=10.0, thickness_mm=3.0)


def layout(position: Position) -> Layout:
    """Every piece on its square; the next action is not accepted before the table looks like this (Khet Q22)."""
    return _layout(position, position.cells)


def during(position: Position, move: Move) -> Layout:
    """The board right after the hand has let go, pieces that the shot will hit still on it."""
    return _layout(position, after_action(position.cells, move))


def _layout(position: Position, cells: bytes) -> Layout:
    lying = (_lying(cells[s], NAME[s], position.house.colours) for s in ON_BOARD if cells[s] != faces.EMPTY)
    return Layout(tuple(lying), BOARD, SIGNS)


@lru_cache(maxsize=8192)  # two plies ahead the same pieces lie on a hundred thousand boards
def _lying(code: int, cell: str, colours: str) -> Lying:
    seat, kind, _ = faces.LOOK[code]
    noun = {"stack": "stack of two obelisks", "eye": "Eye of Horus"}.get(kind, kind)
    text = f"the {words.colour(colours, seat)} {noun} on {cell}"
    return Lying(looks(code), cell, words=text, count=2 if kind == "stack" else 1)


def looks(code: int) -> Piece:
    """What a camera above the table can tell of a piece; a stack looks like one obelisk."""
    seat, kind, facing = faces.LOOK[code]
    return Piece("obelisk" if kind == "stack" else kind, faces.COLOUR[seat], facing=facing)
