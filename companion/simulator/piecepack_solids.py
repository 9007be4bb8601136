"""Coins, dice and pawns of a piecepack as solids with printed faces."""

import numpy as np

from companion.pieces import (
    COIN_DIAMETER_MM,
    COIN_THICKNESS_MM,
    DIE_SIDE_MM,
    PAWN_HEIGHT_MM,
    PAWN_WIDTH_MM,
    VALUES,
)
from companion.simulator.arrays import Floats
from companion.simulator.materials import Material, dimmed, linear
from companion.simulator.piecepack_art import Ink, PiecepackStyle, coin_face, die_face
from companion.simulator.scene import DECAL, Decal, Finish
from companion.simulator.shapes import Mesh, Part, Point2, circle, ellipsoid, loft, slab, square
from companion.simulator.sprites import DECAL_GREY

COIN_PX, DIE_PX = 96, 72
PRINTED = 0.9  # of a die's side, between its rounded edges
Body = tuple[Mesh, Finish, tuple[Decal, ...]]


def coin_body(style: PiecepackStyle, face: str, suit: str, value: str, tinted: bool) -> Body:
    """A coin, its printed face up; its edge is of the suit's colour where it is `tinted`."""
    high, radius = COIN_THICKNESS_MM, COIN_DIAMETER_MM / 2
    mesh = topped(slab(circle(radius, 32), 0.0, high, 0.4), circle(radius - 0.3, 32), high)
    picture = linear(coin_face(style, face, suit, value, COIN_PX))
    return mesh, printed(style.inks[suit] if tinted else style.coin_ground), (on_top(picture, 2 * radius, high),)


def die_body(style: PiecepackStyle, suit: str, value: str, sides: tuple[str, ...] | None = None) -> Body:
    """A suit's die: `value` up, `sides` the values round it from +x on; without them, some of the others."""
    side, half = DIE_SIDE_MM, DIE_SIDE_MM / 2
    sides = sides or tuple(v for v in VALUES if v != value)[:4]
    parts = list(topped(slab(square(side), 0.0, side, side * 0.06), square(side * PRINTED), side).parts)
    decals = [on_top(linear(die_face(style, suit, value, DIE_PX)), side, side)]
    for number, shown in enumerate(sides):
        face = np.array([(half + 0.05, u * half, half + v * half) for u, v in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
        face = face @ _quarters(number)
        shrunk = face.mean(axis=0) + PRINTED * (face - face.mean(axis=0))
        points = np.array([*shrunk, face.mean(axis=0), (0.0, 0.0, half)])
        part = f"{DECAL} {number}"
        parts.append(Part(points, np.array([(i, (i + 1) % 4, 4, 4) for i in range(4)]), part, 1))
        decals.append(Decal(linear(die_face(style, suit, shown, DIE_PX)), face, part))
    finish = printed(style.inks[suit] if style.dice_tinted else style.die_ground, [d.part for d in decals])
    return Mesh(tuple(parts)), finish, tuple(decals)


def pawn_body(style: PiecepackStyle, suit: str, gloss: float) -> Body:
    """A pawn of the set's shape."""
    own = Material(_tone(style.inks[suit]), gloss, 0.5)
    return pawn_mesh(style.pawn), Finish({"body": own, "trim": Material(dimmed(own.colour, 1.5), gloss, 0.4)}), ()


def pawn_mesh(shape: str = "ball") -> Mesh:
    """A turned pawn of the piecepack's size: with a ball or a flat head on its cone, a cylinder, or a peg on a foot."""
    r, h = PAWN_WIDTH_MM / 2, PAWN_HEIGHT_MM
    outlines = {  # shares of the radius and of the height
        "ball": (((1.0, 0.0), (1.0, 0.10), (0.6, 0.3), (0.4, 0.66)),),
        "flat": (
            ((1.0, 0.0), (1.0, 0.12), (0.5, 0.35), (0.45, 0.7)),
            ((0.78, 0.7), (0.86, 0.76), (0.86, 0.92), (0.74, 1.0)),
        ),
        "cylinder": (((0.85, 0.0), (0.85, 0.9), (0.7, 1.0)),),
        "peg": (((1.0, 0.0), (1.0, 0.18), (0.55, 0.22)), ((0.55, 0.22), (0.55, 0.75))),
    }
    parts = [_turned(outline, layer) for layer, outline in enumerate(outlines[shape])]
    if wide := {"ball": 0.66, "peg": 0.6}.get(shape):
        parts.append(ellipsoid((0.0, 0.0, h * 0.79), (r * wide, r * wide, h * 0.21), "body", len(parts), 9, 20))
    return Mesh(tuple(parts))


def topped(body: Part, outline: list[Point2], high: float) -> Mesh:
    """A body with a flat printed top."""
    n = len(outline)
    points = np.array([*((x, y, high + 0.05) for x, y in outline), (0, 0, high + 0.05), (0, 0, high - 1)])
    return Mesh((body, Part(points, np.array([(i, (i + 1) % n, n, n) for i in range(n)]), DECAL, 1)))


def on_top(albedo: Floats, side_mm: float, z_mm: float) -> Decal:
    """A picture in a square at this height, its upper edge towards the body's +x."""
    half, z = side_mm / 2, z_mm
    return Decal(albedo, np.array([(half, half, z), (half, -half, z), (-half, -half, z), (-half, half, z)]))


def printed(body: Ink, parts: list[str] | None = None) -> Finish:
    """A body of this tone; what is printed on is shaded as grey paper."""
    grey, own = Material((DECAL_GREY,) * 3, 0.03, 0.5), Material(_tone(body), 0.03, 0.5)
    return Finish({"body": own, "trim": own} | dict.fromkeys(parts or [DECAL], grey))


def _tone(ink: Ink) -> tuple[float, float, float]:
    b, g, r = (float(c) ** 2.2 for c in ink)
    return b, g, r


def _turned(outline: tuple[tuple[float, float], ...], layer: int = 0) -> Part:
    """What a lathe makes of shares of the pawn's radius and height."""
    return loft([(circle(PAWN_WIDTH_MM / 2 * wide, 20), PAWN_HEIGHT_MM * high) for wide, high in outline], layer=layer)


def _quarters(number: int) -> Floats:
    """Turns rows of points about the z axis, counter-clockwise."""
    c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[number]
    return np.array([(c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0)])
