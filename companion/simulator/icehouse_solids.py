"""Looney pyramids of three sizes, upright or lying, opaque or translucent.

Upright: origin in the middle of the base. Lying: on one face, the tip towards +x, origin halfway between the tip
and the middle of the base, as seen from above.
"""

import math
from functools import cache

import numpy as np

from companion.pieces import PYRAMID_BASE_MM, PYRAMID_HEIGHT_MM
from companion.simulator.arrays import Colour
from companion.simulator.materials import Material, dimmed, srgb
from companion.simulator.scene import Finish
from companion.simulator.shapes import Mesh, Part, Point3, pyramid, square

PIPS = {"small": 1, "medium": 2, "large": 3}
PIP_RADIUS_MM, PIP_HEIGHT_MM, PIP_APART_MM = 1.2, 4.8, 3.8
TRANSLUCENT = 0.35  # share of what lies behind that is seen through a coloured face
COLOURS: dict[str, Colour] = {
    "white": srgb(236, 234, 228),
    "clear": srgb(214, 220, 222),
    "red": srgb(200, 24, 30),
    "orange": srgb(240, 118, 20),
    "yellow": srgb(238, 204, 30),
    "green": srgb(20, 140, 62),
    "cyan": srgb(40, 178, 200),
    "blue": srgb(24, 62, 170),
    "purple": srgb(96, 40, 140),
    "black": srgb(24, 24, 26),
}


@cache
def icehouse_mesh(size: str, pose: str) -> Mesh:
    """The body of one pyramid."""
    base, height = PYRAMID_BASE_MM[size], PYRAMID_HEIGHT_MM[size]
    body = pyramid(square(base), 0.0, (0.0, 0.0, height))
    parts = (body, *(_pip(base, height, side, number, PIPS[size]) for side in range(4) for number in range(PIPS[size])))
    return Mesh(parts if pose == "upright" else tuple(_laid(part, base, height) for part in parts))


def lying_points(size: str) -> tuple[Point3, Point3]:
    """Tip and middle of the base of a lying pyramid in its own frame."""
    base, height = PYRAMID_BASE_MM[size], PYRAMID_HEIGHT_MM[size]
    marks = Part(np.array([[0.0, 0.0, height], [0.0, 0.0, 0.0]]), np.zeros((0, 4), dtype=int))
    (tx, ty, tz), (bx, by, bz) = _laid(marks, base, height).vertices
    return (float(tx), float(ty), float(tz)), (float(bx), float(by), float(bz))


def _laid(part: Part, base: float, height: float) -> Part:
    """Tipped over the base edge at +x until the face behind it lies on the table."""
    angle = math.degrees(math.atan2(height, -base / 2))
    tipped = part.moved(x=-base / 2).pitched(-angle)
    slant = math.hypot(height, base / 2)
    middle = (-base / 2) * math.cos(math.radians(-angle))  # of the base, along x
    return tipped.moved(x=-(slant + middle) / 2)


def _pip(base: float, height: float, side: int, number: int, count: int) -> Part:
    """A dark dot near the bottom edge of one face."""
    lean = math.atan2(base / 2, height)
    across = (number - (count - 1) / 2) * PIP_APART_MM
    up = PIP_HEIGHT_MM
    centre = np.array([base / 2 - up * math.sin(lean) + 0.05, across, up * math.cos(lean)])
    along, steep = np.array([0.0, 1.0, 0.0]), np.array([-math.sin(lean), 0.0, math.cos(lean)])
    ring = [
        centre + PIP_RADIUS_MM * (math.cos(a) * along + math.sin(a) * steep)
        for a in np.linspace(0, 2 * math.pi, 8, endpoint=False)
    ]
    behind = centre - np.array([math.cos(lean), 0.0, math.sin(lean)])  # makes the part convex about an inner point
    vertices = np.array([*ring, centre, behind])
    faces = np.array([(i, (i + 1) % 8, 8, 8) for i in range(8)])
    return Part(vertices, faces, "trim", 1).moved(turn_deg=90.0 * side)


@cache
def icehouse_finish(colour: str) -> Finish:
    """Plastic of one of the ten colours."""
    own = COLOURS[colour]
    through = {"white": 0.0, "black": 0.0, "clear": 0.7}.get(colour, TRANSLUCENT)
    return Finish(
        {
            "body": Material(own, 0.05, 0.2, clear=through),
            "trim": Material(dimmed(own, 0.35), 0.03, 0.5, clear=through / 2),
        }
    )
