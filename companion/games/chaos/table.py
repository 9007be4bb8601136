"""The table of Chaos, and the placements that a view suggests."""

import math
from collections.abc import Iterable, Iterator

from companion.games.base import Layout, Lying
from companion.games.chaos.play import moves
from companion.games.chaos.position import Move, Position, Standing, standing
from companion.pieces import Piece
from companion.view import Sighting, TableView

SAME_MM = 15.0  # a sighting nearer than this to a known piece is that piece


def layout(position: Position) -> Layout:
    """The pieces in play; the array stands beside the table."""
    return Layout(tuple(map(_lying, position.pieces)))


def during(position: Position, move: Move) -> Layout:
    """The table right after a placement: what it captures comes from the array, not from the table."""
    pieces = position.pieces if move.piece is None else (*position.pieces, move.piece)
    return Layout(tuple(map(_lying, pieces)))


def candidates(position: Position, view: TableView) -> Iterable[Move]:
    """Every pyramid in view that is not in play yet, as a placement, lawful or not; else rolls and skips."""
    if position.phase != "place":
        yield from moves(position)
        return
    for piece in _newcomers(position, view):
        yield Move("place", piece=piece)


def _newcomers(position: Position, view: TableView) -> Iterator[Standing]:
    for seen in view.sightings:
        if seen.piece.kind == "pyramid" and not any(_same(seen, piece) for piece in position.pieces):
            colour, size, pose = seen.piece.colour, seen.piece.size, seen.piece.pose
            if colour and size and pose and seen.x_mm is not None and seen.y_mm is not None:
                yield standing(colour, size, pose, seen.x_mm, seen.y_mm, seen.heading_deg or 0.0)


def _same(seen: Sighting, piece: Standing) -> bool:
    if seen.x_mm is None or seen.y_mm is None or seen.piece.colour not in (piece.colour, None):
        return False
    return math.hypot(seen.x_mm - piece.x_mm, seen.y_mm - piece.y_mm) <= SAME_MM


def _lying(piece: Standing) -> Lying:
    words = f"the {piece.size} {piece.colour} {'defender' if piece.pose == 'upright' else 'attacker'}"
    looks = Piece("pyramid", colour=piece.colour, size=piece.size, pose=piece.pose)
    heading = piece.heading_deg if piece.pose == "lying" else None
    return Lying(looks, x_mm=piece.x_mm, y_mm=piece.y_mm, heading_deg=heading, words=words)
