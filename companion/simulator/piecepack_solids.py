"""Tiles, coins and suit dice of the piecepack, their signs as thin layers of paint.

Frames: +y is the upper edge of a tile's sign and of a coin's direction mark.
"""

import math
from functools import cache

import numpy as np

from companion.pieces import COIN_DIAMETER_MM, COIN_THICKNESS_MM, DIE_SIDE_MM, TILE_SIDE_MM, TILE_THICKNESS_MM
from companion.simulator.arrays import Colour
from companion.simulator.glyphs import Outline, suit_sign, value_sign
from companion.simulator.materials import Material, dimmed, srgb
from companion.simulator.scene import Finish
from companion.simulator.shapes import Mesh, Part, circle, slab, square
from companion.simulator.small_solids import SUIT_COLOURS

PAINT_MM = 0.06  # thickness of a layer of paint
WOOD: Colour = srgb(226, 200, 160)


@cache
def tile_mesh(face: str, suit: str | None = None, value: str | None = None) -> Mesh:
    """A tile: the front with its value in the middle and the suit at the top left, or the back's four quarters."""
    side, high = TILE_SIDE_MM, TILE_THICKNESS_MM
    parts = [slab(square(side), 0.0, high, 0.8)]
    if face == "back":
        arms = [((-side / 2 + 2, -0.4), (side / 2 - 2, 0.4)), ((-0.4, -side / 2 + 2), (0.4, side / 2 - 2))]
        for (x0, y0), (x1, y1) in arms:
            parts.append(_paint([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], high, "ink", 1))
        return Mesh(tuple(parts))
    if suit is None or value is None:
        raise ValueError("the front of a tile shows a suit and a value")
    middle = suit_sign(suit) if value == "ace" else tuple((o, "suit") for o, _ in value_sign(value))
    parts += _sign(middle, 0.0, 0.0, side * 0.42, high)
    parts += _sign(suit_sign(suit), -side * 0.36, side * 0.36, side * 0.17, high)
    return Mesh(tuple(parts))


@cache
def coin_mesh(face: str, suit: str | None = None, value: str | None = None) -> Mesh:
    """A coin: its suit side or its value side, with the direction mark at the edge."""
    high, wide = COIN_THICKNESS_MM, COIN_DIAMETER_MM
    parts = [slab(circle(wide / 2, 32), 0.0, high, 0.4)]
    sign = suit_sign(suit or "suns") if face == "suit" else value_sign(value or "null")
    parts += _sign(sign, 0.0, 0.0, wide * 0.55, high)
    mark = [(-0.5, wide * 0.36), (0.5, wide * 0.36), (0.5, wide * 0.47), (-0.5, wide * 0.47)]
    parts.append(_paint(mark, high, "ink", 1))
    return Mesh(tuple(parts))


@cache
def suit_die_mesh(suit: str, value: str) -> Mesh:
    """A suit's die that shows `value` on top; its ace is the suit's sign."""
    side = DIE_SIDE_MM
    top = suit_sign(suit) if value == "ace" else value_sign(value)
    return Mesh((slab(square(side), 0.0, side, side * 0.08), *_sign(top, 0.0, 0.0, side * 0.62, side)))


@cache
def piecepack_finish(suit: str | None, painted: bool = False) -> Finish:
    """Wood with a suit's paint; `painted` bodies (dice) have the suit's colour and light signs."""
    own = SUIT_COLOURS[suit] if suit else srgb(40, 40, 42)
    body = own if painted else WOOD
    sign: Colour = (0.8, 0.8, 0.8) if painted else own
    return Finish(
        {
            "body": Material(body, 0.03, 0.5),
            "ground": Material(body, 0.03, 0.5),
            "trim": Material(dimmed(body, 0.6), 0.03, 0.5),
            "suit": Material(sign, 0.02, 0.6),
            "ink": Material(sign if painted else srgb(26, 24, 24), 0.02, 0.6),
        }
    )


def _sign(outlines: tuple[Outline, ...], x: float, y: float, size: float, height: float) -> list[Part]:
    return [
        _paint([(x + px * size, y + py * size) for px, py in outline], height, material, 1 + layer)
        for layer, (outline, material) in enumerate(outlines)
    ]


def _paint(points: list[tuple[float, float]], height: float, material: str, layer: int) -> Part:
    """A flat convex patch on top of a body, above an inner point that tells which side is out."""
    ring = sorted(points, key=lambda p: math.atan2(p[1] - _mean(points, 1), p[0] - _mean(points, 0)))
    z = height + PAINT_MM * min(layer, 3)
    n = len(ring)
    middle = (_mean(points, 0), _mean(points, 1))
    vertices = np.array([*((px, py, z) for px, py in ring), (*middle, z), (*middle, z - 1.0)])
    return Part(vertices, np.array([(i, (i + 1) % n, n, n) for i in range(n)]), material, layer)


def _mean(points: list[tuple[float, float]], axis: int) -> float:
    return sum(p[axis] for p in points) / len(points)
