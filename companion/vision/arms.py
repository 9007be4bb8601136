"""A hand in a photograph: something large has come in over the rim of the picture since the photograph before.

Both are compared in the plane of the table, as logarithms, so that neither a camera that was pushed a little nor
another light is a change. No tone of skin or sleeve is known: only that an arm is large, reaches from beyond what is
seen to where the game is played, has an edge, and is no mere shadow: that changes no hue, and leaves the pattern of
what it falls on. What lies there in the next photograph, too, is no hand.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.channels import most
from companion.vision.connected import connected
from companion.vision.ground.foreground import Drawn, GroundSettings, redrawn

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ArmSettings:
    """What counts as an arm. Pixels are coarse ones of the ground."""

    ground: GroundSettings = field(default_factory=lambda: GroundSettings(fine_mm=1.2, coarse=2))  # an arm is large
    light_px: int = 16  # distance of the places by which another light is told
    light_level: float = 0.02  # of the logarithm: what differs from the light by less counts in full
    light_passes: int = 4  # in which what differs by more counts less and less
    blur_px: int = 3  # over which differences are averaged
    level: float = 0.1  # of the logarithm: a difference larger than this ...
    grey: float = 5.0  # ... and so many grey levels is a change
    narrow_px: int = 3  # what is narrower is the edge of something that is seen from elsewhere now
    gap_px: int = 5  # gaps of this size inside an arm (a watch, a cuff) are closed
    rim_px: int = 3  # an arm comes so near to the end of what is seen
    least_mm2: float = 5000.0  # of all of it
    most_mm2: float = 200000.0  # more of the table is no arm: it lies under another light, or was moved
    wide_px: int = 12  # a sleeve may have the table's tone: what is so wide ...
    beside_board_mm2: float = 2000.0  # ... in so much of it beside the cells need not be seen to the rim
    over_board_mm2: float = 400.0  # so much of an arm is over the cells of a board ...
    over_table_mm2: float = 1500.0  # ... or, on a free table, between the markers
    hue: float = 0.12  # of the logarithm: a shadow does not change the hue by so much ...
    hued: float = 0.02  # ... in so much of it
    pattern_px: int = 11  # nor does it hide the pattern of the table, which is looked at in squares of this size ...
    pattern_grey: float = 1.0  # ... where it would stand out now by so many grey levels: what is fainter a shadow hides
    repeats: float = 0.6  # so much of it is seen again beside what changed: else it is noise, or the picture is blurred
    blown: int = 250  # grey levels from which nothing shows a pattern
    hidden: float = 0.3  # of what repeats beside it: where less of the pattern is left, something lies over it ...
    hidden_share: float = 0.4  # ... if it is so much of where the pattern would stand out: the rest may be a shadow ...
    hidden_mm2: float = 4000.0  # ... and so much in all: more than a tile, or a piece on a board
    edge_px: int = 5  # near to where the change ends ...
    edge: float = 0.1  # ... the picture with the arm has an edge that is so much sharper, as a logarithm, ...
    edged: float = 0.25  # ... along so much of it, as the rest may be a soft shadow's ...
    edged_all: float = 0.75  # ... or, of what is not seen to come in over the rim, so much
    lies_share: float = 0.15  # what lies there still, but for so much of it, is no arm


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Where the game is played, and how much of an arm has to be over it."""

    outline_mm: Floats  # (n, 2) convex, in the plane of the table
    least_mm2: float
    beside_mm2: float = np.inf  # an arm of which so much is wide and beside it need not be seen to the rim


class ArmWatch:
    """Remembers the last photograph without a hand, and the one with a hand if it came after it."""

    def __init__(self, settings: ArmSettings | None = None) -> None:
        self.settings = settings or ArmSettings()
        self._clear: Drawn | None = None
        self._held: Drawn | None = None

    def hand(self, drawn: Drawn, played: Played) -> bool:
        """True if a hand or an arm is in this photograph, the next one of the same table."""
        s = self.settings
        arm = arm_since(self._clear, drawn, played, s) if self._clear is not None else None
        if arm is not None and (self._held is None or changed_since(self._held, drawn, s)[arm].mean() > s.lies_share):
            self._held = drawn
            return True
        self._clear, self._held = drawn, None
        return False


def arm_since(before: Drawn, now: Drawn, played: Played, settings: ArmSettings) -> Mask | None:
    """(h, w) where something large has come in over the rim since the other picture; None where nothing has."""
    change = _change(before, now, settings)
    step = now.coarse_mm
    changed = _changed(change.smooth, now, settings)
    labels, stats, _ = connected(changed)
    rim = _rim(change.seen, settings.rim_px)
    inside = np.zeros(rim.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.rint(now.coarse_px(played.outline_mm)).astype(np.int32), 1)
    areas = stats[:, cv2.CC_STAT_AREA] * step**2
    for label in np.flatnonzero((areas >= settings.least_mm2) & (areas <= settings.most_mm2)).tolist():
        part = np.asarray(labels == label)
        over_mm2 = np.count_nonzero(part & (inside > 0)) * step**2
        if label == 0 or over_mm2 < played.least_mm2:
            continue
        wide_mm2 = np.count_nonzero(_wide(part, settings) & (inside == 0)) * step**2
        to_rim = bool((part & rim).any())
        if not to_rim and wide_mm2 < played.beside_mm2:
            continue
        edged = settings.edged if to_rim else settings.edged_all
        no_shadow = _hued(change.smooth[part], settings) or _hides_pattern(change, part, changed, now, settings)
        if no_shadow and _edged_share(change, part, rim, settings) >= edged:
            return part
    return None


def changed_since(before: Drawn, now: Drawn, settings: ArmSettings) -> Mask:
    """(h, w) where the two pictures differ by more than the light."""
    return np.asarray(_changed(_change(before, now, settings).smooth, now, settings) > 0)


@dataclass(frozen=True, eq=False)
class _Change:
    """From one picture to another, in the pixels of the latter. Logarithms are (h, w, 3)."""

    then: Singles
    now: Singles
    smooth: Singles  # by how much each pixel differs, but for the light as a whole
    seen: Mask  # (h, w) what both show


def _change(before: Drawn, now: Drawn, s: ArmSettings) -> _Change:
    coarse = now.settings.coarse
    then = redrawn(before, before.log, now, coarse)
    shown = redrawn(before, before.seen.astype(np.uint8), now, coarse, outside=0.0) > 0
    seen = np.asarray(now.seen & shown)
    off = now.log - then
    off -= _light(off, seen, s)
    off[~seen] = 0.0
    return _Change(then, now.log, np.asarray(cv2.blur(off, (s.blur_px, s.blur_px)), np.float32), seen)


def _light(off: Singles, seen: Mask, s: ArmSettings) -> Singles:
    """(h, w, 3) what of the difference is another light: quadratic all over the table, and not bent by an arm."""
    high, wide = seen.shape
    some = (slice(None, None, s.light_px),) * 2
    y, x = np.mgrid[0 : high : s.light_px, 0 : wide : s.light_px].astype(np.float32)
    x, y = x / wide - 0.5, y / high - 0.5
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
    shown, steps = terms[seen[some]], off[some][seen[some]]
    if len(shown) < terms.shape[-1]:
        return np.zeros_like(off)
    light = np.stack([terms @ _fitted(shown, channel, s) for channel in steps.T], axis=-1)
    grow = np.array([[1 / s.light_px, 0.0, 0.0], [0.0, 1 / s.light_px, 0.0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(light, grow, (wide, high), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _fitted(terms: Singles, wanted: Singles, s: ArmSettings) -> Singles:
    """(t) factors of the (n, t) terms that fit most of the (n) wanted values, whatever the others are."""
    fit = np.zeros(terms.shape[1], np.float32)
    fit[0] = np.median(wanted)
    for _ in range(s.light_passes):
        weighted = terms / np.maximum(np.abs(wanted - terms @ fit), s.light_level)[:, None]
        fit = np.linalg.lstsq(weighted.T @ terms, weighted.T @ wanted, rcond=None)[0]
    return np.asarray(fit, np.float32)


def _changed(off: Singles, now: Drawn, s: ArmSettings) -> NDArray[np.uint8]:
    grey = cv2.blur(now.small, (s.blur_px, s.blur_px)).astype(np.float32) + np.float32(now.settings.dark_level)
    level = np.float32(s.level) + np.float32(s.grey) / grey
    changed = np.asarray(most(np.abs(off) - level) > 0, np.uint8)
    changed = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((s.narrow_px, s.narrow_px), np.uint8)))
    return np.asarray(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((s.gap_px, s.gap_px), np.uint8)), np.uint8)


def _rim(seen: Mask, wide_px: int) -> Mask:
    """(h, w) what is so near to the end of what is seen."""
    inner = np.asarray(cv2.erode(np.pad(seen, 1).astype(np.uint8), np.ones((3, 3)), iterations=wide_px))
    return np.asarray(inner[1:-1, 1:-1] == 0)


def _wide(part: Mask, s: ArmSettings) -> Mask:
    """(h, w) the part without what is narrow: pieces, and the edges of a board that was pushed."""
    kernel = np.ones((s.wide_px, s.wide_px), np.uint8)
    return np.asarray(cv2.morphologyEx(part.astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0)


def _hued(off: Singles, s: ArmSettings) -> bool:
    """True unless all became darker or lighter alone, as in a shadow that falls on it or leaves it."""
    return bool((np.ptp(off, axis=1) > s.hue).mean() >= s.hued)


def _hides_pattern(change: _Change, part: Mask, changed: NDArray[np.uint8], drawn: Drawn, s: ArmSettings) -> bool:
    """True where the pattern that was seen there is not seen any more; False on a table without one."""
    size = (s.pattern_px, s.pattern_px)
    plain = [cv2.blur(log.mean(axis=2), size) for log in (change.then, change.now)]
    then, now = (log.mean(axis=2) - bare for log, bare in zip((change.then, change.now), plain, strict=True))
    strength = cv2.blur(then * then, size)
    left = cv2.blur(then * now, size) / np.maximum(strength, np.finfo(np.float32).tiny)
    grey = np.exp(plain[1]) - np.float32(drawn.settings.dark_level)
    told = np.sqrt(np.maximum(strength, 0)) * grey >= s.pattern_grey
    whole = np.ones(size, np.uint8)  # squares that nothing else reaches into
    beside = told & (cv2.erode((change.seen & (changed == 0)).astype(np.uint8), whole) > 0)
    within = told & (cv2.erode((part & (most(drawn.small) < s.blown)).astype(np.uint8), whole) > 0)
    repeats = np.median(left[beside]) if beside.any() else 0.0
    gone = np.count_nonzero(left[within] < s.hidden * repeats)
    least = max(s.hidden_mm2 / drawn.coarse_mm**2, s.hidden_share * np.count_nonzero(within))
    return bool(repeats >= s.repeats and gone >= least)


def _edged_share(change: _Change, part: Mask, rim: Mask, s: ArmSettings) -> float:
    """Along how much of its end what changed has an edge that the other picture has not.

    An arm has one in the picture that it is in. What is gone had one in the other, and another light ends where no
    edge is in either.
    """
    mask = part.astype(np.uint8)
    around = (cv2.dilate(mask, np.ones((3, 3), np.uint8)) > mask) & ~rim
    if not around.any():
        return 0.0
    near = np.ones((s.edge_px, s.edge_px), np.uint8)
    then, now = (cv2.morphologyEx(cv2.blur(log, (2, 2)), cv2.MORPH_GRADIENT, near) for log in (change.then, change.now))
    return float((most(now)[around] - most(then)[around] > s.edge).mean())
