"""Noughts and crosses with discs on a board of 3x3 cells: a game as somebody might add it, in one file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import IllegalMove, UnreadableText
from companion.events import Acted, TurnBegan
from companion.games.base import Layout, Lying, Option, Options, Outcome, Rule, Turn
from companion.games.options import settle
from companion.pieces import EMPTY, Piece
from companion.view import BoardShape, TableView

NAME, TITLE = "noughts", "Noughts and crosses"
OPTIONS = (Option("begins", ("black", "white"), "black", "The colour that begins.", "N2", "Who begins"),)
RULES = (
    Rule("N1", "A disc goes on an empty cell and stays there.", "sixth.noughts:play"),
    Rule("N2", "Players put discs down in turns.", "sixth.noughts:to_move"),
    Rule("N3", "Three in a row win.", "sixth.noughts:outcome"),
    Rule("N4", "A full board without a row is a draw.", "sixth.noughts:outcome"),
)
SHAPE = BoardShape(3, 3, 40.0)
CELLS = tuple(SHAPE.cells())
COLOURS = ("black", "white")
ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, slots=True)
class Position:
    """One letter for each cell, a1 first: b, w or a dot; and who began."""

    cells: str = "." * 9
    begins: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """Where a disc goes."""

    cell: str


def start(options: Options) -> Position:
    return Position(begins=COLOURS.index(str(settle(OPTIONS, options)["begins"])))


def seats(position: Position) -> tuple[str, ...]:
    return COLOURS


def to_move(position: Position) -> int | None:
    if outcome(position) is not None:
        return None
    return (position.begins + 9 - position.cells.count(".")) % 2


def moves(position: Position) -> Iterable[Move]:
    if outcome(position) is not None:
        return ()
    return tuple(Move(cell) for cell, held in zip(CELLS, position.cells, strict=True) if held == ".")


def chance(position: Position) -> tuple[tuple[Move, float], ...]:
    return ()


def play(position: Position, move: Move) -> Turn:
    if (ended := outcome(position)) is not None:
        raise ended.refusal()
    seat, at = to_move(position) or 0, CELLS.index(move.cell)
    if position.cells[at] != ".":
        raise IllegalMove("taken", "N1", f"{move.cell} is taken", f"put the disc on an empty cell, not on {move.cell}")
    cells = position.cells[:at] + COLOURS[seat][0] + position.cells[at + 1 :]
    after = replace(position, cells=cells)
    ended = outcome(after)
    said = Acted(seat, move.cell, describe(position, move))
    return Turn(after, (said, TurnBegan(1 - seat) if ended is None else ended.event()))


def layout(position: Position) -> Layout:
    discs = []
    for cell, held in zip(CELLS, position.cells, strict=True):
        if held != ".":
            colour = COLOURS["bw".index(held)]
            discs.append(Lying(Piece("disc", colour), cell, words=f"the {colour} disc on {cell}"))
    return Layout(tuple(discs), SHAPE)


def during(position: Position, move: Move) -> Layout:
    seat = to_move(position)
    if seat is None:
        return layout(position)
    before = tuple(lying for lying in layout(position).pieces if lying.cell != move.cell)
    return Layout((*before, Lying(Piece("disc", COLOURS[seat]), move.cell)), SHAPE)


def candidates(position: Position, view: TableView) -> Iterable[Move]:
    """Every cell that changed, lawful or not."""
    seen = {cell: sighting.piece for cell, sighting in view.by_cell().items()}
    here = {lying.cell: lying.piece for lying in layout(position).pieces}
    changed = {Move(cell) for cell in CELLS if seen.get(cell, EMPTY) != here.get(cell, EMPTY)}
    return (*moves(position), *(move for move in sorted(changed, key=str) if move not in moves(position)))


def outcome(position: Position) -> Outcome | None:
    for row in ROWS:
        held = {position.cells[at] for at in row}
        if held in ({"b"}, {"w"}):
            seat = "bw".index(held.pop())
            return Outcome("row", (seat,), f"{COLOURS[seat].capitalize()} has three in a row.", "N3")
    return Outcome("full", (), "The board is full: a draw.", "N4") if "." not in position.cells else None


def describe(position: Position, move: Move) -> str:
    return f"{COLOURS[to_move(position) or 0].capitalize()} puts a disc on {move.cell}."


def read_move(position: Position, text: str) -> Move:
    if text.strip() not in CELLS:
        raise UnreadableText(f"{text!r} is no cell; cells run from a1 to c3")
    return Move(text.strip())


def write_move(position: Position, move: Move) -> str:
    return move.cell


def read_position(text: str) -> Position:
    cells, _, first = text.partition(" ")
    if len(cells) != 9 or set(cells) - set(".bw") or first not in ("0", "1"):
        raise UnreadableText("nine of . b w, a blank, and 0 or 1 for who began; for example '....b.... 0'")
    return Position(cells, int(first))


def write_position(position: Position) -> str:
    return f"{position.cells} {position.begins}"


def to_json(value: Position | Move) -> dict[str, Any]:
    return {"cell": value.cell} if isinstance(value, Move) else {"position": write_position(value)}


def from_json(data: Mapping[str, Any]) -> Position | Move:
    try:
        return Move(str(data["cell"])) if "cell" in data else read_position(str(data["position"]))
    except (KeyError, TypeError) as error:
        raise UnreadableText(f"neither a move nor a position: {data!r}") from error


def draw(position: Position) -> str:
    return "\n".join(" ".join(position.cells[row : row + 3]) for row in (6, 3, 0))


def seen_by(position: Position, seat: int | None) -> Position:
    return position
