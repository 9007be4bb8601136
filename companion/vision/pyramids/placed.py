"""Hypotheses over a table, as the camera sees them and as they stand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.shapes import outline

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """n hypotheses of one ground."""

    ground: Ground
    found: Hypotheses
    outlines: Sequence[Floats]
    feet: Sequence[Floats]

    @classmethod
    def over(cls, ground: Ground, found: Hypotheses) -> "Placed":
        """With the outlines under which they are seen, and what they cover."""
        return cls(ground, found, outlines_of(ground, found), feet_of(found))


def feet_of(found: Hypotheses) -> list[Floats]:
    """What each piece covers, seen from straight above."""
    return [outline(points[:, :2]) for points in found.corners()]


def outlines_of(ground: Ground, found: Hypotheses) -> list[Floats]:
    """The convex outline of each, in the plane of the table."""
    return [outline(points) for points in ground.seen_at(found.corners())]
