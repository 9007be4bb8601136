"""Icehouse pyramids: hollow, pointed, with sunken pips along the bottom edge of every face.

Frames: an upright one stands with the middle of its base on the origin, its base square to the axes; a lying one
points to +x and has the point halfway between its tip and the middle of its base over the origin.
"""

import math
from functools import cache

import numpy as np

from companion.pieces import PYRAMID_BASE_MM, PYRAMID_HEIGHT_MM, PYRAMID_SIZES
from companion.simulator.arrays import Floats
from companion.simulator.shapes import Mesh, Part, Point2, circle

WALL_MM = 1.3
PIP_MM, PIP_UP_MM, PIP_STEP_MM = 1.2, 4.8, 3.8  # radius, height of the middle over the bottom edge, distance
TIP_RISE_MM = 5.3  # how much higher than the tip below the tip of a stacked piece comes to lie
CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


@cache
def pyramid_mesh(size: str, pose: str, clear_walls: bool, pips: bool = True) -> Mesh:
    """The body; with `clear_walls` without the inner side, which then is seen through the outer one."""
    base, high = PYRAMID_BASE_MM[size], PYRAMID_HEIGHT_MM[size]
    parts = [_shell(base, high, "body", 2)]
    if not clear_walls:
        inner = base - 2 * WALL_MM
        parts = [_shell(inner, high * inner / base, "inside", 0, hollow=True), _rim(base, inner), *parts]
    if pips:
        parts += _pips(base, high, PYRAMID_SIZES.index(size) + 1)
    if pose == "lying":
        parts = [Part(lain(p.vertices, base, high), p.faces, p.material, p.layer, p.hollow) for p in parts]
    return Mesh(tuple(parts))


def lain(points: Floats, base: float, high: float) -> Floats:
    """(N, 3) of an upright pyramid's frame, in the frame of the same pyramid lying on one of its faces."""
    lean = math.atan2(base / 2, high)
    along = np.array([math.cos(lean), 0.0, -math.sin(lean)])  # to the tip, downward
    up = np.array([math.sin(lean), 0.0, math.cos(lean)])  # in the plane of the base
    middle = np.array([-high * math.cos(lean) / 2, 0.0, high * math.sin(lean)])
    return np.asarray(middle + points[:, :1] * up + points[:, 1:2] * np.array([0.0, 1.0, 0.0]) + points[:, 2:3] * along)


def edges(size: str, pose: str) -> list[tuple[Floats, Floats]]:
    """The eight edges as pairs of points: four of the base, four to the tip."""
    base, high = PYRAMID_BASE_MM[size], PYRAMID_HEIGHT_MM[size]
    points = np.array([(x * base / 2, y * base / 2, 0.0) for x, y in CORNERS] + [(0.0, 0.0, high)])
    if pose == "lying":
        points = lain(points, base, high)
    return [(points[i], points[(i + 1) % 4]) for i in range(4)] + [(points[i], points[4]) for i in range(4)]


def _shell(base: float, high: float, material: str, layer: int, hollow: bool = False) -> Part:
    points = np.array([(x * base / 2, y * base / 2, 0.0) for x, y in CORNERS] + [(0.0, 0.0, high)])
    return Part(points, np.array([(i, (i + 1) % 4, 4, 4) for i in range(4)]), material, layer, hollow)


def _rim(base: float, inner: float) -> Part:
    rings = [(x * s / 2, y * s / 2, 0.0) for s in (base, inner) for x, y in CORNERS]
    # a point far inside makes the normals point out of the opening
    faces = np.array([(i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i) for i in range(4)])
    return Part(np.array([*rings, (0.0, 0.0, base)]), faces, "rim", 1)


def _pips(base: float, high: float, count: int) -> list[Part]:
    """Little discs just above each face, the rightmost in its middle."""
    slant = math.hypot(high, base / 2)
    parts = []
    for turn in range(4):
        for number in range(count):
            across = -number * PIP_STEP_MM
            ring: list[Point2] = circle(PIP_MM, 8, across, PIP_UP_MM)
            c, s = math.cos(turn * math.pi / 2), math.sin(turn * math.pi / 2)
            flat = []
            for u, v in ring:
                out = base / 2 * (1 - v / slant) + 0.05
                x, y, z = out, u, v / slant * high
                flat.append((x * c - y * s, x * s + y * c, z))
            points = np.array([*flat, (0.0, 0.0, 0.0)])  # the last is only for the middle: normals point outward
            parts.append(Part(points, np.array([(0, 1, 2, 3), (0, 3, 4, 5), (0, 5, 6, 7)]), "pip", 3))
    return parts
