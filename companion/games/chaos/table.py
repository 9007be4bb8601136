"""The table of Chaos."""

from collections.abc import Iterable
from dataclasses import replace

from companion.games.base import Layout, Lying
from companion.games.chaos.placement import may_come
from companion.games.chaos.position import Move, Position, Standing


def layout(position: Position) -> Layout:
    """The pieces in play; the array stands beside the table."""
    return _laid(position, position.pieces)


def during(position: Position, move: Move) -> Layout:
    """The table right after a placement: what it captures comes from the array, not from the table."""
    pieces = position.pieces if move.piece is None else (*position.pieces, move.piece)
    return _laid(position, pieces)


def _laid(position: Position, pieces: Iterable[Standing]) -> Layout:
    there = tuple(map(_lying, pieces))
    looks = dict.fromkeys((*may_come(position), *(replace(lying.piece, pose=None) for lying in there)))
    return Layout(there, looks=tuple(looks), stacks=False)


def _lying(piece: Standing) -> Lying:
    words = f"the {piece.size} {piece.colour} {'defender' if piece.pose == 'upright' else 'attacker'}"
    return Lying(piece.looks, x_mm=piece.x_mm, y_mm=piece.y_mm, heading_deg=piece.heading_deg, words=words)
