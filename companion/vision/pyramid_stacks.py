"""Pyramids stacked on others: a tree's upper ones are hypotheses that follow from the lower ones."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_SIZES
from companion.vision.pyramid_search import CORNERS, Hypotheses, SearchSettings, Windows, fitness
from companion.vision.pyramid_shapes import CLASSES, TIP_RISE_MM, axis_of, shape_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class StackSettings:
    """How upper pyramids are looked for."""

    rises_mm: tuple[float, ...] = (TIP_RISE_MM - 1.2, TIP_RISE_MM, TIP_RISE_MM + 1.4)
    shifts_mm: tuple[float, ...] = (-0.8, 0.0, 0.8)


def uppers(windows: Windows, lower: Hypotheses, search: SearchSettings, s: StackSettings) -> tuple[Hypotheses, Ints]:
    """For each hypothesis the best fitting pyramid of every size that may be stacked on it, and on which each is."""
    kinds: list[int] = []
    places: list[Floats] = []
    below: list[int] = []
    starts: list[int] = []
    for i in range(len(lower)):
        size, pose = CLASSES[lower.kind[i]]
        for upper in PYRAMID_SIZES[: PYRAMID_SIZES.index(size) + 1]:
            starts.append(len(kinds))
            for rise in s.rises_mm:
                base = _over(lower.place[i], size, pose, upper, rise)
                for dx in s.shifts_mm:
                    for dy in s.shifts_mm:
                        kinds.append(CLASSES.index((upper, pose)))
                        places.append(base + np.array([dx, dy, 0.0, 0.0]))
                        below.append(i)
    if not kinds:
        return lower, np.zeros(0, np.intp)
    under = np.array(below, dtype=np.intp)
    every = Hypotheses(np.array(kinds, dtype=np.intp), np.array(places), lower.window[under])
    scores = fitness(windows, every, search).reshape(len(starts), -1)
    best = np.array(starts) + scores.argmax(axis=1)
    return every.only(best), under[best]


def _over(place: Floats, size: str, pose: str, upper: str, rise: float) -> Floats:
    """(4,) where the upper one lies."""
    below, above = shape_of(size, pose), shape_of(upper, pose)
    axis = axis_of(below)
    shift = below.corners[4] - above.corners[4] + axis / np.linalg.norm(axis) * rise
    c, sn = math.cos(math.radians(place[2])), math.sin(math.radians(place[2]))
    x, y = place[0] + c * shift[0] - sn * shift[1], place[1] + sn * shift[0] + c * shift[1]
    return np.array([x, y, place[2], place[3] + shift[2]])


def highest_mm(kind: int) -> float:
    """The height of a shape over what it stands on."""
    return float(CORNERS[kind][:, 2].max())
