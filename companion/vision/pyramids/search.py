"""Analysis by synthesis: outlines and edges of pyramids drawn over the table, compared with what is seen.

Coarse: every size, pose and heading at every place of a region. Fine: the best of them moved until they fit.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.ground.foreground import Ground, Region
from companion.vision.pyramids.fit import (
    fit,
    fitness,
    on_outline,
)
from companion.vision.pyramids.hypotheses import PERIODS, Hypotheses, joined
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.shapes import CLASSES, ends_of
from companion.vision.pyramids.windows import Windows, gradient_of

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.intp]

DIRECTIONS = 8  # of edges, in the coarse search
THIN_EDGES = 2.0  # weight of edges at full resolution in the coarse search
IN_CACHE = 60_000  # numbers of the coarse search that are gathered at a time
LOOKED_THROUGH = 4  # times as many hypotheses as are kept


def search(
    windows: Windows, regions: Sequence[Region], s: SearchSettings, numbers: Sequence[int] | None = None
) -> tuple[Hypotheses, Floats]:
    """The best fitted hypotheses of all regions, or of those with some numbers, and how well they fit."""
    searched = range(len(regions)) if numbers is None else numbers
    rough = joined([_coarse(windows, number, regions[number], s) for number in searched])
    if not len(rough):
        return rough, np.zeros(0)
    scores = fitness(windows, rough, s)
    fitted = rough.only(_distinct(rough, scores, regions, s))
    fitted, scores = fit(windows, fitted, s, s.steps[: s.first_steps])
    chosen = _distinct(fitted, scores, regions, s, s.second_share)
    fitted, scores = fit(windows, fitted.only(chosen), s, s.steps[s.first_steps :])
    chosen = _distinct(fitted, scores, regions, s)
    return fitted.only(chosen), scores[chosen]


def _coarse(windows: Windows, number: int, region: Region, s: SearchSettings) -> Hypotheses:
    """The best places of every shape at every heading in one region, by the edges of a small picture."""
    ground, step = windows.ground, s.coarse_px
    fine = ground.settings.fine_mm
    log = windows.logs[number]
    size = (-(-log.shape[1] // step), -(-log.shape[0] // step))
    small = np.asarray(cv2.resize(log, size, interpolation=cv2.INTER_AREA), np.float32)
    gain = 1.5 / max(ground.texture * s.texture_gain, s.least_gradient) / step
    gradient = gradient_of(small, 0.0) * np.float32(gain)
    channels = _directed(gradient) + THIN_EDGES * _thin(windows, number, step)
    x0, y0 = windows.corner[number]
    cols, rows = _places(
        region, (int(x0), int(y0)), ground.settings.coarse, step, size, s.grow_mm, fine * ground.settings.coarse
    )
    if not len(cols):
        return joined([])
    kinds, headings = _templates(s)
    middle = ground.to_mm(np.array([x0 + cols.mean() * step, y0 + rows.mean() * step], dtype=np.float64))
    offsets, direction, weight = _offsets(ground, kinds, headings, middle, step * fine, s.coarse_points, s.inner_weight)
    pad = int(np.abs(offsets).max()) + 1
    channels = np.pad(channels, ((0, 0), (pad, pad), (pad, pad)), mode="edge")
    stride, plane = channels.shape[2], channels.shape[1] * channels.shape[2]
    shift = (direction * plane + offsets[..., 1] * stride + offsets[..., 0]).astype(np.int32)
    at = ((rows + pad) * stride + cols + pad).astype(np.int32)
    flat, scores = channels.reshape(-1), np.empty((len(kinds), len(at)), np.float32)
    few = max(1, IN_CACHE // (shift.shape[1] * len(at)))  # templates at a time
    for t in range(0, len(kinds), few):
        values = flat.take(shift[t : t + few, :, None] + at)
        np.matmul(weight[t : t + few, None], values, out=scores[t : t + few, None])
    best, where = _best_of_cells(scores, kinds, cols, rows, max(1, round(s.cell_mm / (step * fine))), s.of_each)
    place = np.zeros((len(best), 4))
    at_px = np.stack([x0 + (cols[where] + 0.5) * step - 0.5, y0 + (rows[where] + 0.5) * step - 0.5], axis=-1)
    place[:, :2] = ground.to_mm(at_px)
    place[:, 2] = headings[best]
    return Hypotheses(kinds[best], place, np.full(len(best), number, np.intp))


def _best_of_cells(scores: Singles, kinds: Ints, cols: Ints, rows: Ints, cell_px: int, count: int) -> tuple[Ints, Ints]:
    """Template and place of the best few of every shape in every cell of a grid, so that no piece hides another."""
    cells = (rows // cell_px) * 10_000 + cols // cell_px
    order = np.argsort(cells, kind="stable")
    starts = np.flatnonzero(np.diff(cells[order], prepend=-1))
    sorted_scores = scores[:, order]
    most = np.maximum.reduceat(sorted_scores, starts, axis=1)  # (templates, cells)
    chosen = np.concatenate([own[np.argpartition(-most[own], count - 1, axis=0)[:count]] for own in _by_kind(kinds)])
    ends = np.append(starts[1:], len(order))
    places = [
        order[start + sorted_scores[chosen[:, cell], start:end].argmax(axis=1)]
        for cell, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
    return chosen.T.reshape(-1), np.concatenate(places)


def _by_kind(kinds: Ints) -> list[Ints]:
    """Numbers of the templates of each class."""
    return [np.flatnonzero(kinds == kind) for kind in np.unique(kinds)]


def _directed(gradient: Singles) -> Singles:
    """(DIRECTIONS, h, w) strength of edges whose normals point each way."""
    angles = np.arange(DIRECTIONS) * (math.pi / DIRECTIONS)
    normals = np.stack([np.cos(angles), np.sin(angles)]).astype(np.float32)
    across = np.abs(np.moveaxis(gradient @ normals, 2, 0))
    return np.asarray(across / (1 + across), np.float32)


def _thin(windows: Windows, number: int, step: int) -> Singles:
    """(DIRECTIONS, h, w) as `_directed`, by the gradient at full resolution: a thin line has none at a lower one."""
    (wide, high), start = windows.size[number], windows.start[number]
    top, left = divmod(int(start), windows.stride)
    gradient = windows.gradient.reshape(-1, windows.stride, 2)[top : top + high, left : left + wide]
    size = (-(-int(wide) // step), -(-int(high) // step))
    angles = np.arange(DIRECTIONS) * (math.pi / DIRECTIONS)
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    parts = []
    for first in range(0, DIRECTIONS, 4):
        across = np.abs(np.asarray(cv2.transform(gradient, normals[first : first + 4]), np.float32))
        parts.append(cv2.resize(across / (1 + across), size, interpolation=cv2.INTER_AREA))
    return np.ascontiguousarray(np.concatenate(parts, axis=2).transpose(2, 0, 1), np.float32)


def _places(
    region: Region, corner: tuple[int, int], half: int, step: int, size: tuple[int, int], grow_mm: float, step_mm: float
) -> tuple[Ints, Ints]:
    """Columns and rows of a window's coarse pixels that lie in the region, its holes filled."""
    filled = np.zeros(region.mask.shape, np.uint8)
    contours, _ = cv2.findContours(region.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(filled, contours, -1, 1, -1)
    spare = round(grow_mm / step_mm)
    kernel = np.ones((2 * spare + 1, 2 * spare + 1), np.uint8)
    grown = np.asarray(cv2.dilate(np.pad(filled, spare), kernel), np.uint8)
    high, wide = grown.shape[:2]
    col = (np.arange(size[0]) * step + step // 2 + corner[0]) // half - region.x + spare
    row = (np.arange(size[1]) * step + step // 2 + corner[1]) // half - region.y + spare
    inside_c, inside_r = (col >= 0) & (col < wide), (row >= 0) & (row < high)
    chosen = np.zeros((size[1], size[0]), np.uint8)
    chosen[np.ix_(inside_r, inside_c)] = grown[np.ix_(row[inside_r], col[inside_c])]
    rows, cols = np.nonzero(chosen)
    return cols, rows


def _templates(s: SearchSettings) -> tuple[Ints, Floats]:
    """Class numbers and headings of everything that is tried."""
    pairs = [
        (kind, heading)
        for kind, (_, pose) in enumerate(CLASSES)
        for heading in np.arange(0, PERIODS[kind], s.upright_step_deg if pose == "upright" else s.lying_step_deg)
    ]
    return np.array([k for k, _ in pairs], dtype=np.intp), np.array([h for _, h in pairs], dtype=np.float64)


def _offsets(
    ground: Ground, kinds: Ints, headings: Floats, middle: Floats, step_mm: float, count: int, inner: float
) -> tuple[Ints, Ints, Singles]:
    """Of each template's points along its edges: (t, k, 2) coarse pixels, direction, and weight (sum 1)."""
    place = np.zeros((len(kinds), 4))
    place[:, :2], place[:, 2] = middle, headings
    shapes = Hypotheses(kinds, place, np.zeros(len(kinds), np.intp))
    corners = ground.seen_at(shapes.corners())
    flat, outer = ends_of(corners), on_outline(corners)
    share = ((np.arange(count) + 0.5) / count)[:, None]
    along = flat[:, :, 1] - flat[:, :, 0]
    points = flat[:, :, 0, None] + along[:, :, None] * share - middle
    offsets = np.rint(np.stack([points[..., 0], -points[..., 1]], axis=-1) / step_mm).astype(np.intp)
    angle = np.arctan2(along[..., 0], along[..., 1])  # of the normal in the picture
    direction = np.rint(angle / (math.pi / DIRECTIONS)).astype(np.intp) % DIRECTIONS
    weight = (outer + inner * (1 - outer)) / count
    weight = weight / weight.sum(axis=1, keepdims=True)
    t = len(kinds)
    return (
        offsets.reshape(t, -1, 2),
        np.repeat(direction, count, axis=1),
        np.repeat(weight, count, axis=1).astype(np.float32),
    )


def _distinct(
    found: Hypotheses, scores: Floats, regions: Sequence[Region], s: SearchSettings, share: float = 1.0
) -> Ints:
    """Numbers of the best ones of each region that differ from each other, best first."""
    chosen: list[int] = []
    for number, region in enumerate(regions):
        own = np.flatnonzero(found.window == number)
        count = int(min(s.kept + region.area_mm2 * s.kept_per_mm2, s.most_kept) * share)
        own = own[np.argsort(-scores[own], kind="stable")][: count * LOOKED_THROUGH]
        place, kind = found.place[own], found.kind[own]
        x, y = (place[:, k].astype(np.float32) for k in (0, 1))
        apart = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
        heading, period = place[:, 2].astype(np.float32), PERIODS[kind].astype(np.float32)[:, None]
        turned = np.abs((heading[:, None] - heading + period / 2) % period - period / 2)
        same = (kind[:, None] == kind) & (apart < s.apart_mm**2) & (turned < s.apart_deg)
        near = apart < s.place_mm**2
        free, crowd = np.ones(len(own), dtype=bool), np.zeros(len(own), dtype=int)
        left = count
        for i in range(len(own)):
            if left and free[i] and crowd[i] < s.same_place:
                chosen.append(int(own[i]))
                crowd += near[i]
                free &= ~same[i]
                left -= 1
    return np.array(chosen, dtype=np.intp)
