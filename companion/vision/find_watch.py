"""Where a free table has changed since it was last read: only there pieces are looked for again."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.found import Found, foot
from companion.vision.ground.foreground import Drawn, Ground, Past, Region, Untouched
from companion.vision.several_looks import agreed

Mask = NDArray[np.bool_]
Singles = NDArray[np.float32]
Outline = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FindWatchSettings:
    """What counts as a change, and when everything is read all the same."""

    blur_px: int = 9  # coarse pixels over which differences are averaged: noise is not
    level: float = 0.02  # of the logarithm: a difference larger than this ...
    grey: float = 3.5  # ... and so many grey levels (dark parts are noisy) is a change
    least_px: int = 5  # coarse pixels: what is narrower is noise
    round_mm: float = 12.0  # a change concerns all that is so near
    same_mm: float = 8.0  # what two looks see so near and take for the same has not changed
    most_doubted: int = 3  # so many more looks are given to what two looks see differently
    most_looks: int = 5  # at a table that rests, of which most decide
    all_share: float = 0.3  # of the table: when more has changed, everything is read
    all_s: float = 10.0  # ... and so it is after this time


@dataclass(frozen=True, slots=True, eq=False)
class _Last:
    ground: Ground
    looks: tuple[Sequence[Found], ...]  # at the table as it lies, the newest last
    found: Sequence[Found]  # what they agree on
    whole_s: float  # when everything was read
    due: Mask | None  # what was read once: it is read once more, for one look alone may err
    doubted: int = 0  # looks in a row of which one saw something else than the one before


class FindWatch:
    """Remembers the last look at a table that is watched."""

    def __init__(self, settings: FindWatchSettings | None = None) -> None:
        self._settings = settings or FindWatchSettings()
        self._last: _Last | None = None
        self._rested: Past | None = None  # the newest look that another one has borne out
        self._calm: Past | None = None  # the newest such look before the table was touched
        self._compared: tuple[Drawn, Drawn, Mask] | None = None  # before, now, where they differ
        self._levels = WeakKeyDictionary[Drawn, Singles]()  # of the looks that later ones are compared with

    def forget(self) -> None:
        """The looks have changed, or another table is looked at: everything is read anew."""
        self._last = self._rested = self._calm = None

    def resting(self, drawn: Drawn, taken_s: float) -> bool:
        """True if this picture need not be read: nothing has changed, and nothing is to be looked at again."""
        last = self._last
        if last is None or last.due is not None or not self._comparable(last, drawn, taken_s):
            return False
        return not self._changed(last.ground, drawn).any()

    def _comparable(self, last: _Last, now: Drawn, taken_s: float) -> bool:
        return _same_frame(last.ground, now) and 0 <= taken_s - last.whole_s <= self._settings.all_s

    def zone(self, ground: Ground, taken_s: float) -> Mask | None:
        """(h, w) coarse pixels in which pieces are to be looked for; None for everywhere."""
        s, last = self._settings, self._last
        if last is None or not self._comparable(last, ground, taken_s):
            return None
        changed = self._changed(last.ground, ground)
        if last.due is not None:
            changed |= last.due
        if not changed.any():
            return changed
        zone = ground.grown(changed, s.round_mm)
        for region in (*last.ground.regions, *ground.regions):
            if _part(zone, region)[region.mask].any():
                _part(zone, region)[region.mask] = True
        zone = ground.grown(zone, s.round_mm)
        for pile in _piles(last.found):  # which is looked for as a whole
            if any(in_zone(ground, zone, claim.outline_mm) for claim in pile):
                zone |= ground.filled(claim.outline_mm for claim in pile) > 0
        return None if zone.mean() > s.all_share else zone

    def read(
        self,
        ground: Ground,
        found: Sequence[Found],
        zone: Mask | None,
        taken_s: float,
        doubtful: Sequence[Outline] = (),
    ) -> None:
        """What was found in this picture; `zone` is what `zone` said of it.

        `doubtful` are outlines of what two looks at a resting table see differently: there it is looked at once more.
        """
        s, last = self._settings, self._last
        if zone is not None and not zone.any():
            return  # the next one is compared with the picture that was read: slow changes add up
        if last is None or not _same_frame(last.ground, ground):
            self._last = _Last(ground, (found,), found, taken_s, np.ones(ground.log.shape[:2], bool))
            self._rested = self._calm = None
            return
        changed = self._changed(last.ground, ground)  # all else was read before, and is read for the second time now
        if changed.any():
            self._calm = self._rested
        looks = (found,) if changed.any() else (*last.looks, found)[-s.most_looks :]
        doubted = last.doubted + 1 if len(doubtful) and not changed.any() else 0
        if doubted <= s.most_doubted:
            changed |= ground.filled(doubtful) > 0
        due = changed if changed.any() else None
        self._last = _Last(
            ground, looks, agreed(looks, s.same_mm), taken_s if zone is None else last.whole_s, due, doubted
        )
        if len(looks) > 1:
            self._rested = Past(ground, self._last.found)

    @property
    def begun(self) -> bool:
        """True once something was read."""
        return self._last is not None

    @property
    def past(self) -> Past | None:
        """The last look."""
        return None if self._last is None else Past(self._last.ground, self._last.found, rested=self._rested)

    def past_of(self, ground: Ground) -> Past | None:
        """The last look, what is not settled since, where nothing has changed since before the table was touched, and
        what it looked like then.
        """
        past, last, calm = self.past, self._last, self._calm
        if past is None or last is None or not _same_frame(last.ground, ground):
            return past
        changed = self._changed(last.ground, ground)
        past = replace(past, unsettled=changed if last.due is None else changed | last.due)
        if self._rested is not None and changed.any():
            past = replace(past, calm=self._rested)
        elif calm is not None and len(last.looks) < self._settings.most_looks:
            past = replace(past, calm=calm)
        if calm is not None:
            past = replace(past, untouched=Untouched(calm.found, ~self._changed(calm.ground, ground)))
        return past

    @property
    def found(self) -> Sequence[Found]:
        """What was found last: what most looks at a table that rests agree on."""
        return self._last.found if self._last is not None else ()

    def _changed(self, before: Ground, now: Drawn) -> Mask:
        """(h, w) coarse pixels; asked for several times of each picture."""
        then = before.as_taken
        if self._compared is None or self._compared[0] is not then or self._compared[1].log is not now.as_taken.log:
            self._compared = then, now.as_taken, self._compare(then, now.as_taken)
        return self._compared[2].copy()

    def _compare(self, before: Drawn, now: Drawn) -> Mask:
        s, size = self._settings, (self._settings.blur_px, self._settings.blur_px)
        off = cv2.subtract(now.log, before.log)
        for seen in (before.seen, now.seen):
            off = cv2.copyTo(off, seen.view(np.uint8))  # beyond the picture's rim its noise is drawn out into stripes
        level = self._level(before)
        changed = cv2.inRange(cv2.blur(off, size), -level, level) == 0
        open_ = np.ones((s.least_px, s.least_px), np.uint8)
        return np.asarray(cv2.morphologyEx(changed.view(np.uint8), cv2.MORPH_OPEN, open_) > 0)

    def _level(self, before: Drawn) -> Singles:
        """(h, w, 3) by more than this (logarithm) a table differs from a look where it has changed."""
        if before not in self._levels:
            s = self._settings
            noise = cv2.exp(-cv2.blur(before.log, (s.blur_px, s.blur_px)))
            self._levels[before] = np.asarray(s.level + s.grey * noise, np.float32)
        return self._levels[before]


def limited(ground: Ground, zone: Mask) -> Ground:
    """The ground with only what lies in the zone to be looked at."""
    regions = tuple(region for region in ground.regions if _part(zone, region)[region.mask].any())
    return replace(ground, regions=regions, zone=zone)


def in_zone(ground: Ground, zone: Mask, outline_mm: NDArray[np.float64]) -> bool:
    """True if the middle of an outline lies in the zone."""
    return bool(ground.nearest(zone, outline_mm.mean(axis=0, keepdims=True))[0])


def _piles(found: Sequence[Found]) -> list[list[Found]]:
    """The claims, each with all that it lies on and that lies on it."""
    by_foot: dict[int, list[Found]] = {}
    for number, claim in enumerate(found):
        by_foot.setdefault(foot(found, number), []).append(claim)
    return list(by_foot.values())


def _same_frame(one: Ground, other: Drawn) -> bool:
    return (
        one.pose is other.pose
        and one.log.shape == other.log.shape
        and (one.left_mm, one.top_mm) == (other.left_mm, other.top_mm)
    )


def _part(mask: Mask, region: Region) -> Mask:
    high, wide = region.mask.shape
    return mask[region.y : region.y + high, region.x : region.x + wide]
