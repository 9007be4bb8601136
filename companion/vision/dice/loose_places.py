"""Where on a table a die may lie: what is as small as one, and small round spots as near each other as its pips."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.connected import connected
from companion.vision.ground.foreground import Ground, Region

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Box = tuple[int, int, int, int]  # left, top, right and bottom in pixels of the picture


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """How large a die with its shadow seems, and what spots may be its pips."""

    size_mm: tuple[float, float] = (9.0, 45.0)
    margin_mm: float = 6.0
    pip_mm: tuple[float, float] = (0.9, 6.0)  # width of a spot that may be a pip
    pip_level: int = 22  # grey levels by which it differs from what is round it
    pip_fill: float = 0.5  # ... and how much of its bounding box it fills
    face_mm: float = 13.0  # the pips of one face lie so near each other
    most: int = 32  # places with such spots that are looked at, those that stand out most first
    larger_mm: float = 30.0  # in a thing longer than this a die may lie anywhere, beside another or its own long shadow
    step_mm: float = 8.0  # apart lie the places that are looked at in it ...
    thick_mm: float = 3.5  # ... so far inside its outline ...
    about_mm: float = 10.0  # ... if in a square of this side about them ...
    spotted: float = 0.2  # ... so large a share of the picture is darker or lighter than all round it, as pips are


@dataclass(frozen=True, slots=True, eq=False)
class Hats:
    """How much darker, and how much lighter, a picture is than what lies round each pixel, no further than a pip."""

    left: int  # pixels of the picture before the first of these
    top: int
    levels: tuple[Pixels, Pixels]  # (h, w) grey levels


def small_things(ground: Ground, s: PlaceSettings) -> list[Box]:
    """Everything that may be a die and its shadow, each with a margin."""
    return [box for region in ground.regions if (box := _box(ground, region, s)) is not None]


def hats_of(ground: Ground, s: PlaceSettings) -> Hats:
    """Of the part of the picture that is looked at."""
    _, most = _pip_px(ground, s)
    left, top, right, low = _part(ground, 2 * math.ceil(most))
    grey = cv2.cvtColor(ground.picture[top:low, left:right], cv2.COLOR_BGR2GRAY)
    window = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(most) | 1, round(most) | 1))
    dark, light = (cv2.morphologyEx(grey, kind, window) for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT))
    return Hats(left, top, (np.asarray(dark, np.uint8), np.asarray(light, np.uint8)))


def spotted_places(ground: Ground, hats: Hats, s: PlaceSettings) -> Floats:
    """(n, 2) millimetres in the table's plane of places in larger things, those with most spots about them first."""
    at_mm = np.concatenate([np.zeros((0, 2)), *(_within_thing(ground, region, s) for region in ground.regions)])
    side = max(round(s.about_mm * _scale(ground)), 1)
    spotted = np.maximum(*hats.levels) >= s.pip_level
    share = cv2.blur(spotted.astype(np.uint8) * 255, (side, side))
    col, row = np.rint(ground.pose.project(np.c_[at_mm, np.zeros(len(at_mm))]) - (hats.left, hats.top)).astype(int).T
    seen = (row >= 0) & (row < share.shape[0]) & (col >= 0) & (col < share.shape[1])
    at_mm, shares = at_mm[seen], share[row[seen], col[seen]] / 255
    order = np.argsort(-shares, kind="stable")
    return np.asarray(at_mm[order][shares[order] >= s.spotted])


def _within_thing(ground: Ground, region: Region, s: PlaceSettings) -> Floats:
    """(n, 2) millimetres in the table's plane: in each square of a larger thing its middle, or where it is thickest."""
    pixel = ground.coarse_mm
    wide, high = region.size_px
    if max(wide, high) * pixel <= s.larger_mm or min(wide, high) * pixel < s.size_mm[0]:
        return np.zeros((0, 2))
    step = max(round(s.step_mm / pixel), 1)
    thick = cv2.distanceTransform(np.pad(region.mask.astype(np.uint8), 1), cv2.DIST_L2, 3)[1:-1, 1:-1] * pixel
    rows, cols = -(-high // step), -(-wide // step)
    squares = np.pad(thick, ((0, rows * step - high), (0, cols * step - wide)))
    squares = squares.reshape(rows, step, cols, step).transpose(0, 2, 1, 3).reshape(rows * cols, step * step)
    middle = step // 2 * step + step // 2
    place = np.where(squares[:, middle] >= s.thick_mm, middle, squares.argmax(axis=1))
    number = np.flatnonzero(squares[np.arange(len(squares)), place] >= s.thick_mm)
    row, col = number // cols * step + place[number] // step, number % cols * step + place[number] % step
    at = np.stack([col + region.x, row + region.y], axis=1)
    return ground.to_mm((at + 0.5) * ground.settings.coarse - 0.5)


def pip_groups(ground: Ground, boxes: Sequence[Box], s: PlaceSettings, hats: Hats | None = None) -> Iterator[Box]:
    """Places where small spots lie as near each other as the pips of a face, but about none of these boxes; the middle
    of a box is that of the spots, where the picture does not end in it.
    """
    per_mm = _scale(ground)
    left = _spots(ground, hats or hats_of(ground, s), s)
    rows, cols = ground.picture.shape[:2]
    for _ in range(s.most):
        if not len(left):
            return
        near = np.hypot(*(left - left[0]).T) <= s.face_mm * per_mm
        x, y = left[near].mean(axis=0)
        left = left[~near]
        if any(_inside((x, y), box, s.margin_mm * per_mm) for box in boxes):
            continue
        half = (s.face_mm + s.margin_mm) * per_mm
        yield max(int(x - half), 0), max(int(y - half), 0), min(int(x + half), cols), min(int(y + half), rows)


def _pip_px(ground: Ground, s: PlaceSettings) -> tuple[float, float]:
    """The least and the most width of a pip in pixels of the picture."""
    least, most = (max(mm * _scale(ground), 1.5) for mm in s.pip_mm)
    return least, most


def _spots(ground: Ground, hats: Hats, s: PlaceSettings) -> Floats:
    """(n, 2) middles of small round spots in the picture, those that stand out most first."""
    spots, strength = [np.zeros((0, 2))], [np.zeros(0)]
    (least, most), corner = _pip_px(ground, s), np.array([hats.left, hats.top])
    for hat in hats.levels:
        _, boxes, found = connected(hat >= s.pip_level)
        middles = found + corner
        wide, high, area = boxes[:, cv2.CC_STAT_WIDTH], boxes[:, cv2.CC_STAT_HEIGHT], boxes[:, cv2.CC_STAT_AREA]
        round_ = (np.minimum(wide, high) >= least) & (np.maximum(wide, high) <= most)
        round_ &= (np.maximum(wide, high) <= 2 * np.minimum(wide, high)) & (area >= s.pip_fill * wide * high)
        round_[round_] = _looked_at(ground, middles[round_])
        col, row = np.rint(middles[round_] - corner).astype(int).T
        spots.append(middles[round_])
        strength.append(hat[row, col].astype(np.float64))
    return np.concatenate(spots)[np.argsort(-np.concatenate(strength), kind="stable")]


def _part(ground: Ground, beyond_px: int) -> Box:
    """Left, top, right and low pixel of the part of the picture that shows the zone that is looked at."""
    rows, cols = ground.picture.shape[:2]
    if ground.zone is None or not ground.zone.any():
        return 0, 0, cols, rows
    row, col = np.nonzero(ground.zone)
    ends = np.array([(x, y) for x in (col.min() - 1, col.max() + 1) for y in (row.min() - 1, row.max() + 1)])
    at = ground.pose.project(ground.to_mm(ends * float(ground.settings.coarse)))
    first = np.clip(np.floor(at.min(axis=0)).astype(int) - beyond_px, 0, (cols - 1, rows - 1))
    last = np.clip(np.ceil(at.max(axis=0)).astype(int) + beyond_px, first + 1, (cols, rows))
    return int(first[0]), int(first[1]), int(last[0]), int(last[1])


def _looked_at(ground: Ground, at_px: Floats) -> NDArray[np.bool_]:
    """(n) which pixels of the picture lie in the zone that is looked at and on no marker's paper."""
    mm = ground.pose.to_table(at_px, 0.0)
    col, row = np.rint(ground.coarse_px(mm)).astype(int).T
    high, wide = ground.log.shape[:2]
    inside = (row >= 0) & (row < high) & (col >= 0) & (col < wide)
    if ground.zone is not None:
        inside &= ground.zone[np.clip(row, 0, high - 1), np.clip(col, 0, wide - 1)]
    for paper in ground.covered_mm:
        inside &= ~_within(mm, np.asarray(cv2.convexHull(paper.astype(np.float32)), np.float64)[:, 0])
    return np.asarray(inside)


def _within(points: Floats, outline: Floats) -> NDArray[np.bool_]:
    """(n) which points lie in a convex outline (k, 2), or on its rim."""
    along, off = np.roll(outline, -1, axis=0) - outline, points[:, None] - outline
    side = along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0]
    return np.asarray((side >= 0).all(axis=1) | (side <= 0).all(axis=1))


def _box(ground: Ground, region: Region, s: PlaceSettings) -> Box | None:
    """Left, top, right and bottom of the region in the picture; None when no die is so small or so large."""
    grid = ground.settings
    step = grid.fine_mm * grid.coarse
    wide, high = region.size_px
    least, most = s.size_mm
    if not (least <= min(wide, high) * step and max(wide, high) * step <= most):
        return None
    edge = s.margin_mm / step
    ends = np.array([[region.x - edge, region.y - edge], [region.x + wide + edge, region.y + high + edge]])
    corners = np.array([[x, y] for x in ends[:, 0] for y in ends[:, 1]]) * grid.coarse
    at = ground.pose.project(ground.to_mm(corners))
    rows, cols = ground.picture.shape[:2]
    low, top = np.floor(at.min(axis=0)).astype(int), np.ceil(at.max(axis=0)).astype(int)
    x, y = max(int(low[0]), 0), max(int(low[1]), 0)
    right, bottom = min(int(top[0]), cols), min(int(top[1]), rows)
    return (x, y, right, bottom) if right - x > 4 and bottom - y > 4 else None


def _scale(ground: Ground) -> float:
    """Pixels of the picture per millimetre, in the middle of the table."""
    ends = ground.pose.project(np.array([[-10.0, 0.0, 0.0], [10.0, 0.0, 0.0]]))
    return float(np.hypot(*(ends[1] - ends[0]))) / 20


def _inside(point: Sequence[float], box: Box, edge: float) -> bool:
    """True if it lies in the box, further than `edge` from its sides."""
    return box[0] + edge <= point[0] < box[2] - edge and box[1] + edge <= point[1] < box[3] - edge
