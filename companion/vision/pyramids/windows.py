"""Parts of the table that are looked through for pyramids: gradients, and what differs from the bare surface."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.found import Found
from companion.vision.ground.foreground import Ground, Region, light_and_hue, log_of, redrawn
from companion.vision.pyramids.search_settings import SearchSettings

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.intp]
Pixels = NDArray[np.uint8]

AXES = (1, 0), (0, 1)
BAND = 64  # rows


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """The parts of the ground round some regions, cut from one picture: gradients, what differs from the surface."""

    ground: Ground
    corner: Ints  # (w, 2) fine pixels: column, row
    size: Ints  # (w, 2) columns, rows
    start: Ints  # (w) flat index of its first pixel
    stride: int  # columns of the picture that all are cut from
    logs: tuple[Singles, ...]  # (h, w, 3) of each
    log: Singles  # (all, 3)
    gradient: Singles  # (all, 2) of the channel that has the most, in units in which 1 counts half
    strange: Singles  # (all) 0 to 1: not the bare surface
    shown: tuple[Singles, ...]  # (h, w, 4) of each: as `logs`, and the strength of the gradient, 255 for 1
    since: tuple[Singles, ...] | None  # (h, w, 4) of each: what has changed, see `_since`; None without a look before
    offs: dict[bytes, Floats] = field(
        default_factory=dict
    )  # where hypotheses rather lie: a network is asked once of each

    def index(self, points_mm: Floats, window: Ints) -> Ints:
        """Flat index of the pixels of (n, ..., 2) places in the plane of the table, the first axis in `window`."""
        g = self.ground
        s = g.settings.fine_mm
        wide = (slice(None),) + (None,) * (points_mm.ndim - 2)
        corner, size = self.corner[window], self.size[window]
        col = (points_mm[..., 0] - g.left_mm) * (1 / s) + (0.5 - corner[:, 0])[wide]
        row = (g.top_mm - points_mm[..., 1]) * (1 / s) + (0.5 - corner[:, 1])[wide]
        width, height = size[:, 0][wide], size[:, 1][wide]
        col = np.minimum(np.maximum(col, 0), width - 1).astype(np.intp)
        row = np.minimum(np.maximum(row, 0), height - 1).astype(np.intp)
        return np.asarray(self.start[window][wide] + row * self.stride + col)


def windows_of(ground: Ground, regions: Sequence[Region], s: SearchSettings) -> Windows:
    """Cut regions out of the ground."""
    g, half = ground.settings, ground.settings.coarse
    height, width = ground.colours.shape[:2]
    margin = round(s.margin_mm / g.fine_mm)
    scale = 1 / max(ground.texture * s.texture_gain, s.least_gradient)
    boxes = []
    for region in regions:
        x0, y0 = max(0, region.x * half - margin), max(0, region.y * half - margin)
        x1 = min(width, (region.x + region.size_px[0]) * half + margin)
        y1 = min(height, (region.y + region.size_px[1]) * half + margin)
        boxes.append((x0, y0, x1, y1))
    if not boxes:
        nothing, none = np.zeros((0, 2), np.intp), np.zeros(0, np.float32)
        flat = none.reshape(0, 3), none.reshape(0, 2), none
        return Windows(ground, nothing, nothing, nothing[:, 0], 0, (), *flat, (), None)
    left, top, right, low = (int(f(v)) for f, v in zip((min, min, max, max), zip(*boxes, strict=True), strict=True))
    log = log_of(ground.colours[top:low, left:right], g)
    gradient = gradient_of(log, s.blur_px)
    gradient *= np.float32(scale)
    shown, stride = _with_strength(log, gradient), right - left
    own = [(slice(y0 - top, y1 - top), slice(x0 - left, x1 - left)) for x0, y0, x1, y1 in boxes]
    return Windows(
        ground,
        np.array([box[:2] for box in boxes], dtype=np.intp),
        np.array([(x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes], dtype=np.intp),
        np.array([(y0 - top) * stride + x0 - left for x0, y0, _, _ in boxes], dtype=np.intp),
        stride,
        tuple(log[part] for part in own),
        log.reshape(-1, 3),
        gradient.reshape(-1, 2),
        _strange(ground, left, top, right, low),
        tuple(shown[part] for part in own),
        None if (since := _since(ground, left, top, right, low, s)) is None else tuple(since[part] for part in own),
    )


def gradient_of(log: Singles, blur_px: float) -> Singles:
    """(h, w, 2) gradient of the channel that has the most.

    Band by band: the layers of a whole table do not stay in the processor's cache.
    """
    beside = math.ceil(4 * blur_px) + 1  # rows that blur and gradient reach
    gradient = np.empty((*log.shape[:2], 2), np.float32)
    for row in range(0, len(log), BAND):
        first = max(row - beside, 0)
        gradient[row : row + BAND] = _gradient(log[first : row + BAND + beside], blur_px)[row - first :][:BAND]
    return gradient


def _gradient(log: Singles, blur_px: float) -> Singles:
    """As `gradient_of`, all at once."""
    smooth = cv2.GaussianBlur(log, (0, 0), blur_px) if blur_px > 0 else log
    first, *others = (
        [cv2.Sobel(layer, cv2.CV_32F, *axis, scale=0.125) for axis in AXES] for layer in cv2.split(smooth)
    )
    x, y, most = *first, cv2.magnitude(*first)
    for gx, gy in others:
        size = cv2.magnitude(gx, gy)
        more = cv2.compare(size, most, cv2.CMP_GT)
        cv2.copyTo(gx, more, x)
        cv2.copyTo(gy, more, y)
        most = cv2.max(size, most)
    return np.asarray(cv2.merge([x, y]), np.float32)


def _with_strength(log: Singles, gradient: Singles) -> Singles:
    """(h, w, 4) with how strong gradients are, 255 for one that counts fully: OpenCV turns four channels faster than
    three.
    """
    size = cv2.magnitude(gradient[..., 0], gradient[..., 1])
    both = np.empty((*log.shape[:2], 4), np.float32)
    cv2.mixChannels([log, cv2.divide(size, size + 1, scale=255)], [both], [0, 0, 1, 1, 2, 2, 3, 3])
    return both


def _since(ground: Ground, left: int, top: int, right: int, low: int, s: SearchSettings) -> Singles | None:
    """(h, w, 4) by how much (logarithm) a watched table differs from how it was before, whatever the light; the last
    is 0, see `_with_strength`.

    So it was last seen; in the first looks after it was touched, before that: every one of them tells what came. Where
    what lay there has gone and the table is bare, it does not: the gap would have the outline of a piece.
    """
    if ground.past is None or ground.past.once:
        return None
    past = ground.past
    now, then, g = ground.as_taken, (past.calm or past).ground.as_taken, ground.settings
    light = np.median((now.log - redrawn(then, then.log, now, g.coarse))[::8, ::8].reshape(-1, 3), axis=0)
    before = redrawn(then, then.colours, now, 1, (left, top, right - left, low - top))
    off = cv2.cvtColor(log_of(now.colours[top:low, left:right], g) - log_of(before, g), cv2.COLOR_BGR2BGRA)
    off -= np.append(light, 1.0).astype(np.float32)
    off[_bare_again(ground, (past.calm or past).found, s)[top:low, left:right] > 0] = 0
    return np.asarray(off, np.float32)


def _bare_again(ground: Ground, found: Sequence[Found], s: SearchSettings) -> Pixels:
    """(H, W) fine pixels: 1 where something was found before and the table is bare now."""
    side = 1 + 2 * round(s.rim_mm / ground.settings.fine_mm)
    gone = np.zeros(ground.colours.shape[:2], np.uint8)
    for claim in found:
        own = ground.filled([claim.outline_mm]) > 0
        if own.any() and ground.things[own].mean() < s.bare:
            cv2.fillConvexPoly(gone, cv2.convexHull(np.rint(ground.fine_px(claim.outline_mm)).astype(np.int32)), 1)
    return np.asarray(cv2.dilate(gone, np.ones((side, side), np.uint8)), np.uint8)


def _strange(ground: Ground, x0: int, y0: int, x1: int, y1: int) -> Singles:
    """How surely each fine pixel is not the bare table."""
    half = ground.settings.coarse
    inner = (slice(y0 // half, -(-y1 // half)), slice(x0 // half, -(-x1 // half)))
    light, hue = light_and_hue(ground.log[inner], ground.surface[inner])
    much = hue / 0.12 + np.maximum(light / 0.25, -light / 0.6)
    big = cv2.resize(much / (1 + much), (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
    return np.asarray(big, np.float32).reshape(-1)
