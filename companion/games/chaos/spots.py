"""Where a piece could lawfully go: a finite, repeatable choice of places, for play at random and to see if any is left.

Lawful places form regions; the search looks at places a little inside them, so it may miss one that is lawful only to
the millimetre (CA11 is decided by what it finds).
"""

import itertools
import math
from collections.abc import Iterator

from shapely import Point, box, prepare
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from companion.errors import IllegalMove
from companion.games.chaos import geometry as g
from companion.games.chaos.geometry import SIX_INCHES_MM, Edge
from companion.games.chaos.placement import check, largest, pose_due
from companion.games.chaos.position import Position, Standing, standing

STEP_MM = 55.0  # of the grid that is laid over the lawful region
COARSELY, FINELY = 2, 36  # places of an edge that are tried beside its middle: its ends, and one each millimetre


def spots(position: Position, colour: str) -> Iterator[Standing]:
    """Lawful places for the next piece of a colour."""
    size = largest(position, colour)
    if size is None:
        return
    if pose_due(position, colour) == "upright":
        yield from _lawful_of(position, _upright(position, colour, size))
        return
    for places in (COARSELY, FINELY):  # a die is not skipped for a place that only the closer look finds
        found = False
        for piece in _lawful_of(position, _lying(position, colour, size, places)):
            found = True
            yield piece
        if found:
            return


def _lawful_of(position: Position, pieces: Iterator[Standing]) -> Iterator[Standing]:
    """Those that may be placed, each once."""
    seen = set()
    for piece in pieces:
        if piece not in seen and _surely(position, piece):
            seen.add(piece)
            yield piece


def _surely(position: Position, piece: Standing) -> bool:
    """True if it may be placed there without a doubt."""
    try:
        return not check(position, piece)
    except IllegalMove:
        return False


def _upright(position: Position, colour: str, size: str) -> Iterator[Standing]:
    half = g.base_mm(size) / 2
    for x, y in _inside(_region(position, colour, half)):
        yield standing(colour, size, "upright", x, y)
    for other in position.pieces:  # exactly six inches off an edge, for the double of the first turn (C10)
        for edge in g.supports(other):
            dx, dy = g.direction(edge.normal_deg)
            off = SIX_INCHES_MM + half
            x, y = (edge.start[0] + edge.end[0]) / 2 + dx * off, (edge.start[1] + edge.end[1]) / 2 + dy * off
            yield standing(colour, size, "upright", x, y, edge.normal_deg)


def _inside(region: BaseGeometry) -> Iterator[g.Vector]:
    """A grid of places in a region, and one that is surely in it."""
    if region.is_empty:
        return
    prepare(region)
    left, low, right, high = region.bounds
    columns, rows = (int((end - start) / STEP_MM) + 1 for start, end in ((left, right), (low, high)))
    for i, j in itertools.product(range(columns), range(rows)):
        x, y = left + i * STEP_MM, low + j * STEP_MM
        if region.contains(Point(x, y)):
            yield x, y
    inside = region.representative_point()
    yield inside.x, inside.y


def _region(position: Position, colour: str, half: float) -> BaseGeometry:
    """Centres at which a standing piece is lawful whichever way it is turned."""
    width, height = g.TOLERANCES.table_mm
    outer = half * math.sqrt(2)
    region: BaseGeometry = box(outer - width / 2, outer - height / 2, width / 2 - outer, height / 2 - outer)
    if not position.pieces:
        return region
    prints = [(piece, g.footprint(piece)) for piece in position.pieces]
    region = region.intersection(unary_union([shape.buffer(SIX_INCHES_MM + half) for _, shape in prints]))
    keep_off = [shape.buffer(outer + (SIX_INCHES_MM if piece.colour == colour else 0.5)) for piece, shape in prints]
    return region.difference(unary_union(keep_off))


def _lying(position: Position, colour: str, size: str, places: int) -> Iterator[Standing]:
    for other in position.pieces:
        if other.colour == colour:
            for edge in g.supports(other):
                yield from _along(edge, colour, size, places)


def _along(edge: Edge, colour: str, size: str, places: int) -> Iterator[Standing]:
    room = edge.length - g.base_mm(size)
    if room < -1e-6:
        return
    dx, dy = g.direction(edge.normal_deg)
    out = g.slant_mm(size) / 2
    ends = (place / (places - 1) for place in range(places))
    for share in (0.5, *(0.05 + 0.9 * end for end in ends)) if room > 1.0 else (0.5,):
        at = (g.base_mm(size) / 2 + room * share) / edge.length
        x = edge.start[0] + (edge.end[0] - edge.start[0]) * at + dx * out
        y = edge.start[1] + (edge.end[1] - edge.start[1]) * at + dy * out
        yield standing(colour, size, "lying", x, y, edge.normal_deg)
