"""A free table as evidence: which piece of a layout is which sighting, and what that says for the layout.

Every piece takes the sighting that fits it best. What lies a little off is where it was; what was not seen when the
table was last known is not missed; what lay there then and belongs to no game is no news.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import cast

from companion.games.base import Layout, Lying
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.free_alignment import aligned
from companion.referee.evidence.free_costs import Costs
from companion.referee.evidence.free_layouts import (
    FreeMemory,
    Matching,
    Odd,
    Pair,
    apart,
    carrier,
    carriers,
)
from companion.referee.evidence.free_matching import BYSTANDERS, Matcher
from companion.referee.evidence.layout import DOUBT, Difference, place_key
from companion.referee.settings import Settings
from companion.view import COVERED_MM, Sighting, TableView, square_at


class FreeEvidence:
    """One view of a free table, ready to be weighed."""

    def __init__(self, view: TableView, settings: Settings, memory: FreeMemory | None = None) -> None:
        self._settings, self._memory, self._view = settings, memory or FreeMemory(), view
        self._sightings = tuple(s for s in view.pieces() if s.x_mm is not None and s.y_mm is not None)
        self._matcher = Matcher(self._sightings, settings, self._memory)
        self._costs = Costs(view, self._sightings, settings, self._memory)

    # --- weighing -----------------------------------------------------------------------------------------------

    def score(self, layout: Layout) -> float:
        found = self.matching(layout)
        costs = [*self._costs.missing(layout, found), *self._costs.extra(layout, found)]
        return sum(pair.fit for pair in found.pairs) + self._costs.covering_gain(layout, found) - sum(costs)

    def best_score(self, layout: Layout) -> float:
        found, full = self.matching(layout), self._settings.full_cost
        costs = [*self._costs.missing(layout, found), *self._costs.extra(layout, found)]
        odd = any(cost > 0.0 for cost in costs) or any(pair.moved or pair.turned for pair in found.pairs)
        strays = sum(full if cost > 0.0 else 0.0 for cost in costs)
        gain = self._costs.covering_gain(layout, found)
        return sum(pair.fit for pair in found.pairs) + gain - (strays if odd else full)

    def differences(self, layout: Layout) -> tuple[Difference, ...]:
        found = self.matching(layout)
        costs = self._costs.missing(layout, found)
        most, missing = self._settings.crowded_cost, zip(found.missing, costs, strict=True)
        extra = zip(found.extra, self._costs.extra(layout, found), strict=True)
        new = [s for s, cost in extra if cost > most]
        gone = [p for p, cost in missing if cost > most or (cost > 0.0 and self._is_one_of(p, new))]
        gone += [pair.lying for pair in found.pairs if pair.moved]
        new += [pair.sighting for pair in found.pairs if pair.moved]
        turned = [pair for pair in found.pairs if pair.turned and not pair.moved]
        return (
            *(Difference(p.cell, p.piece, EMPTY, 1.0, p.x_mm, p.y_mm) for p in gone),
            *(Difference(s.cell, EMPTY, s.piece, s.confidence, s.x_mm, s.y_mm, s.why, s.heading_deg) for s in new),
            *(self._turned(pair) for pair in turned),
        )

    def _is_one_of(self, lying: Lying, new: Iterable[Sighting]) -> bool:
        """True for a piece that is not seen where it was, but elsewhere, however it lies there: nothing hides it."""
        return any(s.belief(replace(lying.piece, pose=None)) >= self._settings.sure_seen for s in new)

    def _turned(self, pair: Pair) -> Difference:
        """A piece that looks another way; what looks like another piece, such as one that fell over, is called that."""
        lying, seen = pair.lying, pair.sighting
        own = seen.piece.pose == lying.piece.pose or seen.why is not None
        if not own:
            return Difference(lying.cell, lying.piece, seen.piece, seen.confidence, lying.x_mm, lying.y_mm)
        turned = Difference(lying.cell, lying.piece, lying.piece, 1.0, lying.x_mm, lying.y_mm)
        return replace(turned, to_deg=lying.heading_deg, name=lying.words)

    def saw(self, before: Layout, after: Layout, plainly: bool = False) -> bool:
        old = set(map(place_key, before.pieces))
        found = self.matching(after)
        seen = {place_key(pair.lying): pair.sighting for pair in found.pairs}
        hidden = set(map(place_key, carriers(after)))
        least = self._settings.plain_seen if plainly else self._settings.least_seen
        new = [p for p in after.pieces if place_key(p) not in old and place_key(p) not in hidden]
        return all((k := place_key(p)) in seen and self._looks_like(p, seen[k], after) >= least for p in new)

    def gone(self, layout: Layout, others: Iterable[Layout]) -> bool:
        """True unless something that is not told may lie still where others have a piece and this one has none."""
        if self._view.covered is None:
            return True
        known = [*_places(self._sightings), *_places(layout.pieces)]
        left = (place for other in others for place in _places(other.pieces))
        near_mm = self._settings.beside_known_mm
        return all(self._view.bare(*place) or any(math.dist(place, k) <= near_mm for k in known) for place in left)

    def displaced(self, lying: Lying, layout: Layout) -> bool:
        """True for a piece of the layout that is not seen, where something new lies that cannot lie upon it."""
        if layout.stacks:
            return False
        found = self.matching(layout)
        away = lying in found.missing or any(pair.moved and pair.lying == lying for pair in found.pairs)
        new = (*found.extra, *(pair.sighting for pair in found.pairs if pair.moved))
        reach_mm = self._settings.instead_mm
        return away and any(apart(s, lying) <= reach_mm for s in new if not self._costs.is_known(s))

    def another(self, layout: Layout) -> bool:
        """True if so little of a photographed table lies as in the layout that it is rather another table."""
        if not self._settings.take_the_best:
            return False  # the camera of a watched table sees no other
        right = [pair.lying for pair in self.matching(layout).pairs if not (pair.moved or pair.turned)]
        odd = self.differences(layout)
        if any(not lying.slack_mm for lying in right) and all(d.expected == EMPTY for d in odd):
            return False  # all lies where it lay, and be it amid much that is new
        return len(odd) > max(self._settings.most_odd, self._settings.odd_share * len(right))

    def surely_another(self, lying: Lying) -> bool:
        """True if what surely lies where the piece was put looks like another one, of another size or pose maybe."""
        spot, settings = (lying.x_mm, lying.y_mm), self._settings
        if None in spot or self.told(spot) < settings.sure_seen:
            return False
        return self.belief(spot, lying.piece) < settings.contradicted

    def named_otherwise(self, lying: Lying) -> bool:
        """True if the host said that what was put there is another piece."""
        there = (lying.x_mm, lying.y_mm)
        return self.surely_another(lying) and any(s.misread is not None for s in self._at(there))

    def others_there(self, layout: Layout, heeded: bool) -> tuple[Difference, ...]:
        """The pieces of a layout in whose very places others surely are, which looked like themselves when last known.

        `heeded`: that was said already, and so it does not matter how they looked. After a start nobody knows.
        """
        pairs = (p for p in self.matching(layout).pairs if not (p.moved or p.turned) and p.sighting.why is None)
        found = []
        for lying, seen in ((pair.lying, pair.sighting) for pair in pairs):
            other = seen.confidence >= self._settings.sure_seen and lying.nested_on is None
            if other and seen.belief(lying.piece) < self._settings.contradicted and (heeded or self._was_itself(lying)):
                found.append(Difference(None, lying.piece, seen.piece, seen.confidence, lying.x_mm, lying.y_mm))
        return tuple(found)

    def _was_itself(self, lying: Lying) -> bool:
        was = self._memory.looks.get(place_key(lying))
        return not self._memory.looks or (was is not None and was.belief(lying.piece) >= self._settings.surely_itself)

    def shows_more(self, layout: Layout) -> bool:
        """True if a piece surely lies there that is none of the layout's, and that nobody saw before."""
        found, s = self.matching(layout), self._settings
        extra = zip(found.extra, self._costs.extra(layout, found), strict=True)
        return any(cost > s.crowded_cost and new.why is None and new.confidence >= s.news_seen for new, cost in extra)

    def _looks_like(self, lying: Lying, seen: Sighting, layout: Layout) -> float:
        return max(
            seen.belief(lying.piece), self._matcher.mixture(lying.piece, carrier(lying, layout), seen, layout.singles)
        )

    def unseen(self, layout: Layout) -> tuple[Difference, ...]:
        return tuple(
            Difference(p.lying.cell, p.lying.piece, s.piece, s.confidence, p.lying.x_mm, p.lying.y_mm, s.why or DOUBT)
            for p in self.matching(layout).pairs
            if (s := p.sighting).belief(p.lying.piece) < self._settings.plain_seen
        )

    def faintly(self, difference: Difference) -> bool:
        return False

    def spots(self, layout: Layout, like: Iterable[Hashable] = ()) -> dict[Hashable, Piece]:
        hidden, known = set(map(place_key, carriers(layout))), tuple(like)
        shown: dict[Hashable, Piece] = {}
        for lying in layout.pieces:
            if lying.x_mm is not None and lying.y_mm is not None and place_key(lying) not in hidden:
                here = (lying.x_mm, lying.y_mm)
                shown[next((spot for spot in known if self._near_by(spot, here)), here)] = lying.piece
        return shown

    def belief(self, spot: Hashable, piece: Piece) -> float:
        return max((s.belief(piece) for s in self._at(spot)), default=0.0)

    def told(self, spot: Hashable) -> float:
        """The probability that any piece is there."""
        return max((s.told for s in self._at(spot)), default=0.0)

    def reads(self, spot: Hashable) -> bool:
        return bool(self._at(spot))

    def _at(self, spot: Hashable) -> list[Sighting]:
        return [s for s in self._sightings if self._near_by(spot, (s.x_mm, s.y_mm))]

    def _near_by(self, spot: Hashable, place: tuple[float | None, float | None]) -> bool:
        (x, y), (px, py) = cast("tuple[float, float]", spot), cast("tuple[float, float]", place)
        return math.hypot(x - px, y - py) <= self._settings.nudge_mm

    def shows(self, lying: Lying) -> bool:
        """True if the piece is seen where it is to lie."""
        pairs = self.matching(Layout((lying,))).pairs
        return bool(pairs) and not (pairs[0].moved or pairs[0].turned)

    def unturned(self, layout: Layout) -> tuple[Lying, ...]:
        """The pieces that look at somebody, and of which it cannot be seen at whom."""
        pairs = self.matching(layout).pairs
        return tuple(pair.lying for pair in pairs if pair.lying.slack_deg and pair.sighting.heading_deg is None)

    # --- what nothing explains ----------------------------------------------------------------------------------

    @property
    def view(self) -> TableView:
        """What is weighed."""
        return self._view

    @property
    def memory(self) -> FreeMemory:
        """What it is weighed against."""
        return self._memory

    def odd(self, layout: Layout) -> Odd:
        """What does not fit this layout."""
        found = self.matching(layout)
        extra = zip(found.extra, self._costs.extra(layout, found), strict=True)
        missing = zip(found.missing, self._costs.missing(layout, found), strict=True)
        moved = [pair for pair in found.pairs if pair.moved or pair.turned or not self._matcher.recognised(pair)]
        return Odd(
            (*(s for s, cost in extra if cost > 0.0), *(pair.sighting for pair in moved)),
            (*(p for p, cost in missing if cost > 0.0), *(pair.lying for pair in moved)),
        )

    def without(self, odd: Odd) -> "FreeEvidence":
        """The same view as if what was odd about an earlier one were neither seen nor missed."""
        looks = {**self._memory.looks, **dict.fromkeys(map(place_key, odd.missing))}
        strays = (*odd.extra, *self._memory.strays)[: self._settings.most_strays]
        return FreeEvidence(self._view, self._settings, replace(self._memory, looks=looks, strays=strays))

    def shown(self, layout: Layout) -> TableView | None:
        """What lies there, what is known of it exactly where it is recorded; None where what differs is not sure."""
        odd = self.differences(layout)
        if not odd or any(d.why is not None or d.belief < self._settings.sure_seen for d in odd):
            return None
        return self.aligned((layout,))

    # --- memory and alignment -----------------------------------------------------------------------------------

    def matching(self, layout: Layout) -> Matching:
        """Which piece is which sighting: the best pairs first."""
        return self._matcher.matching(layout)

    def aligned(self, layouts: Sequence[Layout]) -> TableView:
        """The view as it would be if every piece known to lie there were seen exactly where it is recorded."""
        return aligned(self._view, self._matcher, layouts)

    @property
    def dice(self) -> tuple[Sighting, ...]:
        """The bystanders: dice where they fell."""
        return tuple(s for s in self._sightings if s.piece.kind in BYSTANDERS)

    def looks(self, layout: Layout) -> FreeMemory:
        """What is to be remembered of a table that is known to show this layout."""
        found = self.matching(layout)
        looks = {place_key(p): self._kept_look(p) for p in found.missing}
        for pair in found.pairs:
            own = pair.sighting.unnamed  # where the host alone knows of it, nothing is missed there later
            looks[place_key(pair.lying)] = None if pair.moved or pair.turned or not own.beliefs else own
        beside = [s for s in found.extra if not self._costs.is_double(s, layout, found)]
        beside += [pair.sighting for pair in found.pairs if pair.moved or pair.turned]
        beside += [s.unnamed for s in self._view.sightings if s.piece == EMPTY and s.misread and s.x_mm is not None]
        strays = (*beside, *(s for s in self._memory.strays if s not in beside))
        covered = self._covered_by_others(found.pairs)
        told = frozenset(place_key(pair.lying) for pair in found.pairs if not self._costs.bare(pair.lying))
        return FreeMemory(looks, strays[: self._settings.most_strays], self._memory.dice, covered, told)

    def _kept_look(self, lying: Lying) -> Sighting | None:
        """How a piece that is not seen looked; None, unless something lies there still."""
        return None if self._costs.bare(lying) else self._memory.looks.get(place_key(lying))

    def _covered_by_others(self, pairs: Iterable[Pair]) -> frozenset[tuple[int, int]]:
        """The squares that are not bare, and not because of a known piece near by."""
        reach = math.ceil(self._settings.beside_known_mm / COVERED_MM)
        near = set()
        for pair in pairs:
            if pair.sighting.x_mm is not None and pair.sighting.y_mm is not None:
                col, row = square_at(pair.sighting.x_mm, pair.sighting.y_mm)
                near |= {(col + i, row + j) for i in range(-reach, reach + 1) for j in range(-reach, reach + 1)}
        return (self._view.covered or frozenset()) - near


def _places(things: Iterable[Sighting | Lying]) -> list[tuple[float, float]]:
    """Where they are, in mm."""
    return [(thing.x_mm, thing.y_mm) for thing in things if thing.x_mm is not None and thing.y_mm is not None]
