"""A network's first convolution over blocks of 2 x 2 pixels: the same answers in a third of that convolution's time.

OpenCV is slow at convolutions of 5 x 5 that step by two. With each pixel of a block in a plane of its own
(`companion.vision.plans.in_blocks`), they are such of 3 x 3 over four times the planes that step by one, at which it is
fast. Trainings know those of 5 x 5 only: files are turned as they are written, and turned back as they are taken up.
"""

import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]

SIDE, STEP = 5, 2  # of the convolutions that are turned; they pad by half their side
SIDE_OF_BLOCKS = 3


def blocked(weights: Singles) -> Singles:
    """(n, 4c, 3, 3) of (n, c, 5, 5)."""
    n, c = weights.shape[:2]
    wide = np.pad(weights, ((0, 0), (0, 0), (0, 1), (0, 1)))
    apart = wide.reshape(n, c, SIDE_OF_BLOCKS, STEP, SIDE_OF_BLOCKS, STEP).transpose(0, 1, 3, 5, 2, 4)
    return np.ascontiguousarray(apart).reshape(n, c * STEP**2, SIDE_OF_BLOCKS, SIDE_OF_BLOCKS)


def unblocked(weights: Singles) -> Singles:
    """(n, c, 5, 5) of (n, 4c, 3, 3): what `blocked` began with."""
    n, c, side = weights.shape[0], weights.shape[1] // STEP**2, SIDE_OF_BLOCKS * STEP
    together = weights.reshape(n, c, STEP, STEP, SIDE_OF_BLOCKS, SIDE_OF_BLOCKS).transpose(0, 1, 4, 2, 5, 3)
    return np.ascontiguousarray(together.reshape(n, c, side, side)[:, :, :SIDE, :SIDE])
