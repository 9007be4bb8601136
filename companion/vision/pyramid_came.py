"""A pyramid that came since the last look: beside others of its colour, what has changed alone has its outline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.finders import shared
from companion.vision.pyramid_change import Change
from companion.vision.pyramid_hypotheses import PERIODS, Hypotheses, joined
from companion.vision.pyramid_seen import feet_of, outlines_of
from companion.vision.pyramid_settings import CameSettings
from companion.vision.pyramid_shapes import CLASSES

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What changed together, and the known pieces there."""

    change: Change
    beside: tuple[tuple[Mask, Floats], ...]  # the pixels of each, and its foot
    settings: CameSettings

    def likeness(self, outline: Floats, foot: Floats) -> float:
        """How much of the change a piece explains. Known pieces that it would stand in hide nothing of it."""
        s = self.settings
        hiding = [mask for mask, other in self.beside if shared(foot, other) < s.apart]
        return self.change.likeness(outline, hiding, s.seen)


@dataclass(frozen=True, slots=True, eq=False)
class Came:
    """The parts of a table that have changed, each perhaps a piece."""

    parts: tuple[Part, ...]
    pieces: Hypotheses  # those of which one has the outline of a part, the best of each class
    perhaps: Hypotheses  # ... and of what has changed slightly
    settings: CameSettings

    def gains(self, outlines: Sequence[Floats], feet: Sequence[Floats]) -> Floats:
        """(n) log-odds by which pieces are likelier that have these outlines: so well they explain a part."""
        s, both = self.settings, list(zip(outlines, feet, strict=True))
        best = np.array([max((part.likeness(*of) for part in self.parts), default=0.0) for of in both])
        return np.asarray(s.gain * np.clip((best - s.like) / (s.whole - s.like), 0.0, 1.0))


def came_since(change: Change | None, known: Hypotheses, s: CameSettings) -> Came:
    """What has changed since the last look, beside the `known` pieces that have not; nothing without one."""
    if change is None:
        return Came((), joined([]), joined([]), s)
    lying = list(zip(outlines_of(change.ground, known), feet_of(known), strict=True))

    def beside(found: Iterator[Change]) -> tuple[Part, ...]:
        return tuple(Part(part, tuple(_near(part, lying)), s) for part in found)

    def pieces(parts: Sequence[Part]) -> Hypotheses:
        return joined([piece for part in parts for piece in _laid_out(part, s)])

    parts = beside(_parts(change, s))
    return Came(parts, pieces(parts), pieces(beside(_slight(change, s))), s)


def _near(part: Change, known: Sequence[tuple[Floats, Floats]]) -> Iterator[tuple[Mask, Floats]]:
    for outline, foot in known:
        if (mask := part.drawn(outline)).any():
            yield mask, foot


def _parts(change: Change, s: CameSettings) -> Iterator[Change]:
    """What changed together, and may be one piece: what no shadow explains, what is as dark, what is tinted alone."""
    for part in _together(change, change.deep, s):
        if not _dark(part, s):
            yield part.without_rim(s.solid)
    for part in _together(change, change.mask, s):
        if _dark(part, s):
            yield (whole := replace(part, deep=part.mask).without_rim(s.solid))
            if s.core_least < (core := whole.core(s.core)).mask.sum() / whole.mask.sum() < s.core_most:
                yield core
    for part in _together(change, change.tinted, s):
        if part.deep.sum() < s.deep * part.tinted.sum():  # about as light as the table
            yield replace(part, mask=part.mask | part.tinted, deep=part.tinted).without_rim(s.solid)


def _slight(change: Change, s: CameSettings) -> Iterator[Change]:
    """What has changed so little together that it speaks for no piece: one may be of the tone of what it lies on."""
    zone = change.ground.zone
    found = _together(change, change.slight if zone is None else change.slight & zone, s)
    unclear = (part for part in found if part.mask.sum() < s.clear * part.slight.sum())
    for part in sorted(unclear, key=lambda part: -int(part.slight.sum()))[: s.most_slight]:
        yield replace(part, mask=part.slight, deep=part.slight)


def _dark(part: Change, s: CameSettings) -> bool:
    """True for what a shadow may be for the most part: clear plastic is hardly darker than one."""
    return bool(part.deep.sum() < s.deep * part.mask.sum())


def _together(change: Change, mask: Mask, s: CameSettings) -> Iterator[Change]:
    """The parts of a change in which a mask is in one piece that is not too small or too large."""
    kernel = np.ones((s.open_px, s.open_px), np.uint8)
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    count, _, stats, _ = cv2.connectedComponentsWithStats(opened)
    for x, y, wide, high, area in stats[1:count].tolist():
        if s.smallest_mm2 <= area * change.px_mm**2 <= s.largest_mm2:
            yield change.part(x, y, wide, high, s.round_mm)


def _laid_out(part: Part, s: CameSettings) -> Iterator[Hypotheses]:
    """Of each class the places at which it explains most of a part, if that is enough: one way round or another."""
    middle = part.change.middle_mm()
    for kind in range(len(CLASSES)):
        headings = np.arange(0.0, PERIODS[kind], s.step_deg)
        tried = [_moved_to(part, _placed(kind, *middle, heading), middle) for heading in headings]
        shares = np.array([_share(part, piece) for piece in tried])
        highest = (shares >= np.maximum(np.roll(shares, 1), np.roll(shares, -1))) & (shares > shares.max() - s.rival)
        for i in np.flatnonzero(highest).tolist():
            best, share = _finer(part, tried[i], float(shares[i]), s)
            if share > s.least:
                yield best


def _finer(part: Part, best: Hypotheses, share: float, s: CameSettings) -> tuple[Hypotheses, float]:
    """The place near by at which it explains most, and its share."""
    for step_mm, step_deg in s.finer:
        for dx, dy, turn in _steps(step_mm, step_deg):
            near = best.moved(best.place + np.array([[dx, dy, turn, 0.0]]))
            if (better := _share(part, near)) > share:
                best, share = near, better
    return best, share


def _steps(step_mm: float, step_deg: float) -> Iterator[tuple[float, float, float]]:
    for sign in (1.0, -1.0):
        yield sign * step_mm, 0.0, 0.0
        yield 0.0, sign * step_mm, 0.0
        yield 0.0, 0.0, sign * step_deg


def _placed(kind: int, x_mm: float, y_mm: float, heading_deg: float) -> Hypotheses:
    place = np.array([[x_mm, y_mm, heading_deg, 0.0]])
    return Hypotheses(np.array([kind]), place, np.zeros(1, np.intp))


def _moved_to(part: Part, piece: Hypotheses, middle_mm: tuple[float, float]) -> Hypotheses:
    """The piece where the middle of its outline is seen there."""
    seen = outlines_of(part.change.ground, piece)[0]
    centre = cv2.moments(seen.astype(np.float32))
    off = np.array(middle_mm) - (centre["m10"] / centre["m00"], centre["m01"] / centre["m00"])
    return piece.moved(piece.place + np.array([[*off, 0.0, 0.0]]))


def _share(part: Part, piece: Hypotheses) -> float:
    return part.likeness(outlines_of(part.change.ground, piece)[0], feet_of(piece)[0])
