"""An action that was hardly seen, and of which the next photograph shows nothing, was misread: it is read anew.

Where nobody can be asked the likeliest action is taken even of faint pieces. If none of those is seen where it was put,
and what is seen is explained by another action in the place of that one, it was the other.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.games.base import Layout
from companion.referee import happenings as h
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.layout import Evidence
from companion.referee.explanations.explanation import Explanation
from companion.referee.explanations.supposed import explained_from
from companion.referee.state import fold
from companion.view import TableView

if TYPE_CHECKING:
    from companion.referee.table import Table

SECOND_THOUGHTS = "On second thoughts:"


@dataclass(frozen=True, slots=True)
class ReadAnewSettings:
    """What is hardly seen, and what is not seen at all."""

    hardly: float = 0.9  # belief that any piece was put down there ...
    gone: float = 0.1  # ... and that any is there now


@dataclass(slots=True)
class ReadAnew:
    """The last action, if it was hardly seen."""

    settings: ReadAnewSettings = field(default_factory=ReadAnewSettings)
    _plies: tuple[int, int] = (0, 0)  # before it and after it
    _faint: frozenset[Hashable] = frozenset()  # the places where it put something down

    def note(self, before: Layout, after: Layout, plies: tuple[int, int], seen: Evidence | None) -> None:
        """An action was taken: it led from one table to another, and the record from so many plies to so many."""
        self._plies, self._faint = plies, frozenset()
        if isinstance(seen, FreeEvidence):
            old = seen.spots(before)
            new = frozenset(spot for spot, piece in seen.spots(after, old).items() if old.get(spot) != piece)
            if all(seen.told(spot) < self.settings.hardly for spot in new):
                self._faint = new

    def look(
        self, table: Table, found: Explanation, view: TableView, seen: Evidence
    ) -> tuple[Explanation, Evidence] | None:
        """The action that this view shows in the place of the last one, which is taken back; None where there is none.

        `found` is what explains the view from the table as it is recorded.
        """
        before, after = self._plies
        if len(table.state.plies) != after or not self._missed(found, seen):
            return None
        misread = h.TakenBack(before)
        state = fold(table.state, misread)
        if state.standing is None:
            return None
        instead, again = explained_from(table, state, view)
        if instead.kind != "move" and (instead.kind != "unlawful" or found.kind == "move"):
            return None
        table.record(misread)
        table.mended = SECOND_THOUGHTS
        return instead, again

    def _missed(self, found: Explanation, seen: Evidence) -> bool:
        """True if none of what was put down is seen, though nothing was put upon it."""
        if not isinstance(seen, FreeEvidence) or found.kind in ("nothing", "idle", "earlier", "elsewhere"):
            return False
        if any(seen.told(spot) >= self.settings.gone for spot in self._faint):
            return False
        shown = seen.spots(found.best.layout, self._faint) if found.best is not None else self._faint
        return any(spot in shown for spot in self._faint)
