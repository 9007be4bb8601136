"""The table as seen from straight above, to scale: what a drawing of the table can be laid over."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose
from companion.view import BoardPose
from companion.vision.boards.cells import CellSettings, plane_map

Picture = NDArray[np.uint8]


def from_above(image: Picture, pose: CameraPose, size_mm: tuple[float, float], width_px: int) -> Picture:
    """The plane of the table, `size_mm` (width, height) around its origin, X to the right and Y up.

    `pose` may be of the same picture made smaller: so the eye reads very large ones.
    What is higher than the table leans outward, as it does for the camera. What the camera does not see is black.
    """
    height, width = image.shape[:2]
    pose = replace(pose, lens=pose.lens.scaled(width, height))
    step = size_mm[0] / width_px
    size = (width_px, max(1, round(size_mm[1] / step)))
    x, y = plane_map(pose, BoardPose(0.0, 0.0, 0.0), 0.0, size, step, CellSettings().lattice_px)
    return np.asarray(cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT), np.uint8)
