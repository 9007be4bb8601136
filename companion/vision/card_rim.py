"""A card by its rim, on a table as bright as itself or on a checked cloth: four straight edges of known lengths at
right angles, and within them mostly one tone, the paper's.
"""

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
    least: float = 3.0  # strength of the weakest side; less does where the table is not even, and the card is
    inner: float = 0.94  # share of the sides within which tones are compared
    alike: float = 0.15  # one tone is within so much of the logarithm
    even_gain: float = 10.0  # strength that a card of one tone all over is worth
    least_even: float = 0.68  # share of one tone in a card that is told by it ...
    more_even: float = 0.15  # ... and by how much more it must be than places usually are


@dataclass(frozen=True, slots=True, eq=False)
class Rim:
    """A rectangle of edges. `strength` is that of its weakest side, as a multiple of the usual edge, less what it
    lies off the middle; `even` the share of it that has one tone.
    """

    middle: Floats  # (2,) millimetres
    heading_deg: float  # of the long side
    strength: float
    even: float

    def corners(self, long_mm: float, short_mm: float) -> Floats:
        """(4, 2) millimetres."""
        a = math.radians(self.heading_deg)
        up = np.array([math.cos(a), math.sin(a)]) * long_mm / 2
        right = np.array([math.sin(a), -math.cos(a)]) * short_mm / 2
        return np.asarray(self.middle + np.array([up - right, up + right, right - up, -up - right]))


def find_rim(ground: Ground, long_mm: float, short_mm: float, settings: RimSettings | None = None) -> Rim | None:
    """The plainest rectangle of these sides near the middle of the table; None when no side is plain."""
    s = settings or RimSettings()
    part = _part(ground, s, math.hypot(long_mm, short_mm) / 2)
    gx, gy = (np.asarray(cv2.Sobel(part, cv2.CV_32F, dx, 1 - dx, scale=0.125), np.float32) for dx in (1, 0))
    tones = _tones(part, s)
    beyond = round(math.hypot(long_mm, short_mm) / 2 / s.step_mm)
    usual = float(np.median(np.hypot(gx, gy))) + 1e-6
    rows, cols = np.indices((part.shape[0] - 2 * beyond, part.shape[1] - 2 * beyond))
    middle = (len(rows) - 1) / 2
    far = np.asarray(np.hypot(rows - middle, cols - middle) * s.step_mm * s.far_cost, np.float32)
    best, best_worth, evens = None, -math.inf, []
    for turn in np.arange(0.0, 180.0, s.turn_deg):
        strength = _weakest_side(gx / usual, gy / usual, float(turn), long_mm * s.share, short_mm * s.share, s)
        strength = cv2.blur(strength[beyond:-beyond, beyond:-beyond], (3, 3)) - far  # the middle of the best places
        even = _share_of_one_tone(tones, float(turn), (long_mm, short_mm), s)[beyond:-beyond, beyond:-beyond]
        evens.append(float(np.median(even)))
        _, worth, _, (col, row) = cv2.minMaxLoc(strength + s.even_gain * even)
        if worth > best_worth:
            place = (np.array([col, row]) - middle) * s.step_mm * np.array([1.0, -1.0])
            best, best_worth = Rim(place, float(turn), float(strength[row, col]), float(even[row, col])), worth
    assert best is not None
    told_by_tone = best.even >= max(s.least_even, float(np.median(evens)) + s.more_even)
    return best if best.strength >= s.least or told_by_tone else None


def _part(ground: Ground, s: RimSettings, beyond_mm: float) -> Singles:
    """The logarithm of the picture in grey, in a square about the table's middle."""
    count = 2 * round((s.reach_mm + beyond_mm) / s.step_mm) + 1
    scale = s.step_mm / (ground.settings.fine_mm * ground.settings.coarse)
    at = ground.fine_px(np.zeros((1, 2)))[0] / ground.settings.coarse
    matrix = np.array([[scale, 0, at[0] - scale * (count - 1) / 2], [0, scale, at[1] - scale * (count - 1) / 2]])
    grey = cv2.transform(ground.log, np.full((1, 3), 1 / 3, np.float32))
    blurred = cv2.GaussianBlur(grey, (0, 0), 0.5 * scale)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    part = cv2.warpAffine(blurred, matrix, (count, count), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(part, np.float32)


def _tones(part: Singles, s: RimSettings) -> Singles:
    """(n, h, w) 1 where the picture has each of its tones, 0 elsewhere; neighbouring tones overlap."""
    levels = np.arange(float(part.min()), float(part.max()) + s.alike, s.alike)
    return np.asarray(np.abs(part - levels[:, None, None]) < s.alike, np.float32)


def _share_of_one_tone(tones: Singles, turn: float, sides_mm: tuple[float, float], s: RimSettings) -> Singles:
    """For a rectangle about every pixel: how much of it has the tone that most of it has, as a card has its paper's."""
    reach = math.ceil(math.hypot(*sides_mm) / 2 / s.step_mm) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    long_px, short_px = (side * s.inner / s.step_mm for side in sides_mm)
    corners = cv2.boxPoints(((reach, reach), (long_px, short_px), -turn))  # rows run down
    cv2.fillConvexPoly(kernel, np.rint(corners).astype(np.int32), 1.0)
    kernel /= kernel.sum()
    return np.asarray(np.max([cv2.filter2D(tone, -1, kernel) for tone in tones], axis=0), np.float32)


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
