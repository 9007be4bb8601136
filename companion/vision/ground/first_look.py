"""The table as it was when it was first looked at: what looks like a piece now, where nothing has changed since then
and no piece was seen then, is the table's own pattern.

Both pictures are compared in the plane of the table, as logarithms, so that a lamp that is turned up is no change:
what a part differs by is told from what its surroundings differ by.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.ground.foreground import Ground, redrawn
from companion.vision.ground.pattern_settings import PatternSettings
from companion.vision.ground.pattern_under import UnderSettings, completed
from companion.vision.ground.without_pattern import Bare, lit_as, seen_before, without_pattern

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Mask = NDArray[np.bool_]
MAD_TO_SIGMA = 1.4826  # of normal noise
LEAST_NOISE = 1e-3  # pictures drawn by computers may have none
Difference = tuple[Singles, Singles, float]  # see `FirstLook._difference`


@dataclass(frozen=True, slots=True)
class FirstLookSettings:
    """What counts as a change."""

    blur_px: int = 3  # coarse pixels over which differences are averaged
    around_mm: float = 12.0  # wide is the ring that tells how the light has changed
    gap_mm: float = 4.0  # between a piece and that ring: its shadow is no light
    grey: float = 2.0  # grey levels that are noise
    level: float = 0.03  # of the logarithm ...
    bold: float = 0.3  # ... and so much of the spread that the bare table has there: a part of which so much ...
    share: float = 0.8  # ... differs by less has not changed
    unsure: float = 0.9  # what is taken for a piece less surely than this ...
    bold_unsure: float = 0.5  # ... has to differ by so much of the spread: shadows on a pattern do by a little
    nearly_all: float = 0.95  # of a shadow is darker ...
    hue: float = 0.2  # ... in all colours, up to so much of the logarithm: a lamp is warmer than a room's light ...
    deepest: float = -0.8  # ... and keeps so much of the light: what the room gives where no lamp shines
    line_px: int = 5  # fine pixels: narrower are the pips and edges of clear plastic
    brightest: float = 0.97  # ... of which the brightest, above all but so much of the part ...
    lines: float = 2.8  # ... stand out by so many times the noise: in shadows 1.8 was the most
    least_px: int = 5  # coarse pixels that must be seen in both pictures ...
    least_seen: float = 0.9  # ... and so much of the part
    near_mm: float = 12.0  # of what lay there: it is the same
    pattern: PatternSettings = field(default_factory=PatternSettings)
    under: UnderSettings = field(default_factory=UnderSettings)


class FirstLook:
    """Remembers the first picture and where pieces were in it."""

    def __init__(self, settings: FirstLookSettings | None = None) -> None:
        self._settings = settings or FirstLookSettings()
        self._ground: Ground | None = None  # bare, as far as that is known
        self._taken: Ground | None = None
        self._bare: tuple[tuple[float, ...], Bare] | None = None  # which part of the table the last picture showed
        self._outlines: tuple[Floats, ...] = ()
        self._under: tuple[bool, ...] = ()  # of each, whether the table under it is known
        self._places = np.zeros((0, 2))

    @property
    def all_known(self) -> bool:
        """True once a first picture tells the table's own pattern everywhere, also under what lay there already."""
        return self._ground is not None and all(self._under)

    def remember(self, ground: Ground, outlines_mm: Sequence[Floats]) -> None:
        """Take this for the first picture, if there is none yet; `outlines_mm` are those of what lay there already."""
        if self._ground is None:
            self._taken, self._outlines = ground.as_taken, tuple(outlines_mm)
            self._ground, self._under = completed(self._taken, outlines_mm, self._settings.under)
            self._places = np.array([outline.mean(axis=0) for outline in outlines_mm]).reshape(-1, 2)

    def without_pattern(self, ground: Ground) -> Ground:
        """The ground without what the table showed before anything was laid on it.

        As it is where that is not known under all that lay there already: once that is taken off, the pattern would be
        seen there alone, in the shape of a piece.
        """
        if self._ground is None or not self.all_known:
            return ground
        kept = [outline for outline in self._outlines if self._lies_there(ground, outline)]
        return without_pattern(ground, self._seen_as(ground, self._ground), kept, self._settings.pattern)

    def _seen_as(self, ground: Ground, first: Ground) -> Bare:
        """The first picture as this one would show it: drawn anew only where another part of the table is seen."""
        s, frame = self._settings.pattern, (ground.left_mm, ground.top_mm, *ground.log.shape)
        bare = self._bare[1] if self._bare is not None and self._bare[0] == frame else None
        bare = seen_before(ground, first, s) if bare is None else lit_as(ground, bare, s)
        self._bare = frame, bare
        return bare

    def showed(self, outline_mm: Floats) -> bool:
        """True if something lay here already."""
        off = np.linalg.norm(self._places - outline_mm.mean(axis=0), axis=1)
        return bool((off < self._settings.near_mm).any())

    def _lies_there(self, ground: Ground, outline_mm: Floats) -> bool:
        """True if what lay there at first looks as it did."""
        s = self._settings
        seen = self._difference(ground, outline_mm, self._taken)
        return seen is None or _most(seen, s.share) < s.level + s.bold_unsure * seen[2]

    def unchanged(self, ground: Ground, outline_mm: Floats, sure: float = 1.0) -> bool:
        """True if this part of the table, which is so surely taken for a piece, looks as it did."""
        s = self._settings
        if self._ground is None or ground.as_taken is self._taken:
            return False
        change, spread = self.change(ground, outline_mm)
        return change < s.level + (s.bold if sure >= s.unsure else s.bold_unsure) * spread

    def change(self, ground: Ground, outline_mm: Floats) -> tuple[float, float]:
        """By how much (logarithm) the part differs, less its noise; infinite where one picture does not show it.

        Beside that the spread of the bare table there.
        """
        s = self._settings
        if (seen := self._difference(ground, outline_mm, self._ground)) is None:
            return float("inf"), 0.0
        return _most(seen, s.share), seen[2]

    def only_darker(self, ground: Ground, outline_mm: Floats) -> bool:
        """True if the part became darker alone, nowhere brighter, not black and of no other hue: as in a shadow.

        Nor shows it bright lines that are new, as clear plastic does, however little it dims the table.
        """
        s = self._settings
        if self._ground is None or ground.as_taken is self._taken:
            return False
        if (seen := self._difference(ground, outline_mm, self._ground)) is None:
            return False
        middle = np.median(seen[0], axis=0)
        brightest = float(np.quantile(seen[0].mean(axis=1), s.nearly_all))
        dimmed = brightest < 0.0 and float(np.ptp(middle)) < s.hue and float(middle.mean()) > s.deepest
        return dimmed and self._lines(ground.as_taken, self._ground, outline_mm) < s.lines

    def _lines(self, ground: Ground, first: Ground, outline_mm: Floats) -> float:
        """How many times the noise of the table round it the brightest new lines within a part stand out by."""
        s = self._settings
        corner, inside, ring = _part_and_ring(ground, outline_mm, s, 1)
        tall, wide = inside.shape
        now = ground.colours[corner[1] : corner[1] + tall, corner[0] : corner[0] + wide]
        then = redrawn(first, first.colours, ground, 1, (*corner, wide, tall), outside=0.0)
        light = [np.log(levels.mean(axis=2, dtype=np.float32) + ground.settings.dark_level) for levels in (now, then)]
        off = cv2.blur(light[0] - light[1], (2, 2))
        fine = off - cv2.medianBlur(off, s.line_px)
        within = cv2.erode(inside.astype(np.uint8), np.ones((s.line_px, s.line_px))) > 0
        if not within.any() or not ring.any():
            return 0.0
        noise = MAD_TO_SIGMA * float(np.median(np.abs(fine[ring])))
        return float(np.quantile(fine[within], s.brightest)) / max(noise, LEAST_NOISE)

    def darker(self, ground: Ground, outline_mm: Floats) -> bool:
        """True unless most of the part is seen to be no darker than it was, told from its surroundings."""
        if self._ground is None or (seen := self._difference(ground, outline_mm, self._ground)) is None:
            return True
        return float(np.median(seen[0])) < -self._settings.level

    def _difference(self, ground: Ground, outline_mm: Floats, first: Ground | None) -> Difference | None:
        """(n, 3) by how much (logarithm) each pixel of the part differs, its noise, and the spread of the bare table
        in and around it; None where one is not shown.
        """
        s, ground = self._settings, ground.as_taken
        assert first is not None
        corner, inside, ring = _part_and_ring(ground, outline_mm, s, ground.settings.coarse)
        tall, wide = inside.shape
        now = ground.log[corner[1] : corner[1] + tall, corner[0] : corner[0] + wide]
        then = redrawn(first, first.log, ground, ground.settings.coarse, (*corner, wide, tall), outside=math.nan)
        seen: Mask = np.asarray(np.isfinite(then).all(axis=2))
        part, ring = inside & seen, ring & seen
        if min(part.sum(), ring.sum()) < s.least_px or part.sum() < s.least_seen * inside.sum():
            return None
        off = np.where(seen[..., None], now - then, 0.0).astype(np.float32)
        off -= np.median(off[ring], axis=0)
        size = (s.blur_px, s.blur_px)
        noise = s.grey * np.exp(-cv2.blur(now, size))
        spread = float(np.nanstd(then[part | ring], axis=0).max())
        return cv2.blur(off, size)[part].astype(np.float32), noise[part].astype(np.float32), spread


def _most(seen: Difference, share: float) -> float:
    """By how much so much of the part differs at most, less its noise."""
    off, noise, _ = seen
    return float(np.quantile((np.abs(off) - noise).max(axis=1), share))


def _part_and_ring(
    ground: Ground, outline_mm: Floats, s: FirstLookSettings, pixel: int
) -> tuple[tuple[int, int], Mask, Mask]:
    """The corner (column, row) of a window of pixels, of so many fine ones each, in it (h, w) outline and ring."""
    step = ground.settings.fine_mm * pixel
    gap, around = (max(round(mm / step), 1) for mm in (s.gap_mm, s.around_mm))
    at, high_wide = ground.fine_px(outline_mm) / pixel, np.array(ground.colours.shape[1::-1]) // pixel
    first = np.clip(np.floor(at.min(axis=0)).astype(int) - gap - around, 0, high_wide - 1)
    last = np.clip(np.ceil(at.max(axis=0)).astype(int) + gap + around, first + 1, high_wide)
    wide, tall = last - first
    inside = np.zeros((tall, wide), np.uint8)
    cv2.fillConvexPoly(inside, cv2.convexHull(np.rint(at - first).astype(np.int32)), 1)
    kernel = np.ones((3, 3), np.uint8)
    near = cv2.dilate(inside, kernel, iterations=gap)
    far = cv2.dilate(near, kernel, iterations=around)
    return (int(first[0]), int(first[1])), inside > 0, (far > 0) & (near == 0)
