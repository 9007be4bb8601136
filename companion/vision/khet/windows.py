"""From the patches of a board to what a network looks at: one size, one brightness."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.khet.views import AS_IT_IS, View
from companion.vision.reader import CellPatches

Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class BrightnessSettings:
    """Brightness is set by the brightest parts of the whole board, which hold pieces of every kind."""

    percentile: float = 98.0
    level: float = 0.85  # where that percentile is put, of 1
    least_gain: float = 0.6
    most_gain: float = 3.0
    whole_board: int = 40  # fewer cells than this say nothing about the light


def board_gain(patches: CellPatches, settings: BrightnessSettings) -> float:
    """The factor that brings the board's bright parts to the level wanted."""
    bright = float(np.percentile(patches.pixels[:, ::4, ::4].max(axis=3), settings.percentile)) / 255
    return float(np.clip(settings.level / max(bright, 1e-3), settings.least_gain, settings.most_gain))


def windows(
    patches: CellPatches,
    size_px: int,
    span_cells: float,
    gain: float,
    view: View = AS_IT_IS,
    shift_mm: tuple[float, float] = (0.0, 0.0),
    turn_deg: float = 0.0,
) -> tuple[Singles, Singles]:
    """(n, size, size, 3) BGR in 0..1 about the middle of each cell, and the (n, 2) lean.

    They are turned counter-clockwise by `turn_deg`, then seen in the view.
    """
    side_px = span_cells * patches.cell_mm / patches.mm_per_px
    scale, middle = side_px / size_px, (patches.size - 1) / 2
    c, sn = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    there = np.array([[c, -sn], [sn, c]])  # from the window's axes to the patch's, whose y runs down
    shift = np.array([shift_mm[0], -shift_mm[1]]) / patches.mm_per_px
    corner = middle + shift - scale * (there @ np.full(2, (size_px - 1) / 2))
    inverse = np.column_stack([scale * there, corner])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    cut = np.empty((len(patches), size_px, size_px, 3), np.uint8)
    for pixels, window in zip(patches.pixels, cut, strict=True):
        cv2.warpAffine(pixels, inverse, (size_px, size_px), window, flags, cv2.BORDER_REPLICATE)
    lean = (patches.lean @ np.array([[c, sn], [-sn, c]])).astype(np.float32)
    seen = view.pixels(cut).astype(np.float32)
    return np.minimum(seen * np.float32(gain / 255), 1.0), view.arrows(lean)
