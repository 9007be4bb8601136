"""Which piece of a layout is which sighting of a free table: the best pairs first."""

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field, replace

from companion.games.base import Layout, Lying
from companion.pieces import Piece
from companion.referee.evidence.blends import blended
from companion.referee.evidence.free_layouts import FreeMemory, Matching, Pair, apart, carrier, off, turned_off
from companion.referee.evidence.layout import likeness, place_key
from companion.referee.settings import Settings
from companion.view import Sighting

BYSTANDERS = ("die",)  # kinds that lie about wherever they fell; no stray where a layout does not name them


@dataclass(eq=False)
class Matcher:
    """The sightings of one view, and how the table looked when it was last known; every layout is matched once."""

    sightings: Sequence[Sighting]
    settings: Settings
    memory: FreeMemory
    _near: dict[Hashable, tuple[tuple[int, Pair], ...]] = field(default_factory=dict)  # by place, and if nested
    _matchings: dict[int, tuple[Layout, Matching]] = field(default_factory=dict)

    def matching(self, layout: Layout) -> Matching:
        """Which piece is which sighting: the best pairs first."""
        if (kept := self._matchings.get(id(layout))) is not None and kept[0] is layout:
            return kept[1]
        pieces = layout.pieces
        pairs = [(i, j, pair) for i, lying in enumerate(pieces) for j, pair in self._pairs(lying, layout)]
        taken: dict[int, Pair] = {}
        used: set[int] = set()
        for i, j, pair in sorted(pairs, key=lambda each: (-each[2].fit, each[0], each[1])):
            if i not in taken and j not in used:
                taken[i] = replace(pair, lying=pieces[i])
                used.add(j)
        kinds = {lying.piece.kind for lying in pieces}
        extra = (
            s
            for j, s in enumerate(self.sightings)
            if j not in used and (s.piece.kind not in BYSTANDERS or s.piece.kind in kinds)
        )
        found = Matching(
            tuple(taken[i] for i in sorted(taken)),
            tuple(p for i, p in enumerate(pieces) if i not in taken),
            tuple(extra),
        )
        self._matchings[id(layout)] = (layout, found)
        return found

    def recognised(self, pair: Pair) -> bool:
        """False for a thing that lies where the piece should, and looks like another one: it may lie upon it."""
        was = self.memory.looks.get(place_key(pair.lying))
        return self._told_there(pair.lying, was, pair.sighting) >= self.settings.least_seen

    def _pairs(self, lying: Lying, layout: Layout) -> tuple[tuple[int, Pair], ...]:
        """The piece with each sighting for which it may be taken."""
        below = carrier(lying, layout)
        key = place_key(lying), below
        if key not in self._near:
            weighed = [self._weigh(lying, below, sighting, layout.singles) for sighting in self.sightings]
            self._near[key] = tuple((number, pair) for number, pair in enumerate(weighed) if pair is not None)
        return self._near[key]

    def _weigh(self, lying: Lying, below: Piece | None, sighting: Sighting, singles: Collection[Piece]) -> Pair | None:
        """A bell curve of its place and heading, and the eye's belief; what is beyond a nudge costs a stray more.

        None when it lies too far off, or is of another kind.
        """
        settings, was = self.settings, self.memory.looks.get(place_key(lying))
        if sighting.piece.kind not in (lying.piece.kind, "unknown"):
            return None
        away = max(0.0, off(lying, was, sighting) - lying.slack_mm)
        told = max(self._told_there(lying, was, sighting), self.mixture(lying.piece, below, sighting, singles))
        fit = math.log(told) - 0.5 * (away / settings.place_sigma_mm) ** 2
        if fit < -2 * settings.stray_cost:
            return None
        turned = turned_off(lying, sighting)
        beyond, askew = away > settings.nudge_mm, turned > settings.nudge_deg + lying.slack_deg
        if (beyond or askew) and was is None and place_key(lying) in self.memory.looks:
            return None  # it was not seen when this was known to lie there: it may be anything
        if not askew:
            fit -= 0.5 * (max(0.0, turned - lying.slack_deg) / settings.heading_sigma_deg) ** 2
        return Pair(lying, sighting, fit - self.settings.full_cost * (beyond + askew), beyond, askew)

    def _told_there(self, lying: Lying, was: Sighting | None, now: Sighting) -> float:
        """The same where it lies: a known piece is rather misread than another one put just where it lay.

        What looked surely like itself when it was known hardly looks like another one now: its likeness counts twice.
        """
        settings, told = self.settings, self.told(lying.piece, was, now)
        if was is None or lying.piece.kind != now.piece.kind or lying.piece.pose != now.piece.pose:
            return told
        away, turned = apart(was, now), turned_off(replace(lying, heading_deg=was.heading_deg), now)
        if was.belief(lying.piece) >= settings.surely_itself and away <= settings.nudge_mm:
            told = math.pow(likeness(now.beliefs, was.beliefs), 2 * settings.likeness_power)
            told = max(told, settings.floor * settings.spread)
        if now.misread is not None:  # the host said what it is
            return told
        return max(told, settings.misread) if away <= settings.hold_mm and turned <= settings.hold_deg else told

    def mixture(self, piece: Piece, below: Piece | None, seen: Sighting, singles: Collection[Piece]) -> float:
        """Probability of these looks of a translucent piece on another: their colour may be that of neither."""
        return 0.0 if below is None else blended(seen, piece, below, singles, self.settings)

    def told(self, piece: Piece, was: Sighting | None, now: Sighting) -> float:
        """Probability of these looks: the eye's belief, or that it looks as it looked when it was known."""
        unnamed = max(0.0, 1.0 - now.told) * self.settings.spread
        told = now.belief(piece) + unnamed
        if was is not None:
            told = max(told, math.pow(likeness(now.beliefs, was.beliefs), self.settings.likeness_power))
        floor = self.settings.floor
        return (1 - floor) * min(told, 1.0) + floor * self.settings.spread
