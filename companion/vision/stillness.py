"""Whether anything moves, from small grey frames and their times."""

import math
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pace import Pace

Picture = NDArray[np.uint8]


class Motion(StrEnum):
    """What the table does."""

    MOVING = "moving"
    SETTLING = "settling"  # nothing moves, but not yet for long enough
    STILL = "still"


@dataclass(frozen=True, slots=True)
class StillnessSettings:
    """When a table is at rest."""

    still_s: float = 0.4  # without motion
    level: float = 9.0  # grey levels that a pixel changes by
    noise_factor: float = 5.0  # ... or so many times the picture's own noise
    most_noise: float = 3.0  # of a small picture, in grey levels: more is a shadow over half the table
    moving_share: float = 0.0008  # of the pixels
    gap_s: float = 3.0  # after a longer gap between frames, stillness starts anew, unless all gaps are as long


class MotionGate:
    """Fed with every frame; tells whether the table is at rest."""

    def __init__(self, settings: StillnessSettings | None = None) -> None:
        self._settings = settings or StillnessSettings()
        self._last: Picture | None = None
        self._last_s = 0.0
        self._pace = Pace()
        self.since_s = -math.inf  # when something last moved

    def see(self, small: Picture, taken_s: float) -> Motion:
        """The state after this frame. A lamp that gets brighter as a whole is no motion."""
        before, before_s = self._last, self._last_s
        self._last, self._last_s = small, taken_s
        late = taken_s - before_s > self._pace.late_s(self._settings.gap_s)
        self._pace.next(taken_s)
        if before is None or before.shape != small.shape or late:
            self.since_s = taken_s
            return Motion.SETTLING
        if changed_share(before, small, self._settings) > self._settings.moving_share:
            self.since_s = taken_s
            return Motion.MOVING
        return Motion.STILL if taken_s - self.since_s >= self._settings.still_s else Motion.SETTLING

    def rests(self, small: Picture, taken_s: float) -> None:
        """Somebody else saw that the table is at rest in this frame."""
        self._last, self._last_s = small, taken_s
        self.since_s = -math.inf


def changed_share(before: Picture, now: Picture, settings: StillnessSettings) -> float:
    """Share of the pixels that changed, but for noise and a change of the light as a whole."""
    if before.size == 0:
        return 0.0
    was, is_ = (np.asarray(cv2.blur(p, (3, 3)), dtype=np.float32) for p in (before, now))
    lighter = is_ - was  # a lamp adds to all, or multiplies all
    brighter = (float(np.median(is_)) + 1) / (float(np.median(was)) + 1)
    size = np.minimum(np.abs(lighter - np.median(lighter)), np.abs(is_ + 1 - (was + 1) * np.float32(brighter)))
    noise = min(float(np.median(size)), settings.most_noise)
    level = max(settings.level, settings.noise_factor * noise)
    return float((size > level).mean())
