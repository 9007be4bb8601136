"""How probable a fitted hypothesis is: what is seen along its edges, in its faces and around it, judged by a small net.

The nets' weights are shipped (`weights/pyramids.npz`, `weights/stacks.npz`) and were fitted on simulated tables by
`companion/training/pyramids.py`.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.fit import edge_strength, outer_edges
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.shapes import CLASSES, ends_of
from companion.vision.pyramids.windows import Windows
from companion.vision.weights import WEIGHTS, arrays_of

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

FACES = ((0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4), (0, 1, 2), (2, 3, 0))  # corners; the last two are the base
BESIDE_MM = 1.5  # inside and outside of the outline
RING_MM = 3.5
BEYOND_MM = np.array([1.5, 2.5, 3.5])
NEAR_MM = 8.0
ALONG = 7  # points on each edge
IN_FACE = 10


def features(windows: Windows, found: Hypotheses, s: SearchSettings) -> Floats:
    """(n, k) what speaks for and against each hypothesis."""
    if not len(found):
        return np.zeros((0, 1))
    ground = windows.ground
    strength, outer = edge_strength(windows, found, ALONG + 4), outer_edges(windows, found)
    seen, inner = outer > 0, 1 - outer
    corners = ground.seen_at(found.corners())
    flat = ends_of(corners)
    jump, ring, depth = _beside(windows, found, corners, flat)
    beyond = _beyond(windows, found, flat)
    fill, empty, even, between = _faces(windows, found)
    outer_mean, inner_mean, mean_ring = _mean(strength, outer), _mean(strength, inner), _mean(ring, outer)
    fit = outer_mean + s.inner_weight * inner_mean + s.fill_weight * fill
    columns = [
        np.sort(strength, axis=1),
        np.minimum(np.sort(np.where(seen, strength, 2.0), axis=1)[:, :3], 1.0),  # the weakest of the outline
        outer_mean,
        inner_mean,
        outer.sum(axis=1) / 8,
        np.log(np.sort(np.where(seen, jump, 99.0), axis=1)[:, :2] + 0.02),
        np.log(_mean(jump, outer) + 0.02),
        mean_ring,
        np.where(seen, ring, -1.0).max(axis=1),
        fill - mean_ring,
        fill,
        empty,
        np.log(even + 0.01),
        np.log(between + 0.01),
        np.full(len(found), np.log(ground.texture)),
        depth,
        _mean(beyond, outer),
        np.where(seen, beyond, 0.0).max(axis=1),
        fit,
        _margins(found, fit),
        found.place[:, 3] / 20.0,
        np.eye(len(CLASSES))[found.kind],
    ]
    return np.column_stack(columns)


def _mean(values: Floats, weights: Floats) -> Floats:
    """(n) of (n, 8)."""
    return np.asarray((values * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1))


def edge_jumps(windows: Windows, found: Hypotheses) -> Floats:
    """(n, 8) colour step across each edge."""
    corners = windows.ground.seen_at(found.corners())
    return _beside(windows, found, corners, ends_of(corners))[0]


def _beside(windows: Windows, found: Hypotheses, corners: Floats, flat: Floats) -> tuple[Floats, Floats, Floats]:
    """Of each edge (n, 8): colour step across it and strangeness outside; of each (n): distance from the middle."""
    middle = corners.mean(axis=1)
    start, along = flat[:, :, 0], flat[:, :, 1] - flat[:, :, 0]
    out = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    out /= np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-6)
    away = ((start + along / 2 - middle[:, None]) * out).sum(axis=-1, keepdims=True)
    out = np.where(away < 0, -out, out)
    points = start[:, :, None] + along[:, :, None] * ((np.arange(ALONG) + 0.5) / ALONG)[:, None]
    inside = windows.log.take(windows.index(points - out[:, :, None] * BESIDE_MM, found.window), axis=0)
    outside = windows.log.take(windows.index(points + out[:, :, None] * BESIDE_MM, found.window), axis=0)
    step = np.abs(np.median(inside - outside, axis=2)).max(axis=-1)
    ring = windows.strange[windows.index(points + out[:, :, None] * RING_MM, found.window)].mean(axis=2)
    off = np.linalg.norm(found.place[:, :2] - windows.ground.camera[:2], axis=1) / windows.ground.camera[2]
    return step.astype(np.float64), ring.astype(np.float64), off


def _beyond(windows: Windows, found: Hypotheses, flat: Floats) -> Floats:
    """(n, 8) strength of what goes on where an edge should end: corners of pieces are corners."""
    start, along = flat[:, :, 0], flat[:, :, 1] - flat[:, :, 0]
    along = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-6)
    out = BEYOND_MM[:, None]
    points = np.concatenate(
        [start[:, :, None] - along[:, :, None] * out, flat[:, :, 1, None] + along[:, :, None] * out], 2
    )
    gradient = windows.gradient.take(windows.index(points, found.window), axis=0)
    across = np.abs(gradient[..., 0] * along[..., 1, None] + gradient[..., 1] * along[..., 0, None])
    return np.asarray((across / (1 + across)).mean(axis=2), np.float64)


def _margins(found: Hypotheses, fit: Floats) -> Floats:
    """(n, 3) how much better each fits than the best other one near it: of any, of another, of the same class."""
    margins = np.full((len(found), 3), 0.3)
    for window in np.unique(found.window):
        own = np.flatnonzero(found.window == window)
        place, kind = found.place[own], found.kind[own]
        near = np.hypot(*(place[:, None, :2] - place[None, :, :2]).transpose(2, 0, 1)) < NEAR_MM
        np.fill_diagonal(near, False)
        gap = fit[own][:, None] - fit[own][None]
        same = kind[:, None] == kind[None]
        for column, rivals in enumerate((near, near & ~same, near & same)):
            margins[own, column] = np.minimum(np.where(rivals, gap, 0.3).min(axis=1), 0.3)
    return margins


def _faces(windows: Windows, found: Hypotheses) -> tuple[Floats, Floats, Floats, Floats]:
    """(n) each: strangeness inside, that of the least strange part, unevenness of faces, steps between them."""
    corners = found.corners()
    rng = np.random.default_rng(2)
    shares = rng.dirichlet(np.ones(3) * 1.5, IN_FACE) * 0.86 + 0.14 / 3
    faces = corners[:, FACES]  # (n, f, 3, 3)
    seen = windows.ground.seen_at(faces)
    a, b = seen[:, :, 1] - seen[:, :, 0], seen[:, :, 2] - seen[:, :, 0]
    turn = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]  # counter-clockwise from above: the face looks up
    up = np.maximum(turn, 0.0) / 2
    up[:, 4:] = np.maximum(-turn[:, 4:], 0.0) / 2
    points = np.einsum("pk,nfkd->nfpd", shares, seen)
    index = windows.index(points, found.window)
    strange, log = windows.strange[index], windows.log.take(index, axis=0)
    weight = up / np.maximum(up.sum(axis=1, keepdims=True), 1e-6)
    means = np.median(log, axis=2)
    even = np.abs(log - means[:, :, None]).mean(axis=(2, 3))
    fill = (strange.mean(axis=2) * weight).sum(axis=1)
    parts = np.where(weight > 0.08, strange.mean(axis=2), 2.0).min(axis=1)
    centre = (means * weight[..., None]).sum(axis=1)
    between = (np.abs(means - centre[:, None]).mean(axis=2) * weight).sum(axis=1)
    return fill, np.minimum(parts, 1.0), (even * weight).sum(axis=1), between


@dataclass(frozen=True, slots=True, eq=False)
class FeatureNet:
    """Two hidden layers over `features`, or over `stacks.stack_features`."""

    mean: Singles
    spread: Singles
    first: Singles
    first_bias: Singles
    second: Singles
    second_bias: Singles
    last: Singles
    last_bias: Singles

    def log_odds(self, columns: Floats) -> Floats:
        """(n) logarithm of the odds that a hypothesis is a piece that lies just so."""
        x = np.clip((columns - self.mean) / self.spread, -5, 5).astype(np.float32)
        x = np.maximum(x @ self.first + self.first_bias, 0)
        x = np.maximum(x @ self.second + self.second_bias, 0)
        return np.asarray((x @ self.last + self.last_bias)[:, 0], np.float64)


@cache
def shipped_net(name: str = "pyramids") -> FeatureNet | None:
    """The net that comes with the project, of "pyramids" or of "stacks"; None when its weights are absent."""
    path = WEIGHTS / f"{name}.npz"
    if not path.exists():
        return None
    arrays = arrays_of(path)
    return FeatureNet(**{field: arrays[field] for field in FeatureNet.__slots__})


def log_odds(columns: Floats, name: str = "pyramids") -> Floats:
    """(n) log-odds by the shipped net.

    Without weights: by the strength of edges and by what is strange inside, in a fixed proportion.
    """
    net = shipped_net(name)
    if net is not None:
        return net.log_odds(columns)
    weakest, outer, inner, fill = (columns[:, i] for i in (8, 11, 12, 20))
    return np.asarray(9 * (outer - 0.55) + 4 * (weakest - 0.35) + 3 * (inner - 0.3) + 3 * (fill - 0.4), np.float64)
