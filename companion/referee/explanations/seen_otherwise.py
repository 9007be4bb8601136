"""What is refused as it looks, and would be lawful as another piece in just that place: people are asked which it is.

Where nobody can be asked it is refused, and was the other piece if play goes on with it. Glossy plastic mirrors a
window and looks clear; flush among others of its colour a piece looks smaller. By mistake hands hardly ever put
something down in the very place that is lawful for another piece, and not beside it.
"""

from __future__ import annotations

import cmath
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from companion.games.base import Position
from companion.pieces import Piece
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import apart
from companion.referee.evidence.layout import Evidence, place_key
from companion.referee.explanations.explanation import Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.explanations.supposed import SUPPOSED, lawful_if
from companion.view import Sighting

if TYPE_CHECKING:
    from companion.referee.table import Table

OTHERWISE = "seen otherwise"
BESIDE_MM = 15.0  # so far from a place others are tried ...
AROUND = 8  # ... to so many sides ...
LAWFUL_BESIDE = 1  # ... of which so many at most are lawful, too, if it is the very place


@dataclass(slots=True)
class SeenOtherwise:
    """What a refused piece may be instead, weighed once as long as it lies there."""

    _weighed: tuple[Position, Sighting, tuple[Hypothesis, ...]] | None = None

    def instead(self, table: Table, found: Explanation, seen: Evidence) -> Explanation:
        """The choice between what is unlawful as it looks and what would be lawful; else what was `found`."""
        refused = _refused(found)
        choices = () if table.settings.take_the_best else self.lawful(table, found, seen)
        if refused is None or not choices:
            return found
        both = (*choices, refused)
        return Explanation("choice", (OTHERWISE, frozenset(h.key for h in both)), choices[0], both)

    def lawful(self, table: Table, found: Explanation, seen: Evidence | None) -> tuple[Hypothesis, ...]:
        """What would be lawful in the place of what is refused, had its piece been another."""
        refused = _refused(found)
        if refused is None or table.pending is not None or not isinstance(seen, FreeEvidence):
            return ()
        new = _put_down(table, refused, seen)
        if new is None or (table.refused is not None and new == _put_down(table, table.refused, seen)):
            return ()  # which was refused there already
        return self._choices(table, new, seen)

    def _choices(self, table: Table, new: Sighting, seen: FreeEvidence) -> tuple[Hypothesis, ...]:
        position = table.state.position
        if self._weighed is None or self._weighed[0] != position or not _same(new, self._weighed[1], table):
            self._weighed = position, new, next(_lawful(table, new, seen), ())
        return self._weighed[2]


def _refused(found: Explanation) -> Hypothesis | None:
    """The action that is to be refused, the likeliest where there are several and none is lawful."""
    several = found.choices if found.kind == "choice" and all(h.error is not None for h in found.choices) else ()
    return found.forbidden or next(iter(several), None)


def _put_down(table: Table, refused: Hypothesis, seen: FreeEvidence) -> Sighting | None:
    """What is surely seen of the one piece that the action put on the table."""
    before = set(map(place_key, table.layout.pieces))
    put = [p for p in refused.layout.pieces if place_key(p) not in before]
    if len(put) != 1 or put[0].nested_on is not None:
        return None
    sure = [s for s in seen.view.sightings if s.x_mm is not None and not s.faint and s.why is None]
    there = [s for s in sure if apart(s, put[0]) <= table.settings.nudge_mm and put[0].piece.fits(s.piece)]
    return min(there, key=lambda s: apart(s, put[0]), default=None)


def _same(seen: Sighting, before: Sighting, table: Table) -> bool:
    return seen.piece == before.piece and apart(seen, before) <= table.settings.nudge_mm


def _lawful(table: Table, new: Sighting, seen: FreeEvidence) -> Iterator[tuple[Hypothesis, ...]]:
    """The lawful actions that one other piece would be there, and hardly anywhere beside it."""
    for piece in _others(table, new.piece):
        other = replace(new, beliefs=((piece, SUPPOSED),))
        if choices := lawful_if(table, seen.view, new, other):
            beside = (one for one in _beside(other) if lawful_if(table, seen.view, new, one))
            if len(list(islice(beside, LAWFUL_BESIDE + 1))) <= LAWFUL_BESIDE:
                yield choices


def _others(table: Table, seen: Piece) -> Iterator[Piece]:
    """Pieces that may come and differ from what is seen by their colour or their size."""
    for piece in table.layout.looks:
        if piece.kind == seen.kind and (piece.colour == seen.colour) != (piece.size == seen.size):
            yield replace(piece, pose=seen.pose)


def _beside(seen: Sighting) -> Iterator[Sighting]:
    """It, a little to all sides."""
    assert seen.x_mm is not None and seen.y_mm is not None  # noqa: PT018 - one condition
    for number in range(AROUND):
        off = cmath.rect(BESIDE_MM, 2 * cmath.pi * number / AROUND)
        yield replace(seen, x_mm=seen.x_mm + off.real, y_mm=seen.y_mm + off.imag)
