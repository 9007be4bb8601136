"""Outlines for drawings, as points in millimetres, y down."""

import math

Point = tuple[float, float]


def rounded(x: float, y: float, width: float, height: float, radius: float, steps: int = 8) -> tuple[Point, ...]:
    """A rectangle with round corners, from its upper left corner."""
    corners = [(x + width - radius, y + radius, -90), (x + width - radius, y + height - radius, 0)]
    corners += [(x + radius, y + height - radius, 90), (x + radius, y + radius, 180)]
    return tuple(p for cx, cy, start in corners for p in arc(cx, cy, radius, start, start + 90, steps))


def arc(x: float, y: float, radius: float, start_deg: float, end_deg: float, steps: int = 16) -> tuple[Point, ...]:
    """Points of an arc; degrees count clockwise from the right, as y is down."""
    angles = [math.radians(start_deg + (end_deg - start_deg) * i / steps) for i in range(steps + 1)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def hexagon(x: float, y: float, across_mm: float) -> tuple[Point, ...]:
    """A regular hexagon with a corner up; `across_mm` from side to side."""
    radius = across_mm / math.sqrt(3)
    return tuple(p for i in range(6) for p in (arc(x, y, radius, 60 * i - 90, 60 * i - 90, 1)[0],))


def moved(points: tuple[Point, ...], dx: float, dy: float, scale: float = 1.0) -> tuple[Point, ...]:
    """An outline drawn about (0, 0), put somewhere in some size."""
    return tuple((dx + scale * x, dy + scale * y) for x, y in points)
