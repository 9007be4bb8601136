"""What it costs a layout that pieces of it are not seen on a free table, and that more is seen than they."""

from collections.abc import Hashable, Sequence

from companion.games.base import Layout, Lying
from companion.pieces import Piece
from companion.referee.evidence.blends import blended
from companion.referee.evidence.free_layouts import FreeMemory, Matching, apart, carriers, foreign, strange
from companion.referee.evidence.free_strays import is_known, was_stray
from companion.referee.evidence.layout import place_key
from companion.referee.settings import Settings
from companion.view import Sighting, TableView


class Costs:
    """Of one view, seen after what is remembered of the table."""

    def __init__(self, view: TableView, sightings: Sequence[Sighting], settings: Settings, memory: FreeMemory) -> None:
        self._view, self._settings, self._memory = view, settings, memory
        self._fresh = tuple(s for s in sightings if not self.is_known(s))

    def missing(self, layout: Layout, found: Matching) -> list[float]:
        """Against each piece of the layout that is not seen."""
        hidden = set(map(place_key, carriers(layout)))
        stripped = self._stripped(layout, found)
        return [self._missing_cost(p, place_key(p) in hidden, place_key(p) in stripped) for p in found.missing]

    def extra(self, layout: Layout, found: Matching) -> list[float]:
        """Against each sighting that is no piece of the layout."""
        most = self._settings.double_cost
        costs = [self._extra_cost(s) for s in found.extra]
        for at, sighting in enumerate(found.extra):
            if self.is_double(sighting, layout, found):
                costs[at] = min(costs[at], most)
            elif sighting.nested_on is None and self._is_foreign(sighting, layout):
                costs[at] = min(costs[at], self._settings.foreign_cost)
        return costs

    def covering_gain(self, layout: Layout, found: Matching) -> float:
        """For pieces that hide those of their own size which looked surely like themselves: hence the other look.

        Of translucent ones that look may be a mixture of both.
        """
        seen = {place_key(pair.lying): pair.sighting for pair in found.pairs}
        covered = 0
        for lying in layout.pieces:
            if lying.nested_on is None or (now := seen.get(place_key(lying))) is None:
                continue
            below = layout.pieces[lying.nested_on]
            was = self._memory.looks.get(place_key(below))
            hides = place_key(below) not in seen and below.piece.size == lying.piece.size
            if hides and was is not None and apart(was, now) <= self._settings.nudge_mm:
                mixed = self._mixed(now, lying.piece, below.piece, layout)
                covered += mixed and was.belief(below.piece) >= self._settings.surely_itself
        return covered * self._settings.covering_gain

    def bare(self, lying: Lying) -> bool:
        """True if nothing is where a piece is to lie, or its place is not told."""
        untold = lying.x_mm is None or lying.y_mm is None or self._view.covered is None
        return untold or self._view.bare(lying.x_mm or 0.0, lying.y_mm or 0.0)

    def is_known(self, sighting: Sighting) -> bool:
        """True for what lay there when the table was last known."""
        return is_known(sighting, self._memory, self._settings)

    def is_double(self, sighting: Sighting, layout: Layout, found: Matching) -> bool:
        """True for a second look of a piece of which there is one: its shadow, say. The surer look is the piece."""
        if not layout.singles or self.is_known(sighting):
            return False
        one = next((piece for piece in layout.singles if piece.fits(sighting.likeliest)), None)
        twins = (p.sighting for p in found.pairs if one is not None and one.fits(p.sighting.piece) and not p.moved)
        return any(twin.confidence >= sighting.confidence for twin in twins)

    def _stripped(self, layout: Layout, found: Matching) -> set[Hashable]:
        """What is not seen upon a piece that surely looks like itself: at a watched table that lies bare, then."""
        if self._settings.take_the_best:
            return set()
        plain = {
            place_key(pair.lying)
            for pair in found.pairs
            if not pair.moved and pair.sighting.belief(pair.lying.piece) >= self._settings.surely_itself
        }
        upper = (p for p in found.missing if p.nested_on is not None)
        return {place_key(p) for p in upper if place_key(layout.pieces[p.nested_on or 0]) in plain}

    def _missing_cost(self, lying: Lying, hidden: bool, stripped: bool) -> float:
        key, looks = place_key(lying), self._memory.looks
        if hidden or (key in looks and looks[key] is None):
            return 0.0  # under another piece, or not seen when it was known to lie there either
        if lying.x_mm is None or lying.y_mm is None:
            return self._settings.full_cost
        beside = self._settings.beside_mm + lying.slack_mm
        near = any(apart(s, lying) <= beside for s in self._fresh)
        told = key in self._memory.told  # its place was not bare; after a start nobody has seen it yet
        if (key in looks or told) and not self.bare(lying) and not stripped:
            return self._settings.overlooked_cost  # something lies there still
        gone = told and self._view.covered is not None
        return self._settings.crowded_cost if near and not gone else self._settings.full_cost

    def _mixed(self, seen: Sighting, upper: Piece, below: Piece, layout: Layout) -> bool:
        """True for the look of the upper one, through which the one below may show."""
        s = self._settings
        if foreign(seen, layout.singles, s) or blended(seen, upper, below, layout.singles, s) >= s.mixed * s.blend:
            return True
        return seen.belief(upper) >= s.mixed and seen.belief(upper) + seen.belief(below) >= s.news_seen

    def _is_foreign(self, sighting: Sighting, layout: Layout) -> bool:
        """True for glare, a pattern, a shadow. What is seen where a piece was is that one, whatever it looks like."""
        s = self._settings
        new = not self.is_known(sighting)
        return foreign(sighting, layout.singles, s) or (new and strange(sighting, layout.looks, s))

    def _extra_cost(self, sighting: Sighting) -> float:
        """Against a sighting that is no piece of the layout: little where the eye itself is in doubt."""
        if was_stray(sighting, self._memory, self._settings):
            return 0.0
        settings = self._settings
        share = (sighting.told - settings.hardly_seen) / (settings.sure_seen - settings.hardly_seen)
        return self._settings.full_cost * min(1.0, max(0.0, share))
