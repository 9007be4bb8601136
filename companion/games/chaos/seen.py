"""What a view of the table could mean: placements, and rolls that led to them.

The view is expected to show what is known to lie there just where it is recorded; every other pyramid is new.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.errors import IllegalMove
from companion.games.chaos.aim import otherwise
from companion.games.chaos.benefit import believed
from companion.games.chaos.colours import RINGS, UNSEEN, UNSEEN_FACE
from companion.games.chaos.geometry import overlap_mm
from companion.games.chaos.placement import largest, may_come
from companion.games.chaos.play import play
from companion.games.chaos.position import DICE, Move, Position, Standing, standing
from companion.pieces import LOOK_LIKE, PYRAMID_SIZES, Piece
from companion.view import Sighting, TableView

MIRRORED = {"white": "clear", "clear": "white"}
AT_MOST = 4  # pieces that may be new in one view: two turns, of which a photograph was spoiled


@dataclass(frozen=True, slots=True)
class SeenSettings:
    """What is taken for what."""

    same_mm: float = 15.0  # the nearest sighting of its colour, nearer than this to a known piece, is that piece
    belief: float = 0.003  # other looks of a piece that are at least so likely are thought of, too
    looks: int = 3
    doubtful: float = 0.5  # what is less likely to be a piece at all may be none
    strange: float = (
        0.9  # what is less likely to be a piece, and looks like nothing that the array can give, is none ...
    )
    due: float = 0.1  # ... where no such piece has so much belief
    astray: float = 2.0  # against a colour or a size that is not asked for: rather the eye mistook one that is
    mirrored: float = 3.0  # ... and against white for clear, or clear for white: all of a side may mirror a lamp
    in_mm: float = 4.0  # ... nor can it stand so deep in another one of its colour, unless that is seen as well
    there_mm: float = 8.0  # nothing can be put so near to the middle of another piece: it is that one, seen wrongly


SETTINGS = SeenSettings()


def plausible(position: Position, view: TableView) -> Iterator[Move]:
    """The lawful placements that this view gives reason to think of."""
    return (move for move in _placements(position, view) if _lawful(position, move))


def candidates(position: Position, view: TableView) -> Iterator[Move]:
    """Every pyramid in view that is not in play yet, as a placement, lawful or not."""
    return _placements(position, view)


def oddity(position: Position, move: Move) -> float:
    """What speaks against this unlawful action beside others, as natural log-odds."""
    if move.piece is None or UNSEEN in position.dice:
        return 0.0
    if move.piece.colour in position.dice:
        return 0.0 if move.piece.size == largest(position, move.piece.colour) else SETTINGS.astray
    other = MIRRORED.get(move.piece.colour)
    return SETTINGS.mirrored if other in position.dice else SETTINGS.astray


def sequences(position: Position, view: TableView) -> Iterator[tuple[Move, ...]]:
    """Several placements at once, of a turn or two; and the roll that must have come before, if it was not seen."""
    least = 1 if position.phase == "roll" else 2
    if position.phase == "over":
        return
    for new in _with_and_without_the_doubtful(_newcomers(position, view)):
        if least <= len(new) <= AT_MOST:
            looks = SETTINGS.looks if len(new) <= DICE else 1  # of many only the likeliest
            for pieces in itertools.product(*(_likely(position, sighting)[:looks] for sighting in new)):
                if moves := _in_order(position, pieces):
                    yield moves


def _with_and_without_the_doubtful(new: Sequence[Sighting]) -> Iterator[list[Sighting]]:
    """Every choice of those that may be a shadow, but for too many; all others are there."""
    doubtful = [seen for seen in new if seen.told < SETTINGS.doubtful]
    for count in range(max(0, len(new) - AT_MOST), len(doubtful) + 1):
        for left_out in itertools.combinations(doubtful, count):
            yield [seen for seen in new if seen not in left_out]


def _in_order(position: Position, pieces: tuple[Standing, ...]) -> tuple[Move, ...]:
    """The placements in an order that is lawful (CA9), else in one of which the last alone is not; () for neither."""
    refused: tuple[Move, ...] = ()
    for order in itertools.permutations(pieces):
        moves, lawful = _settled(position, order)
        if lawful == len(order):
            return moves
        if lawful == len(order) - 1 and not refused:
            refused = moves
    return refused


def _settled(position: Position, pieces: tuple[Standing, ...]) -> tuple[tuple[Move, ...], int]:
    """Each piece where it is believed to lie, the first ones being in play; rolls where they are due.

    They end with the first that is unlawful; and how many are lawful.
    """
    moves: list[Move] = []
    for number, piece in enumerate(pieces):
        if position.phase == "roll":
            moves.append(_rolled(position, pieces[number : number + DICE]))
            position = play(position, moves[-1]).position
        moves.append(Move("place", piece=believed(position, piece)))
        try:
            position = play(position, moves[-1]).position
        except IllegalMove:
            return tuple(moves), number
    return tuple(moves), len(pieces)


def _rolled(position: Position, pieces: tuple[Standing, ...]) -> Move:
    """The roll after which these were placed; of one piece the other die was not seen."""
    faces = [RINGS[position.house.colours].index(piece.colour) + 1 for piece in pieces]
    return Move("roll", (*faces, UNSEEN_FACE) if len(faces) == 1 else tuple(faces))


def _lawful(position: Position, move: Move) -> bool:
    try:
        play(position, move)
    except IllegalMove:
        return False
    return True


def _placements(position: Position, view: TableView) -> Iterator[Move]:
    if position.phase != "place":
        return
    for sighting in _newcomers(position, view):
        for piece in _likely(position, sighting):
            yield from _ways(position, Move("place", piece=believed(position, piece)))


def _ways(position: Position, move: Move) -> Iterator[Move]:
    """The placement; and where a capture hangs on the camera's error, the one that decides it the other way (CA2)."""
    yield move
    if move.piece is None or move.piece.pose != "lying" or not _lawful(position, move):
        return
    other = otherwise(position, move.piece)
    if other is not None and _lawful(position, replace(move, piece=other)):
        yield replace(move, piece=other)


def _newcomers(position: Position, view: TableView) -> list[Sighting]:
    due = list(may_come(position))
    there = [
        seen
        for seen in view.sightings
        if any(piece.kind == "pyramid" for piece, _ in seen.beliefs) and seen.x_mm is not None
    ]
    known = {id(seen) for piece in position.pieces for seen in _same(there, piece)}
    return [seen for seen in there if id(seen) not in known and not _strange(seen, due)]


def _strange(seen: Sighting, due: Sequence[Piece]) -> bool:
    """True for a shadow rather than a piece: it is hardly seen, and the array cannot give it."""
    return seen.told < SETTINGS.strange and all(seen.belief(piece) < SETTINGS.due for piece in due)


def _likely(position: Position, seen: Sighting) -> list[Standing]:
    """What a new piece may be, the likeliest first, and whatever the dice ask for among it."""
    ring = RINGS[position.house.colours]
    found: list[Standing] = []
    for looks, p in sorted(seen.beliefs, key=lambda pair: -pair[1]):
        mirrored = found and MIRRORED.get(found[0].colour) == looks.colour and looks.colour in position.dice
        if p < SETTINGS.belief and found and not mirrored:
            continue
        if looks.size not in PYRAMID_SIZES or looks.pose is None:
            continue
        for colour in _colours(position, looks.colour):
            piece = measured(replace(looks, colour=colour), seen)
            if colour in ring and piece not in found:
                found.append(piece)
    return found[: SETTINGS.looks] + [p for p in found[SETTINGS.looks :] if p.colour in position.dice]


def _colours(position: Position, seen: str | None) -> tuple[str, ...]:
    """The colour that the eye names, and those that it cannot tell from it; of these only what the dice ask for."""
    alike = [c for c, others in LOOK_LIKE.items() if seen in others and c in RINGS[position.house.colours]]
    named = (*((seen,) if seen is not None else ()), *alike)
    return tuple(c for c in named if c in position.dice) or named


def measured(looks: Piece, seen: Sighting) -> Standing:
    """The piece with these looks, lying where and as it is seen."""
    assert looks.colour is not None and looks.size is not None and looks.pose is not None  # noqa: PT018
    assert seen.x_mm is not None and seen.y_mm is not None  # noqa: PT018 - one condition
    turn = seen.heading_deg if looks.pose == "lying" else seen.base_deg
    return standing(looks.colour, looks.size, looks.pose, seen.x_mm, seen.y_mm, turn or 0.0)


def _same(sightings: Sequence[Sighting], piece: Standing) -> list[Sighting]:
    """What is the known piece: the nearest of what looks like it, and whatever is told where nothing else can lie."""
    like = (piece.colour, *LOOK_LIKE.get(piece.colour, ()), None)
    near = [seen for seen in sightings if _apart_mm(seen, piece) <= SETTINGS.there_mm]
    alike = [seen for seen in sightings if seen.piece.colour in like]
    nearest = min(alike, key=lambda seen: _apart_mm(seen, piece), default=None)
    if nearest is None or (_apart_mm(nearest, piece) > SETTINGS.same_mm and not _stands_in(nearest, piece)):
        return near
    return [*near, nearest]


def _stands_in(seen: Sighting, piece: Standing) -> bool:
    """True for what could be put there only where the piece is gone: rather it was pushed aside."""
    if seen.piece.size not in PYRAMID_SIZES or seen.piece.pose is None or seen.piece.colour is None:
        return False
    return overlap_mm(measured(seen.piece, seen), piece) > SETTINGS.in_mm


def _apart_mm(seen: Sighting, piece: Standing) -> float:
    if seen.x_mm is None or seen.y_mm is None:
        return math.inf
    return math.hypot(seen.x_mm - piece.x_mm, seen.y_mm - piece.y_mm)
