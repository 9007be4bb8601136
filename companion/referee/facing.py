"""How a piece on a board stands: put down askew, or turned though its facing does not count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.errors import IllegalMove
from companion.referee.evidence.cells import CellEvidence, open_facings
from companion.referee.evidence.layout import Difference, Evidence
from companion.referee.explanations.explanation import Explanation
from companion.referee.reading import Reading
from companion.referee.refusing import refuse
from companion.referee.turn_words import mover
from companion.referee.words import piece_words, sentence

if TYPE_CHECKING:
    from companion.referee.table import Table
from companion.texts import join


def askew(table: Table, seen: Evidence, differences: Sequence[Difference]) -> Reading | None:
    """A piece that was just put down askew is to be straightened before its action counts (Khet Q21)."""
    if not isinstance(seen, CellEvidence):
        return None
    moved = {d.cell for d in differences}
    crooked = sorted(cell for cell in seen.askew() if cell in moved)
    if not crooked:
        return None
    told = table.agreed(("askew", tuple(crooked)))
    table.hint = sentence(f"please straighten the piece on {join(crooked)}")
    return Reading("unclear", table.hint, rule=table.rule_of("askew") or None, decided=told)


def turned_cells(table: Table, seen: Evidence) -> list[str]:
    """Cells whose piece, of a kind whose facing does not count, surely faces another way than when last at rest."""
    now = open_facings(seen, table.layout, table.settings.turned_seen)
    return sorted(cell for cell, facing in now.items() if table.known.facings.get(cell, facing) != facing)


def refuse_turned(table: Table, found: Explanation, cells: list[str]) -> Reading:
    """A piece whose facing does not count was turned: no action, and worth saying (Khet Q8)."""
    if not table.agreed(("turned", tuple(cells)), patient=True):
        return Reading("unlawful", decided=False)
    lying = {p.cell: p.piece for p in table.layout.pieces}
    noun = piece_words(lying[cells[0]], table.colours)
    text = f"turning the {noun} on {cells[0]} is no action: {mover(table.state)} is still to move"
    remedy = f"turn it back to face {table.known.facings[cells[0]]}, or leave it and make an action"
    kind = lying[cells[0]].kind
    return refuse(table, IllegalMove(f"turned-{kind}", table.rule_of("turned"), text, remedy), found)
