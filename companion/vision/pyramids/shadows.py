"""A shadow beside a piece is no piece: others of its kind have the same beside them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.convex import shared
from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.known import known_pieces
from companion.vision.pyramids.placed import Placed
from companion.vision.pyramids.settings import ShadowSettings
from companion.vision.pyramids.shapes import STANDING

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Coarse = NDArray[np.int32]
Ints = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Shadows:
    """The pieces of a table, and how much darker it is beside them."""

    pieces: Placed
    settings: ShadowSettings

    def shows(self, number: int) -> bool:
        """True if one of the pieces is what a standing one casts beside it, as others of its size do.

        It is grey and dark, and so it is in the same place beside those, as far as nothing lies there.
        """
        s, seen = self.settings, self._seen(number)
        if seen is None:
            return False
        rows, cols = seen
        own = self._darker[rows, cols]
        mean = own.mean(axis=0)
        if mean.mean() > -s.dark:
            return False
        neutral = np.ptp(mean) <= max(s.hue, -s.tinted * mean.mean())
        grey = own.mean(axis=1)
        for neighbour in self._beside(number):
            if not (neutral or self._shines_through(neighbour, mean)):
                continue
            unlike = [off / -mean.mean() for off in self._elsewhere(number, neighbour, rows, cols, grey, not neutral)]
            if unlike and min(unlike) < (s.alike if len(unlike) > 1 else s.only) and np.median(unlike) < s.usual:
                return True
        return False

    def _seen(self, number: int) -> tuple[Ints, Ints] | None:
        """Rows and columns of the pixels of a piece that no other one hides; None for too few."""
        high, wide = self._pieces_there.shape
        at = self._pixels(self.pieces.outlines[number])
        left, top = np.clip(at.min(axis=0), 0, (wide - 1, high - 1)).tolist()
        right, low = np.clip(at.max(axis=0), 0, (wide - 1, high - 1)).tolist()
        corner, size = np.array([left, top]), (low - top + 1, right - left + 1)
        own = _drawn([at - corner], size)
        outlines = self.pieces.outlines
        over = (o for i, o in enumerate(outlines) if i != number and shared(o, outlines[number]) > 0)
        rows, cols = np.nonzero((own > 0) & (_drawn([self._pixels(o) - corner for o in over], size) == 0))
        return (rows + top, cols + left) if len(rows) >= self.settings.seen * np.count_nonzero(own) > 0 else None

    def _beside(self, number: int) -> Iterator[int]:
        """The standing pieces that it is beside."""
        for other, foot in enumerate(self.pieces.feet):
            if other != number and self.pieces.found.kind[other] < STANDING:
                near = self.pieces.outlines[number][:, None] - foot[None]
                if np.hypot(near[..., 0], near[..., 1]).min() < self.settings.beside_mm:
                    yield other

    def _shines_through(self, neighbour: int, mean: Singles) -> bool:
        """True for a light that is coloured as translucent plastic colours what falls through it."""
        s, lit = self.settings, self.pieces.ground.filled([self.pieces.outlines[neighbour]]) > 0
        body = self._darker[lit].mean(axis=0)
        tint, other = mean - mean.mean(), body - body.mean()
        alike = float(tint @ other) >= s.same_tint * float(np.linalg.norm(tint) * np.linalg.norm(other))
        return alike and bool(mean.mean() > s.through * body.mean())

    def _elsewhere(
        self, number: int, neighbour: int, rows: Ints, cols: Ints, grey: Singles, any_depth: bool
    ) -> Iterator[float]:
        """By how much, of the logarithm, it differs in the same place beside others of its neighbour's size; but for
        how deep both are, if that may be `any_depth`.
        """
        high, wide = self._pieces_there.shape
        place = self.pieces.found.place[:, :2]
        for third in range(len(self.pieces.found)):
            if third in (number, neighbour) or self.pieces.found.kind[third] != self.pieces.found.kind[neighbour]:
                continue
            right, up = (place[third] - place[neighbour]) / self.pieces.ground.coarse_mm
            there, across = rows - round(up), cols + round(right)
            kept = (there >= 0) & (there < high) & (across >= 0) & (across < wide)
            kept[kept] = self._pieces_there[there[kept], across[kept]] == 0
            if kept.mean() >= self.settings.seen:
                other, own = self._darker[there[kept], across[kept]].mean(axis=1), grey[kept]
                depth = float(other @ own) / max(float(other @ other), 1e-6) if any_depth else 1.0
                off = np.clip(depth, *self.settings.depths) * other - own
                yield float(np.abs(_evened(off, rows[kept], cols[kept], self._even_px)).mean())

    @property
    def _even_px(self) -> int:
        return max(1, round(self.settings.even_mm / self.pieces.ground.coarse_mm))

    @cached_property
    def _darker(self) -> Singles:
        """(h, w, 3) logarithm of what is seen as a share of the bare table."""
        return np.asarray(self.pieces.ground.log - self.pieces.ground.surface, np.float32)

    @cached_property
    def _pieces_there(self) -> Pixels:
        """(h, w) where pieces are, as they are seen and as they stand."""
        return self.pieces.ground.filled([*self.pieces.outlines, *self.pieces.feet])

    def _pixels(self, outline_mm: Floats) -> Coarse:
        return np.rint(self.pieces.ground.coarse_px(outline_mm)).astype(np.int32)


def _evened(values: Singles, rows: Ints, cols: Ints, size_px: int) -> Singles:
    """(n) values of pixels, each the mean of those of the n that are so near."""
    row, col = rows - rows.min(), cols - cols.min()
    sums, counts = np.zeros((2, row.max() + 1, col.max() + 1), np.float32)
    sums[row, col], counts[row, col] = values, 1.0
    sums, counts = (
        cv2.boxFilter(each, -1, (size_px, size_px), normalize=False, borderType=cv2.BORDER_CONSTANT)
        for each in (sums, counts)
    )
    return np.asarray(sums[row, col] / counts[row, col], np.float32)


def _drawn(outlines_px: Sequence[Coarse], size: tuple[int, ...]) -> Pixels:
    """(h, w) 1 in convex outlines."""
    mask = np.zeros(size, np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(mask, cv2.convexHull(outline), 1)
    return mask


def against_shadows(tried: Placed, chosen: Ints, s: ShadowSettings) -> Floats:
    """(n) log-odds against hypotheses that are where one of the `chosen` is but a shadow.

    They are compared with what the last look has found elsewhere, too: this one may be of a small part of the table.
    """
    against, own = np.zeros(len(tried.found)), tried.found.only(chosen)
    rest = _known_away_from(own.place, tried.ground, s)
    pieces = Shadows(Placed.over(tried.ground, joined([own, rest])), s)
    for number, shadow in enumerate(chosen.tolist()):
        if pieces.shows(number):
            there = [shared(outline, tried.outlines[shadow]) > s.same for outline in tried.outlines]
            against[there] = s.against
    return against


def _known_away_from(chosen: Floats, ground: Ground, s: ShadowSettings) -> Hypotheses:
    """What the last look has found away from these (n, 4) places."""
    found = () if ground.past is None else known_pieces(ground.past.found)
    lying = [piece.placed(0.0) for piece in found]
    return joined([one for one in lying if not (np.hypot(*(chosen - one.place)[:, :2].T) < s.beside_mm).any()])
