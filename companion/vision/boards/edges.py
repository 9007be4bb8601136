"""The table from above, the edges seen there, and which way most of them run."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose, TableMarkers
from companion.view import BoardPose
from companion.vision.boards.cells import CellSettings, plane_map
from companion.vision.boards.settings import BoardSettings

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


def view_from_above(
    image: Picture, camera: CameraPose, z_mm: float, markers: TableMarkers, settings: BoardSettings
) -> Picture:
    """The table at height z, one pixel per `search_mm`, the table's origin in its middle."""
    half = np.array([markers.width_mm, markers.height_mm]) / 2 + settings.reach_mm
    size = np.ceil(2 * half / settings.search_mm).astype(int)
    fine = (2 * int(size[0]), 2 * int(size[1]))
    origin = BoardPose(0.0, 0.0, 0.0)
    x, y = plane_map(camera, origin, z_mm, fine, settings.search_mm / 2, CellSettings().lattice_px)
    view = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.resize(view, (fine[0] // 2, fine[1] // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Steps of grey per pixel to the right and up, and the step that surely is an edge at each place."""

    right: Singles
    up: Singles
    level: Singles

    @classmethod
    def of(cls, view: Picture, settings: BoardSettings) -> "Edges":
        """Of the channel in which the step is largest."""
        right = np.asarray(cv2.Scharr(view, cv2.CV_32F, 1, 0, scale=1 / 32), dtype=np.float32)
        up = np.asarray(cv2.Scharr(view, cv2.CV_32F, 0, 1, scale=-1 / 32), dtype=np.float32)
        strongest = np.argmax(right**2 + up**2, axis=2)[..., None]
        right, up = (np.take_along_axis(step, strongest, 2)[..., 0] for step in (right, up))
        steps = np.hypot(right, up)
        usual = max(settings.edge_level * float(np.median(steps)), settings.least_edge_level)
        return cls(right, up, np.minimum(_near_level(steps, settings), np.float32(usual)))

    def turned(self, angle_deg: float, askew: float) -> tuple[Singles, Singles, Floats]:
        """Edges (0..1) across and along turned axes, in a view turned so that these are columns and rows.

        The (2, 3) matrix takes pixels of the turned view back to pixels of this one.
        """
        c, s = np.float32(np.cos(np.deg2rad(angle_deg))), np.float32(np.sin(np.deg2rad(angle_deg)))
        u, v = np.abs(c * self.right + s * self.up), np.abs(c * self.up - s * self.right)
        scale = 1 / self.level
        across = np.minimum(u * scale, np.float32(1)) * (u > askew * v)
        along = np.minimum(v * scale, np.float32(1)) * (v > askew * u)
        height, width = self.right.shape
        size = np.ceil([width * abs(c) + height * abs(s), width * abs(s) + height * abs(c)]).astype(int)
        size = np.maximum(size, 1)
        turn = np.array([(c, s), (-s, c)], dtype=np.float64)
        back: Floats = np.empty((2, 3))
        back[:, :2] = turn
        back[:, 2] = np.array([(width - 1) / 2, (height - 1) / 2]) - turn @ ((size - 1) / 2)
        flags, target = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (int(size[0]), int(size[1]))
        both = [np.asarray(cv2.warpAffine(e, back, target, flags=flags), dtype=np.float32) for e in (across, along)]
        return both[0], both[1], back


def _near_level(steps: Singles, settings: BoardSettings) -> Singles:
    """The step that is an edge among those around each pixel: `edge_level` medians of them."""
    fine = 16  # in so many parts of a grey level
    small = np.minimum(steps * fine, 255).astype(np.uint8)
    usual = np.asarray(cv2.medianBlur(small, settings.quiet_px), dtype=np.float32) / fine
    return np.maximum(settings.edge_level * usual, np.float32(settings.least_quiet_level))


def edge_directions(edges: Edges, settings: BoardSettings) -> list[float]:
    """Angles in degrees along which most edges run, modulo a quarter turn (-45..45), strongest first."""
    weight = np.minimum(np.hypot(edges.right, edges.up) / edges.level, 1)
    strong = weight > 0.5
    angle = (np.rad2deg(np.arctan2(edges.up[strong], edges.right[strong])) + 45) % 90
    bins = round(90 / settings.angle_step_deg)
    histogram, _ = np.histogram(angle, bins=bins, range=(0, 90), weights=weight[strong])
    kernel = np.hanning(9)
    padded = np.concatenate([histogram[-4:], histogram, histogram[:4]])
    smooth = np.convolve(padded, kernel / kernel.sum(), mode="valid")
    found: list[float] = []
    for _ in range(settings.angle_peaks):
        peak = int(np.argmax(smooth))
        if smooth[peak] <= 0:
            break
        found.append((peak + 0.5) * settings.angle_step_deg - 45)
        smooth[np.arange(peak - 6, peak + 7) % bins] = 0
    return found
