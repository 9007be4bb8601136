"""A card on a table as bright as itself: only its rim shows, four straight edges of known lengths at right angles."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.foreground import Ground

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class RimSettings:
    """Where and how finely a rim is looked for, and how plain it has to be."""

    reach_mm: float = 80.0  # of its middle from the table's
    step_mm: float = 3.0  # of a pixel of the search
    turn_deg: float = 5.0
    share: float = 0.97  # of the card's sides: a printed frame lies within the paper's edge
    strong: float = 5.0  # edges count by their strength up to so many times the table's usual one
    far_cost: float = 0.012  # of strength for a mm from the table's middle
    least: float = 3.0  # strength of the weakest side


@dataclass(frozen=True, slots=True, eq=False)
class Rim:
    """A rectangle of edges. `strength` is that of its weakest side, as a multiple of the usual edge."""

    middle: Floats  # (2,) millimetres
    heading_deg: float  # of the long side
    strength: float

    def corners(self, long_mm: float, short_mm: float) -> Floats:
        """(4, 2) millimetres."""
        a = math.radians(self.heading_deg)
        up = np.array([math.cos(a), math.sin(a)]) * long_mm / 2
        right = np.array([math.sin(a), -math.cos(a)]) * short_mm / 2
        return np.asarray(self.middle + np.array([up - right, up + right, right - up, -up - right]))


def find_rim(ground: Ground, long_mm: float, short_mm: float, settings: RimSettings | None = None) -> Rim | None:
    """The plainest rectangle of these sides near the middle of the table; None when no side is plain."""
    s = settings or RimSettings()
    gx, gy = _gradients(ground, s, math.hypot(long_mm, short_mm) / 2)
    beyond = round(math.hypot(long_mm, short_mm) / 2 / s.step_mm)
    usual = float(np.median(np.hypot(gx, gy))) + 1e-6
    rows, cols = np.indices((gx.shape[0] - 2 * beyond, gx.shape[1] - 2 * beyond))
    middle = (len(rows) - 1) / 2
    far = np.asarray(np.hypot(rows - middle, cols - middle) * s.step_mm * s.far_cost, np.float32)
    best: tuple[float, int, int, float] | None = None
    for turn in np.arange(0.0, 180.0, s.turn_deg):
        strength = _weakest_side(gx / usual, gy / usual, float(turn), long_mm * s.share, short_mm * s.share, s)
        inner = cv2.blur(strength[beyond:-beyond, beyond:-beyond], (3, 3))  # the middle of the best places
        _, high, _, (col, row) = cv2.minMaxLoc(inner - far)
        if best is None or high > best[0]:
            best = (float(high), col, row, float(turn))
    if best is None or best[0] < s.least:
        return None
    place = (np.array([best[1], best[2]]) - middle) * s.step_mm * np.array([1.0, -1.0])
    return Rim(place, best[3], best[0])


def _gradients(ground: Ground, s: RimSettings, beyond_mm: float) -> tuple[Singles, Singles]:
    """Of the logarithm of the picture, to the right and down, in a square about the table's middle."""
    count = 2 * round((s.reach_mm + beyond_mm) / s.step_mm) + 1
    scale = s.step_mm / (ground.settings.fine_mm * ground.settings.coarse)
    at = ground.fine_px(np.zeros((1, 2)))[0] / ground.settings.coarse
    matrix = np.array([[scale, 0, at[0] - scale * (count - 1) / 2], [0, scale, at[1] - scale * (count - 1) / 2]])
    grey = cv2.transform(ground.log, np.full((1, 3), 1 / 3, np.float32))
    blurred = cv2.GaussianBlur(grey, (0, 0), 0.5 * scale)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    part = cv2.warpAffine(blurred, matrix, (count, count), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    gx, gy = (cv2.Sobel(part, cv2.CV_32F, dx, 1 - dx, scale=0.125) for dx in (1, 0))
    return np.asarray(gx, np.float32), np.asarray(gy, np.float32)


def _weakest_side(gx: Singles, gy: Singles, turn: float, long_mm: float, short_mm: float, s: RimSettings) -> Singles:
    """For a rectangle about every pixel: the mean edge strength along its weakest side."""
    a = math.radians(turn)
    along, across = np.array([math.cos(a), -math.sin(a)]), np.array([math.sin(a), math.cos(a)])  # columns, rows
    weakest: Singles | None = None
    for side, normal, length, away in ((along, across, long_mm, short_mm), (across, along, short_mm, long_mm)):
        edge = np.minimum(np.abs(gx * normal[0] + gy * normal[1]), s.strong).astype(np.float32)
        edge = np.asarray(cv2.dilate(edge, np.ones((3, 3), np.uint8)), np.float32)
        for sign in (1.0, -1.0):
            mean = cv2.filter2D(edge, -1, _line(side * length / s.step_mm, normal * (sign * away / 2 / s.step_mm)))
            weakest = np.asarray(mean if weakest is None else cv2.min(weakest, mean), np.float32)
    assert weakest is not None
    return weakest


def _line(span: Floats, offset: Floats) -> Singles:
    """A kernel that takes the mean along a line of pixels beside its middle."""
    reach = int(np.ceil(np.abs(offset) + np.abs(span) / 2).max()) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    steps = np.linspace(-0.5, 0.5, max(2, round(float(np.hypot(*span)))))[:, None]
    points = np.rint(offset + steps * span).astype(int) + reach
    kernel[points[:, 1], points[:, 0]] = 1.0
    return np.asarray(kernel / kernel.sum(), np.float32)
