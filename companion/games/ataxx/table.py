"""What the table should look like, and the position as text."""

from collections.abc import Iterable

from companion.games.ataxx.actions import moves
from companion.games.ataxx.board import each
from companion.games.ataxx.notation import letter_at
from companion.games.ataxx.position import COLOURS, SIDES, Move, Position
from companion.games.base import Layout, Lying
from companion.pieces import EMPTY, Piece
from companion.view import BoardShape, TableView

CELL_MM = 42.0  # a vinyl chess board; the configuration says otherwise


def layout(position: Position) -> Layout:
    """Discs on cells; black is x."""
    lying = tuple(
        Lying(Piece("disc", colour=colour), cell=cell, words=f"the {colour} disc on {cell}")
        for colour, mask in zip(COLOURS, (position.x, position.o), strict=True)
        for cell in position.board.names_of(mask)
    )
    blocked = dict.fromkeys(position.board.names_of(position.blocked), "blocked")
    return Layout(lying, shape(position), blocked)


def shape(position: Position) -> BoardShape:
    """The board as a shape: as many rows as FEN has."""
    rows = len(position.board.rows)
    kind = "hex" if position.board.kind == "hex" else "grid"
    return BoardShape(cols=rows, rows=rows, cell_mm=CELL_MM, kind=kind)


def during(position: Position, move: Move) -> Layout:
    """The hand has put its piece down and turned none of the others over yet."""
    before = layout(position)
    if move.kind not in ("drop", "jump"):
        return before
    colour = COLOURS[position.turn]
    stayed = tuple(lying for lying in before.pieces if lying.cell != move.origin or move.kind == "drop")
    placed = Lying(Piece("disc", colour=colour), cell=move.to, words=f"the {colour} disc on {move.to}")
    return Layout((*stayed, placed), before.board, before.marked)


def candidates(position: Position, view: TableView) -> Iterable[Move]:
    """The legal moves, and what else the hand on turn may have done with one piece, so that it can be explained."""
    lawful = moves(position)
    if not view.clear:
        return lawful
    seen = {cell: sighting.piece for cell, sighting in view.by_cell().items()}
    own, names = Piece("disc", colour=COLOURS[position.turn]), position.board.names_of
    placed = [cell for cell in names(position.empty | position.blocked) if own.fits(seen.get(cell, EMPTY))]
    gone = [cell for cell in names(position.own) if seen.get(cell) == EMPTY]
    done = [Move("drop", to) for to in placed] + [Move("jump", to, origin) for to in placed for origin in gone]
    return (*lawful, *(move for move in done if move not in lawful))


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


def cells_to_turn(position: Position, seen: Position) -> tuple[str, ...]:
    """The cells where the table differs from what the rules ask for (AA9)."""
    board = position.board
    return board.names_of(sum(1 << bit for bit in each(position.x ^ seen.x | position.o ^ seen.o)))
