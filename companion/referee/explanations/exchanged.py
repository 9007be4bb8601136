"""What surely looks like another piece just where a known one lay, though nothing else is seen to have happened.

Where no hand can have come the eye has misread it. Else two pieces that each look like the other are swapped, and one
that stands where it lay was stood up: no eye errs so, and hands may have been there while nobody could look. A single
other look may be either, and is pointed out where a hand was seen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.layout import Evidence
from companion.referee.explanations.explanation import Explanation
from companion.referee.put_right import strays
from companion.referee.words import fallen

if TYPE_CHECKING:
    from companion.referee.table import Table

EXCHANGED = "exchanged"
RESTING = ("nothing", "idle")  # explanations with which everything lies as it lay ...
BESIDE = ("move", "cleared", "strange")  # ... and others, beside which pieces may be swapped


def exchanged(table: Table, found: Explanation, seen: Evidence) -> Explanation:
    """What hands have exchanged, where nothing else is found, or pieces are swapped beside an action; else `found`."""
    state = table.state
    heeded = state.ruling is not None and state.ruling.fault == EXCHANGED
    if table.settings.take_the_best or not isinstance(seen, FreeEvidence) or state.phase != "play":
        return found
    seen_there = table.touch.hand or heeded
    if not (seen_there or table.touch.stirred) or found.kind not in (*RESTING, *BESIDE):
        return found
    layout = state.standing if found.kind == "strange" or found.best is None else found.best.layout
    assert layout is not None
    odd = seen.others_there(layout, heeded)
    swapped = {d for pair in strays(odd) for d in pair}
    if not seen_there:
        odd = tuple(d for d in odd if d in swapped or fallen(d.expected, d.seen))
    if found.kind == "strange":
        return replace(found, differences=(*found.differences, *odd))
    if found.kind in BESIDE:
        odd = tuple(d for d in odd if d in swapped)
    if not odd:
        return found
    key = (EXCHANGED, frozenset((d.expected, d.seen, d.x_mm, d.y_mm) for d in odd))
    return Explanation(EXCHANGED, key, differences=odd)
