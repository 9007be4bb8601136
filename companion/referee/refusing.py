"""A refusal: what is unlawful, by which rule, the way back, and where on the table it lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import IllegalMove
from companion.referee import happenings as h
from companion.referee.amiss import amiss
from companion.referee.explanation import Explanation
from companion.referee.reading import Reading
from companion.referee.words import sentence

if TYPE_CHECKING:
    from companion.referee.table import Table


def refuse(table: Table, error: IllegalMove, found: Explanation, move: str = "") -> Reading:
    """Say what is unlawful, by which rule, and the way back; the same thing is not said twice."""
    text, remedy = sentence(table.colours.text(error.text)), sentence(table.colours.text(error.remedy))
    differences = found.differences or (() if table.seen is None else table.seen.differences(table.layout))
    cells = tuple(sorted({d.cell for d in differences if d.cell is not None}))
    ruled = h.Ruled(error.name, error.rule, text, remedy, move, cells)
    if table.state.ruling != ruled:
        before, dismissed, best = table.refused, table.dismissed, found.best
        now = best if best is not None and best.error is not None else None
        table.record(ruled)
        table.last, table.dismissed = found, dismissed
        # where no action is named that is a guess, and what was refused before may lie there still
        table.refused = now if move else before or now
        table.instead = tuple(h for h in (*found.rivals, *found.choices) if h.kind == "move")
    if not table.amiss:  # so it stays, though no two looks are the same
        table.amiss, table.forbidden = amiss(found, table.seen, table.layout), found.forbidden
    return Reading("unlawful", f"{text} {remedy}".strip(), (move,) if move else (), rule=error.rule or None)
