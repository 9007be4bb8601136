"""Signs of the piecepack as flat convex outlines in a unit square about the origin, +y up: suits and values."""

import math
from functools import cache
from itertools import pairwise

from companion.simulator.shapes import Point2, circle, scaled

Outline = tuple[tuple[Point2, ...], str]  # convex, and the material that it is painted with
STROKE = 0.13
_DIGITS: dict[str, tuple[tuple[Point2, ...], ...]] = {  # lines through these points
    "2": (((-0.25, 0.28), (0.0, 0.42), (0.25, 0.26), (-0.28, -0.4), (0.3, -0.4)),),
    "3": (((-0.26, 0.4), (0.26, 0.4), (0.0, 0.06), (0.26, -0.16), (0.05, -0.4), (-0.27, -0.32)),),
    "4": (((0.12, -0.42), (0.12, 0.42), (-0.3, -0.12), (0.32, -0.12)),),
    "5": (((0.25, 0.4), (-0.22, 0.4), (-0.24, 0.06), (0.14, 0.08), (0.26, -0.16), (0.08, -0.4), (-0.26, -0.32)),),
}


def _stroke(a: Point2, b: Point2, width: float = STROKE) -> tuple[Point2, ...]:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = math.hypot(dx, dy)
    nx, ny = -dy / length * width / 2, dx / length * width / 2
    ex, ey = dx / length * width / 2, dy / length * width / 2
    return (
        (a[0] - ex - nx, a[1] - ey - ny),
        (b[0] + ex - nx, b[1] + ey - ny),
        (b[0] + ex + nx, b[1] + ey + ny),
        (a[0] - ex + nx, a[1] - ey + ny),
    )


@cache
def suit_sign(suit: str) -> tuple[Outline, ...]:
    """A sun, a moon, a crown or a coat of arms (a lily)."""
    return {"suns": _sun, "moons": _moon, "crowns": _crown, "arms": _lily}[suit]()


@cache
def value_sign(value: str) -> tuple[Outline, ...]:
    """A digit in strokes, a spiral for the ace, nothing for the null."""
    if value == "null":
        return ()
    if value == "ace":
        radii = [(0.07 + 0.01 * i) * (1 + i / 14) for i in range(28)]
        lines = (tuple((r * math.cos(i * math.pi / 3), r * math.sin(i * math.pi / 3)) for i, r in enumerate(radii)),)
        return tuple((_stroke(a, b, 0.08), "ink") for line in lines for a, b in pairwise(line))
    return tuple((_stroke(a, b), "ink") for line in _DIGITS[value] for a, b in pairwise(line))


def _sun() -> tuple[Outline, ...]:
    rays = []
    for i in range(8):
        a = i * math.pi / 4
        tip = (0.48 * math.cos(a), 0.48 * math.sin(a))
        foot = [(0.26 * math.cos(a + d), 0.26 * math.sin(a + d)) for d in (-0.3, 0.3)]
        rays.append(((foot[0], tip, foot[1]), "suit"))
    return (*rays, (tuple(circle(0.27, 18)), "suit"))


def _moon() -> tuple[Outline, ...]:
    """A disc, and over it a disc of the ground."""
    return ((tuple(circle(0.42, 24)), "suit"), (tuple(circle(0.34, 24, x=0.17, y=0.06)), "ground"))


def _crown() -> tuple[Outline, ...]:
    teeth = [(((x - 0.16, -0.1), (x + 0.16, -0.1), (x * 1.25, 0.4)), "suit") for x in (-0.26, 0.0, 0.26)]
    return (*((t, m) for t, m in teeth), (((-0.4, -0.36), (0.4, -0.36), (0.42, -0.06), (-0.42, -0.06)), "suit"))


def _lily() -> tuple[Outline, ...]:
    petal = tuple(scaled(circle(0.3, 16), 1.0))
    middle = tuple((x * 0.45, y * 1.45 + 0.06) for x, y in petal)
    slim = [(x * 0.42, y * 0.9) for x, y in petal]
    c, d = math.cos(0.5), math.sin(0.5)
    sides = tuple(tuple((s * (0.24 + x * c - y * d), x * d + y * c) for x, y in slim) for s in (1.0, -1.0))
    bar = _stroke((-0.3, -0.14), (0.3, -0.14), 0.1)
    foot = ((-0.2, -0.46), (0.2, -0.46), (0.05, -0.14), (-0.05, -0.14))
    return ((middle, "suit"), *((s, "suit") for s in sides), (foot, "suit"), (bar, "suit"))
