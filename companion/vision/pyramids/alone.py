"""What came to a watched table, seen by itself: the table as it was before is taken out of the picture.

Clear plastic beside other pieces is hardly seen among their edges. What has changed shows its outline alone, as if it
lay on a bare table, and there it is looked for as on any.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.convex import shared
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.ground.without_pattern import seen_before, without_pattern
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.known import same_as, told_there
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.settings import PyramidSettings

Floats = NDArray[np.float64]
Look = Callable[[Ground], tuple[Hypotheses, Floats]]


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    """What looks like a piece where all else is taken out of the picture, and its log-odds there."""

    pieces: Hypotheses
    odds: Floats

    def gains(self, found: Hypotheses, s: PyramidSettings) -> Floats:
        """(n) log-odds by which hypotheses are likelier, as they are these pieces."""
        gains, near = np.zeros(len(found)), same_as(self.pieces, found, s.added, s.alone.near_mm)
        for same, odds in zip(near, self.odds.tolist(), strict=True):
            gains[same] = np.maximum(gains[same], odds)
        return gains


NOTHING = Alone(joined([]), np.zeros(0))


def unseen(ground: Ground, found: Hypotheses, odds: Floats, least: float, s: PyramidSettings) -> bool:
    """True if the table was touched, and no piece of at least these log-odds is new since."""
    past = ground.past
    if past is None or past.calm is None:
        return False
    sure = found.only(np.flatnonzero(odds > least))
    return all(told_there(past.calm.found, outline, s.added) for outline in outlines_of(ground, sure))


def came_alone(ground: Ground, look: Look, s: PyramidSettings) -> Alone:
    """What `look` sees of what came since before the table was touched, where nothing lay that was seen before."""
    assert ground.past is not None and ground.past.calm is not None  # noqa: PT018
    now, then, pattern = ground.as_taken, ground.past.calm.ground.as_taken, s.alone.pattern
    bare = replace(now, past=None, zone=None)
    plain = without_pattern(bare, seen_before(bare, then, pattern), (), pattern)
    if plain is bare:  # the camera was moved: more differs than before
        return NOTHING
    pieces, odds = look(replace(plain, taken=None, zone=ground.zone))
    before = [*ground.past.found, *ground.past.calm.found]
    kept = np.array([*_new(ground, before, pieces, odds, s)], np.intp)
    return Alone(pieces.only(kept), np.minimum(odds[kept], s.alone.most))


def _new(
    ground: Ground, before: Sequence[Found], pieces: Hypotheses, odds: Floats, s: PyramidSettings
) -> Iterator[int]:
    """The numbers of those that are likely, and where nothing was told before, nor by another family now."""
    for i, outline in enumerate(outlines_of(ground, pieces)):
        if odds[i] <= s.alone.least or told_there(before, outline, s.added):
            continue
        if not any(shared(outline, other) > s.added.covering for other in ground.claimed_mm):
            yield i
