"""What speaks for two stacked lying pyramids: the band of the lower one that the upper one leaves to be seen.

Faces of both that look the same way are lit alike: where the band has another colour than the face above it, or an edge
parts them, there are two. Judged by a small net (`weights/pyramid_pairs.npz`), without which nothing is claimed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramid_fit import edge_strength
from companion.vision.pyramid_hypotheses import Hypotheses
from companion.vision.pyramid_pairs import HIGH, LYING, Pairs
from companion.vision.pyramid_score import shipped_judge
from companion.vision.pyramid_shapes import TIP_RISE_MM
from companion.vision.pyramid_stacks import inside_all
from companion.vision.pyramid_windows import Windows

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ALONG, DEEP = 9, 3  # points along and across a band
RIMS = 0.08  # of its length left out at each end
OUTSIDE_MM, BESIDE_MM = 2.0, 1.6
NEXT = [1, 2, 3, 0]
ENOUGH = 3  # points of a face that say something of it
TIP_SHARES = np.linspace(0.15, 0.95, 6)[:, None]
BASE_SHARES = np.random.default_rng(5).dirichlet(np.ones(4), 24)
LEAST = 0.02  # of differences of which the logarithm is taken
MOST_BESIDE = 12.0  # of what else is known
NO_JUDGE = -9.0  # log-odds where the weights are absent


def pair_odds(windows: Windows, pairs: Pairs, beside: Floats) -> Floats:
    """(n) log-odds that both are there; `beside` (n, k) is what else is known of each: see `columns_of_pairs`."""
    judge = shipped_judge("pyramid_pairs")
    if judge is None or not len(pairs):
        return np.full(len(pairs), NO_JUDGE)
    return judge.log_odds(columns_of_pairs(windows, pairs, beside))


def columns_of_pairs(windows: Windows, pairs: Pairs, beside: Floats) -> Floats:
    """(n, k) all columns of the judge: those of the four faces, of both pieces, and what else is known."""
    faces, both = band_columns(windows, pairs)
    return np.concatenate(
        [faces.reshape(len(pairs), faces.shape[1] * faces.shape[2]), both, np.clip(beside, -12.0, 12.0)], axis=1
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Bands:
    """Colours (n, 4, 3) of the faces' parts, and how much of each band is seen."""

    mm2: Floats  # (n, 4)
    up: Flags  # (n, 4) the face looks up
    free: Flags  # (n, 4, points)
    strange: Floats  # (n, 4, points)
    band: Floats
    above: Floats  # the upper one's face, along its base
    higher: Floats  # ... and beyond that
    table: Floats  # beside the lower one's base
    uneven: Floats  # (n, 4) of the band
    uneven_above: Floats  # (n, 4)


def band_columns(windows: Windows, pairs: Pairs) -> tuple[Floats, Floats]:
    """(n, 4, k) of each face, and (n, m) of both pieces."""
    lower, upper = pairs.lower, pairs.upper
    corners, tops = lower.corners(), upper.corners()
    width = HIGH[lower.kind] + pairs.rise - HIGH[upper.kind]
    bands = _bands(windows, lower, upper, corners, tops, width)
    lines = _lines(windows, lower, corners, tops)
    strengths = [edge_strength(windows, one, ALONG + 2) for one in (lower, upper)]
    parted, apart, on = bands.band - bands.above, bands.band - bands.table, bands.above - bands.table
    going_on = bands.above - bands.higher
    faces = [
        np.log(bands.mm2 + 0.5),
        bands.up.astype(np.float64),
        _log(_size(parted)),
        parted.mean(axis=-1),
        _log(_hue(parted)),
        _log(_size(apart)),
        apart.mean(axis=-1),
        _log(_size(going_on)),
        going_on.mean(axis=-1),
        _log(_hue(going_on)),
        _log(bands.uneven),
        _log(bands.uneven_above),
        _log(_size(on)),
        lines[0],
        lines[1],
        *(part for one in strengths for part in (one[:, :4], one[:, 4:])),
    ]
    weight = np.maximum(bands.mm2, 1e-3)
    weight = weight / weight.sum(axis=1, keepdims=True)
    mean = (parted * weight[..., None]).sum(axis=1)
    seen = bands.free.sum(axis=2)
    strange = (bands.strange * bands.free).sum(axis=2)
    least = np.where(seen > ENOUGH, strange / np.maximum(seen, 1), 1.0).min(axis=1)
    bases = [_base_colour(windows, lower, points) for points in (corners, tops)]
    both = [
        np.log(bands.mm2.sum(axis=1) + 0.5),
        _log(_size(mean)),
        _log(_hue(mean)),
        mean.mean(axis=-1),
        _log((_size(parted) * weight).sum(axis=1)),
        _log((_hue(parted) * weight).sum(axis=1)),
        *(_log((_size(values) * weight).sum(axis=1)) for values in (going_on, apart, on)),
        *((line * weight).sum(axis=1) for line in lines),
        strange.sum(axis=1) / np.maximum(seen.sum(axis=1), 1),
        least,
        *_tips(windows, lower, corners, tops),
        _log(_size(bases[0] - bases[1])),
        _log(_size(bases[0] - (bands.band * weight[..., None]).sum(axis=1))),
        _log(_size(bases[1] - (bands.above * weight[..., None]).sum(axis=1))),
        np.full(len(lower), np.log(windows.ground.texture)),
        *(lower.kind == kind for kind in LYING),
        *(upper.kind == kind for kind in LYING),
        pairs.below.astype(np.float64),
        width / 10,
        pairs.fit,
    ]
    return np.stack(faces, axis=-1), np.stack(both, axis=-1)


def _bands(
    windows: Windows, lower: Hypotheses, upper: Hypotheses, corners: Floats, tops: Floats, width: Floats
) -> _Bands:
    ground, n = windows.ground, len(lower)
    share = width / HIGH[lower.kind]
    thin = np.minimum(width, TIP_RISE_MM) / HIGH[upper.kind]
    low = ground.seen_at(_on_faces(corners, share, 0.0, 1.0))
    flat = ground.seen_at(corners)
    along, up = flat[:, NEXT] - flat[:, :4], flat[:, 4:5] - flat[:, :4]
    turn = along[..., 0] * up[..., 1] - along[..., 1] * up[..., 0]  # counter-clockwise: it looks up
    covered = inside_all(low.reshape(n, -1, 2), ground.seen_at(tops)).reshape(n, 4, -1)
    free = ~covered & (turn > 0)[..., None]
    weight = np.maximum(free, 1e-3)[..., None]
    log = _log_at(windows, lower, low)
    band = (log * weight).sum(axis=2) / weight.sum(axis=2)
    uneven = (np.abs(log - band[:, :, None]) * weight).sum(axis=(2, 3)) / weight.sum(axis=(2, 3)) / 3
    above = _log_at(windows, lower, ground.seen_at(_on_faces(tops, thin, 0.1, 1.0)))
    middle = np.median(above, axis=2)
    return _Bands(
        free.mean(axis=2) * np.abs(turn) / 2 * (2 * share - share**2)[:, None],
        turn > 0,
        free,
        np.asarray(windows.strange[windows.index(low, lower.window)], np.float64),
        band,
        middle,
        np.median(_log_at(windows, lower, ground.seen_at(_on_faces(tops, thin, 1.0, 2.0))), axis=2),
        np.median(_log_at(windows, lower, _beside(flat)), axis=2),
        uneven,
        np.abs(above - middle[:, :, None]).mean(axis=(2, 3)),
    )


def _on_faces(corners: Floats, share: Floats, first: float, last: float) -> Floats:
    """(n, 4, points, 3) on the faces between two heights, in shares (n) of the faces' own."""
    u = (np.arange(ALONG) + 0.5) / ALONG * (1 - 2 * RIMS) + RIMS
    v = (np.arange(DEEP) + 0.5) / DEEP * (last - first) + first
    start, tip = corners[:, :4], corners[:, 4:5]
    base = start[:, :, None] + (corners[:, NEXT] - start)[:, :, None] * u[:, None]
    rise = (v[None] * share[:, None])[:, None, None, :, None]
    points = base[:, :, :, None] + (tip[:, :, None, None] - base[:, :, :, None]) * rise
    return np.asarray(points.reshape(len(corners), 4, -1, 3))


def _along(flat: Floats) -> Floats:
    """(n, 4, points, 2) along the edges of the base."""
    share = ((np.arange(ALONG) + 0.5) / ALONG)[:, None]
    return np.asarray(flat[:, :4, None] + (flat[:, NEXT] - flat[:, :4])[:, :, None] * share)


def _out(flat: Floats) -> Floats:
    """(n, 4, 2) away from the base, at right angles to its edges."""
    along = flat[:, NEXT] - flat[:, :4]
    out = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    out = out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-6)
    away = (flat[:, :4] + flat[:, NEXT]) / 2 - flat[:, :4].mean(axis=1, keepdims=True)
    return np.asarray(np.where((away * out).sum(axis=-1, keepdims=True) < 0, -out, out), np.float64)


def _beside(flat: Floats) -> Floats:
    return np.asarray(_along(flat) + _out(flat)[:, :, None] * OUTSIDE_MM)


def _lines(windows: Windows, lower: Hypotheses, corners: Floats, tops: Floats) -> tuple[Floats, Floats]:
    """(n, 4) strength of the edges of the upper one's base, and how much stronger they are than what lies beside."""
    out = _out(windows.ground.seen_at(corners))[:, :, None]
    line = _along(windows.ground.seen_at(tops))
    across = []
    for aside in (-BESIDE_MM, 0.0, BESIDE_MM):
        gradient = windows.gradient[windows.index(line + out * aside, lower.window)]
        much = np.abs(gradient[..., 0] * out[..., 0] - gradient[..., 1] * out[..., 1])
        across.append((much / (1 + much)).mean(axis=2))
    return across[1], across[1] - np.maximum(across[0], across[2])


def _tips(windows: Windows, lower: Hypotheses, corners: Floats, tops: Floats) -> tuple[Floats, Floats]:
    """(n) how strange it is between both tips, and as far beyond."""
    way = tops[:, 4:5] - corners[:, 4:5]
    between, beyond = (windows.ground.seen_at(corners[:, 4:5] + way * (k + TIP_SHARES)) for k in (0.0, 1.0))
    first, second = (windows.strange[windows.index(points, lower.window)].mean(axis=1) for points in (between, beyond))
    return np.asarray(first, np.float64), np.asarray(second, np.float64)


def _base_colour(windows: Windows, lower: Hypotheses, corners: Floats) -> Floats:
    points = np.einsum("pk,nkd->npd", BASE_SHARES, corners[:, :4])
    return np.asarray(np.median(_log_at(windows, lower, windows.ground.seen_at(points)), axis=1))


def _log_at(windows: Windows, lower: Hypotheses, points: Floats) -> Floats:
    return np.asarray(windows.log[windows.index(points, lower.window)], np.float64)


def _size(colours: Floats) -> Floats:
    return np.asarray(np.abs(colours).max(axis=-1))


def _hue(colours: Floats) -> Floats:
    return np.asarray(np.linalg.norm(colours - colours.mean(axis=-1, keepdims=True), axis=-1))


def _log(values: Floats) -> Floats:
    return np.asarray(np.log(values + LEAST))
