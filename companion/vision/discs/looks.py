"""What a cell looks like beside its own corners, its neighbours of the same ground and the other discs, in numbers.

Nothing is known of the board beforehand: the ground of either colour of cell is the median of the corners of its
cells, which show even when every cell is taken; what black, white and empty look like is pooled from a first round
of judgements.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.boards.cells import SQUARES
from companion.vision.discs.rings import Rings, SmallPatches

Singles = NDArray[np.float32]
Ints = NDArray[np.int64]

BRIGHT = 200.0  # the bright end of every board is brought to this grey ...
DIMMEST = 20.0  # ... as if it were at least so bright
INSIDE = (0.15, 0.3, 0.45, 0.6, 0.74)  # radii of the points looked at, in radii of the disc
TURNS = 16
CORNER = (0.35, 0.40, 0.45)  # cells from the middle: where the corners of a cell are looked at
HEX_CORNER = (0.45, 0.48, 0.51)  # the same on a hexagon, towards its six corners ...
HEX_ASIDE = (-0.03, 0.0, 0.03)
THUMB = 16  # points along a side of the small picture of a cell ...
THUMB_REACH = 0.62  # ... which shows so much of it to each side, in cells
CLEAR = 1.12  # ... if they lie so many radii from the middle of the disc
HALVINGS = 6
SHRINK = 0.5  # of a cell: how much a pooled look leans on the usual one


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Colours of cells: grey, and two differences of channels that are 0 for what is neutral."""

    inside: Singles  # (n, 3) median within the circle
    dim: Singles  # (n) grey of the darker quarter within: a lamp's reflection only brightens
    spread: Singles  # (n) half the spread of grey within
    corners: Singles  # (n, 3) median of the corners
    rough: Singles  # (n) spread of grey within the corners
    glare: Singles  # (n) blown-out share within
    tone: Ints  # (n) of the ground


@dataclass(frozen=True, slots=True, eq=False)
class BoardLooks:
    """What is known of the board as a whole."""

    grounds: Singles  # (tones, 3) of every tone of cell
    bright: float
    dark: float
    rough: float

    @property
    def gain(self) -> np.float32:
        """What brings the bright end of the board to BRIGHT: dim and bright pictures are alike."""
        return np.float32(BRIGHT / max(self.bright, DIMMEST))

    def local_light(self, cells: Cells) -> Singles:
        """(n) the light on each cell beside that on others of its tone."""
        light = (cells.corners[:, 0] + 8) / (self.grounds[cells.tone][:, 0] + 8)
        return np.asarray(np.clip(light, 0.4, 2.5), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """What black, white and empty cells of this board look like: means, and of how many cells."""

    grey: Singles  # (2) darker quarter within black and white discs
    colours: Singles  # (2, 3) of black and white discs
    empties: Singles  # (tones, 3) inside of empty cells of every ground
    offset: Singles  # (2) where discs lie in their cells (the tilt of the camera moves all alike)
    scores: Singles  # (2) of the circles of empty cells and of discs
    counts: Singles  # (tones + 2) of empty cells of every ground, of black and of white discs
    halves: Singles  # (2) logarithms of the greys that the discs fall into, equal where there is one kind only


def opponent(bgr: Singles) -> Singles:
    """(..., 3) BGR as grey, red less green, and both less blue."""
    b, g, r = bgr[..., 0], bgr[..., 1], bgr[..., 2]
    return np.stack([0.114 * b + 0.587 * g + 0.299 * r, r - g, (r + g) / 2 - b], axis=-1).astype(np.float32)


def cell_colours(small: SmallPatches, rings: Rings, tone: Ints, tones: int) -> Cells:
    """The colours of every cell, of one of so many tones, its best circle being where a disc would lie."""
    angle = np.arange(TURNS) * 2 * np.pi / TURNS
    inner = np.stack([np.outer(INSIDE, np.cos(angle)), np.outer(INSIDE, np.sin(angle))], axis=-1).reshape(-1, 2)
    at = rings.centres[:, None] + inner[None].astype(np.float32) * rings.radius
    seen = opponent(_at(small.pixels, at, small))
    grey = np.sort(seen[..., 0], axis=1)
    quarter = grey.shape[1] // 4
    corners, rough = _corners(small, rings, tones)
    return Cells(
        inside=np.median(seen, axis=1).astype(np.float32),
        dim=grey[:, quarter],
        spread=((grey[:, -quarter] - grey[:, quarter]) / 2).astype(np.float32),
        corners=corners,
        rough=rough,
        glare=_at(small.glare, at, small).mean(axis=1),
        tone=tone,
    )


def _corner_points(tones: int) -> Singles:
    """(corners, points, 2) where the corners of a cell are looked at."""
    if tones == SQUARES:
        square = np.stack(np.meshgrid(CORNER, CORNER), axis=-1).reshape(-1, 2)
        return np.stack([square * sign for sign in ((-1, -1), (1, -1), (1, 1), (-1, 1))]).astype(np.float32)
    out, aside = (a.ravel() for a in np.meshgrid(HEX_CORNER, HEX_ASIDE))
    angles = np.radians(30 + 60 * np.arange(6))[:, None]
    x, y = np.cos(angles) * out - np.sin(angles) * aside, np.sin(angles) * out + np.cos(angles) * aside
    return np.stack([x, y], axis=-1).astype(np.float32)


def _corners(small: SmallPatches, rings: Rings, tones: int) -> tuple[Singles, Singles]:
    points = _corner_points(tones)
    count, each = points.shape[:2]
    at = np.broadcast_to(points.reshape(1, -1, 2), (len(rings.centres), count * each, 2))
    seen = opponent(_at(small.pixels, at, small)).reshape(-1, count, each, 3)
    clear = (np.hypot(*np.moveaxis(at - rings.centres[:, None], 2, 0)) > CLEAR * rings.radius).reshape(seen.shape[:3])
    weight = clear[..., None] + np.float32(1e-3)
    means = (seen * weight).sum(axis=2) / weight.sum(axis=2)
    spread = np.sqrt((((seen - means[:, :, None]) ** 2) * weight).sum(axis=2) / weight.sum(axis=2))
    return np.median(means, axis=1).astype(np.float32), np.median(spread[..., 0], axis=1).astype(np.float32)


def _at(pictures: Singles, points: Singles, small: SmallPatches) -> Singles:
    """Values of (n, S, S[, c]) pictures at (n, k, 2) points in cells from the middle."""
    index = np.rint(points * small.cell_px + (small.size - 1) / 2).astype(int)
    x, y = np.clip(index[..., 0], 0, small.size - 1), np.clip(index[..., 1], 0, small.size - 1)
    return np.asarray(pictures[np.arange(len(pictures))[:, None], y, x], dtype=np.float32)


def board_looks(cells: Cells, tones: int) -> BoardLooks:
    """The grounds and the brightness of a board from all its cells."""
    whole = np.median(cells.corners, axis=0)
    grounds = [
        np.median(own, axis=0) if len(own) else whole for own in (cells.corners[cells.tone == t] for t in range(tones))
    ]
    greys = np.concatenate([cells.inside[:, 0], cells.corners[:, 0]])
    dark, bright = greys.min(), greys.max()  # medians of cells: one disc among a hundred cells counts
    return BoardLooks(np.stack(grounds).astype(np.float32), float(bright), float(dark), float(np.median(cells.rough)))


def first_columns(cells: Cells, rings: Rings, looks: BoardLooks) -> Singles:
    """(n, columns) numbers of each cell by itself and beside the grounds of the board."""
    k = looks.gain
    own, other = looks.grounds[cells.tone] * k, looks.grounds[(cells.tone + 1) % len(looks.grounds)] * k
    inside, corners, dim, spread = cells.inside * k, cells.corners * k, cells.dim * k, cells.spread * k
    noise = looks.rough * k + 4
    closed = np.sort(rings.closed, axis=1)
    local = (corners[:, 0] + 8) / (own[:, 0] + 8)  # light here beside the light of such cells elsewhere
    ones = np.ones(len(dim), np.float32)
    columns = [
        rings.scores,
        closed.mean(axis=1),
        closed[:, closed.shape[1] // 8],
        closed[:, closed.shape[1] // 3],
        np.hypot(*rings.centres.T),
        *((inside - corners) / 40).T,
        (dim - corners[:, 0]) / 40,
        *((inside - own) / 40).T,
        np.log1p(np.abs(inside - corners).max(axis=1) / noise),
        np.log1p(np.abs(inside - own).max(axis=1) / noise),
        spread / 20,
        np.log1p(spread / noise),
        np.log((dim + 6) / (corners[:, 0] + 6)),
        np.log((dim + 6) / (own[:, 0] * local + 6)),
        np.log((dim + 6) / (other[:, 0] * local + 6)),
        np.log((dim + 6) / (BRIGHT * local + 6)),
        np.log((cells.inside[:, 0] + 6) / 200),
        np.abs(inside[:, 1:]).max(axis=1) / (inside[:, 0] + 20),
        np.abs(own[:, 1:]).max(axis=1) / (own[:, 0] + 20),
        np.log(local),
        np.log((own[:, 0] + 6) / (other[:, 0] + 6)),
        cells.glare,
        ones * np.log((looks.dark + 6) / (looks.bright + 6)),
        ones * np.log((looks.bright + 6) / 200),
        ones * rings.radius * 5,
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def thumbnails(small: SmallPatches, cells: Cells, rings: Rings, looks: BoardLooks) -> Singles:
    """(n, THUMB * THUMB) every cell small, about its best circle, as logarithms of its grey beside its ground."""
    steps = np.linspace(-THUMB_REACH, THUMB_REACH, THUMB)
    at = rings.centres[:, None] + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(1, -1, 2).astype(np.float32)
    k = looks.gain
    grey = opponent(_at(small.soft, at, small))[..., 0] * k
    ground = looks.grounds[cells.tone][:, 0] * k * looks.local_light(cells)
    return np.asarray(np.clip(np.log((grey + 6) / (ground[:, None] + 6)), -2, 2), dtype=np.float32)


def pooled(shares: Singles, cells: Cells, rings: Rings, looks: BoardLooks, prior: Pool | None) -> Pool:
    """What the classes look like, by the (n, 3) shares of a first judgement; leans on the prior where there is one."""
    discs = shares[:, 1:]
    if prior is None:
        prior = _usual(looks)
        prior = replace(prior, counts=np.full(len(prior.counts), SHRINK, np.float32))
    tones = np.arange(len(looks.grounds))[None]
    weight = np.concatenate([shares[:, :1] * (cells.tone[:, None] == tones), discs], axis=1)  # (n, tones + 2)
    sums = weight.sum(axis=0)
    total = sums + prior.counts

    def mean(values: Singles, which: slice, of: Singles) -> Singles:
        w = weight[:, which]
        lean = prior.counts[which]
        flat = values.reshape(len(values), -1)
        mixed = w.T @ flat + lean[:, None] * of.reshape(len(lean), -1)
        return np.asarray((mixed / total[which][:, None]).reshape(of.shape), dtype=np.float32)

    any_disc = discs.sum(axis=1)
    held = float(any_disc.sum())
    lean = SHRINK
    offset = (any_disc @ rings.centres + lean * prior.offset) / (held + lean)
    scores = [
        (w @ rings.scores + lean * usual) / (w.sum() + lean)
        for w, usual in ((shares[:, 0], prior.scores[0]), (any_disc, prior.scores[1]))
    ]
    return Pool(
        grey=mean(cells.dim, slice(-2, None), prior.grey),
        colours=mean(cells.inside, slice(-2, None), prior.colours),
        empties=mean(cells.inside, slice(0, -2), prior.empties),
        offset=offset.astype(np.float32),
        scores=np.array(scores, np.float32),
        counts=np.minimum(sums, 50).astype(np.float32),
        halves=halves_of(light_free(cells, looks), any_disc),
    )


def light_free(cells: Cells, looks: BoardLooks) -> Singles:
    """(n) logarithm of the grey within the circles, the light of each place taken out."""
    return np.asarray(np.log(cells.dim * looks.gain / looks.local_light(cells) + 6), dtype=np.float32)


def halves_of(greys: Singles, weight: Singles) -> Singles:
    """(2) the middles that the greys of discs lie nearest to: (n) greys, (n) shares of a disc."""
    held = weight > 0.5
    if not held.any():
        return np.zeros(2, np.float32)
    greys, weight = greys[held], weight[held]
    low, high = float(greys.min()), float(greys.max())
    for _ in range(HALVINGS):
        dark = greys < (low + high) / 2
        if dark.all() or not dark.any():
            break
        low = float(np.average(greys[dark], weights=weight[dark]))
        high = float(np.average(greys[~dark], weights=weight[~dark]))
    return np.array([low, high], np.float32)


def _usual(looks: BoardLooks) -> Pool:
    """Before anything is known: discs at the ends of the board's greys, empties like the corners."""
    low, high = min(0.2 * looks.bright, looks.dark), looks.bright
    colours = np.array([[low, 0, 0], [high, 0, 0]], np.float32)
    none, counts = np.zeros(2, np.float32), np.zeros(len(looks.grounds) + 2, np.float32)
    return Pool(colours[:, 0], colours, looks.grounds, none, np.array([0.33, 0.8], np.float32), counts, none)


def second_columns(
    first: Singles,
    logits: Singles,
    cells: Cells,
    rings: Rings,
    looks: BoardLooks,
    pool: Pool,
    near: Singles,
) -> Singles:
    """(n, columns) the first ones, and how each cell stands to what the classes look like on this board and near it."""
    k = looks.gain
    noise = looks.rough * k + 4
    dim = light_free(cells, looks)
    ones = np.ones(len(dim), np.float32)
    low, high = pool.halves
    black, white = (np.log(pool.grey[i] * k + 6) for i in (0, 1))
    away = [np.abs(cells.inside - look).max(axis=1) * k / noise for look in pool.colours]
    empty = np.abs(cells.inside - pool.empties[cells.tone]).max(axis=1) * k / noise
    columns = [
        *(np.clip(logits, -8, 8) / 4).T,
        dim - black,
        dim - white,
        ones * (white - black),
        dim - low,
        dim - high,
        ones * (high - low),
        np.log1p(away[0]),
        np.log1p(away[1]),
        np.log1p(empty),
        np.log1p(pool.counts[cells.tone]),
        ones * np.log1p(pool.counts[-2]),
        ones * np.log1p(pool.counts[-1]),
        np.hypot(*(rings.centres - pool.offset).T) * 5,
        rings.scores - pool.scores[0],
        rings.scores - pool.scores[1],
    ]
    return np.concatenate([first, np.stack(columns, axis=1), near], axis=1).astype(np.float32)


def greys_of(cells: Cells, looks: BoardLooks) -> Singles:
    """(n, 2) logarithms of how bright the circles are within: the light of each place taken out, and as seen."""
    bright = np.log(cells.dim * looks.gain + 6)
    return np.stack([light_free(cells, looks), bright], axis=1).astype(np.float32)
