"""The pictures of a table at rest, as one: a camera's noise in a dim room differs from picture to picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


class Resting:
    """The mean of the pictures since the table came to rest; after some, a new one counts as much as each of those."""

    def __init__(self, most: int) -> None:
        self._most = most  # the mean of four pictures has half the noise of one
        self._mean: Pixels | None = None
        self._count = 0
        self._since_s = 0.0

    def add(self, pixels: Pixels, since_s: float) -> Pixels:
        """The mean with this picture, (H, W, 3) BGR; `since_s` says since when nothing has moved."""
        if self._mean is None or since_s != self._since_s or self._mean.shape != pixels.shape:
            self._mean, self._count, self._since_s = pixels, 0, since_s
        self._count = min(self._count + 1, self._most)
        if self._count > 1:
            share = 1 / self._count
            self._mean = np.asarray(cv2.addWeighted(pixels, share, self._mean, 1 - share, 0.0), np.uint8)
        return self._mean

    def forget(self) -> None:
        """The camera was moved: what it saw before lies elsewhere in the picture."""
        self._mean = None
