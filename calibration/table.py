"""Camera pose over the table: millimetres <-> pixels. The table's plane is z = 0, z points to the camera."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import Lens


@dataclass(frozen=True, slots=True, eq=False)
class CameraPose:
    """A lens at a place: x_camera = R x_table + t, in millimetres."""

    lens: Lens
    rotation: NDArray[np.float64]  # 3x3
    translation: NDArray[np.float64]  # (3,)

    @property
    def position_mm(self) -> NDArray[np.float64]:
        """Where the camera is, in table millimetres."""
        return np.asarray(-self.rotation.T @ self.translation)

    def project(self, points_mm: ArrayLike) -> NDArray[np.float64]:
        """(N, 3) or (N, 2) table millimetres (z = 0 when left out) to (N, 2) pixels."""
        points = np.asarray(points_mm, dtype=np.float64).reshape(-1, np.shape(points_mm)[-1])
        if points.shape[1] == 2:
            points = np.hstack([points, np.zeros((len(points), 1))])
        rvec, _ = cv2.Rodrigues(self.rotation)
        pixels, _ = cv2.projectPoints(points, rvec, self.translation, self.lens.matrix, self.lens.distortion)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def to_table(self, points_px: ArrayLike, z_mm: float = 0.0) -> NDArray[np.float64]:
        """(N, 2) pixels to (N, 2) millimetres in the plane z = `z_mm`."""
        pixels = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(pixels, self.lens.matrix, self.lens.distortion).reshape(-1, 2)
        directions = np.hstack([rays, np.ones((len(rays), 1))]) @ self.rotation
        origin = self.position_mm
        scale = (z_mm - origin[2]) / directions[:, 2]
        return np.asarray(origin[:2] + directions[:, :2] * scale[:, None])
