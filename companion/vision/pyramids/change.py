"""Where a table looks otherwise than it did before, whatever the light: what has come, and what has gone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.channels import least, most
from companion.vision.ground.foreground import Ground, Region, redrawn
from companion.vision.pyramids.settings import AddedSettings

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Change:
    """Where two pictures of a table differ, (h, w) coarse pixels of a part of it."""

    ground: Ground
    corner: tuple[int, int]  # column and row of the first pixel
    mask: Mask
    news: Mask  # ... that are no shadow's
    deep: Mask  # ... or darker than a shadow makes them
    loud: Mask  # ... by more than a change of light does
    tinted: Mask  # where the colour has changed, be it ever so little, and it is not darker: no shadow, nor a lamp
    slight: Mask  # where it differs at all, were it only by the light
    things: Mask  # where the table is not bare
    much: Singles  # by how much, of the logarithm

    def near(self, outlines_mm: Sequence[Floats], round_mm: float) -> "Change":
        """The part of it round these outlines."""
        at, reach = self._pixels(np.vstack(outlines_mm)), round_mm / self.ground.coarse_mm
        size = self.mask.shape[1::-1]
        first = np.clip(np.floor(at.min(axis=0) - reach), 0, np.array(size) - 1).astype(int)
        last = np.clip(np.ceil(at.max(axis=0) + reach), first + 1, size).astype(int)
        return self._cut(int(first[0]), int(first[1]), int(last[0]), int(last[1]))

    def without_rim(self, share: float) -> "Change":
        """Only what has changed by that share of what is usual in it: its rim is blurred, and so too wide."""
        least = share * float(np.median(self.much[self.deep])) if self.deep.any() else 0.0
        solid = self.much > least
        return replace(self, mask=self.mask & solid, deep=self.deep & solid)

    def core(self, share: float) -> "Change":
        """Only what has changed by that share of the greatest change: what casts a shadow is darker than its shadow."""
        greatest = float(np.percentile(self.much[self.mask], 90)) if self.mask.any() else 0.0
        solid = self.much > share * greatest
        return replace(self, mask=self.mask & solid, deep=self.deep & solid)

    def part(self, x: int, y: int, wide: int, high: int, round_mm: float) -> "Change":
        """A rectangle of pixels of it, and what is near."""
        more, (rows, cols) = round(round_mm / self.ground.coarse_mm), self.mask.shape
        return self._cut(max(x - more, 0), max(y - more, 0), min(x + wide + more, cols), min(y + high + more, rows))

    def _cut(self, left: int, top: int, right: int, low: int) -> "Change":
        part, corner = np.s_[top:low, left:right], (self.corner[0] + left, self.corner[1] + top)
        masks = {
            name: getattr(self, name)[part]
            for name in ("mask", "news", "deep", "loud", "tinted", "slight", "things", "much")
        }
        return replace(self, corner=corner, **masks)

    def region(self) -> Region:
        """What has changed, to be looked through."""
        return Region(*self.corner, self.mask, float(np.count_nonzero(self.mask)) * self.ground.coarse_mm**2)

    def middle_mm(self) -> tuple[float, float]:
        """The middle of what has changed, in the plane of the table."""
        row, col = np.nonzero(self.deep)
        half = self.ground.settings.coarse
        at = (np.array([col.mean(), row.mean()]) + self.corner + 0.5) * half - 0.5
        x, y = self.ground.to_mm(at)
        return float(x), float(y)

    def likeness(self, outline_mm: Floats, beside: Sequence[Mask] = (), least: float = 0.0) -> float:
        """What an outline and the change have in common, as a share of both; shadows are neither.

        Where known pieces `beside` are seen, what has not changed tells nothing: their neighbour may be hidden there,
        or be of their colour. Of less than the `least` share of an outline nothing can be told at all.
        """
        count, drawn = np.count_nonzero, self._drawn([outline_mm])
        own = drawn & (self.mask | ~np.logical_or.reduce(beside)) if beside else drawn
        if beside and count(own) < least * count(drawn):
            return 0.0
        return int(count(self.mask & own)) / max(1, int(count(self.deep | own)))

    def explained_at_most(self, least: float, most: float) -> float:
        """What an outline of so many pixels, at least and at most, can have in common with the change."""
        mask, deep = int(np.count_nonzero(self.mask)), int(np.count_nonzero(self.deep))
        own = min(max(deep, least), most)
        return min(mask, own) / max(deep, own, 1)

    def reaches(self, outline_mm: Floats) -> bool:
        """True if an outline may be in this part."""
        at, (rows, cols) = self._pixels(outline_mm), self.mask.shape
        (left, top), (right, low) = at.min(axis=0), at.max(axis=0)
        return bool(left <= cols and top <= rows and right >= -1 and low >= -1)

    def drawn(self, outline_mm: Floats) -> Mask:
        """(h, w) the pixels of an outline."""
        return self._drawn([outline_mm])

    def of(self, outline_mm: Floats) -> float:
        """The share of an outline that has changed."""
        return self._share(self.mask, outline_mm, nothing=1.0)

    def beside(self, outline_mm: Floats, covers: Sequence[Floats], least: float) -> float:
        """The share of an outline that has changed where nothing covers it; all where less than `least` is left."""
        drawn = self._drawn([outline_mm])
        left = drawn.copy()
        for cover in covers:
            left &= ~self._drawn([cover])
        return float(self.mask[left].mean()) if left.any() and left.sum() >= least * drawn.sum() else 1.0

    def is_another(self, outline_mm: Floats, s: AddedSettings) -> bool:
        """True if what is seen there has not the colour that it had."""
        return self._share(self.loud, outline_mm) > s.explained

    def is_there(self, outline_mm: Floats, s: AddedSettings) -> bool:
        """True if something is there now."""
        return self._share(self.things, outline_mm) > s.there

    def explained(self, outline_mm: Floats, near_mm: Sequence[Floats], s: AddedSettings) -> float:
        """What a piece's outline and the change near it have in common, as a share of both. A shadow is no news."""
        own = self._drawn([outline_mm])
        around = self._drawn([outline_mm, *near_mm], s.round_mm) & ~self._drawn([outline_mm], s.rim_mm)
        both = int((self.mask & own).sum())
        return both / max(1, int(own.sum()) + int((self.news & around).sum()))

    def _share(self, mask: Mask, outline_mm: Floats, nothing: float = 0.0) -> float:
        """The share of an outline that a mask covers, and `nothing` where the outline is not in the picture."""
        drawn = self._drawn([outline_mm])
        return float(mask[drawn].mean()) if drawn.any() else nothing

    def _pixels(self, points_mm: Floats) -> Floats:
        scale, first = self._scaled
        return points_mm * scale + first

    @cached_property
    def _scaled(self) -> tuple[Floats, Floats]:
        """What millimetres are multiplied by, and what is added, to be pixels: asked for many thousands of times."""
        first, *ends = self.ground.coarse_px(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        return np.array([ends[0][0] - first[0], ends[1][1] - first[1]]), first - self.corner

    def _drawn(self, outlines_mm: Sequence[Floats], grown_mm: float = 0.0) -> Mask:
        mask = np.zeros(self.mask.shape, np.uint8)
        for outline in outlines_mm:
            cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(self._pixels(outline)).astype(np.int32)), 1)
        return self.ground.grown(mask, grown_mm) if grown_mm else mask > 0


def change_between(now: Ground, then: Ground, s: AddedSettings) -> Change:
    """Where the table looks otherwise than it did, whatever the light."""
    things, now, then = now.things, replace(now.as_taken, zone=now.zone), then.as_taken
    size = (s.blur_px, s.blur_px)
    off = now.log - redrawn(then, then.log, now, now.settings.coarse)
    off -= np.median(off[::8, ::8].reshape(-1, 3), axis=0)
    off = np.asarray(cv2.blur(off, size), np.float32)
    lowest, highest = least(off), most(off)
    much = np.asarray(cv2.max(highest, -lowest), np.float32)
    grey = np.asarray(cv2.exp(-least(cv2.blur(now.log, size))), np.float32)  # the logarithm of one grey level
    mask = np.asarray(much > s.level + s.grey * grey)
    shadow = (highest < 0) & (highest - lowest < s.hue)
    loud = mask & ~shadow & (much > s.loud)
    deep = mask & (~shadow | (lowest < -s.deep))
    hue = highest - lowest
    tinted = (hue > s.tint + s.tint_grey * grey) & (hue > s.tint_usual * _usual(hue, grey)) & (highest > -s.tint_dark)
    slight = np.asarray((much > s.slight + s.slight_grey * grey) & (much > s.slight_usual * _usual(much, grey)))
    return Change(now, (0, 0), mask, mask & ~shadow, deep, loud, tinted, slight, things, much)


def _usual(off: Singles, grey: Singles) -> Singles:
    """(h, w) by how much a table differs from itself where nothing has changed: by as many grey levels everywhere."""
    return np.asarray(np.median((off / grey)[::8, ::8]) * grey, np.float32)
