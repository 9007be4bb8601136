"""Pyramids stacked on others: a tree's upper ones are hypotheses that follow from the lower ones."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.fit import edge_strength, fitness
from companion.vision.pyramids.hypotheses import Hypotheses, on_top
from companion.vision.pyramids.score import ALONG, edge_jumps, features
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.shapes import RISES_MM, ends_of, no_larger, outline
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]
LINE_POINTS, NEW_MM, BESIDE_MM = 15, 1.5, 1.8
SHIFTS_MM = (-0.8, 0.0, 0.8)  # at which upper ones are looked for, to the right and up


WAYS = np.array(list(product(RISES_MM, SHIFTS_MM, SHIFTS_MM)))


def uppers(windows: Windows, lower: Hypotheses, search: SearchSettings) -> tuple[Hypotheses, Ints]:
    """For each hypothesis the best fitting pyramid of every size that may be stacked on it, and on which each is."""
    pairs = [(i, upper) for i, kind in enumerate(lower.kind.tolist()) for upper in no_larger(kind)]
    if not pairs:
        return lower, np.zeros(0, np.intp)
    under, kinds = np.array(pairs, dtype=np.intp).T
    each, ways = len(WAYS), np.tile(WAYS, (len(pairs), 1))
    every = on_top(lower.only(np.repeat(under, each)), np.repeat(kinds, each), ways[:, 0])
    every.place[:, :2] += ways[:, 1:]
    best = fitness(windows, every, search).reshape(-1, each).argmax(axis=1)
    return every.only(np.arange(len(pairs)) * each + best), under


def stack_features(windows: Windows, lower: Hypotheses, upper: Hypotheses, s: SearchSettings) -> Floats:
    """(n, k) what speaks for each upper pyramid on its lower one: both pieces' features, and how they differ."""
    if not len(upper):
        return np.zeros((0, 1))
    ground = windows.ground
    below, above = ground.seen_at(lower.corners()), ground.seen_at(upper.corners())
    bodies = []
    for corners in (below, above):
        middle = corners.mean(axis=1, keepdims=True)
        bodies.append(middle + (np.einsum("pk,nkd->npd", _shares(), corners) - middle) * 0.92)
    over = inside_all(bodies[0], above)
    log = windows.log.take(windows.index(bodies[0], lower.window), axis=0)
    log_above = windows.log.take(windows.index(bodies[1], upper.window), axis=0)
    free = ~over
    count = np.maximum(free.sum(axis=1, keepdims=True), 1)
    mean_below = (log * free[..., None]).sum(axis=1) / count
    mean_above = log_above.mean(axis=1)
    spread = np.abs(log_above - mean_above[:, None]).mean(axis=(1, 2))
    step = np.abs(mean_above - mean_below)
    strength, strength_below = edge_strength(windows, upper, ALONG), edge_strength(windows, lower, ALONG)
    jumps = np.log(edge_jumps(windows, upper) + 0.02)
    columns = [
        features(windows, upper, s),
        *_new_lines(windows, lower, upper),
        strength - strength_below,
        jumps,
        np.eye(3)[lower.kind % 3 - upper.kind % 3],
        np.log(step.max(axis=1, keepdims=True) + 0.02),
        np.log(np.ptp(mean_above - mean_below, axis=1, keepdims=True) + 0.02),
        np.log(spread + 0.01)[:, None],
        free.mean(axis=1, keepdims=True),
    ]
    return np.concatenate(columns, axis=1)


def _new_lines(windows: Windows, lower: Hypotheses, upper: Hypotheses) -> tuple[Floats, Floats, Floats]:
    """Strength (n, 8) of the upper one's edges where none of the lower one's is near, the share (n, 8) of such
    parts, and how much stronger (n, 8) they are than what lies beside them."""
    ground = windows.ground
    own, other = (ends_of(ground.seen_at(some.corners())) for some in (upper, lower))
    share = ((np.arange(LINE_POINTS) + 0.5) / LINE_POINTS)[:, None]
    start, along = own[:, :, 0], own[:, :, 1] - own[:, :, 0]
    points = start[:, :, None] + along[:, :, None] * share
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-6)
    new = _away(points, other).astype(np.float64)
    lines = []
    for aside in (-BESIDE_MM, 0.0, BESIDE_MM):
        at = windows.index(points + normal[:, :, None] * aside, upper.window)
        gradient = windows.gradient.take(at, axis=0)
        across = np.abs(gradient[..., 0] * normal[..., 0, None] - gradient[..., 1] * normal[..., 1, None])
        lines.append((across / (1 + across) * new).sum(axis=2) / np.maximum(new.sum(axis=2), 1))
    beside = np.maximum(lines[0], lines[2])
    return lines[1], new.mean(axis=2), lines[1] - beside


def _away(points: Floats, edges: Floats) -> Flags:
    """(n, e, k) which points (n, e, k, 2) lie far from all (n, 8, 2, 2) edges."""
    x, y = np.ascontiguousarray(points.transpose(3, 2, 1, 0))  # (k, e, n) each: numpy is slow at many short axes
    (left, right), (top, low) = np.ascontiguousarray(edges.transpose(3, 2, 1, 0))[..., None, None, :]  # (8, 1, 1, n)
    along_x, along_y, off_x, off_y = right - left, low - top, x - left, y - top
    t = np.clip((off_x * along_x + off_y * along_y) / np.maximum(along_x**2 + along_y**2, 1e-6), 0, 1)
    apart = (off_x - t * along_x) ** 2 + (off_y - t * along_y) ** 2
    return np.ascontiguousarray((np.sqrt(apart.min(axis=0)) > NEW_MM).transpose(2, 1, 0))


def _shares() -> Floats:
    return np.random.default_rng(4).dirichlet(np.ones(5) * 0.6, 40)


def inside_all(points: Floats, corners: Floats) -> NDArray[np.bool_]:
    """(n, p) which points lie in the hull of each hypothesis' corners."""
    inside = []
    for own, five in zip(points, corners, strict=True):
        hull = outline(five)
        edge = np.roll(hull, -1, axis=0) - hull
        off = own[:, None] - hull[None]
        side = edge[:, 0] * off[..., 1] - edge[:, 1] * off[..., 0]
        inside.append((side >= 0).all(axis=1) | (side <= 0).all(axis=1))
    return np.array(inside)
