"""What the table should look like, and the position as text."""

from functools import lru_cache

from companion.games.ataxx.board import Board, each
from companion.games.ataxx.hands import DISCS, put_down
from companion.games.ataxx.notation import letter_at
from companion.games.ataxx.position import COLOURS, SIDES, Move, Position
from companion.games.base import Layout, Lying, Reach
from companion.view import BoardShape

CELL_MM = 42.0  # a vinyl chess board; the configuration says otherwise


def layout(position: Position) -> Layout:
    """Discs on cells; black is x."""
    return _layout(position.board, position.x, position.o, position.blocked)


def during(position: Position, move: Move) -> Layout:
    """The hand has put its piece down and turned none of the others over yet."""
    return _layout(position.board, *put_down(position, move), position.blocked)


@lru_cache(maxsize=4096)  # one position has as many tables after it as moves, and they are asked for again and again
def _layout(board: Board, x: int, o: int, blocked: int) -> Layout:
    lying = tuple(_lying(side, cell) for side, mask in enumerate((x, o)) for cell in board.names_of(mask))
    return Layout(lying, _shape(board), dict.fromkeys(board.names_of(blocked), "blocked"))


@lru_cache(maxsize=None)  # noqa: UP033 - two colours on the cells of the largest board
def _lying(side: int, cell: str) -> Lying:
    return Lying(DISCS[side], cell=cell, words=f"the {COLOURS[side]} disc on {cell}")


@lru_cache(maxsize=64)
def _shape(board: Board) -> BoardShape:
    """The board as a shape: as many rows as FEN has."""
    rows = len(board.rows)
    return BoardShape(cols=rows, rows=rows, cell_mm=CELL_MM, kind="hex" if board.kind == "hex" else "grid")


def reach(position: Position) -> tuple[Reach, ...]:
    """Where each piece of the side on turn can drop (A5) and move (A6)."""
    board, names_of = position.board, position.board.names_of
    found = []
    for bit in each(position.own):
        drops, moves = names_of(board.near_of[bit] & position.empty), names_of(board.far_of[bit] & position.empty)
        if drops or moves:
            found.append(Reach(board.names[bit], drops, moves))
    return tuple(found)


def draw(position: Position) -> str:
    """The board with its names, x and o as in FEN, blocked cells as #."""
    board = position.board
    lines = [_draw_row(position, row) for row in board.rows]
    if board.kind == "square":
        lines.append("   " + " ".join(chr(ord("a") + col) for col in range(board.size)))
    counts = f"x {position.x.bit_count()}, o {position.o.bit_count()}"
    return "\n".join((*lines, f"{counts}; {SIDES[position.turn]} ({COLOURS[position.turn]}) to move"))


def _draw_row(position: Position, row: tuple[int, ...]) -> str:
    board = position.board
    marks = " ".join(letter_at(position, bit).replace("-", "#") for bit in row)
    if board.kind == "square":
        return f"{board.names[row[0]][1:]:>2} {marks}"
    first, last = board.names[row[0]], board.names[row[-1]]
    return " " * (len(board.rows) - len(row)) + f"{first} {marks} {last}"
