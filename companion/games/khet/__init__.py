"""Khet: laser chess with mirrors, in the editions 1.0 and 2.0, with the Eye of Horus in either."""

from companion.games.khet.actions import perft
from companion.games.khet.diagram import draw
from companion.games.khet.notation import from_json, read_move, read_position, to_json, write_move, write_position
from companion.games.khet.options import OPTIONS
from companion.games.khet.play import carry_out, claims, moves, outcome, play
from companion.games.khet.position import SETS, Move, Position
from companion.games.khet.rules import RULES
from companion.games.khet.seen import candidates, oddity
from companion.games.khet.setup import in_force, openings, start
from companion.games.khet.table import during, layout
from companion.games.khet.taken_up import taken_up
from companion.games.khet.words import describe

NAME = "khet"
TITLE = "Khet"
TABLE_RULES = {  # the rules by which a referee judges what is no action at all
    "removal": "Khet Q22",
    "final": "Khet 3b.1",
    "one-action": "Khet 3b.1",
    "turned": "Khet Q8",
    "askew": "Khet Q21",
}

__all__ = [
    "NAME",
    "OPTIONS",
    "RULES",
    "TABLE_RULES",
    "TITLE",
    "Move",
    "Position",
    "candidates",
    "carry_out",
    "chance",
    "claims",
    "describe",
    "draw",
    "during",
    "from_json",
    "in_force",
    "layout",
    "moves",
    "oddity",
    "openings",
    "outcome",
    "perft",
    "play",
    "read_move",
    "read_position",
    "scores",
    "seats",
    "seen_by",
    "start",
    "taken_up",
    "to_json",
    "to_move",
    "write_move",
    "write_position",
]


def seats(position: Position) -> tuple[str, ...]:
    """The colours of the set on the table; seat 0 plays the pieces that `Piece` calls silver, seat 1 the red ones."""
    return SETS[position.house.colours]


def scores(position: Position) -> tuple[int, int]:
    """The pieces of each side; a stack counts each of its obelisks."""
    sides = [lying.piece.colour for lying in layout(position).pieces for _ in range(lying.count)]
    return sides.count("silver"), sides.count("red")


def to_move(position: Position) -> int | None:
    """The seat that moves next; None when the game is over."""
    return None if outcome(position) else position.to_move


def chance(position: Position) -> tuple[tuple[Move, float], ...]:
    """Nothing in Khet is left to chance."""
    return ()


def seen_by(position: Position, seat: int | None) -> Position:
    """Everything lies open in Khet."""
    return position
