"""What is too unlikely to be called a pyramid, and yet may be one: where one is due, people may be asked about it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.convex import shared
from companion.vision.found import Found
from companion.vision.pyramids.choice import alternatives, exclude
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.placed import Placed, feet_of
from companion.vision.pyramids.seen import Seen
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.since import Since
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Faint:
    """Hypotheses of one ground that none of its pieces excludes, and the probability of each class at its spot."""

    windows: Windows  # in which they were found
    found: Hypotheses
    odds: Floats  # (n) log-odds
    rivals: tuple[dict[int, float], ...]

    def beside(self, seen: Seen, s: PyramidSettings) -> Seen:
        """The pieces that were seen, and after them these."""
        n = len(self.found)
        more = seen.with_more(self.found, self.odds, self.rivals, [None] * n)
        both = replace(more, came=np.concatenate([seen.came, np.zeros(n)]))
        return both if seen.windows is self.windows else both.in_one_window(s)


def faint_beside(seen: Seen, windows: Windows, tried: Placed, odds: Floats, s: PyramidSettings) -> Faint:
    """The likeliest of (n) hypotheses of some windows that are nearly told beside what was seen."""
    outlines, feet = tried.outlines, tried.feet
    standing = list(zip(seen.outlines, feet_of(seen.found), strict=True))
    loose, faint = replace(s, within=s.faint_within), list[int]()
    for i in np.argsort(-odds).tolist():
        if odds[i] < s.faint or len(faint) == s.most_faint:
            break
        if not any(exclude(outlines[i], own, feet[i], foot, loose) for own, foot in standing):
            faint.append(i)
            standing.append((outlines[i], feet[i]))
    kept = np.array(faint, np.intp)
    rivals = tuple(alternatives(tried.found, odds, _spot(i, odds, feet, s)) for i in faint)
    return Faint(windows, tried.found.only(kept), odds[kept], rivals)


def _spot(number: int, odds: Floats, feet: Sequence[Floats], s: PyramidSettings) -> NDArray[np.intp]:
    """The numbers of all that are nearly told where one is."""
    near = (i for i in np.flatnonzero(odds >= s.faint).tolist() if shared(feet[i], feet[number]) > s.overlap)
    return np.array(list(near), np.intp)


def still_faint(since: Since, outlines: Sequence[Floats], s: PyramidSettings) -> list[Found]:
    """What was faint in the last look at a watched table and lies as it lay, where none of these outlines is.

    What came since the look before speaks for a piece once; later looks see that nothing has changed.
    """
    if since.watched is None or since.ground.past is None:
        return []
    before = (
        f
        for f in since.ground.past.found
        if f.sighting.faint and f.on is None and f.sighting.likeliest.kind == "pyramid"
    )
    lying = (f for f in before if since.watched.of(f.outline_mm) < s.added.quiet)
    return [f for f in lying if not any(shared(f.outline_mm, own) > s.hidden for own in outlines)]
