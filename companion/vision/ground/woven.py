"""A cloth that repeats itself, told from one picture: two steps along the table after which its pattern comes again.

What lies there does not come again, so that of a part and of what lies a few steps off it the median is the bare cloth.
"""

from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.ground.foreground import FLAGS, Ground, log_of, surface_of

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class WovenSettings:
    """When a table counts as a pattern that repeats itself, and how its bare cloth is told."""

    beyond_mm: float = 45.0  # the markers' papers, nothing is compared
    blur_px: int = 3  # coarse pixels: noise does not repeat itself
    bold: float = 0.05  # spread of the logarithm that a pattern has at least
    most: float = 0.6  # of the logarithm that a pixel counts: things are few, but bolder than checks
    shortest_mm: float = 8.0  # of a step; finer weaves look even
    longest_mm: float = 90.0
    alike: float = 0.6  # correlation of the table with itself a step on ...
    nearly: float = 0.9  # ... and the shortest step with so much of the best is the cloth's own
    across: float = 0.5  # sine of the angle between the two steps, at least
    apart_mm: float = 50.0  # so far off at least lies what is compared: a piece is no wider
    shared: float = 0.3  # of the table at least has a part that is compared
    rounds: int = 30  # of lining the table up with itself ...
    still: float = 1e-5  # ... until that brings no more correlation than this
    every: int = 2  # coarse pixels, to a side, are one that is compared
    evenly: float = 0.5  # of the table's whole spread has a part of it in which the pattern is seen ...
    everywhere: float = 0.85  # ... as it is in so many parts: rows of tiles come again, but not all over a table


def bare_cloth(ground: Ground, settings: WovenSettings | None = None) -> Ground | None:
    """The ground as its own pattern tells that it was before anything lay on it; None where it has none."""
    s = settings or WovenSettings()
    shifts = shifts_of(ground, s)
    if shifts is None:
        return None
    of = ground.settings
    bare = replace(ground, colours=_usual(ground.colours, [shift * of.coarse for shift in shifts]))
    return replace(bare, log=log_of(bare.small, of), surface=surface_of(bare.small, of))


def shifts_of(ground: Ground, s: WovenSettings) -> tuple[Floats, Floats] | None:
    """Two (x, y) in coarse pixels, `apart_mm` long or longer, after each of which the pattern comes again.

    None where none does.
    """
    left, top, right, low = ground.between_papers(s.beyond_mm)
    part = np.s_[top:low, left:right]
    seen = ground.free.astype(np.uint8)
    grey = cv2.transform(ground.log - ground.surface, np.full((1, 3), 1 / 3, np.float32))
    soft = cv2.blur(np.clip(grey, -s.most, s.most), (s.blur_px, s.blur_px))
    off, seen = np.asarray(soft[part], np.float32), seen[part]
    if (steps := _steps(off, seen, ground.coarse_mm, s)) is None:
        return None
    far = (step * np.ceil(s.apart_mm / (np.hypot(*step) * ground.coarse_mm)) for step in steps)
    one, other = (_lined_up(off, seen, shift, s) for shift in far)
    return None if one is None or other is None else (one, other)


def _steps(off: Singles, seen: Bytes, coarse_mm: float, s: WovenSettings) -> tuple[Floats, Floats] | None:
    """Two (x, y) in pixels after which the pattern comes again, roughly."""
    size, step_mm = (off.shape[1] // s.every, off.shape[0] // s.every), coarse_mm * s.every
    small, share = (cv2.resize(layer, size, interpolation=cv2.INTER_AREA) for layer in (off, seen.astype(np.float32)))
    off, all_seen = np.asarray(small, np.float32), np.asarray(share >= 1, np.float32)
    if not all_seen.any() or off[all_seen > 0].std() < s.bold:
        return None
    again = _with_itself(off, all_seen, s.shared)
    far_mm = np.hypot(*_lags(again.shape)) * step_mm
    peaks = (again >= cv2.dilate(again, np.ones((5, 5), np.uint8))) & (again >= s.alike)
    rows, cols = np.nonzero(peaks & (far_mm >= s.shortest_mm) & (far_mm <= s.longest_mm))
    if not len(rows):
        return None
    tops = np.array([_top(again, row, col) for row, col in zip(rows.tolist(), cols.tolist(), strict=True)])
    steps, alike = tops - np.array(again.shape[::-1]) // 2, again[rows, cols]
    one = _shortest(steps, alike, s.nearly)
    across = np.abs(steps[:, 0] * one[1] - steps[:, 1] * one[0]) >= s.across * np.hypot(*steps.T) * np.hypot(*one)
    if not across.any():
        return None
    other = _shortest(steps[across], alike[across], s.nearly)
    if not _everywhere(off, all_seen, round(2 * max(np.hypot(*one), np.hypot(*other))), s):
        return None
    return one * s.every, other * s.every


def _everywhere(off: Singles, seen: Singles, side: int, s: WovenSettings) -> bool:
    """True if in nearly all squares of the table of that side there is as much of a pattern."""
    whole, parts = float(off[seen > 0].std()), []
    for row, col in product(*(range(0, n - side + 1, side) for n in off.shape)):
        square = np.s_[row : row + side, col : col + side]
        parts.append(bool(seen[square].any()) and float(off[square][seen[square] > 0].std()) >= s.evenly * whole)
    return bool(parts) and sum(parts) >= s.everywhere * len(parts)


def _with_itself(off: Singles, seen: Singles, least: float) -> Singles:
    """(2 h, 2 w) correlation of what is seen with itself at every shift, 0 where less than that share is left of it.

    No shift is in the middle.
    """
    size = [cv2.getOptimalDFTSize(2 * n) for n in off.shape]
    off = (off - off[seen > 0].mean()) * seen
    high, both = (np.fft.rfft2(layer, size) for layer in (off, seen))
    summed, count = (np.fft.irfft2(np.abs(spectrum) ** 2, size) for spectrum in (high, both))
    mean = summed / np.maximum(count, 1.0)
    again = np.where(count >= least * count[0, 0], mean / max(float(mean[0, 0]), 1e-12), 0.0)
    return np.asarray(np.fft.fftshift(again), np.float32)


def _lags(shape: tuple[int, ...]) -> Floats:
    return np.asarray(np.indices(shape) - (np.array(shape) // 2)[:, None, None], np.float64)


def _shortest(steps: Floats, alike: Singles, nearly: float) -> Floats:
    """Of those that are nearly as good as the best the shortest."""
    good = alike >= nearly * alike.max()
    return np.asarray(steps[good][np.hypot(*steps[good].T).argmin()])


def _top(again: Singles, row: int, col: int) -> Floats:
    """(x, y) of a peak's top, by parabolas through its pixel and the next ones."""
    at = np.array([col, row], np.float64)
    for axis, three in enumerate((again[row, col - 1 : col + 2], again[row - 1 : row + 2, col])):
        bend = float(three[0] - 2 * three[1] + three[2])
        at[axis] += 0.0 if bend >= 0 else float(np.clip(0.5 * (three[0] - three[2]) / bend, -0.5, 0.5))
    return at


def _lined_up(off: Singles, seen: Bytes, shift: Floats, s: WovenSettings) -> Floats | None:
    """The shift to a small fraction of a pixel; None where the table is not like itself so far off."""
    start = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]], np.float32)
    enough = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, s.rounds, s.still)
    try:
        alike, found = cv2.findTransformECC(off, off, start, cv2.MOTION_TRANSLATION, enough, seen, 1)
    except cv2.error:  # it does not converge
        return None
    told = np.asarray(found[:, 2], np.float64)
    return told if alike >= s.alike and np.hypot(*(told - shift)) < np.hypot(*shift) / 2 else None


def _usual(colours: Pixels, steps: list[Floats]) -> Pixels:
    """(h, w, 3) of every pixel and of what lies one step off it to all sides the median."""
    high, wide = colours.shape[:2]
    layers = []
    for i, j in product((-1, 0, 1), repeat=2):
        shift = i * steps[0] + j * steps[1]
        matrix = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]])
        moved = cv2.warpAffine(colours, matrix, (wide, high), colours.copy(), FLAGS, cv2.BORDER_TRANSPARENT)
        layers.append(np.asarray(moved, np.uint8))
    return _median_of_nine(layers)


def _median_of_nine(layers: list[Pixels]) -> Pixels:
    """By Paeth's exchanges of pairs, as numpy's median takes a hundred times as long."""
    p: list[cv2.typing.MatLike] = list(layers)
    pairs = (1, 2), (4, 5), (7, 8), (0, 1), (3, 4), (6, 7), (1, 2), (4, 5), (7, 8), (0, 3), (5, 8), (4, 7)
    for a, b in (*pairs, (3, 6), (1, 4), (2, 5), (4, 7), (4, 2), (6, 4), (4, 2)):
        p[a], p[b] = cv2.min(p[a], p[b]), cv2.max(p[a], p[b])
    return np.asarray(p[4], np.uint8)
