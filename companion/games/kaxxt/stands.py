"""Where pyramids stand or lie on the table, in millimetres and degrees."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache

from shapely import Polygon, unary_union
from shapely.geometry.base import BaseGeometry

from companion.games.kaxxt.pyramids import Pyramid

TIP_RISE_MM = 5.2  # of a nested pyramid's tip over that of the one below it
TOUCH_MM2 = 1.0  # what two share on paper when they only touch


@dataclass(frozen=True, slots=True)
class Stand:
    """One pyramid, or a stack with the bottom one first (X20), at one place.

    x_mm, y_mm: table millimetres, Kaxxt at 0, 0. heading_deg: where the tip points, counter-clockwise from +X;
    None = upright. All are kept to one decimal, so that text gives back exactly what was written.
    """

    pyramids: tuple[Pyramid, ...]
    x_mm: float
    y_mm: float
    heading_deg: float | None = None

    @property
    def bottom(self) -> Pyramid:
        """The pyramid that touches the table."""
        return self.pyramids[0]


def stand(pyramids: tuple[Pyramid, ...], x_mm: float, y_mm: float, heading_deg: float | None = None) -> Stand:
    """A stand with its figures rounded to one decimal, the heading within 0..360."""
    heading = None if heading_deg is None else round(heading_deg % 360, 1) % 360
    return Stand(pyramids, round(x_mm, 1) + 0.0, round(y_mm, 1) + 0.0, heading)


def nested_mm(placed: Stand, level: int) -> tuple[float, float, float | None]:
    """x, y and heading of one pyramid of a stack: lying ones reach beyond the tip of what carries them."""
    if placed.heading_deg is None or level == 0:
        return placed.x_mm, placed.y_mm, placed.heading_deg
    ahead = placed.bottom.slant_mm / 2 + level * TIP_RISE_MM - placed.pyramids[level].slant_mm / 2
    turn = math.radians(placed.heading_deg)
    x, y = placed.x_mm + ahead * math.cos(turn), placed.y_mm + ahead * math.sin(turn)
    return round(x, 1) + 0.0, round(y, 1) + 0.0, placed.heading_deg


def footprint(placed: Stand) -> BaseGeometry:
    """What the stand covers, as seen from above: squares of upright ones, triangles of lying ones."""
    return unary_union([covered(pyramid, *nested_mm(placed, i)) for i, pyramid in enumerate(placed.pyramids)])


@lru_cache(maxsize=4096)
def covered(pyramid: Pyramid, x_mm: float, y_mm: float, heading_deg: float | None) -> Polygon:
    """What one pyramid covers, as seen from above: the triangle that it lies on, or its base, unturned."""
    half = pyramid.base_mm / 2
    ahead = half if heading_deg is None else pyramid.slant_mm / 2
    tip = ((ahead, half), (ahead, -half)) if heading_deg is None else ((ahead, 0.0),)
    turn = math.radians(heading_deg or 0.0)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = ((-ahead, -half), (-ahead, half), *tip)
    return Polygon([(x_mm + a * cos - b * sin, y_mm + a * sin + b * cos) for a, b in corners])


def has_room(placed: Stand, others: Collection[Stand]) -> bool:
    """True if it can be placed there: two pyramids cannot be in one place."""
    own = footprint(placed)
    return all(own.intersection(footprint(other)).area <= TOUCH_MM2 for other in others)


def without(placed: Stand, taken: Collection[Pyramid]) -> Stand:
    """The stand without these pyramids."""
    return replace(placed, pyramids=tuple(pyramid for pyramid in placed.pyramids if pyramid not in taken))
