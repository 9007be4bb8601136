"""Ataxx on square boards of 3 to 26 cells, and on the hexagon; the names of `companion.games.base.Game`."""

from companion.games.ataxx.cards import cards, scores
from companion.games.ataxx.hands import carry_out
from companion.games.ataxx.notation import from_json, read_move, read_position, to_json, write_move, write_position
from companion.games.ataxx.perft import perft
from companion.games.ataxx.play import chance, moves, outcome, play
from companion.games.ataxx.position import COLOURS, Move, Position
from companion.games.ataxx.rules import RULES
from companion.games.ataxx.seen import candidates, oddity, plausible
from companion.games.ataxx.setup import OPTIONS, options_for, start
from companion.games.ataxx.table import draw, during, layout, reach
from companion.games.ataxx.taken_up import taken_up
from companion.games.ataxx.words import describe

NAME = "ataxx"
TITLE = "Ataxx"
TABLE_RULES = {  # the rules by which a referee judges what is no action at all
    "removal": "AA9",
    "final": "A4",
    "one-action": "A4",
}


def seats(position: Position) -> tuple[str, ...]:
    """Black (x) begins."""
    return COLOURS


def to_move(position: Position) -> int | None:
    """The seat that moves next, a forced pass included; None when the game is over."""
    return None if outcome(position) is not None else position.turn


def seen_by(position: Position, seat: int | None) -> Position:
    """Nothing is hidden."""
    return position


__all__ = [
    "NAME",
    "OPTIONS",
    "RULES",
    "TABLE_RULES",
    "TITLE",
    "Move",
    "Position",
    "candidates",
    "cards",
    "carry_out",
    "chance",
    "describe",
    "draw",
    "during",
    "from_json",
    "layout",
    "moves",
    "oddity",
    "options_for",
    "outcome",
    "perft",
    "plausible",
    "play",
    "reach",
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
