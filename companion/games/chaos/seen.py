"""What a view of the table could mean: placements, and rolls that led to them.

The view is expected to show what is known to lie there just where it is recorded; every other pyramid is new.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.errors import IllegalMove
from companion.games.chaos.benefit import believed
from companion.games.chaos.colours import RINGS, UNSEEN_FACE
from companion.games.chaos.geometry import overlap_mm
from companion.games.chaos.play import play
from companion.games.chaos.position import Move, Position, Standing, standing
from companion.pieces import LOOK_LIKE, PYRAMID_SIZES, Piece
from companion.view import Sighting, TableView

AT_MOST = 2  # pieces that may be new in one view: one for each die


@dataclass(frozen=True, slots=True)
class SeenSettings:
    """What is taken for what."""

    same_mm: float = 15.0  # a sighting nearer than this to a known piece of its colour is that piece
    belief: float = 0.08  # other looks of a piece that are at least so likely are thought of, too
    looks: int = 3
    within_mm: float = 8.0  # nothing can be put so deep into another piece: it is that piece, seen wrongly


SETTINGS = SeenSettings()


def plausible(position: Position, view: TableView) -> Iterator[Move]:
    """The lawful placements that this view gives reason to think of."""
    return (move for move in _placements(position, view) if _lawful(position, (move,)))


def candidates(position: Position, view: TableView) -> Iterator[Move]:
    """Every pyramid in view that is not in play yet, as a placement, lawful or not."""
    return _placements(position, view)


def sequences(position: Position, view: TableView) -> Iterator[tuple[Move, ...]]:
    """Both placements of a turn at once; and the roll that must have come before them, if it was not seen."""
    new = _newcomers(position, view)
    if position.phase == "over" or not 0 < len(new) <= AT_MOST:
        return
    for pieces in itertools.product(*(_likely(position, sighting) for sighting in new)):
        if position.phase == "roll":
            faces = [RINGS[position.house.colours].index(p.colour) + 1 for p in pieces]
            roll = Move("roll", (*faces, UNSEEN_FACE) if len(faces) == 1 else tuple(faces))
            yield _in_order(position, (roll,), pieces)
        elif len(pieces) == AT_MOST == len(position.dice):
            yield _in_order(position, (), pieces)


def _in_order(position: Position, before: tuple[Move, ...], pieces: tuple[Standing, ...]) -> tuple[Move, ...]:
    """The placements in an order that is lawful (CA9), the first one else."""
    orders = [(*before, *_settled(position, before, order)) for order in itertools.permutations(pieces)]
    return next((order for order in orders if _lawful(position, order)), _most_lawful(position, orders))


def _settled(position: Position, before: tuple[Move, ...], pieces: tuple[Standing, ...]) -> tuple[Move, ...]:
    """Each piece where it is believed to lie, the first ones being in play."""
    moves: list[Move] = []
    for move in before:
        position = play(position, move).position
    for piece in pieces:
        move = Move("place", piece=believed(position, piece))
        moves.append(move)
        try:
            position = play(position, move).position
        except IllegalMove:
            continue
    return tuple(moves)


def _most_lawful(position: Position, orders: list[tuple[Move, ...]]) -> tuple[Move, ...]:
    """The order in which the fault comes latest."""
    return max(orders, key=lambda moves: sum(_lawful(position, moves[:count]) for count in range(1, len(moves))))


def _lawful(position: Position, moves: tuple[Move, ...]) -> bool:
    try:
        for move in moves:
            position = play(position, move).position
    except IllegalMove:
        return False
    return True


def _placements(position: Position, view: TableView) -> Iterator[Move]:
    if position.phase != "place":
        return
    for sighting in _newcomers(position, view):
        for piece in _likely(position, sighting):
            placed = believed(position, piece)
            if all(overlap_mm(placed, other) <= SETTINGS.within_mm for other in position.pieces):
                yield Move("place", piece=placed)


def _newcomers(position: Position, view: TableView) -> list[Sighting]:
    return [
        seen
        for seen in view.sightings
        if any(piece.kind == "pyramid" for piece, _ in seen.beliefs)
        and seen.x_mm is not None
        and not any(_same(seen, piece) for piece in position.pieces)
    ]


def _likely(position: Position, seen: Sighting) -> list[Standing]:
    """What a new piece may be, the likeliest first."""
    ring = RINGS[position.house.colours]
    found: list[Standing] = []
    for looks, p in sorted(seen.beliefs, key=lambda pair: -pair[1]):
        if p < SETTINGS.belief and found:
            continue
        if looks.size not in PYRAMID_SIZES or looks.pose is None:
            continue
        for colour in _colours(position, looks.colour):
            piece = _measured(position, replace(looks, colour=colour), seen)
            if colour in ring and piece not in found:
                found.append(piece)
    return found[: SETTINGS.looks]


def _colours(position: Position, seen: str | None) -> tuple[str, ...]:
    """The colour that the eye names, and those that it cannot tell from it; of these only what the dice ask for."""
    alike = [c for c, others in LOOK_LIKE.items() if seen in others and c in RINGS[position.house.colours]]
    named = (*((seen,) if seen is not None else ()), *alike)
    return tuple(c for c in named if c in position.dice) or named


def _measured(position: Position, looks: Piece, seen: Sighting) -> Standing:
    assert looks.colour is not None and looks.size is not None and looks.pose is not None  # noqa: PT018
    assert seen.x_mm is not None and seen.y_mm is not None  # noqa: PT018 - one condition
    turn = seen.heading_deg if looks.pose == "lying" else seen.base_deg
    return standing(looks.colour, looks.size, looks.pose, seen.x_mm, seen.y_mm, turn or 0.0)


def _same(seen: Sighting, piece: Standing) -> bool:
    like = (piece.colour, *LOOK_LIKE.get(piece.colour, ()), None)
    if seen.x_mm is None or seen.y_mm is None or seen.piece.colour not in like:
        return False
    return math.hypot(seen.x_mm - piece.x_mm, seen.y_mm - piece.y_mm) <= SETTINGS.same_mm
