"""Chaos: ten colours of pyramids, defenders, attackers, and captures from the array."""

from companion.games.chaos.cards import cards
from companion.games.chaos.notation import (
    from_json,
    read_move,
    read_position,
    to_json,
    write_move,
    write_position,
)
from companion.games.chaos.play import carry_out, moves, outcome, play, scores
from companion.games.chaos.position import Move, Position
from companion.games.chaos.rules import RULES
from companion.games.chaos.seen import candidates, oddity, plausible, sequences
from companion.games.chaos.setup import OPTIONS, start
from companion.games.chaos.table import during, layout
from companion.games.chaos.taken_up import taken_up, turn_of
from companion.games.chaos.words import asks, describe, draw, faces, unordered

NAME = "chaos"
TITLE = "Chaos"
DOUBTS = ("CA2",)

__all__ = [
    "DOUBTS",
    "NAME",
    "OPTIONS",
    "RULES",
    "TITLE",
    "asks",
    "candidates",
    "cards",
    "carry_out",
    "chance",
    "describe",
    "dice",
    "draw",
    "during",
    "faces",
    "from_json",
    "layout",
    "moves",
    "oddity",
    "outcome",
    "plausible",
    "play",
    "read_move",
    "read_position",
    "scores",
    "seats",
    "seen_by",
    "sequences",
    "start",
    "taken_up",
    "to_json",
    "to_move",
    "turn_of",
    "unordered",
    "write_move",
    "write_position",
]


def seats(position: Position) -> tuple[str, ...]:
    """Players by number: the pieces belong to nobody."""
    return tuple(f"Player {seat + 1}" for seat in range(position.house.players))


def to_move(position: Position) -> int | None:
    """The seat on turn."""
    return None if position.phase == "over" else position.seat


def chance(position: Position) -> tuple[tuple[Move, float], ...]:
    """Both dice, every pair of faces equally likely."""
    if position.phase != "roll":
        return ()
    faces = tuple(moves(position))
    return tuple((face, 1 / len(faces)) for face in faces)


def dice(position: Position) -> str:
    """What is thrown now, in words."""
    return "both dice" if position.phase == "roll" else ""


def seen_by(position: Position, seat: int | None) -> Position:
    """Nothing is hidden in Chaos."""
    return position
