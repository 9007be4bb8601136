"""Footprints on the table, in millimetres, and every tolerance by name.

A standing pyramid covers its base square, a lying one the triangle of its base and slant (CA3). Six inches are
measured between nearest edges of footprints (CA1).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from shapely import LineString, Point, Polygon

from companion.games.chaos.position import Standing
from companion.headings import turn_deg
from companion.pieces import PYRAMID_BASE_MM, PYRAMID_SLANT_MM

SIX_INCHES_MM = 152.4
Vector = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tolerances:
    """How exact hands and camera can be. Within `sure` nothing is said, up to `doubtful` a warning, then a refusal."""

    sure_mm: float = 3.0  # of six inches (CA2)
    doubtful_mm: float = 6.0
    contact_mm: float = 2.0  # gap or overlap of a flush base (CA3)
    overhang_mm: float = 2.0  # of a base beyond its edge (C12, CA3)
    perpendicular_deg: float = 8.0
    ray_mm: float = 1.5  # a ray may begin so far beside its place ...
    ray_deg: float = 1.0  # ... and point so far aside (CA2)
    overlap_mm: float = 2.0  # two footprints may seem to overlap so much
    table_mm: tuple[float, float] = (900.0, 640.0)  # width and height of the visible table (CA21)


TOLERANCES = Tolerances()


@dataclass(frozen=True, slots=True)
class Edge:
    """A side of a footprint, seen from outside: from `start` to `end`, `normal_deg` pointing outwards."""

    start: Vector
    end: Vector
    normal_deg: float

    @property
    def length(self) -> float:
        """Millimetres."""
        return math.dist(self.start, self.end)


def base_mm(size: str) -> float:
    """The side of a pyramid's base."""
    return PYRAMID_BASE_MM[size]


def slant_mm(size: str) -> float:
    """The length of a lying pyramid's footprint, from the tip to the middle of its base edge."""
    return PYRAMID_SLANT_MM[size]


def direction(heading_deg: float) -> Vector:
    """The unit vector of a heading."""
    return math.cos(math.radians(heading_deg)), math.sin(math.radians(heading_deg))


def tip(piece: Standing) -> Vector:
    """The tip of a lying pyramid on the table."""
    dx, dy = direction(piece.heading_deg)
    half = slant_mm(piece.size) / 2
    return piece.x_mm + dx * half, piece.y_mm + dy * half


def base_middle(piece: Standing) -> Vector:
    """The middle of a lying pyramid's base edge on the table."""
    dx, dy = direction(piece.heading_deg)
    half = slant_mm(piece.size) / 2
    return piece.x_mm - dx * half, piece.y_mm - dy * half


def corners(piece: Standing) -> tuple[Vector, ...]:
    """The footprint's corners, counter-clockwise; of a lying piece the tip comes first."""
    half = base_mm(piece.size) / 2
    dx, dy = direction(piece.heading_deg)
    if piece.pose == "upright":
        signs = ((1, -1), (1, 1), (-1, 1), (-1, -1))
        return tuple((piece.x_mm + half * (u * dx - v * dy), piece.y_mm + half * (u * dy + v * dx)) for u, v in signs)
    bx, by = base_middle(piece)
    return tip(piece), (bx - dy * half, by + dx * half), (bx + dy * half, by - dx * half)


@lru_cache(maxsize=4096)
def footprint(piece: Standing) -> Polygon:
    """What a piece covers of the table."""
    return Polygon(corners(piece))


def gap_mm(one: Standing, other: Standing) -> float:
    """The distance of the nearest edges of two footprints; 0 when they touch (CA1)."""
    return float(footprint(one).distance(footprint(other)))


def overlap_mm(one: Standing, other: Standing) -> float:
    """How deep two footprints seem to lie in each other; 0 when they do not."""
    return math.hypot(*way_out(one, other))


def overlaps(piece: Standing, others: Iterable[Standing]) -> bool:
    """True if it would stand in one of the others."""
    return any(overlap_mm(piece, other) > TOLERANCES.overlap_mm for other in others)


def way_out(one: Standing, other: Standing) -> Vector:
    """The shortest way, in mm, on which one footprint leaves another in which it seems to lie."""
    common = footprint(one).intersection(footprint(other))
    if common.area == 0.0:
        return 0.0, 0.0
    sides = common.minimum_rotated_rectangle.exterior.coords
    (dx, dy) = min(((b[0] - a[0], b[1] - a[1]) for a, b in pairwise(sides[:3])), key=lambda side: math.hypot(*side))
    apart = (
        footprint(one).centroid.x - footprint(other).centroid.x,
        footprint(one).centroid.y - footprint(other).centroid.y,
    )
    return (dx, dy) if dx * apart[0] + dy * apart[1] >= 0.0 else (-dx, -dy)


def supports(piece: Standing) -> tuple[Edge, ...]:
    """The edges that an attacker's base may touch: four of a defender (CA4), the two sides of an attacker (CA5)."""
    points = corners(piece)
    pairs = list(zip(points, (*points[1:], points[0]), strict=True))
    if piece.pose == "lying":
        pairs = [pairs[0], pairs[2]]  # not the base, which lies between the second and third corner
    return tuple(_edge(start, end) for start, end in pairs)


def _edge(start: Vector, end: Vector) -> Edge:
    outward = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0])) - 90.0
    return Edge(start, end, outward % 360.0)


def turned(one_deg: float, other_deg: float) -> float:
    """The angle between two headings, 0 to 180."""
    return abs(turn_deg(one_deg, other_deg))


def reach_along(start: Vector, heading_deg: float, target: Standing, length_mm: float) -> float | None:
    """Millimetres from a point along a heading to the first edge of a footprint; None when the ray misses it."""
    dx, dy = direction(heading_deg)
    ray = LineString([start, (start[0] + dx * length_mm, start[1] + dy * length_mm)])
    met = ray.intersection(footprint(target))
    return None if met.is_empty else float(Point(start).distance(met))


def on_table(piece: Standing) -> bool:
    """True if the whole footprint lies on the visible table (CA21)."""
    width, height = TOLERANCES.table_mm
    return all(abs(x) <= width / 2 and abs(y) <= height / 2 for x, y in corners(piece))
