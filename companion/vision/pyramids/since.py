"""What the last look at a watched table says of hypotheses: what stayed, what came, and where nothing did."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.alone import NOTHING, Alone
from companion.vision.pyramids.came import Came, anywhere_in, came_since
from companion.vision.pyramids.change import Change, change_between
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.known import (
    Known,
    Unchanged,
    against_new,
    classes_of,
    colours_of,
    gone,
    known_piece,
    same_as,
    unchanged,
)
from companion.vision.pyramids.placed import feet_of, outlines_of
from companion.vision.pyramids.seen import Seen
from companion.vision.pyramids.settings import PyramidSettings

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Since:
    """Of one ground; without a last look it says nothing."""

    ground: Ground
    change: Change | None  # between photographs, too
    watched: Change | None  # in photographs so much differs that a change says nothing of single pieces
    known: Unchanged
    gone: Hypotheses
    came: Came
    anywhere: tuple[Hypotheses, ...]  # of each part that differs between photographs, what may lie there
    settings: PyramidSettings
    alone: Alone = NOTHING

    def gains(self, found: Hypotheses, outlines: Sequence[Floats]) -> Floats:
        """(n) log-odds by which hypotheses are likelier, having stayed or come. What has gone has changed, too."""
        s = self.settings.added
        came = np.maximum(self.came.gains(outlines, feet_of(found)), self.alone.gains(found, self.settings))
        for same in same_as(self.gone, found, s):
            came[same] = 0.0
        return self.known.gains(found, s) + came

    def weighed(self, found: Hypotheses, odds: Floats) -> Floats:
        """(n) log-odds of hypotheses in the light of the last look."""
        gains = self.gains(found, outlines_of(self.ground, found))
        return self.known.at_least(found, odds + gains, self.settings.added)

    def against(self, found: Hypotheses, odds: Floats, outlines: Sequence[Floats]) -> Floats:
        """(n) log-odds against those that cannot have come."""
        against = against_new(self.ground, self.watched, odds, outlines, self.settings.added)
        return np.where(self.alone.gains(found, self.settings) > 0, 0.0, against)

    def may_be(self, found: Hypotheses, i: int) -> bool:
        """True for one that may have come, or may be one that stayed; without a look before, for each."""
        if self.watched is None:
            return True
        (outline,) = outlines_of(self.ground, found.only([i]))
        came = self.watched.of(outline) > self.settings.climb.changed
        came = came or bool(self.alone.gains(found.only([i]), self.settings).any())
        return came or self.known.holds(found, i, self.settings.added)

    def colours(self, seen: Seen) -> dict[int, Floats]:
        """By number, the (10,) shares that were told of what two looks have seen, and lies as it lay."""
        s, told = self.settings.added, {}
        for i, claim, piece in self._as_it_lay(seen, s.same_mm / 2):
            if claim.again and piece.kind == seen.found.kind[i]:
                told[i] = colours_of(claim)
        return told

    def classes(self, seen: Seen) -> tuple[dict[int, float], ...]:
        """The probabilities of the classes of all that was seen: of what lies as it lay, the last look tells, too.

        One picture that is looked at twice is in no less doubt; what the change has told is told once.
        """
        s, rivals = self.settings.added, list(seen.rivals)
        for i, claim, _ in self._as_it_lay(seen, s.same_mm):
            if i not in seen.by_change and not claim.by_change:
                before, whole = classes_of(claim), sum(seen.rivals[i].values())
                now = {kind: p / whole for kind, p in seen.rivals[i].items()}
                each = {k: s.doubted * before.get(k, 0.0) + (1 - s.doubted) * now.get(k, 0.0) for k in before | now}
                rivals[i] = {kind: p * whole for kind, p in each.items()}
        return tuple(rivals)

    def _as_it_lay(self, seen: Seen, near_mm: float) -> Iterator[tuple[int, Found, Known]]:
        """The numbers of pieces that nothing has changed at since the last look, which claim each was, and where."""
        if self.watched is None or self.ground.past is None:
            return
        found = self.ground.past.found
        known = [(k, f, piece) for k, f in enumerate(found) if (piece := known_piece(f)) is not None]
        for i, place in enumerate(seen.found.place):
            for k, claim, piece in known:
                near = math.dist(place[:2], (piece.x_mm, piece.y_mm)) < near_mm
                alike = near and _below(found, k) == len(seen.chain(i)) - 1
                if alike and self.watched.of(seen.outlines[i]) < self.settings.added.quiet:
                    yield i, claim, piece


def _below(found: Sequence[Found], number: int) -> int:
    """How many pieces a claim is stacked on."""
    on = found[number].on
    return 0 if on is None else 1 + _below(found, on)


def since_last_look(ground: Ground, s: PyramidSettings) -> Since:
    """What its last look says of a ground."""
    change = change_between(ground, ground.past.ground, s.added) if ground.past is not None else None
    watched = change if ground.past is not None and not ground.past.once else None
    came = came_since(watched, unchanged(ground, watched, (), s.added).pieces, s.came)
    known = unchanged(ground, watched, outlines_of(ground, came.pieces), s.added)
    anywhere = anywhere_in(change if watched is None else None, s.came)
    return Since(ground, change, watched, known, gone(ground, watched, s.added), came, anywhere, s)
