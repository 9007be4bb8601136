"""Convex outlines in the plane of the table, (n, 2) in millimetres: round ones, what two share, what lies between."""

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def round_outline(middle_mm: Floats, radius_mm: float) -> Floats:
    """(12, 2) corners about a middle."""
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    return np.asarray(middle_mm + radius_mm * np.stack([np.cos(turns), np.sin(turns)], axis=1))


def shared(a: Floats, b: Floats) -> float:
    """Area that two convex outlines share, as a part of the smaller one."""
    if (a.min(axis=0) > b.max(axis=0)).any() or (b.min(axis=0) > a.max(axis=0)).any():
        return 0.0
    one, two = a.astype(np.float32), b.astype(np.float32)
    area, _ = cv2.intersectConvexConvex(one, two)
    least = min(cv2.contourArea(one), cv2.contourArea(two))
    return float(area) / max(least, 1e-6)


def beside_mm(one: Floats, other: Floats) -> float:
    """How far the corners of one convex outline lie from the other at least; below 0 where they lie in it."""
    around = other.astype(np.float32)
    return min(-cv2.pointPolygonTest(around, (float(x), float(y)), True) for x, y in one)


def strip_between(one: Floats, other: Floats, wide_mm: float) -> Floats:
    """(4, 2) corners of the strip that leads from one convex outline to the other, middle to middle."""
    start, end = one.mean(axis=0), other.mean(axis=0)
    way = np.linspace(start, end, 1 + max(1, round(float(np.linalg.norm(end - start)))))
    outside = [all(_outside(outline, point) for outline in (one, other)) for point in way]
    free = way[outside] if any(outside) else (start[None] + end[None]) / 2
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    aside = np.array([-along[1], along[0]]) * wide_mm / 2
    return np.array([free[0] + aside, free[-1] + aside, free[-1] - aside, free[0] - aside])


def _outside(outline: Floats, point: Floats) -> bool:
    return cv2.pointPolygonTest(outline.astype(np.float32), (float(point[0]), float(point[1])), False) < 0
