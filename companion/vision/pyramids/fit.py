"""How well pyramids as drawn fit what is seen, and where they fit best."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.hypotheses import PERIODS, Hypotheses
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.shapes import EDGES, OTHERS
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


def edge_strength(windows: Windows, hypotheses: Hypotheses, count: int) -> Floats:
    """Strength (n, 8), 0 to 1, of the edges of n hypotheses."""
    flat = windows.ground.fine_px(windows.ground.seen_at(hypotheses.corners()))
    col, row = (flat - windows.corner[hypotheses.window][:, None]).astype(np.float32).transpose(2, 1, 0)[..., None, :]
    first, last = EDGES.T  # the hypotheses along the last axis: numpy is slow at many short ones
    right, down = col[last] - col[first], row[last] - row[first]  # (8, 1, n)
    share = ((np.arange(count, dtype=np.float32) + 0.5) / count)[:, None]
    at_col = col[first] + (right * share + np.float32(0.5))
    at_row = row[first] + (down * share + np.float32(0.5))
    wide, high = windows.size[hypotheses.window].astype(np.float32).T
    np.clip(at_col, 0, wide - 1, out=at_col)
    np.clip(at_row, 0, high - 1, out=at_row)
    at = at_row.astype(np.int32) * np.int32(windows.stride) + at_col.astype(np.int32)
    at += windows.start[hypotheses.window].astype(np.int32)
    gradient = windows.gradient.take(at, axis=0)
    long = np.maximum(np.hypot(right, down), np.float32(1e-3))
    across = np.abs(gradient[..., 0] * (down / long) - gradient[..., 1] * (right / long))
    return np.asarray(np.ascontiguousarray((across / (1 + across)).transpose(2, 0, 1)).mean(axis=2), np.float64)


def outer_edges(windows: Windows, hypotheses: Hypotheses) -> Floats:
    """(n, 8) 1.0 for edges that are on the outline, as the camera sees it."""
    return on_outline(windows.ground.seen_at(hypotheses.corners()))


def on_outline(corners: Floats) -> Floats:
    """(n, 8) 1.0 for edges with all of the (n, 5, 2) corners on one side."""
    x, y = np.ascontiguousarray(corners.transpose(2, 1, 0))  # (5, n) each
    first, last = EDGES.T
    right, down = x[last] - x[first], y[last] - y[first]  # (8, n)
    side = right * (y[OTHERS] - y[first]) - down * (x[OTHERS] - x[first])  # (3, 8, n)
    long = np.maximum(np.sqrt(right**2 + down**2), 1e-6)
    outer = (side.min(axis=0) / long > -0.35) | (side.max(axis=0) / long < 0.35)
    return np.ascontiguousarray(outer.T, np.float64)


def fill_strength(windows: Windows, hypotheses: Hypotheses, s: SearchSettings) -> Floats:
    """(n) how surely the insides are not the bare table."""
    inside = inside_points(s.fill_points) @ hypotheses.corners()
    at = windows.index(windows.ground.seen_at(inside), hypotheses.window)
    return np.asarray(windows.strange[at].mean(axis=1), np.float64)


def inside_points(count: int) -> Floats:
    """(count, 5) shares of the corners that make points inside."""
    return np.random.default_rng(1).dirichlet(np.ones(5) * 0.8, count)


def fitness(windows: Windows, hypotheses: Hypotheses, s: SearchSettings) -> Floats:
    """(n) one figure for how well hypotheses fit, at full resolution."""
    outer = outer_edges(windows, hypotheses)
    return edge_fitness(windows, hypotheses, s, outer) + s.fill_weight * fill_strength(windows, hypotheses, s)


def edge_fitness(windows: Windows, hypotheses: Hypotheses, s: SearchSettings, outer: Floats) -> Floats:
    """(n) how strong the edges are, those of the outline counting most."""
    strength = edge_strength(windows, hypotheses, s.fine_points)
    weight = outer + s.inner_weight * (1 - outer)
    return np.asarray((strength * weight).sum(axis=1) / weight.sum(axis=1))


def fit(
    windows: Windows, found: Hypotheses, s: SearchSettings, steps: Sequence[tuple[float, float]] | None = None
) -> tuple[Hypotheses, Floats]:
    """Move and turn every hypothesis, by smaller and smaller steps, to where it fits best."""
    outer = outer_edges(windows, found)

    def edges(of: Ints, place: Floats) -> Floats:
        return edge_fitness(windows, found.only(of).moved(place), s, outer[of])

    each = [step for step in (s.steps if steps is None else steps) for _ in range(s.rounds)]
    place, scores = nudged(edges, found.place, edge_fitness(windows, found, s, outer), each)
    fitted = found.moved(place)
    return fitted, scores + s.fill_weight * fill_strength(windows, fitted, s)


def nudged(
    score: Callable[[Ints, Floats], Floats], place: Floats, scores: Floats, steps: Sequence[tuple[float, float]]
) -> tuple[Floats, Floats]:
    """Where n hypotheses score best near their (n, 4) places, by steps of millimetres and degrees, and how well.

    `score` is asked of the numbers of hypotheses and of a place for each.
    """
    rows = np.arange(len(place))
    six = np.repeat(rows, 6)
    for step, turn in steps:
        tried = np.repeat(place[:, None], 6, axis=1)
        c, sn = np.cos(np.radians(place[:, 2])) * step, np.sin(np.radians(place[:, 2])) * step
        for k, (dx, dy) in enumerate(((c, sn), (-c, -sn), (-sn, c), (sn, -c))):
            tried[:, k, 0] += dx
            tried[:, k, 1] += dy
        tried[:, 4, 2] += turn
        tried[:, 5, 2] -= turn
        got = score(six, tried.reshape(-1, 4)).reshape(-1, 6)
        gains = np.maximum(got - scores[:, None], 0.0)
        every = place.copy()  # all single moves that help, at once
        for k in (0, 2, 4):
            way = k + gains[:, k : k + 2].argmax(axis=1)
            every += (tried[rows, way] - place) * (gains[rows, way] > 0)[:, None]
        options = np.concatenate([tried, every[:, None], place[:, None]], axis=1)
        figures = np.column_stack([got, score(rows, every), scores])
        best = figures.argmax(axis=1)
        place, scores = options[rows, best], figures[rows, best]
    return place, scores


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
