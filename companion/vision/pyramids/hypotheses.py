"""Shapes at places: what may stand or lie on a table, many at a time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.shapes import CLASSES, Pose, shape_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

CORNERS = np.array([shape_of(size, pose).corners for size, pose in CLASSES])  # (classes, 5, 3)
PERIODS = np.array([shape_of(size, pose).period_deg for size, pose in CLASSES])
TIPS = CORNERS[:, 4]
AXES = TIPS - CORNERS[:, :4].mean(axis=1)  # (classes, 3) from the middle of the base to the tip ...
AXES = AXES / np.linalg.norm(AXES, axis=1, keepdims=True)  # ... of length 1


@dataclass(frozen=True, slots=True, eq=False)
class Hypotheses:
    """n shapes, each at a place: class number, millimetres, degrees, and the number of the window it is seen in."""

    kind: Ints  # (n)
    place: Floats  # (n, 4): x, y, heading, z
    window: Ints  # (n)

    def __len__(self) -> int:
        return len(self.kind)

    def only(self, chosen: NDArray[np.generic] | Sequence[int]) -> "Hypotheses":
        """Some of them."""
        at = np.asarray(chosen)
        return Hypotheses(self.kind[at], self.place[at], self.window[at])

    def moved(self, place: Floats) -> "Hypotheses":
        """The same shapes at other places."""
        return Hypotheses(self.kind, place, self.window)

    def keys(self) -> list[bytes]:
        """What tells each from all others in the same windows."""
        each = np.column_stack([self.kind, self.window, self.place])
        return [row.tobytes() for row in each]

    def pose(self, i: int) -> Pose:
        """One of them."""
        size, pose = CLASSES[self.kind[i]]
        x, y, heading, z = (float(v) for v in self.place[i])
        return Pose(size, pose, x, y, heading % 360, z)

    def corners(self) -> Floats:
        """(n, 5, 3) over the table."""
        points = CORNERS[self.kind]
        c, s = np.cos(np.radians(self.place[:, 2])), np.sin(np.radians(self.place[:, 2]))
        x = points[..., 0] * c[:, None] - points[..., 1] * s[:, None] + self.place[:, 0, None]
        y = points[..., 0] * s[:, None] + points[..., 1] * c[:, None] + self.place[:, 1, None]
        points[..., 2] += self.place[:, 3, None]
        points[..., 0], points[..., 1] = x, y
        return points


def joined(parts: Sequence[Hypotheses]) -> Hypotheses:
    """All of them in one."""
    if not parts:
        return Hypotheses(np.zeros(0, np.intp), np.zeros((0, 4)), np.zeros(0, np.intp))
    return Hypotheses(
        np.concatenate([p.kind for p in parts]),
        np.concatenate([p.place for p in parts]),
        np.concatenate([p.window for p in parts]),
    )


def on_top(lower: Hypotheses, kind: Ints, rise_mm: Floats) -> Hypotheses:
    """Pieces of these classes on the lower ones, their tips so far beyond those."""
    place = lower.place.copy()
    place[:, [0, 1, 3]] += shift_of(lower.kind, kind, rise_mm, place[:, 2])
    return Hypotheses(kind, place, lower.window)


def shift_of(lower: Ints, upper: Ints, rise_mm: Floats, heading: Floats) -> Floats:
    """(n, 3) from the lower one's place to the upper one's."""
    moved = TIPS[lower] - TIPS[upper] + AXES[lower] * rise_mm[:, None]
    return np.column_stack([turned(moved[:, :2], heading), moved[:, 2]])


def turned(points: Floats, heading: Floats) -> Floats:
    """(n, 2) counter-clockwise by so many degrees."""
    c, sn = np.cos(np.radians(heading)), np.sin(np.radians(heading))
    return np.column_stack([c * points[:, 0] - sn * points[:, 1], sn * points[:, 0] + c * points[:, 1]])
