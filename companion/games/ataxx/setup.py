"""The choices before a game, and the first position."""

from companion.errors import UnreadableText
from companion.games.ataxx.board import LARGEST, SMALLEST, Board, hexagon, square
from companion.games.ataxx.notation import WITHOUT_DROP
from companion.games.ataxx.position import Position
from companion.games.base import Option, Options
from companion.games.options import settle
from companion.view import BoardShape

DEFAULT_SIZE = 8
NO_BLOCKS = "none"
SMALLEST_WITH_PATTERN = 5
HEX_CORNERS = (("a1", "e9", "i5"), ("a5", "i9", "e1"))  # AA2: every second corner is x's
HEX_HOLES = ("d5", "e4", "f6")  # around the centre, every second neighbour

WITHOUT_DROP_OPTION = Option(
    "without_drop",
    WITHOUT_DROP,
    "offer",
    "After 50 moves each without a drop: a draw may be offered, nothing happens, or the game is drawn.",
    "AA6",
    "Fifty moves without a drop",
    ("A draw may be offered", "Nothing happens", "The game is drawn"),
)
OPTIONS = (
    Option(
        "board",
        (*range(SMALLEST, LARGEST + 1), "hex"),
        DEFAULT_SIZE,
        "Cells along a side of the square board, or the hexagon of Hexxagon.",
        "A1",
        "Board",
        (*(f"{n} x {n}" for n in range(SMALLEST, LARGEST + 1)), "Hexagon"),
    ),
    Option(
        "blocked",
        (NO_BLOCKS, "corners", "sides"),
        NO_BLOCKS,
        "Blocked squares round the middle of the board.",
        "AA5",
        "Blocked squares",
    ),
    WITHOUT_DROP_OPTION,
)
HEX_OPTIONS = (
    Option("holes", (False, True), False, "Leave out three cells round the middle.", "A2", "Three holes"),
    WITHOUT_DROP_OPTION,
)


def start(options: Options) -> Position:
    """The set-up of Ataxx; UnreadableText when an option is unknown or unfit."""
    chosen = settle(OPTIONS, options)
    board = hexagon() if chosen["board"] == "hex" else square(int(chosen["board"]))
    return _first_position(board, _blocked(board, str(chosen["blocked"])), str(chosen["without_drop"]))


def start_hexxagon(options: Options) -> Position:
    """The set-up of Hexxagon (A2); UnreadableText when an option is unknown or unfit."""
    chosen = settle(HEX_OPTIONS, options)
    board = hexagon()
    blocked = board.mask_of(HEX_HOLES) if chosen["holes"] else 0
    return _first_position(board, blocked, str(chosen["without_drop"]))


def options_for(shape: BoardShape) -> dict[str, str | int | bool]:
    """The options that a board of this shape is made for."""
    return {"board": "hex" if shape.kind == "hex" else shape.cols}


def _blocked(board: Board, pattern: str) -> int:
    """Cells round the middle, by the pattern's name (AA5)."""
    if pattern == NO_BLOCKS:
        return 0
    if board.kind != "square" or board.size < SMALLEST_WITH_PATTERN:
        raise UnreadableText(f"blocked={pattern} needs a square board of {SMALLEST_WITH_PATTERN} cells or more")
    low, high = (board.size - 1) // 2 - 1, board.size // 2 + 1
    cells = {
        "corners": [(row, col) for row in (low, high) for col in (low, high)],
        "sides": [cell for at in range(low + 1, high) for end in (low, high) for cell in ((end, at), (at, end))],
    }[pattern]
    return sum(1 << row * board.stride + col for row, col in cells)


def _first_position(board: Board, blocked: int, without_drop: str) -> Position:
    """Pieces in the corners (A3, AA1, AA2)."""
    if board.kind == "hex":
        x, o = (board.mask_of(cells) for cells in HEX_CORNERS)
    else:
        top, bottom = board.rows[0], board.rows[-1]
        x, o = 1 << top[0] | 1 << bottom[-1], 1 << top[-1] | 1 << bottom[0]
    return Position(board, x, o, blocked, without_drop=without_drop)
