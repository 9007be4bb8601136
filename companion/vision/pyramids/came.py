"""A pyramid that came since the last look: beside others of its colour, what has changed alone has its outline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.convex import shared
from companion.vision.ground.foreground import Region
from companion.vision.pyramids.change import Change
from companion.vision.pyramids.hypotheses import PERIODS, Hypotheses, joined
from companion.vision.pyramids.placed import feet_of, outlines_of
from companion.vision.pyramids.settings import CameSettings
from companion.vision.pyramids.shapes import CLASSES, STANDING, outline

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

SIMILAR = 3  # headings one after another at which a piece is about as large


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What changed together, and the known pieces there."""

    change: Change
    beside: tuple[tuple[Mask, Floats], ...]  # the pixels of each, and its foot
    settings: CameSettings

    def likeness(self, seen: Floats, foot: Floats) -> float:
        """How much of the change a piece explains. Known pieces that it would stand in hide nothing of it."""
        if not self.change.reaches(seen):
            return 0.0
        s = self.settings
        hiding = [mask for mask, other in self.beside if shared(foot, other) < s.apart]
        return self.change.likeness(seen, hiding, s.seen)

    def shares(self, found: Hypotheses) -> Iterator[float]:
        """How much of the change each explains, one after another as they are asked for."""
        corners = found.corners()
        for own, points in zip(self.change.ground.seen_at(corners), corners, strict=True):
            yield self.likeness(outline(own), outline(points[:, :2]))

    def may_explain(self, found: Hypotheses, share: float) -> bool:
        """False if no piece as large as one of these explains so much, wherever it lies."""
        s, some = self.settings, outlines_of(self.change.ground, found.only(np.arange(0, len(found), SIMILAR)))
        drawn = [self.change.drawn(seen).sum() for seen in some]
        least = min(drawn) * (1 - s.drawn) * (s.seen if self.beside else 1.0)
        return self.change.explained_at_most(least, max(drawn) * (1 + s.drawn)) > share


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

    def regions(self) -> list[Region]:
        """What changed beside known pieces, each part by itself: of their whole group they may explain nearly all."""
        return [part.change.region() for part in self.parts if part.beside]


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


def anywhere_in(change: Change | None, s: CameSettings) -> tuple[Hypotheses, ...]:
    """For each part of what differs between two photographs every class about its middle, all ways round: to be looked
    at, as the edges of a card or a cup beside it carry a search away, and on a ground like itself half of a piece is no
    change. Nothing where it is the light that differs.
    """
    parts = [] if change is None else [Part(part, (), s) for part in _parts(change, s)]
    if len(parts) > s.most_parts:
        return ()
    return tuple(joined([*_all_ways(part, s)]) for part in parts)


def _all_ways(part: Part, s: CameSettings) -> Iterator[Hypotheses]:
    """Every class with the middle of its outline in the middle of a part."""
    middle = part.change.middle_mm()
    for kind, period in enumerate(PERIODS):
        ways = np.arange(n := s.ways[kind >= STANDING]) * period / n
        yield _moved_to(part, _placed(kind, *middle, ways), middle)


def _near(part: Change, known: Sequence[tuple[Floats, Floats]]) -> Iterator[tuple[Mask, Floats]]:
    for seen, foot in known:
        if part.reaches(seen) and (mask := part.drawn(seen)).any():
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
    left, top, width, height = cv2.boundingRect(opened)  # mostly little has changed
    if not width:
        return
    count, _, stats, _ = cv2.connectedComponentsWithStats(opened[top : top + height, left : left + width])
    for x, y, wide, high, area in stats[1:count].tolist():
        if s.smallest_mm2 <= area * change.ground.coarse_mm**2 <= s.largest_mm2:
            yield change.part(left + x, top + y, wide, high, s.round_mm)


def _laid_out(part: Part, s: CameSettings) -> Iterator[Hypotheses]:
    """Of each class the places at which it explains most of a part, if that is enough: one way round or another."""
    middle = part.change.middle_mm()
    for kind in range(len(CLASSES)):
        tried = _moved_to(part, _placed(kind, *middle, np.arange(0.0, PERIODS[kind], s.step_deg)), middle)
        if not part.may_explain(tried, s.least):
            continue
        shares = np.array(list(part.shares(tried)))
        highest = shares >= np.maximum(np.roll(shares, 1), np.roll(shares, -1))
        hopeful = shares > max(float(shares.max()) - s.rival, s.least - s.rise)
        for i in np.flatnonzero(highest & hopeful).tolist():
            best, share = _finer(part, tried.only([i]), float(shares[i]), s)
            if share > s.least:
                yield best


def _finer(part: Part, best: Hypotheses, share: float, s: CameSettings) -> tuple[Hypotheses, float]:
    """The place near by at which it explains most, and its share."""
    for step_mm, step_deg in s.finer:
        steps = _steps(step_mm, step_deg)
        while len(steps):
            near = _placed(int(best.kind[0]), *(best.place[0, :3] + steps).T)
            better = next((found for found in enumerate(part.shares(near)) if found[1] > share), None)
            if better is None:
                break
            best, share, steps = near.only([better[0]]), better[1], steps[better[0] + 1 :]
    return best, share


def _steps(step_mm: float, step_deg: float) -> Floats:
    """(6, 3) to all sides, and turned both ways."""
    one = np.diag([step_mm, step_mm, step_deg])
    return np.concatenate([one, -one])


def _placed(kind: int, x_mm: Floats | float, y_mm: Floats | float, heading_deg: Floats) -> Hypotheses:
    """One shape at n places."""
    n = len(heading_deg)
    place = np.stack([np.broadcast_to(v, n) for v in (x_mm, y_mm, heading_deg, 0.0)], axis=1)
    return Hypotheses(np.full(n, kind), place, np.zeros(n, np.intp))


def _moved_to(part: Part, found: Hypotheses, middle_mm: tuple[float, float]) -> Hypotheses:
    """The pieces where the middles of their outlines are seen there."""
    seen = [cv2.moments(one.astype(np.float32)) for one in outlines_of(part.change.ground, found)]
    centres = np.array([[m["m10"] / m["m00"], m["m01"] / m["m00"]] for m in seen])
    return found.moved(found.place + np.pad(middle_mm - centres, ((0, 0), (0, 2))))
