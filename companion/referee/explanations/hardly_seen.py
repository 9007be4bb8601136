"""What the eye hardly sees: where a piece there would be a lawful action, people are asked whether it was made.

Beside others of its colour, or on a cloth of it, a piece may be too faint to be called one. As long as nothing else is
seen to have changed since a hand was at the table, it is supposed to be there, one such piece after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.games.base import Position
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import apart
from companion.referee.evidence.layout import Evidence
from companion.referee.explanations.explanation import HARDLY, Explanation
from companion.referee.explanations.supposed import SUPPOSED, lawful_if
from companion.view import Sighting, TableView

if TYPE_CHECKING:
    from companion.referee.table import Table

LEAST = 0.04  # belief that something is there, from which it is thought of
BETTER = 2.0  # times as much as it was told as nothing, something is told as soon as it is seen well ...
WELL = 0.5  # ... which is so much at least
KNOWN = 40  # things that are kept in mind as nothing


@dataclass(slots=True)
class HardlySeen:
    """What may be a piece, and has come since hands were at a watched table."""

    known: tuple[Sighting, ...] = ()  # what was there before, or is said to be nothing
    visited: bool = False  # a hand was in view since that was settled
    _now: tuple[Sighting, ...] = ()
    _weighed: tuple[Position, Sequence[Sighting], Explanation | None] | None = None

    def settle(self, view: TableView | None = None) -> None:
        """All that is hardly seen now is none of the game's; a game begins with a view, and knows no more."""
        known = (*self._now, *self.known)[:KNOWN] if view is None else tuple(_faint(view))
        self.known, self.visited = known, False

    def instead(self, table: Table, found: Explanation, seen: Evidence) -> Explanation:
        """What may have been done where nothing is seen to be; else what was `found`."""
        self._now = ()
        if found.kind != "nothing" or table.settings.take_the_best or not isinstance(seen, FreeEvidence):
            return found
        self._now, state = tuple(_faint(seen.view)), table.state
        if state.phase != "play" or state.ruling or table.pending:
            return found
        new = [s for s in self._now if self._is_new(s, table)]
        told = self._told(table, new, seen)
        if told is not None and told.key == table.denied.key:
            self.known, told = (*new, *self.known)[:KNOWN], None
        return told or found

    def _is_new(self, seen: Sighting, table: Table) -> bool:
        """True for what came with a hand, or is far better seen than when it was taken for nothing."""
        before = [other for other in self.known if _near(seen, (other,), table)]
        if not before:
            return self.visited
        return seen.told >= max(WELL, BETTER * max(other.told for other in before))

    def _told(self, table: Table, new: Sequence[Sighting], seen: FreeEvidence) -> Explanation | None:
        """The lawful actions that one of these would be: weighed once, as long as they lie there."""
        position = table.state.position
        if self._weighed is not None and self._weighed[0] == position:
            _, before, told = self._weighed
            if len(before) == len(new) and all(_like(s, before, table) for s in new):
                return told
        each = (_supposed(table, s, seen.view) for s in sorted(new, key=lambda s: -s.told))
        self._weighed = position, tuple(new), next(filter(None, each), None)
        return self._weighed[2]


def _near(seen: Sighting, others: Sequence[Sighting], table: Table) -> bool:
    return any(apart(seen, other) <= table.settings.nudge_mm for other in others)


def _like(seen: Sighting, others: Sequence[Sighting], table: Table) -> bool:
    kind = replace(seen, why=None).piece
    return _near(seen, [other for other in others if replace(other, why=None).piece == kind], table)


def _faint(view: TableView) -> Iterator[Sighting]:
    """What may be a piece by itself."""
    return (s for s in view.sightings if s.faint and s.x_mm is not None and s.nested_on is None and s.told >= LEAST)


def _supposed(table: Table, faint: Sighting, view: TableView) -> Explanation | None:
    """The lawful actions that explain a view if this is a piece."""
    beliefs = tuple((piece, p * SUPPOSED / faint.told) for piece, p in faint.beliefs)
    choices = lawful_if(table, view, faint, replace(faint, faint=False, why=None, beliefs=beliefs))
    if not choices:
        return None
    return Explanation(HARDLY, (HARDLY, frozenset(h.key for h in choices)), choices[0], choices)
