"""K'Dak's Tower of Confusion and Camel Wash: climb, hit the switch, escape while the tower crumbles."""

from companion.games.kdak.cards import cards
from companion.games.kdak.memory import hidden, retold, seen_by, without
from companion.games.kdak.notation import (
    from_json,
    read_move,
    read_position,
    to_json,
    write_move,
    write_position,
)
from companion.games.kdak.play import carry_out, moves, outcome, play
from companion.games.kdak.position import Move, Position
from companion.games.kdak.rules import RULES
from companion.games.kdak.seen import candidates, cleared_cost, oddity, sequences
from companion.games.kdak.setup import OPTIONS, in_force, start
from companion.games.kdak.table import during, layout, on_sheet, under_way
from companion.games.kdak.taken_up import taken_up
from companion.games.kdak.words import describe, draw, due, seat_name, steps_words, work, work_back
from companion.pieces import SUIT_COLOURS, VALUES

NAME = "kdak"
TITLE = "K'Dak's Tower of Confusion and Camel Wash"
LOST = ("lost",)  # K26
ENDED = {"untitled": "Escaped, and no title"}  # K28

__all__ = [
    "ENDED",
    "LOST",
    "NAME",
    "OPTIONS",
    "RULES",
    "TITLE",
    "asks",
    "candidates",
    "cards",
    "carry_out",
    "chance",
    "cleared_cost",
    "describe",
    "dice",
    "draw",
    "during",
    "from_json",
    "hidden",
    "in_force",
    "layout",
    "moves",
    "oddity",
    "on_sheet",
    "outcome",
    "play",
    "read_move",
    "read_position",
    "retold",
    "rivals",
    "scores",
    "seat_colours",
    "seats",
    "seen_by",
    "sequences",
    "shown_by",
    "start",
    "taken_up",
    "to_json",
    "to_move",
    "under_way",
    "without",
    "work",
    "work_back",
    "write_move",
    "write_position",
]


def seats(position: Position) -> tuple[str, ...]:
    """The explorers."""
    return tuple(seat_name(position.house, seat) for seat in range(position.house.seats))


def rivals(position: Position, seat: int) -> tuple[int, ...]:
    """Who wins when an explorer gives up: nobody where they play alone or for one purse (K23, K29)."""
    return () if position.house.alone else tuple(other for other in range(position.house.seats) if other != seat)


def scores(position: Position) -> tuple[int, ...]:
    """The points of each explorer."""
    return position.scores


def seat_colours(position: Position) -> tuple[str, ...]:
    """The colour of each explorer's pawn."""
    return tuple(SUIT_COLOURS[suit] for suit in position.house.pawns[: position.house.seats])


def to_move(position: Position) -> int | None:
    """The seat on turn."""
    return None if position.phase == "over" else position.seat


def chance(position: Position) -> tuple[tuple[Move, float], ...]:
    """The die's six faces; the faces not yet seen of a tile that is turned up or shown."""
    if position.phase not in ("reveal", "discard", "roll"):
        return ()
    faces = tuple(moves(position))
    return tuple((face, 1 / len(faces)) for face in faces)


def asks(position: Position) -> str:
    """What is asked for now, but for a throw: where the pawn may go, or what is due (K2, K10, K20)."""
    if position.phase == "move":
        return steps_words(moves(position))
    return due(position) if position.phase in ("reveal", "take", "discard", "coin") else ""


def dice(position: Position) -> str:
    """What is thrown now, in words."""
    return "the die" if position.phase == "roll" else ""


def shown_by(position: Position, faces: tuple[str, ...]) -> Move | None:
    """The roll that a piecepack die makes that shows this value (K9); None for anything else."""
    if position.phase != "roll" or len(faces) != 1 or faces[0] not in VALUES:
        return None
    return Move("roll", level=VALUES.index(faces[0]))
