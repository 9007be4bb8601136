"""What a view of the table suggests that a hand has done."""

from collections.abc import Iterable, Iterator

from companion.games.khet import faces
from companion.games.khet.play import moves
from companion.games.khet.position import Move, Position
from companion.games.khet.squares import NAME, NUMBER, ON_BOARD
from companion.games.khet.table import looks
from companion.pieces import EMPTY, KHET_FACINGS, Piece
from companion.view import Sighting, TableView

SUGGESTS = 0.2  # a belief of at least this much suggests that the piece may be there
HALF_TURN_ODDITY = 5.0  # a half turn is seldom made and, of a pyramid seen from above, easily seen by mistake
AS_EXPECTED = 0.8  # a cell is left alone when the expected piece is believed in at least this much


def candidates(position: Position, view: TableView) -> Iterable[Move]:
    """The legal moves, then the unlawful ones that the view suggests, each once."""
    return dict.fromkeys((*moves(position), *_suggested(position, view)))


def _suggested(position: Position, view: TableView) -> Iterator[Move]:
    expected = {NAME[s]: looks(position.cells[s]) for s in ON_BOARD if position.cells[s] != faces.EMPTY}
    changed = {cell: seen for cell, seen in view.by_cell().items() if cell in NUMBER and _differs(expected, seen)}
    for cell, seen in changed.items():
        for piece in _believed(seen):
            if quarters := _turned_in_place(expected.get(cell), piece):
                yield Move("turn", cell, turn=quarters)
            yield from _arrivals(position, expected, changed, cell, piece)


def _differs(expected: dict[str, Piece], seen: Sighting) -> bool:
    wanted = expected.get(seen.cell or "", EMPTY)
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
