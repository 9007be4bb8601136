"""Triangle meshes of simple solids, in millimetres; pieces are unions of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Solid:
    """Triangles of one material: `triangles` is (n, 3, 3), corners counter-clockwise seen from outside."""

    triangles: Floats
    material: str = "body"

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> "Solid":
        """Shifted by millimetres."""
        return Solid(self.triangles + np.array([x, y, z]), self.material)

    def turned(self, degrees: float, tilt: float = 0.0) -> "Solid":
        """Turned counter-clockwise about z, after a tilt about x."""
        a, b = np.radians(degrees), np.radians(tilt)
        about_z = np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
        about_x = np.array([[1.0, 0.0, 0.0], [0.0, np.cos(b), -np.sin(b)], [0.0, np.sin(b), np.cos(b)]])
        return Solid(self.triangles @ (about_z @ about_x).T, self.material)

    def of(self, material: str) -> "Solid":
        """The same solid of another material."""
        return Solid(self.triangles, material)


def hull(points: ArrayLike, material: str = "body") -> Solid:
    """The convex hull of points (n, 3)."""
    cloud = np.asarray(points, dtype=np.float64)
    convex = ConvexHull(cloud, qhull_options="QJ")
    triangles = cloud[convex.simplices]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    inward = (normals * convex.equations[:, :3]).sum(axis=1) < 0
    triangles[inward] = triangles[inward][:, ::-1]
    return Solid(triangles, material)


def beam(*ends: tuple[float, float, float, float, float]) -> Solid:
    """Whatever lies between upright rectangles: of each the left, the right, its y, the lower and the upper edge."""
    return hull([(x, y, z) for left, right, y, low, high in ends for z in (low, high) for x in (left, right)])


def slab(outline: Sequence[Sequence[float]], low: float, high: float, top: float = 1.0, bevel: float = 0.0) -> Solid:
    """A prism over a convex outline; the top is scaled by `top`, its upper edges are broken by `bevel` mm."""
    base = np.asarray(outline, dtype=np.float64)
    middle = base.mean(axis=0)
    upper = middle + (base - middle) * top
    reach = np.maximum(np.abs(upper - middle).max(), 1e-6)
    inner = middle + (upper - middle) * max(0.05, 1 - bevel / reach)
    layers = [(base, low), (upper, high - bevel), (inner, high)] if bevel else [(base, low), (upper, high)]
    return hull(np.vstack([np.column_stack([ring, np.full(len(ring), z)]) for ring, z in layers]))


def box(width: float, depth: float, low: float, high: float, top: float = 1.0, bevel: float = 0.3) -> Solid:
    """A box about the origin: `width` along x, `depth` along y."""
    w, d = width / 2, depth / 2
    bevel = min(bevel, 0.45 * (high - low), 0.4 * w, 0.4 * d)
    return slab([(-w, -d), (w, -d), (w, d), (-w, d)], low, high, top, bevel)


def ellipsoid(rx: float, ry: float, rz: float, sides: int = 16) -> Solid:
    """An ellipsoid about the origin."""
    around = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    up = np.linspace(-np.pi / 2, np.pi / 2, sides // 2 + 1)[1:-1]
    ring = [(np.cos(u) * np.cos(a), np.cos(u) * np.sin(a), np.sin(u)) for u in up for a in around]
    return hull(np.array([*ring, (0, 0, -1), (0, 0, 1)]) * [rx, ry, rz])


def spindle(profile: Sequence[tuple[float, float]], sides: int = 20) -> Solid:
    """A convex solid of revolution about z from (radius, z) pairs."""
    around = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    return hull([(max(r, 1e-3) * np.cos(a), max(r, 1e-3) * np.sin(a), z) for r, z in profile for a in around])


def rod(start: Sequence[float], end: Sequence[float], r0: float, r1: float, sides: int = 10) -> Solid:
    """A round rod with rounded ends from one point to another."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    ball = ellipsoid(1, 1, 1, sides).triangles.reshape(-1, 3)
    return hull(np.vstack([a + ball * r0, b + ball * r1]))


def sheet(
    start: Sequence[float], end: Sequence[float], low: float, high: float, thick: float, top: float = 1.0
) -> Solid:
    """An upright wall between two points of the plane; its upper edge is `top` times as long as the lower."""
    a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    along = (b - a) / np.linalg.norm(b - a)
    across = np.array([-along[1], along[0]]) * thick / 2
    middle, half = (a + b) / 2, np.linalg.norm(b - a) / 2
    points = [
        (*(middle + s * along * half * length + t * across), z)
        for z, length in ((low, 1.0), (high, top))
        for s in (-1, 1)
        for t in (-1, 1)
    ]
    return hull(points)
