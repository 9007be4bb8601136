"""Whether something lies over a part of a board: a sheet, a book or a sleeve hides the corners of the cells below it.

The corners of cells look alike all over a board, ruled or checkered, and most are seen beside the pieces. Where several
that are next to each other are missing, and no pieces can have hidden them, something else has, and what it hides
cannot be told. A board whose corners hardly show says nothing, nor does one that is mostly covered.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.view import BoardShape
from companion.vision.boards.cells import HEXAGONS, SQUARES, CellSettings, cell_centres, cell_tones, field_mm

Flat = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NARROW, LOW = 1 / 3**0.5, 1 / 12**0.5
# for every kind of corner: from the middles of the cells that meet in it to it, in cells (x right, y up), and by how
# much the tones of these cells are more than that of the first
MEET = {
    "grid": ((((0.5, 0.5), 0), ((-0.5, 0.5), 1), ((0.5, -0.5), 1), ((-0.5, -0.5), 2)),),
    "hex": (
        (((0.0, NARROW), 0), ((0.5, -LOW), 1), ((-0.5, -LOW), 2)),
        (((0.0, -NARROW), 0), ((-0.5, LOW), 2), ((0.5, LOW), 1)),
    ),
}
TONES = {"grid": SQUARES, "hex": HEXAGONS}
PARTS = 12  # of a cell, in which the places of corners are whole numbers, or hardly off


@dataclass(frozen=True, slots=True)
class CornerSettings:
    """How corners are looked at, and when they are missing; measured on drawn boards with and without sheets."""

    shrink: int = 2  # pixels of the flat board to one that is looked at
    reach_px: int = 3  # of those, to each side: discs seldom come so near
    blur_px: float = 0.8  # over three of them
    dark: float = 6.0  # grey levels added before logarithms
    blown: float = 0.2  # of it: nothing is told of such a corner
    beyond_px: float = 2.0  # so near to what is no cell, nothing counts
    usual: float = 0.6  # so like the others of its kind is the middle one of all, or none is said to be missing
    alike: float = 0.65  # in parts of that: a corner that is less like it may be missing, ...
    faint: float = 0.8  # ... if it shows no more than so much of the pattern, ...
    gone: float = 0.3  # ... and with less it is
    together: int = 4  # so many missing ones next to each other are under one thing, ...
    strange: float = 0.2  # ... if together they are no more like the usual than this, in parts of the middle one: ...
    # a sheen that blurs faint lines leaves some of them; ...
    alone: float = 0.15  # ... unless more than this share of the others is missing, too: they are hard to see
    between_empty: float = 0.3  # Of those between empty cells elsewhere, less are missing; or of ...
    by_pieces: float = 0.05  # ... those beside pieces: they may hide them where more are missing
    hidden: float = 0.5  # of its corners: such a cell cannot be told


@dataclass(frozen=True, slots=True, eq=False)
class _Corners:
    """Where the corners of a board's cells are, of all in which two cells meet or more."""

    at: Ints  # (n, 2) first column and row of what is looked at
    counts: Bools  # (n, 1, S, S) what of that belongs to cells
    slopes: Singles  # (n, S * S, 3) orthonormal: a mean and two slopes over that
    kinds: Ints  # (n) corners of one kind look alike
    of: Bools  # (n, cells) whose corners they are
    next: Bools  # (n, n) along a side, or itself

    @classmethod
    def on(cls, shape: BoardShape, cells: CellSettings, s: CornerSettings) -> "_Corners":
        meet, middles = MEET[shape.kind], cell_centres(shape) / shape.cell_mm
        tones = cell_tones(tuple(shape.cells()), TONES[shape.kind])
        met: dict[tuple[int, int], list[tuple[int, int, int]]] = {}  # the kind of corner, which of its cells, the cell
        for kind, meeting in enumerate(meet):
            for which, (offset, _) in enumerate(meeting):
                for cell, (x, y) in enumerate(np.rint(PARTS * (middles + offset)).astype(int).tolist()):
                    met.setdefault((x, y), []).append((kind, which, cell))
        several = [around for around in met.values() if len(around) > 1]
        of, places, looks = np.zeros((len(several), len(middles)), bool), [], []
        for i, around in enumerate(several):
            kind, which, cell = around[0]
            of[i, [c for _, _, c in around]] = True
            places.append(middles[cell] + meet[kind][which][0])
            looks.append((kind, (tones[cell] - meet[kind][which][1]) % TONES[shape.kind]))
        scale = cells.cell_px / s.shrink
        first = np.array(field_mm(shape)) / shape.cell_mm / 2
        at = np.rint((np.array(places) * (1, -1) + first) * scale + cells.margin_px / s.shrink) - s.reach_px
        within = [
            _within(shape.kind, tuple((kind, which) for kind, which, _ in around), scale, s) for around in several
        ]
        counts, slopes = (np.array(each) for each in zip(*within, strict=True))
        kinds = np.unique(looks, axis=0, return_inverse=True)[1]
        return cls(at.astype(np.int64), counts, slopes, kinds, of, of.astype(np.float32) @ of.T > 1)


@lru_cache(maxsize=64)
def _within(shape: str, around: tuple[tuple[int, int], ...], scale: float, s: CornerSettings) -> tuple[Bools, Singles]:
    """(1, S, S) which pixels round a corner belong to the cells that meet in it, and slopes over these."""
    kind = around[0][0]
    there = np.isin(np.arange(len(MEET[shape][kind])), [which for _, which in around])
    steps = np.arange(-s.reach_px, s.reach_px) + 0.5
    pixels = np.stack(np.meshgrid(steps, -steps), axis=-1)[..., None, :]
    far = np.linalg.norm(pixels + np.array([offset for offset, _ in MEET[shape][kind]]) * scale, axis=-1)
    near, none = (np.min(far, axis=-1, where=which, initial=np.inf) for which in (there, ~there))
    counts = near + s.beyond_px < none
    ramps = np.stack([np.ones(counts.size), *pixels.reshape(-1, 2).T], axis=1) * counts.reshape(-1, 1)
    return counts[None], np.linalg.qr(ramps)[0].astype(np.float32)


_corners_on = lru_cache(maxsize=4)(_Corners.on)


def hidden_cells(
    flat: Flat, shape: BoardShape, empty: Bools, shown: Bools, cells: CellSettings, settings: CornerSettings
) -> Bools:
    """(cells) whether something lies over them.

    `empty` says which seem to hold no piece, or cannot be told; `shown`, which lie wholly in the picture.
    """
    s, none = settings, np.zeros(len(empty), bool)
    if len(empty) < s.together:  # a single cell meets no other
        return none
    corners = _corners_on(shape, cells, s)
    looks, blown = _looks(flat, corners, cells.glare_level, s)
    like, pattern = _likeness(looks, corners, s)
    usual = float(np.median(like))
    unlike = (like < s.alike * usual) & ~blown & ~corners.of[:, ~shown].any(axis=1)
    gone = np.flatnonzero(unlike & (pattern < s.gone))
    group = _joined(corners.next[np.ix_(gone, gone)])
    several = group.sum(axis=1) >= s.together
    strange = group @ like[gone] < s.strange * usual * group.sum(axis=1)
    alone = (1 + np.count_nonzero(~several)) / (2 + len(like) - np.count_nonzero(several))  # Laplace's rule
    if usual < s.usual or alone > s.alone:
        return none
    beside = np.asarray(corners.of[:, ~empty].any(axis=1))
    between, by = (_elsewhere(those, gone, group) for those in (~beside, beside))
    free = group[:, ~beside[gone]].any(axis=1) & (between < s.between_empty)
    covered = several & strange & (free | (by < s.by_pieces))
    under = corners.of[gone[covered]].any(axis=0)
    missing = corners.of[unlike & (pattern < s.faint)].sum(axis=0)
    return np.asarray(under & (missing >= s.hidden * corners.of.sum(axis=0)))


def _elsewhere(those: Bools, gone: Ints, group: Bools) -> Floats:
    """(gone) which share of those corners is missing outside the group of each that is gone."""
    own = group[:, those[gone]].sum(axis=1)
    return np.asarray((1 + those[gone].sum() - own) / (2 + those.sum() - own))


def _looks(flat: Flat, corners: _Corners, glare: int, s: CornerSettings) -> tuple[Singles, Bools]:
    """(n, 3, S, S) logarithms of what is seen at each corner, less their slopes; (n) whether it is blown out."""
    size = (flat.shape[1] // s.shrink, flat.shape[0] // s.shrink)
    small = cv2.GaussianBlur(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), (3, 3), s.blur_px)
    side = 2 * s.reach_px
    x, y = corners.at.T
    windows = np.lib.stride_tricks.sliding_window_view(small, (side, side), axis=(0, 1))[y, x]
    blown = (windows.min(axis=1) >= glare).mean(axis=(1, 2)) > s.blown
    return _levelled(np.log(windows.astype(np.float32) + np.float32(s.dark)), corners), blown


def _levelled(looks: Singles, corners: _Corners, own: Bools | slice = slice(None)) -> Singles:
    """Less their means and slopes over what counts: a sheen's and a shadow's."""
    counts, basis = corners.counts[own], corners.slopes[own]
    within = (looks * counts).reshape(*looks.shape[:2], -1)
    rest = within - within @ basis @ basis.transpose(0, 2, 1)
    return np.asarray(rest.reshape(looks.shape), np.float32)


def _likeness(looks: Singles, corners: _Corners, s: CornerSettings) -> tuple[Singles, Singles]:
    """(n) how like those of its kind each corner is, -1 to 1, and how much of their pattern it shows, usually 1."""
    like, shown = np.zeros((2, len(looks)), np.float32)
    whole = corners.counts.all(axis=(1, 2, 3))
    for kind in range(corners.kinds.max() + 1):
        own = corners.kinds == kind
        telling = own & whole
        pattern = np.median(looks[telling if telling.any() else own], axis=0)
        patterns = _levelled(np.broadcast_to(pattern, looks[own].shape), corners, own)
        both, its, usual = (
            np.einsum("ncyx,ncyx->n", one, other) + np.float32(1e-6)
            for one, other in ((looks[own], patterns), (looks[own], looks[own]), (patterns, patterns))
        )
        like[own], shown[own] = both / np.sqrt(its * usual), both / usual
    return like, shown


def _joined(nearby: Bools) -> Bools:
    """(n, n) which are joined by steps from one to the next."""
    while True:
        farther = nearby.astype(np.float32) @ nearby.astype(np.float32) > 0
        if (farther == nearby).all():
            return farther
        nearby = farther
