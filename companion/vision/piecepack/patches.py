"""Small pictures of piecepack pieces, cut from the table drawn from above: the input of the networks."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

TILE_PX, TILE_SPAN_MM = 64, 57.6
SMALL_PX, SMALL_SPAN_MM = 40, 30.0
DIE_PX, DIE_SPAN_MM = 48, 26.0
FIND_MM = 1.5  # of a pixel of the picture in which pieces are looked for
FIND_STRIDE = 4  # such pixels of a cell of the network's answer
FIND_REACH = 15  # cells: no cell of the answer sees farther
FIND_CELLS = 8  # what is looked at has a multiple of so many cells: there are few plans


def cut(picture: Pixels, x: float, y: float, heading_deg: float, span_px: float, size: int) -> Pixels:
    """(size, size, 3) the square of `span_px` round a point; its upper edge looks along the heading.

    The heading is counter-clockwise from the picture's right, as seen.
    """
    a = math.radians(heading_deg)
    scale = span_px / size
    right = np.array([math.sin(a), math.cos(a)]) * scale
    down = np.array([-math.cos(a), math.sin(a)]) * scale
    middle = (size - 1) / 2
    origin = np.array([x, y]) - (right + down) * middle
    matrix = np.column_stack([right, down, origin])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(picture, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.uint8)
