"""A hand in a photograph of a free table: something large has come in over the rim since the photograph before.

Both are compared in the plane of the table, as logarithms, so that neither a camera that was pushed a little nor a lamp
that was turned up is a change. No tone of skin or sleeve is known: only that an arm is large, reaches from beyond what
is seen to between the markers, and is no mere shadow. What lies there in the next photograph, too, is no hand.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.channels import most
from companion.vision.connected import connected
from companion.vision.foreground import Ground, redrawn

Mask = NDArray[np.bool_]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ArmSettings:
    """What counts as an arm. Pixels are coarse ones of the ground."""

    blur_px: int = 5  # over which differences are averaged
    level: float = 0.1  # of the logarithm: a difference larger than this ...
    grey: float = 5.0  # ... and so many grey levels is a change
    narrow_px: int = 7  # what is narrower is the edge of something that is seen from elsewhere now
    gap_px: int = 9  # gaps of this size inside an arm (a watch, a cuff) are closed
    rim_px: int = 6  # an arm comes so near to the end of what is seen
    least_mm2: float = 5000.0  # of all of it ...
    least_inside_mm2: float = 1500.0  # ... and between the markers
    hue: float = 0.12  # of the logarithm: a shadow does not change the hue by so much ...
    hued: float = 0.02  # ... in so much of it


class ArmWatch:
    """Remembers the last photograph without a hand, and the one with a hand if it came after it."""

    def __init__(self, settings: ArmSettings | None = None) -> None:
        self._settings = settings or ArmSettings()
        self._clear: Ground | None = None
        self._held: Ground | None = None

    def hand(self, ground: Ground) -> bool:
        """True if a hand or an arm is in this photograph, the next one of the same table."""
        s, clear, held = self._settings, self._clear, self._held
        came = clear is not None and arm_since(clear, ground, s)
        if came and (held is None or arm_since(held, ground, s)):
            self._held = ground
            return True
        self._clear, self._held = ground, None
        return False


def arm_since(before: Ground, now: Ground, settings: ArmSettings) -> bool:
    """True if something large has come in over the rim since the other picture, or is gone."""
    off, seen = _change(before, now, settings)
    step = now.settings.fine_mm * now.settings.coarse
    labels, stats, _ = connected(_changed(off, now, settings))
    inner = np.asarray(cv2.erode(np.pad(seen, 1).astype(np.uint8), np.ones((3, 3)), iterations=settings.rim_px))
    rim = inner[1:-1, 1:-1] == 0
    left, top, right, low = now.between_papers(0.0)
    for label in range(1, len(stats)):
        if stats[label][cv2.CC_STAT_AREA] * step**2 < settings.least_mm2:
            continue
        part = labels == label
        inside = np.count_nonzero(part[top:low, left:right]) * step**2
        if (part & rim).any() and inside >= settings.least_inside_mm2 and _hued(off[part], settings):
            return True
    return False


def _change(before: Ground, now: Ground, s: ArmSettings) -> tuple[Singles, Mask]:
    """(h, w, 3) logarithm by which each pixel differs, but for the light as a whole, and (h, w) what both show."""
    coarse = now.settings.coarse
    then = redrawn(before, before.log, now, coarse)
    seen = np.ones(now.log.shape[:2], bool) if now.seen is None else now.seen
    if before.seen is not None:
        seen = seen & (redrawn(before, before.seen.astype(np.uint8), now, coarse, outside=0.0) > 0)
    off = now.log - then
    if seen.any():
        off -= np.array([np.median(channel[seen]) for channel in cv2.split(off)], np.float32)
    off[~seen] = 0.0
    return np.asarray(cv2.blur(off, (s.blur_px, s.blur_px)), np.float32), seen


def _changed(off: Singles, now: Ground, s: ArmSettings) -> NDArray[np.uint8]:
    level = s.level + s.grey * np.exp(-cv2.blur(now.log, (s.blur_px, s.blur_px)))
    changed = np.asarray(most(np.abs(off) - level) > 0, np.uint8)
    changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((s.narrow_px, s.narrow_px), np.uint8)))
    return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((s.gap_px, s.gap_px), np.uint8)), np.uint8)


def _hued(off: Singles, s: ArmSettings) -> bool:
    """True unless all became darker or lighter alone, as in a shadow that falls on it or leaves it."""
    return bool((np.ptp(off, axis=1) > s.hue).mean() >= s.hued)
