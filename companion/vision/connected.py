"""Connected parts of a mask. OpenCV's usual way of labelling takes three times as long to measure them."""

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8] | NDArray[np.bool_]
Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


def connected(mask: Mask) -> tuple[Ints, Ints, Floats]:
    """(h, w) number of the part of each pixel, corners counting as neighbours; (n, 5) box and area of each part, by
    `cv2.CC_STAT_...`; and (n, 2) its middle. Number 0 is what belongs to none.
    """
    _, labels, stats, middles = cv2.connectedComponentsWithStatsWithAlgorithm(
        np.asarray(mask, np.uint8), 8, cv2.CV_32S, cv2.CCL_BBDT
    )
    return np.asarray(labels, np.int32), np.asarray(stats, np.int32), np.asarray(middles, np.float64)
