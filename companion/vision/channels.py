"""The least and the most of a picture's channels: OpenCV compares whole layers, numpy three numbers at a time."""

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]


def least(picture: cv2.typing.MatLike) -> Singles:
    """(h, w) of (h, w, 3)."""
    first, second, third = cv2.split(picture)
    return cast(Singles, cv2.min(cv2.min(first, second), third))


def most(picture: cv2.typing.MatLike) -> Singles:
    """(h, w) of (h, w, 3)."""
    first, second, third = cv2.split(picture)
    return cast(Singles, cv2.max(cv2.max(first, second), third))
