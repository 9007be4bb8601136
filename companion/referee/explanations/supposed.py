"""What would explain a view if one thing in it were another than it is seen as, or if play stood elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.referee.evidence.free_layouts import FreeMemory
from companion.referee.evidence.layout import Evidence, Remembered
from companion.referee.evidence.weighing import evidence
from companion.referee.explanations.explanation import Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.state import State
from companion.view import Sighting, TableView

if TYPE_CHECKING:
    from companion.referee.table import Table

SUPPOSED = 0.97  # belief with which something is supposed to be there
MOST = 3  # actions that are offered


def lawful_if(table: Table, view: TableView, seen: Sighting, otherwise: Sighting) -> tuple[Hypothesis, ...]:
    """The likeliest of what explains a view in which one thing is seen otherwise, if that is lawful."""
    view = replace(view, sightings=tuple(otherwise if s is seen else s for s in view.sightings))
    assert table.state.standing is not None
    weighed = evidence(view, table.state.standing, table.settings, table.views.overrides, table.known.looks)
    found = table.explainer.explain(table.scene(), view, weighed)
    told = (*((found.best,) if found.kind == "move" and found.best else ()), *found.choices, *found.rivals)
    kinds = ("move", "choice", "between")
    lawful = [h for h in told if h.kind == "move" and h.moves] if found.kind in kinds else []
    return tuple({h.key: h for h in reversed(lawful)}.values())[::-1][:MOST]


def explained_from(
    table: Table, state: State, view: TableView, known: Remembered | FreeMemory | None = None
) -> tuple[Explanation, Evidence]:
    """What explains a view if play stands so, and the view as it is weighed then; `known`: how the table looked."""
    assert state.standing is not None
    seen = evidence(view, state.standing, table.settings, {}, table.known.looks if known is None else known)
    return table.explainer.explain(table.scene(state), view, seen), seen
