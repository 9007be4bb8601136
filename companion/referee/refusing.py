"""A refusal: what is unlawful, by which rule, the way back, and where on the table it lies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.errors import IllegalMove
from companion.referee import happenings as h
from companion.referee.amiss import amiss
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.layout import Evidence, signature
from companion.referee.explanations.explanation import Explanation
from companion.referee.explanations.outlook import Hypothesis, rank
from companion.referee.reading import Reading
from companion.referee.spelling import described
from companion.referee.words import place_words, sentence, turned_words

if TYPE_CHECKING:
    from companion.referee.table import Table
from companion.texts import join


def refuse(table: Table, error: IllegalMove, found: Explanation, move: str = "") -> Reading:
    """Say what is unlawful, by which rule, and the way back; the same thing is not said twice."""
    text, remedy = sentence(table.colours.text(error.text)), sentence(table.colours.text(error.remedy))
    differences = found.differences or (() if table.seen is None else table.seen.differences(table.layout))
    cells = tuple(sorted({d.cell for d in differences if d.cell is not None}))
    ruled = h.Ruled(error.name, error.rule, text, remedy, move, cells)
    if table.state.ruling != ruled:
        before, denied, best, instead = table.refused, table.denied, found.best, _instead(table, found)
        now = best if best is not None and best.error is not None else None
        table.record(ruled)
        table.last, table.denied = found, denied
        # where no action is named that is a guess, and what was refused before may lie there still
        table.refused = now if move else before or now
        table.instead = instead
    if not table.amiss:  # so it stays, though no two looks are the same
        table.amiss, table.forbidden = amiss(found, table.seen, table.layout), found.forbidden
    return Reading("unlawful", f"{text} {remedy}".strip(), (move,) if move else (), rule=error.rule or None)


def _instead(table: Table, found: Explanation) -> tuple[tuple[float, Hypothesis], ...]:
    """The lawful actions that may have been made instead, the likeliest first, with their log-odds over the refused."""
    seen, best = table.seen, found.best
    if seen is None or best is None:
        return ()
    lawful = [h for h in (*found.rivals, *found.choices) if h.kind == "move"]
    if table.settings.take_the_best:  # where people watch they were asked
        lawful += [h for h in table.seen_otherwise.lawful(table, found, seen) if h not in lawful]
    refused = seen.score(best.layout) - best.cost
    return tuple((score - refused, h) for score, h in rank(seen, lawful))


def and_displaced(table: Table, error: IllegalMove, seen: Evidence) -> IllegalMove:
    """The same, and what lay where something else lies now is to be put back, too."""
    standing = table.state.standing
    if standing is None or not isinstance(seen, FreeEvidence):
        return error
    back = [
        f"put the {turned_words(lying.piece, table.colours)} back {place_words(None, lying.x_mm, lying.y_mm)}"
        for lying in standing.pieces
        if seen.displaced(lying, standing)
    ]
    remedy = join([error.remedy.rstrip("."), *back]) if back else error.remedy
    return IllegalMove(error.name, error.rule, error.text, remedy, error.figures)


def or_under_way(table: Table, error: IllegalMove, found: Explanation) -> IllegalMove:
    """The same, and how to go on where a lawful action looks just so while hands carry out what follows from it."""
    best = found.best
    alike = [h for h in found.rivals if best is not None and signature(h.layout) == signature(best.layout)]
    if not alike:
        return error
    done = described(table.state, alike[0]).rstrip(".")
    remedy = f"{sentence(error.remedy)} If it is this that was done, go on with it: {done}"
    return IllegalMove(error.name, error.rule, error.text, remedy, error.figures)
