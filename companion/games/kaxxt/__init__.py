"""Kaxxt on Ice; the names of `companion.games.base.Game`."""

from companion.games.kaxxt.attack import outcome
from companion.games.kaxxt.cards import cards
from companion.games.kaxxt.notation import from_json, read_move, read_position, to_json, write_position
from companion.games.kaxxt.play import FACES, asks, carry_out, chance, moves, play
from companion.games.kaxxt.position import ROLL, Move, Position
from companion.games.kaxxt.rules import RULES
from companion.games.kaxxt.seen import candidates, plausible, sequences
from companion.games.kaxxt.setup import OPTIONS, PHOTOGRAPHED, openings, start
from companion.games.kaxxt.table import draw, during, layout
from companion.games.kaxxt.taken_up import taken_up
from companion.games.kaxxt.words import describe, write_move

NAME = "kaxxt"
TITLE = "Kaxxt on Ice"
LOST = ("all-out",)  # XA20
SIDE_COLOURS = {"south": "blue", "west": "green", "north": "red", "east": "gold"}


def seats(position: Position) -> tuple[str, ...]:
    """The players by their sides of the table, clockwise."""
    return position.names


def seat_colours(position: Position) -> tuple[str, ...]:
    """Each player's colour, which the printed shields have, too."""
    return tuple(SIDE_COLOURS[name] for name in position.names)


def scores(position: Position) -> tuple[int, ...]:
    """The players' shields (X3)."""
    return position.shields


def rivals(position: Position, seat: int) -> tuple[int, ...]:
    """Who wins when a player gives up: all others who are still in (X3)."""
    return tuple(other for other, present in enumerate(position.present) if present and other != seat)


def to_move(position: Position) -> int | None:
    """The player on turn, who also rolls and draws; None when the game is over."""
    return None if outcome(position) is not None else position.turn


def dice(position: Position) -> str:
    """What is thrown now, in words."""
    return "the die" if position.phase == ROLL else ""


def midway(position: Position) -> bool:
    """True while the die is to be thrown, mostly for the second time: Kaxxt was turned (X7)."""
    return position.phase == ROLL


def shown_by(position: Position, faces: tuple[str, ...]) -> Move | None:
    """The throw of a die that shows this face, once it is known to be thrown (X7); None for anything else."""
    if position.phase != ROLL or len(faces) != 1 or faces[0] not in {str(face) for face in FACES}:
        return None
    return Move("die", value=int(faces[0]))


def seen_by(position: Position, seat: int | None) -> Position:
    """Nothing is hidden: what is in the bag is known, in which order it comes is not in the position."""
    return position


__all__ = [
    "LOST",
    "NAME",
    "OPTIONS",
    "PHOTOGRAPHED",
    "RULES",
    "TITLE",
    "Move",
    "Position",
    "asks",
    "candidates",
    "cards",
    "carry_out",
    "chance",
    "describe",
    "dice",
    "draw",
    "during",
    "from_json",
    "layout",
    "midway",
    "moves",
    "openings",
    "outcome",
    "plausible",
    "play",
    "read_move",
    "read_position",
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
    "write_move",
    "write_position",
]
