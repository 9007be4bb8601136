"""Dice with pips."""

import math
from functools import cache

import numpy as np

from companion.simulator.arrays import Colour
from companion.simulator.materials import Material, srgb
from companion.simulator.scene import Finish
from companion.simulator.shapes import Mesh, Part, circle, loft

DIE_MM = 16.0  # side of the usual die
GLINT = Material(srgb(250, 250, 250), 0.0, 0.5)
_PLACES = {  # pips of each value in quarters of a side
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@cache
def die_mesh(top: int, front: int) -> Mesh:
    """A pip die: `top` up, `front` towards +x; opposite faces sum to seven."""
    return pip_die_mesh(top, front, DIE_MM)


def pip_die_mesh(
    top: int,
    front: int,
    side_mm: float,
    pip: float = 0.085,
    rounded: float = 0.08,
    glint: float = 0.0,
    spread: float = 0.25,
) -> Mesh:
    """A pip die whose pips have a radius of `pip` sides and whose edges are rounded by `rounded` sides."""
    half, corner = side_mm / 2, side_mm * rounded
    outline = _rounded_square(side_mm, corner)
    small, most = (
        _rounded_square(side_mm - 0.6 * corner, corner * 0.8),
        _rounded_square(side_mm - 2 * corner, corner * 0.6),
    )
    body = loft(
        [
            (small, 0.0),
            (outline, corner * 0.7),
            (outline, side_mm - corner),
            (small, side_mm - 0.3 * corner),
            (most, side_mm),
        ]
    )
    left = _left_of(top, front)
    pips: list[Part] = []
    for value, axis, sign in ((top, 2, 1), (front, 0, 1), (7 - front, 0, -1), (left, 1, 1), (7 - left, 1, -1)):
        for u, v in _PLACES[value]:
            pips += _pip(axis, sign, u * side_mm * spread, v * side_mm * spread, half, side_mm, pip, glint)
    return Mesh((body, *pips))


def _left_of(top: int, front: int) -> int:
    """The value towards +y of a western die (1, 2, 3 counter-clockwise about their corner)."""
    cycle = {(1, 2): 3, (2, 3): 1, (3, 1): 2}
    a, b = min(top, 7 - top), min(front, 7 - front)
    if a == b:
        raise ValueError(f"{top} and {front} are the same or opposite faces of a die")
    third = 6 - a - b
    even = ((a, b) in cycle) == ((top > 3) == (front > 3))
    return third if even else 7 - third


def _rounded_square(side: float, radius: float, steps: int = 4) -> list[tuple[float, float]]:
    """A square about the origin with round corners."""
    inner, points = side / 2 - radius, []
    for number, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(steps + 1):
            angle = math.pi / 2 * (number + step / steps)
            points.append((x * inner + radius * math.cos(angle), y * inner + radius * math.sin(angle)))
    return points


def _pip(axis: int, sign: int, u: float, v: float, half: float, side_mm: float, pip: float, glint: float) -> list[Part]:
    """A round patch of paint on one face, with a lamp's reflection in it where `glint` (its share) is not 0."""
    parts = [_patch(axis, sign, u, v, half, side_mm, side_mm * pip, "trim", 1)]
    if glint > 0:
        off = side_mm * pip * 0.35
        parts.append(_patch(axis, sign, u + off, v + off, half, side_mm, side_mm * pip * glint, "glint", 2))
    return parts


def _patch(
    axis: int, sign: int, u: float, v: float, half: float, side_mm: float, radius: float, material: str, layer: int
) -> Part:
    ring = [*circle(radius, 14, u, v), (u, v)]
    out, inner = 0.03 * layer, 1.0

    def at(p: tuple[float, float], rise: float) -> tuple[float, float, float]:
        if axis == 2:
            return p[0], p[1], side_mm + rise
        if axis == 0:
            return sign * (half + rise), p[0], half + p[1]
        return p[0], sign * (half + rise), half + p[1]

    vertices = np.array([*(at(p, out) for p in ring), at((u, v), -inner)])
    n = len(ring) - 1
    return Part(vertices, np.array([(i, (i + 1) % n, n, n) for i in range(n)]), material, layer)


@cache
def die_finish(colour: Colour, pips: Colour) -> Finish:
    """Body and pips."""
    return Finish({"body": Material(colour, 0.05, 0.25), "trim": Material(pips, 0.03, 0.5), "glint": GLINT})
