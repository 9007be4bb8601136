"""Analysis by synthesis: outlines and edges of pyramids drawn over the table, compared with what is seen.

Coarse: every size, pose and heading at every place of a region. Fine: the best of them moved until they fit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.foreground import Ground, Region, light_and_hue
from companion.vision.pyramid_shapes import CLASSES, Pose, shape_of

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.intp]
Pixels = NDArray[np.uint8]

CORNERS = np.array([shape_of(size, pose).corners for size, pose in CLASSES])  # (classes, 5, 3)
ENDS = np.array([shape_of(size, pose).ends for size, pose in CLASSES])  # (classes, 8, 2, 3)
PERIODS = np.array([shape_of(size, pose).period_deg for size, pose in CLASSES])
DIRECTIONS = 8  # of edges, in the coarse search
THIN_EDGES = 2.0  # weight of edges at full resolution in the coarse search
IN_CACHE = 60_000  # numbers of the coarse search that are gathered at a time
LOOKED_THROUGH = 4  # times as many hypotheses as are kept


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How finely hypotheses are laid out, and how many are followed."""

    margin_mm: float = 24.0  # round a region: a piece may be larger than what stands out of it
    coarse_px: int = 4  # fine pixels of a pixel of the coarse search
    upright_step_deg: float = 15.0
    lying_step_deg: float = 18.0
    coarse_points: int = 3  # on each edge
    fine_points: int = 7
    blur_px: float = 0.8  # fine pixels, before the gradient is taken
    texture_gain: float = 5.0  # gradients of so many times the table's usual one count half
    least_gradient: float = 0.012
    fill_points: int = 10
    inner_weight: float = 0.35  # of edges inside the outline, beside those of the outline
    fill_weight: float = 0.5
    grow_mm: float = 4.0  # pieces may have their middles so far out of a region
    cell_mm: float = 9.0  # side of the cells of which each has its own best
    of_each: int = 1  # headings of every shape in each cell that are looked at again
    kept: int = 12  # hypotheses of a region that are fitted; more in large regions
    kept_per_mm2: float = 1 / 14
    most_kept: int = 150
    same_place: int = 7  # hypotheses whose middles are near each other
    place_mm: float = 6.0
    largest_mm2: float = 14000.0  # larger regions are no group of pieces
    apart_mm: float = 4.0  # nearer hypotheses of one shape are the same
    apart_deg: float = 16.0
    steps: tuple[tuple[float, float], ...] = ((1.6, 7.0), (0.9, 3.6), (0.45, 1.8), (0.2, 0.8))
    rounds: int = 1  # at each step
    first_steps: int = 2  # after which only the better ones are followed
    second_share: float = 0.5
    polish: tuple[tuple[float, float], ...] = ((0.8, 3.0), (0.4, 1.5), (0.2, 0.8), (0.1, 0.4))  # of chosen pieces
    polish_points: int = 15
    polish_rounds: int = 2


@dataclass(frozen=True, slots=True, eq=False)
class Hypotheses:
    """n shapes, each at a place: class number, millimetres, degrees, and the number of the window it is seen in."""

    kind: Ints  # (n)
    place: Floats  # (n, 4): x, y, heading, z
    window: Ints  # (n)

    def __len__(self) -> int:
        return len(self.kind)

    def only(self, chosen: NDArray[np.generic] | Sequence[int]) -> "Hypotheses":
        """Some of them."""
        at = np.asarray(chosen)
        return Hypotheses(self.kind[at], self.place[at], self.window[at])

    def moved(self, place: Floats) -> "Hypotheses":
        """The same shapes at other places."""
        return Hypotheses(self.kind, place, self.window)

    def pose(self, i: int) -> Pose:
        """One of them."""
        size, pose = CLASSES[self.kind[i]]
        x, y, heading, z = (float(v) for v in self.place[i])
        return Pose(size, pose, x, y, heading % 360, z)

    def corners(self) -> Floats:
        """(n, 5, 3) over the table."""
        return self._over(CORNERS[self.kind])

    def ends(self) -> Floats:
        """(n, 8, 2, 3) over the table."""
        return self._over(ENDS[self.kind].reshape(-1, 16, 3)).reshape(-1, 8, 2, 3)

    def _over(self, points: Floats) -> Floats:
        c, s = np.cos(np.radians(self.place[:, 2])), np.sin(np.radians(self.place[:, 2]))
        x = points[..., 0] * c[:, None] - points[..., 1] * s[:, None] + self.place[:, 0, None]
        y = points[..., 0] * s[:, None] + points[..., 1] * c[:, None] + self.place[:, 1, None]
        return np.stack([x, y, points[..., 2] + self.place[:, 3, None]], axis=-1)


def joined(parts: Sequence[Hypotheses]) -> Hypotheses:
    """All of them in one."""
    if not parts:
        return Hypotheses(np.zeros(0, np.intp), np.zeros((0, 4)), np.zeros(0, np.intp))
    return Hypotheses(
        np.concatenate([p.kind for p in parts]),
        np.concatenate([p.place for p in parts]),
        np.concatenate([p.window for p in parts]),
    )


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
    edges: tuple[Pixels, ...]  # (h, w) of each: strength of the gradient, 255 for 1

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
    table = np.repeat(np.log(np.arange(256, dtype=np.float32) + g.dark_level).reshape(256, 1), 3, axis=1)
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
        return Windows(ground, nothing, nothing, nothing[:, 0], 0, (), *flat, ())
    left, top, right, low = (int(f(v)) for f, v in zip((min, min, max, max), zip(*boxes, strict=True), strict=True))
    log = np.asarray(cv2.LUT(ground.colours[top:low, left:right], table.reshape(256, 1, 3)), np.float32)
    gradient = _gradient(log, s.blur_px) * np.float32(scale)
    strength, stride = _strength(gradient), right - left
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
        tuple(strength[part] for part in own),
    )


def _gradient(log: Singles, blur_px: float) -> Singles:
    """(h, w, 2) gradient of the channel that has the most."""
    smooth = cv2.GaussianBlur(log, (0, 0), blur_px) if blur_px > 0 else log
    along, across = (cv2.split(cv2.Sobel(smooth, cv2.CV_32F, dx, 1 - dx, scale=0.125)) for dx in (1, 0))
    x, y, most = along[0], across[0], cv2.magnitude(along[0], across[0])
    for gx, gy in zip(along[1:], across[1:], strict=True):
        size = cv2.magnitude(gx, gy)
        more = cv2.compare(size, most, cv2.CMP_GT)
        cv2.copyTo(gx, more, x)
        cv2.copyTo(gy, more, y)
        most = cv2.max(size, most)
    return np.asarray(cv2.merge([x, y]), np.float32)


def _strength(gradient: Singles) -> Pixels:
    """(h, w) how strong gradients are: 255 for one that counts fully."""
    size = cv2.magnitude(gradient[..., 0], gradient[..., 1])
    return np.asarray(cv2.divide(size, size + 1, scale=255, dtype=cv2.CV_8U), np.uint8)


def _strange(ground: Ground, x0: int, y0: int, x1: int, y1: int) -> Singles:
    """How surely each fine pixel is not the bare table."""
    half = ground.settings.coarse
    inner = (slice(y0 // half, -(-y1 // half)), slice(x0 // half, -(-x1 // half)))
    light, hue = light_and_hue(ground.log[inner], ground.surface[inner])
    much = hue / 0.12 + np.maximum(light / 0.25, -light / 0.6)
    big = cv2.resize(much / (1 + much), (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
    return np.asarray(big, np.float32).reshape(-1)


def edge_strength(windows: Windows, hypotheses: Hypotheses, count: int) -> Floats:
    """Strength (n, 8), 0 to 1, of the edges of n hypotheses."""
    flat = windows.ground.fine_px(windows.ground.seen_at(hypotheses.ends()))
    ends = (flat - windows.corner[hypotheses.window][:, None, None]).astype(np.float32)
    share = ((np.arange(count, dtype=np.float32) + 0.5) / count)[:, None]
    start, along = ends[:, :, 0], ends[:, :, 1] - ends[:, :, 0]
    size = windows.size[hypotheses.window].astype(np.float32)[:, None, None]
    col = start[..., None, 0] + (along[..., None, 0] * share[:, 0] + np.float32(0.5))
    row = start[..., None, 1] + (along[..., None, 1] * share[:, 0] + np.float32(0.5))
    np.clip(col, 0, size[..., 0] - 1, out=col)
    np.clip(row, 0, size[..., 1] - 1, out=row)
    wide = np.int32(windows.stride)
    first = windows.start[hypotheses.window].astype(np.int32)[:, None, None]
    gradient = windows.gradient.take(row.astype(np.int32) * wide + col.astype(np.int32) + first, axis=0)
    normal = along / np.maximum(np.hypot(along[..., :1], along[..., 1:]), np.float32(1e-3))
    across = np.abs(gradient[..., 0] * normal[..., 1, None] - gradient[..., 1] * normal[..., 0, None])
    return np.asarray((across / (1 + across)).mean(axis=2), np.float64)


def outer_edges(windows: Windows, hypotheses: Hypotheses) -> Floats:
    """(n, 8) 1.0 for edges that are on the outline, as the camera sees it."""
    ground = windows.ground
    return on_outline(ground.seen_at(hypotheses.corners()), ground.seen_at(hypotheses.ends()))


def on_outline(corners: Floats, ends: Floats) -> Floats:
    """(n, 8) 1.0 for edges with all corners on one side."""
    a, along = ends[:, :, 0], ends[:, :, 1] - ends[:, :, 0]
    off = corners[:, None] - a[:, :, None]
    side = along[..., None, 0] * off[..., 1] - along[..., None, 1] * off[..., 0]
    side = side / np.maximum(np.linalg.norm(along, axis=-1), 1e-6)[..., None]
    return np.asarray((side.min(axis=2) > -0.35) | (side.max(axis=2) < 0.35), np.float64)


def fill_strength(windows: Windows, hypotheses: Hypotheses, s: SearchSettings) -> Floats:
    """(n) how surely the insides are not the bare table."""
    inside = inside_points(s.fill_points) @ hypotheses.corners()
    at = windows.index(windows.ground.seen_at(inside), hypotheses.window)
    return np.asarray(windows.strange[at].mean(axis=1), np.float64)


def inside_points(count: int) -> Floats:
    """(count, 5) shares of the corners that make points inside."""
    return np.random.default_rng(1).dirichlet(np.ones(5) * 0.8, count)


def fitness(windows: Windows, hypotheses: Hypotheses, s: SearchSettings, outer: Floats | None = None) -> Floats:
    """(n) one figure for how well hypotheses fit, at full resolution. `outer` may be known from before."""
    outer = outer_edges(windows, hypotheses) if outer is None else outer
    return edge_fitness(windows, hypotheses, s, outer) + s.fill_weight * fill_strength(windows, hypotheses, s)


def edge_fitness(windows: Windows, hypotheses: Hypotheses, s: SearchSettings, outer: Floats) -> Floats:
    """(n) how strong the edges are, those of the outline counting most."""
    strength = edge_strength(windows, hypotheses, s.fine_points)
    weight = outer + s.inner_weight * (1 - outer)
    return np.asarray((strength * weight).sum(axis=1) / weight.sum(axis=1))


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


def settled(windows: Windows, rough: Hypotheses, s: SearchSettings) -> Hypotheses:
    """Hypotheses that lie nearly right already, fitted; of those that come to lie alike, the best."""
    fitted, scores = fit(windows, rough, s)
    order = np.argsort(-scores, kind="stable")
    place, kind = fitted.place[order], fitted.kind[order]
    apart = np.hypot(*(place[:, None, :2] - place[None, :, :2]).transpose(2, 0, 1))
    period = PERIODS[kind][:, None]
    turned = np.abs((place[:, None, 2] - place[None, :, 2] + period / 2) % period - period / 2)
    same = (kind[:, None] == kind) & (apart < s.apart_mm / 2) & (turned < s.apart_deg / 2)
    return fitted.only(order[~np.triu(same, 1).any(axis=0)])


def _coarse(windows: Windows, number: int, region: Region, s: SearchSettings) -> Hypotheses:
    """The best places of every shape at every heading in one region, by the edges of a small picture."""
    ground, step = windows.ground, s.coarse_px
    fine = ground.settings.fine_mm
    log = windows.logs[number]
    size = (-(-log.shape[1] // step), -(-log.shape[0] // step))
    small = np.asarray(cv2.resize(log, size, interpolation=cv2.INTER_AREA), np.float32)
    gain = 1.5 / max(ground.texture * s.texture_gain, s.least_gradient) / step
    gradient = _gradient(small, 0.0) * np.float32(gain)
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
    flat = ground.seen_at(shapes.ends())
    outer = on_outline(ground.seen_at(shapes.corners()), flat)
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


def fit(
    windows: Windows, found: Hypotheses, s: SearchSettings, steps: Sequence[tuple[float, float]] | None = None
) -> tuple[Hypotheses, Floats]:
    """Move and turn every hypothesis, by smaller and smaller steps, to where it fits best."""
    place, n = found.place.copy(), len(found)
    outer = outer_edges(windows, found)
    scores = edge_fitness(windows, found, s, outer)
    many = Hypotheses(np.repeat(found.kind, 6), np.repeat(place, 6, axis=0), np.repeat(found.window, 6))
    outer = np.repeat(outer, 6, axis=0)
    for step, turn in s.steps if steps is None else steps:
        for _ in range(s.rounds):
            tried = np.repeat(place[:, None], 6, axis=1)
            c, sn = np.cos(np.radians(place[:, 2])) * step, np.sin(np.radians(place[:, 2])) * step
            for k, (dx, dy) in enumerate(((c, sn), (-c, -sn), (-sn, c), (sn, -c))):
                tried[:, k, 0] += dx
                tried[:, k, 1] += dy
            tried[:, 4, 2] += turn
            tried[:, 5, 2] -= turn
            got = edge_fitness(windows, many.moved(tried.reshape(-1, 4)), s, outer).reshape(n, 6)
            gains = np.maximum(got - scores[:, None], 0.0)
            every = place.copy()  # all single moves that help, at once
            for k in (0, 2, 4):
                move = tried[:, k : k + 2] - place[:, None]
                way = gains[:, k : k + 2].argmax(axis=1)
                helps = gains[np.arange(n), k + way] > 0
                every += move[np.arange(n), way] * helps[:, None]
            together = edge_fitness(windows, found.moved(every), s, outer[::6])
            options = np.concatenate([tried, every[:, None], place[:, None]], axis=1)
            figures = np.concatenate([got, together[:, None], scores[:, None]], axis=1)
            best = figures.argmax(axis=1)
            place, scores = options[np.arange(n), best], figures[np.arange(n), best]
    fitted = found.moved(place)
    return fitted, scores + s.fill_weight * fill_strength(windows, fitted, s)
