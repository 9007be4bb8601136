"""The pictures of a table at rest, as one: a camera's noise in a dim room differs from picture to picture."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.channels import most

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class RestingSettings:
    """How many pictures count, and where they do not: something changed that is too small to be called motion."""

    frames: int = 4  # the mean of four pictures has half the noise of one
    halvings: int = 3  # of the picture, in which changes are looked for: each of its pixels is the mean of 8 by 8
    level: float = 7.0  # grey levels that a part must differ by to have changed
    noise_factor: float = 6.0  # ... and so many times what parts usually differ by
    most_noise: float = 4.0  # grey levels: more is a lamp, or half the table


class Resting:
    """The mean of the pictures since the table came to rest; after some, a new one counts as much as each of those.

    A part that has changed since is shown as in the newest picture: half of a piece that was there is nothing to read.
    """

    def __init__(self, settings: RestingSettings | None = None) -> None:
        self._settings = settings or RestingSettings()
        self._mean: Pixels | None = None
        self._coarse: Pixels | None = None  # the mean, made small
        self._count = 0
        self._since_s = 0.0

    def add(self, pixels: Pixels, since_s: float) -> Pixels:
        """The mean with this picture, (H, W, 3) BGR; `since_s` says since when nothing has moved."""
        coarse, mean, before = _halved(pixels, self._settings.halvings), self._mean, self._coarse
        if mean is None or before is None or since_s != self._since_s or mean.shape != pixels.shape:
            self._mean, self._coarse, self._count, self._since_s = pixels, coarse, 1, since_s
            return pixels
        self._count = min(self._count + 1, self._settings.frames)
        share, changed = 1 / self._count, _changed(before, coarse, self._settings)
        self._mean, self._coarse = (
            _with_changes(np.asarray(cv2.addWeighted(now, share, was, 1 - share, 0.0), np.uint8), now, changed)
            for now, was in ((pixels, mean), (coarse, before))
        )
        return self._mean

    def forget(self) -> None:
        """The camera was moved: what it saw before lies elsewhere in the picture."""
        self._mean = None


def _changed(before: Pixels, now: Pixels, settings: RestingSettings) -> Pixels:
    """1 in the parts that show something else than before."""
    off = most(cv2.absdiff(now, before))
    noise = min(float(cv2.mean(off)[0]), settings.most_noise)
    changed = (off > max(settings.level, settings.noise_factor * noise)).astype(np.uint8)
    return np.asarray(cv2.dilate(changed, np.ones((3, 3), np.uint8)), np.uint8)


def _with_changes(mean: Pixels, now: Pixels, changed: Pixels) -> Pixels:
    """The mean, but what is there now where that has changed."""
    if not changed.any():
        return mean
    where = cv2.resize(changed, (mean.shape[1], mean.shape[0]), interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.copyTo(now, where, mean), np.uint8)


def _halved(pixels: Pixels, times: int) -> Pixels:
    """So many times half as large: OpenCV averages 2 by 2 pixels much faster than any other number."""
    for _ in range(times):
        high, wide = pixels.shape[0] // 2, pixels.shape[1] // 2
        even = pixels[: 2 * high, : 2 * wide]
        pixels = np.asarray(cv2.resize(even, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)
    return pixels
