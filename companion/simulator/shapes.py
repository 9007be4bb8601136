"""Solids from convex parts: prisms, frusta, ellipsoids and bars, in millimetres, z up."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.simulator.arrays import Floats, Ints

Point2 = tuple[float, float]
Point3 = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A convex body: vertices (V, 3), faces (F, 4) as vertex numbers (a triangle repeats its last).

    Parts of a higher `layer` are drawn over those of a lower one: a sculptor's answer to the painter's problem.
    """

    vertices: Floats
    faces: Ints
    material: str = "body"
    layer: int = 0
    hollow: bool = False  # seen from inside: normals point to the middle

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0, turn_deg: float = 0.0) -> "Part":
        """Turned about the z axis, then shifted."""
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        turned = self.vertices @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        return Part(turned + np.array([x, y, z]), self.faces, self.material, self.layer, self.hollow)

    def pitched(self, degrees: float) -> "Part":
        """Turned about the y axis: +x goes up for positive angles."""
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        turned = self.vertices @ np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        return Part(turned, self.faces, self.material, self.layer, self.hollow)


@dataclass(frozen=True, eq=False)
class Mesh:
    """A body of several parts, in its own frame: origin in the middle of its foot, +x the way it faces."""

    parts: tuple[Part, ...]

    @cached_property
    def vertices(self) -> Floats:
        """(V, 3) of all parts."""
        return np.vstack([p.vertices for p in self.parts])

    @cached_property
    def faces(self) -> Ints:
        """(F, 4) vertex numbers."""
        starts = np.cumsum([0] + [len(p.vertices) for p in self.parts[:-1]])
        return np.vstack([p.faces + s for p, s in zip(self.parts, starts, strict=True)])

    @cached_property
    def face_part(self) -> Ints:
        """(F,) the part that each face belongs to."""
        return np.repeat(np.arange(len(self.parts)), [len(p.faces) for p in self.parts])

    @cached_property
    def layers(self) -> Ints:
        """(F,) drawing layer."""
        return np.array([p.layer for p in self.parts])[self.face_part]

    @cached_property
    def materials(self) -> tuple[str, ...]:
        """Names of the materials, one for each part."""
        return tuple(p.material for p in self.parts)

    @cached_property
    def normals(self) -> Floats:
        """(F, 3) unit normals, outward."""
        corners = self.vertices[self.faces]
        normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        middles = np.array([p.vertices.mean(axis=0) for p in self.parts])[self.face_part]
        inward = np.einsum("ij,ij->i", normals, corners.mean(axis=1) - middles) < 0
        hollow = np.array([p.hollow for p in self.parts])[self.face_part]
        normals[inward != hollow] *= -1
        return normals

    @cached_property
    def height_mm(self) -> float:
        """The highest vertex."""
        return float(self.vertices[:, 2].max())

    @cached_property
    def boxes(self) -> Floats:
        """(P, 2, 3) lowest and highest corner of each part."""
        return np.array([[p.vertices.min(axis=0), p.vertices.max(axis=0)] for p in self.parts])


def circle(radius: float, sides: int = 20, x: float = 0.0, y: float = 0.0, stretch: float = 1.0) -> list[Point2]:
    """A regular polygon, stretched along x."""
    angles = [2 * math.pi * i / sides for i in range(sides)]
    return [(x + radius * stretch * math.cos(a), y + radius * math.sin(a)) for a in angles]


def square(side: float, turn_deg: float = 0.0, stretch: float = 1.0) -> list[Point2]:
    """A rectangle about the origin, `side * stretch` along its x."""
    h, c, s = side / 2, math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    corners = [(-h * stretch, -h), (h * stretch, -h), (h * stretch, h), (-h * stretch, h)]
    return [(x * c - y * s, x * s + y * c) for x, y in corners]


def scaled(points: Iterable[Point2], factor: float, x: float = 0.0, y: float = 0.0) -> list[Point2]:
    """Scaled about the origin, then shifted."""
    return [(px * factor + x, py * factor + y) for px, py in points]


def loft(rings: Sequence[tuple[Sequence[Point2], float]], material: str = "body", layer: int = 0) -> Part:
    """Polygons of equal count at rising heights, joined by walls and closed on top."""
    n = len(rings[0][0])
    vertices = np.array([[x, y, z] for ring, z in rings for x, y in ring], dtype=np.float64)
    walls = [
        (r * n + i, r * n + (i + 1) % n, (r + 1) * n + (i + 1) % n, (r + 1) * n + i)
        for r in range(len(rings) - 1)
        for i in range(n)
    ]
    return _closed(vertices, walls, (len(rings) - 1) * n, n, material, layer)


def _closed(
    vertices: Floats, walls: list[tuple[int, int, int, int]], first: int, n: int, material: str, layer: int
) -> Part:
    """Adds the top face as a fan about its middle (faces have at most four corners)."""
    if n == 4:
        return Part(vertices, np.array([*walls, (first, first + 1, first + 2, first + 3)]), material, layer)
    middle = vertices[first : first + n].mean(axis=0)
    top = [(first + i, first + (i + 1) % n, len(vertices), len(vertices)) for i in range(n)]
    return Part(np.vstack([vertices, middle]), np.array(walls + top), material, layer)


def prism(points: Sequence[Point2], low: float, high: float, material: str = "body", layer: int = 0) -> Part:
    """A column with walls straight up."""
    return loft([(points, low), (points, high)], material, layer)


def slab(
    points: Sequence[Point2], low: float, high: float, bevel: float, material: str = "body", layer: int = 0
) -> Part:
    """A flat body with a bevelled upper edge, which catches the light."""
    radius = max(math.hypot(x, y) for x, y in points)
    inner = scaled(points, 1 - bevel / radius * math.sqrt(2))
    return loft([(points, low), (points, high - bevel), (inner, high)], material, layer)


def pyramid(points: Sequence[Point2], low: float, tip: Point3, material: str = "body", layer: int = 0) -> Part:
    """A tip over a polygon."""
    n = len(points)
    vertices = np.array([[x, y, low] for x, y in points] + [list(tip)], dtype=np.float64)
    return Part(vertices, np.array([(i, (i + 1) % n, n, n) for i in range(n)]), material, layer)


def ellipsoid(
    centre: Point3, radii: Point3, material: str = "body", layer: int = 0, lat: int = 7, lon: int = 14
) -> Part:
    """The visible three quarters of an ellipsoid."""
    rows = [math.radians(a) for a in np.linspace(-45, 82, lat)]
    rings = [
        (
            [
                (centre[0] + radii[0] * math.cos(b) * math.cos(a), centre[1] + radii[1] * math.cos(b) * math.sin(a))
                for a in (2 * math.pi * i / lon for i in range(lon))
            ],
            centre[2] + radii[2] * math.sin(b),
        )
        for b in rows
    ]
    return loft(rings, material, layer)


def bar(
    start: Point3,
    end: Point3,
    width: float,
    thickness: float,
    material: str = "body",
    layer: int = 0,
    taper: float = 1.0,
) -> Part:
    """A straight bar between two points, its end `taper` times as wide."""
    a, b = np.array(start), np.array(end)
    along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
    side = np.cross(along, [0.0, 0.0, 1.0])
    if np.linalg.norm(side) < 1e-6:
        side = np.array([0.0, 1.0, 0.0])
    side = side / np.linalg.norm(side)
    up = np.cross(side, along)
    ring = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    rows = [
        p + side * (w / 2 * i) + up * (t / 2 * j)
        for p, w, t in ((a, width, thickness), (b, width * taper, thickness * taper))
        for i, j in ring
    ]
    faces = [(i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i) for i in range(4)] + [(0, 1, 2, 3), (4, 5, 6, 7)]
    return Part(np.array(rows), np.array(faces), material, layer)


def wall_inside(points: Sequence[Point2], low: float, high: float, material: str, layer: int) -> Part:
    """The inner wall of a vessel, seen from above."""
    part = prism(points, low, high, material, layer)
    n = len(points)
    return Part(part.vertices[: 2 * n], part.faces[:n], material, layer, hollow=True)


def limb(
    start: Point3,
    end: Point3,
    start_radius: float,
    end_radius: float,
    material: str,
    sides: int,
) -> Part:
    """A round, tapering bar between two points, open at both ends."""
    a, b = np.array(start), np.array(end)
    along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
    side = np.cross(along, [0.0, 0.0, 1.0])
    side = np.array([0.0, 1.0, 0.0]) if np.linalg.norm(side) < 1e-6 else side / np.linalg.norm(side)
    up = np.cross(side, along)
    rings = 6  # short stretches, so that the painter's order holds along the limb
    angles = 2 * np.pi * np.arange(sides) / sides
    circle_ = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * up
    rows = [
        a + (b - a) * t + circle_ * (start_radius + (end_radius - start_radius) * t)
        for t in np.linspace(0.0, 1.0, rings + 1)
    ]
    faces = [
        (r * sides + i, r * sides + (i + 1) % sides, (r + 1) * sides + (i + 1) % sides, (r + 1) * sides + i)
        for r in range(rings)
        for i in range(sides)
    ]
    return Part(np.vstack(rows), np.array(faces), material, layer=1)
