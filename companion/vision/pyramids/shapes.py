"""Icehouse pyramids as points and edges over the table, and the outline under which a camera sees them."""

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_BASE_MM, PYRAMID_HEIGHT_MM, PYRAMID_SIZES

Floats = NDArray[np.float64]

POSES = ("upright", "lying")
CLASSES = tuple((size, pose) for pose in POSES for size in PYRAMID_SIZES)
EDGES = np.array([(i, (i + 1) % 4) for i in range(4)] + [(i, 4) for i in range(4)])  # corners at their ends
OTHERS = np.array([[c for c in range(5) if c not in edge] for edge in EDGES]).T  # (3, 8) corners that an edge has not
STANDING = len(PYRAMID_SIZES)  # classes before this one stand upright
LYING = tuple(range(STANDING, len(CLASSES)))  # the others
TIP_RISE_MM = 5.3  # how far beyond the tip below the tip of a stacked pyramid comes to lie, along their axis ...
RISES_MM = (TIP_RISE_MM - 1.2, TIP_RISE_MM, TIP_RISE_MM + 1.4)  # ... and where else it may


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One size in one pose, in its own frame (lying: the tip towards +x, origin halfway between tip and base)."""

    size: str
    pose: str
    corners: Floats  # (5, 3): four corners of the base, then the tip
    period_deg: float  # turned by so much it looks the same

    @property
    def base_mm(self) -> float:
        """Side of the base."""
        return PYRAMID_BASE_MM[self.size]


@cache
def shape_of(size: str, pose: str) -> Shape:
    """The shape of one size in one pose."""
    half, high = PYRAMID_BASE_MM[size] / 2, PYRAMID_HEIGHT_MM[size]
    corners = np.array([(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0), (0, 0, high)], float)
    if pose == "lying":
        corners = _lain(corners, half, high)
    return Shape(size, pose, corners, 90.0 if pose == "upright" else 360.0)


@dataclass(frozen=True, slots=True)
class Pose:
    """A hypothesis: which shape lies where."""

    size: str
    pose: str
    x_mm: float
    y_mm: float
    heading_deg: float
    z_mm: float = 0.0

    @property
    def shape(self) -> Shape:
        """Its shape."""
        return shape_of(self.size, self.pose)


def no_larger(kind: int) -> range:
    """The classes of the same pose that may be stacked on one, the smallest first."""
    return range(kind - kind % STANDING, kind + 1)


def ends_of(corners: Floats) -> Floats:
    """(n, 8, 2, k) both ends of every edge of n pyramids, by their (n, 5, k) corners: those of the base first."""
    return np.asarray(corners[:, EDGES])


def outline(points: Floats) -> Floats:
    """(N, 2) hull of points, in order."""
    return np.asarray(cv2.convexHull(points.astype(np.float32))[:, 0], dtype=np.float64)


def _lain(points: Floats, half: float, high: float) -> Floats:
    """Tipped over on one face: its tip points to +x and touches the table, its base leans back."""
    lean = math.atan2(half, high)
    along = np.array([math.cos(lean), 0.0, -math.sin(lean)])
    up = np.array([math.sin(lean), 0.0, math.cos(lean)])
    middle = np.array([-high * math.cos(lean) / 2, 0.0, high * math.sin(lean)])
    across = np.array([0.0, 1.0, 0.0])
    return np.asarray(middle + points[:, :1] * up + points[:, 1:2] * across + points[:, 2:3] * along)
