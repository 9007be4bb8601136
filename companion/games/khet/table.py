"""What the table should show, and what a view of it suggests that a hand has done."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from companion.errors import UnreadableText
from companion.games.base import Layout, Lying
from companion.games.khet import faces, words
from companion.games.khet.actions import Action
from companion.games.khet.moves import Move
from companion.games.khet.play import after_action
from companion.games.khet.position import Position, board
from companion.games.khet.squares import FILES, NAME, NUMBER, ON_BOARD, RANKS, SIGNS
from companion.pieces import EMPTY, KHET_FACINGS, Piece
from companion.view import BoardShape, Sighting, TableView

BOARD = BoardShape(FILES, RANKS, cell_mm=38.0, border_mm=10.0, thickness_mm=3.0)
SUGGESTS = 0.2  # a belief of at least this much suggests that the piece may be there
HALF_TURN_ODDITY = 5.0  # a half turn is seldom made and, of a pyramid seen from above, easily seen by mistake
AS_EXPECTED = 0.8  # a cell is left alone when the expected piece is believed in at least this much


def layout(position: Position) -> Layout:
    """Every piece on its square; the next action is not accepted before the table looks like this (Khet Q22)."""
    return _layout(position, position.cells)


def during(position: Position, move: Move) -> Layout:
    """The board right after the hand has let go, pieces that the shot will hit still on it."""
    return _layout(position, after_action(position.cells, move))


def _layout(position: Position, cells: bytes) -> Layout:
    lying = (_lying(cells[s], NAME[s], position.house.colours) for s in ON_BOARD if cells[s] != faces.EMPTY)
    return Layout(tuple(lying), BOARD, SIGNS)


def taken_up(position: Position, cells: Mapping[str, Piece], seat: int) -> Position:
    """The position in which these squares show this, with that seat to move; UnreadableText for what is no piece.

    An obelisk where a stack stood is that stack; any other stands alone, as a camera sees no more of it.
    """
    after = {square: _code(position.cells[square], cells.get(NAME[square], EMPTY)) for square in ON_BOARD}
    up = replace(position, cells=board(after), to_move=seat)
    return replace(up, past=(up.arrangement,))


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


# --- moves ----------------------------------------------------------------------------------------------------


def move_of(cells: bytes, action: Action) -> Move:
    """The action as a value that people can read."""
    origin, target, left, put = action
    code = cells[origin]
    if origin == target:
        clockwise = faces.quarter_turn(faces.KIND[code], faces.FACING[code], 1) == faces.FACING[put]
        return Move("turn", NAME[origin], turn=1 if clockwise else -1)
    if left == faces.EMPTY:
        return Move("step", NAME[origin], NAME[target])
    return Move("top" if faces.OBELISKS[left] and faces.OBELISKS[code] else "swap", NAME[origin], NAME[target])


def candidates(position: Position, legal: tuple[Move, ...], view: TableView) -> Iterator[Move]:
    """The legal moves, then the unlawful ones that the view suggests, each once."""
    given = dict.fromkeys(legal)
    yield from given
    for move in _suggested(position, view):
        if move not in given:
            given[move] = None
            yield move


def _suggested(position: Position, view: TableView) -> Iterator[Move]:
    expected = {NAME[s]: looks(position.cells[s]) for s in ON_BOARD if position.cells[s] != faces.EMPTY}
    changed = {cell: seen for cell, seen in view.by_cell().items() if cell in NUMBER and _differs(expected, seen)}
    for cell, seen in changed.items():
        for piece in _believed(seen):
            if quarters := _turned_in_place(expected.get(cell), piece):
                yield Move("turn", cell, turn=quarters)
            yield from _arrivals(position, expected, changed, cell, piece)


def _differs(expected: dict[str, Piece], seen: Sighting) -> bool:
    wanted = expected.get(seen.cell or "", Piece("empty"))
    return seen.belief(wanted) < AS_EXPECTED


def _believed(seen: Sighting) -> Iterator[Piece]:
    for piece, probability in seen.beliefs:
        if probability >= SUGGESTS and piece.kind in KHET_FACINGS:
            yield piece


def _same_piece(one: Piece, other: Piece) -> bool:
    return (one.kind, one.colour) == (other.kind, other.colour)


def _turned_in_place(was: Piece | None, piece: Piece) -> int:
    return _quarters(was, piece) if was is not None and _same_piece(was, piece) else 0


def _arrivals(
    position: Position, expected: dict[str, Piece], changed: dict[str, Sighting], cell: str, piece: Piece
) -> Iterator[Move]:
    """Where a piece that newly stands on a cell can have come from: a changed cell, or the top of a stack."""
    for origin, was in expected.items():
        if origin == cell or not _same_piece(piece, was):
            continue
        turn = _quarters(was, piece)
        if faces.KIND[position.at(origin)] == "stack":
            yield Move("top", origin, cell, turn)
        if origin not in changed:
            continue
        other = expected.get(cell)
        if other is not None and any(_same_piece(p, other) for p in _believed(changed[origin])):
            yield Move("swap", origin, cell, turn)
        else:
            yield Move("step", origin, cell, turn)


def _quarters(before: Piece, after: Piece) -> int:
    """Quarter turns clockwise from one facing to the other; 0 when either has none."""
    if before.facing is None or after.facing is None:
        return 0
    facings = KHET_FACINGS[before.kind]
    quarters = (facings.index(after.facing) - facings.index(before.facing)) % len(facings)
    return -1 if quarters == 3 else quarters


def oddity(position: Position, move: Move) -> float:
    """How unlikely it is that a hand does this, as natural log-odds beside other unlawful actions."""
    return HALF_TURN_ODDITY if abs(move.turn) == 2 else 0.0
