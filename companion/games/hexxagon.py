"""Hexxagon: the rules of Ataxx on a hexagon of 61 cells (A2); the names of `companion.games.base.Game`."""

from collections.abc import Mapping
from typing import Any

from companion.errors import UnreadableText
from companion.games import ataxx
from companion.games.ataxx import (
    RULES,
    TABLE_RULES,
    candidates,
    cards,
    carry_out,
    chance,
    describe,
    draw,
    during,
    layout,
    moves,
    oddity,
    outcome,
    perft,
    plausible,
    play,
    reach,
    read_move,
    scores,
    seats,
    seen_by,
    taken_up,
    to_json,
    to_move,
    write_move,
    write_position,
)
from companion.games.ataxx.position import Move, Position
from companion.games.ataxx.setup import HEX_OPTIONS as OPTIONS
from companion.games.ataxx.setup import start_hexxagon as start

NAME = "hexxagon"
TITLE = "Hexxagon"
EXAMPLE = write_position(start({}))


def read_position(text: str) -> Position:
    """The position that FEN with hexagon rows names; UnreadableText, or OddPosition with its reasons."""
    return _on_the_hexagon(ataxx.read_position(text, EXAMPLE))


def from_json(data: Mapping[str, Any]) -> Position | Move:
    """What `to_json` wrote; UnreadableText when it is none."""
    value = ataxx.from_json(data)
    return _on_the_hexagon(value) if isinstance(value, Position) else value


def _on_the_hexagon(position: Position) -> Position:
    if position.board.kind != "hex":
        raise UnreadableText(f"Hexxagon is played on rows of 5 to 9 cells; for example {EXAMPLE!r}")
    return position


__all__ = [
    "NAME",
    "OPTIONS",
    "RULES",
    "TABLE_RULES",
    "TITLE",
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
