"""What no action explains: what of it is wrong is told, and the least that puts it right."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.errors import IllegalMove
from companion.games.base import Lying
from companion.pieces import EMPTY
from companion.referee.dice import rolls, throws, told_later
from companion.referee.evidence.cells import CellEvidence
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import Odd
from companion.referee.evidence.layout import Difference, Evidence, cells_of
from companion.referee.explanations.exchanged import EXCHANGED
from companion.referee.explanations.explanation import Explanation, takes_off
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.put_right import remedy_words, strays, told_words
from companion.referee.reading import Reading
from companion.referee.refusing import refuse
from companion.referee.spelling import spelled
from companion.referee.state import State
from companion.referee.steps import listed, undone
from companion.referee.words import fallen, piece_words, place_words, sentence, turned_over

if TYPE_CHECKING:
    from companion.referee.table import Table
from companion.texts import join


def on_strange(table: Table, found: Explanation, seen: Evidence) -> Reading:
    """It is refused with what differs; a single piece that is missing is waited for."""
    if not table.agreed(found.key, patient=True):
        return Reading("unclear", decided=False)
    if table.state.phase == "over":
        return after_the_end(table)
    if (named := _explains(found, seen)) is not None:
        assert named.error is not None
        found = replace(found, kind=named.kind)
        return refuse(table, named.error, found, spelled(table.state, named)[-1])
    told = told_words(found.differences, table.colours)
    if table.state.awaiting:
        others = _other_faces(table, found)
        told = told_words([others.get(d.cell, d) for d in found.differences], table.colours)
        remedy = " ".join(sentence(part) for part in _way_back(table, found, seen, others) if part)
        return refuse(table, IllegalMove("not-asked-for", table.rule_of("removal"), told, remedy), found)
    if found.lifted:
        return waits(table, found)
    wrong, thrown = _too_much(table, found, seen), _due(table.state)
    why, then = ("is due before the roll", f", then roll {thrown}") if thrown else ("does that", "")
    if wrong is not found.differences:
        why, then = "does all of that", ": then the rest counts"
    said = "it was said to be no action" if found.key == table.denied.key else f"no action {why}"
    back = remedy_words(wrong, table.colours)
    error = IllegalMove("no-action", table.rule_of("one-action"), f"{told}: {said}", sentence(back + then))
    return refuse(table, error, found)


def on_exchanged(table: Table, found: Explanation, seen: Evidence) -> Reading:
    """It is refused; a single piece of another look, which may be misread as well, is only pointed out."""
    if not table.agreed(found.key, patient=True):
        return Reading("unclear", decided=False)
    told, back = told_words(found.differences, table.colours), remedy_words(found.differences, table.colours)
    if strays(found.differences) or any(fallen(d.expected, d.seen) for d in found.differences):
        rule = table.rule_of("one-action")
        return refuse(table, IllegalMove(EXCHANGED, rule, f"{told}: no action does that", sentence(back)), found)
    table.hint = f"{sentence(told)} {sentence(f'{back}; if it is only misread, tap it here')}"
    return Reading("unclear", table.hint)


def note_odd(table: Table, seen: Evidence, before: Odd | None) -> None:
    """Keep in mind what does not fit the record, and did not `before`: play may go on though nobody mends it."""
    table.unexplained = seen if isinstance(seen, CellEvidence | FreeEvidence) else None
    if isinstance(seen, FreeEvidence) and table.state.standing is not None:
        table.odd = seen.odd(table.state.standing).and_before(before)


def after_the_end(table: Table) -> Reading:
    """Nothing counts any more or is refused; what the host said since is told to change nothing."""
    if table.state.overrides:
        table.hint = "What the host said of the table is explained by no action: the end stands until it is undone."
    return Reading("nothing new", "The game is over.")


def _due(state: State) -> str:
    """The dice that have to be thrown first, in words; "" when there are none, or what is done tells of the throw."""
    return "" if told_later(state) else rolls(state) or throws(state)


def _other_faces(table: Table, found: Explanation) -> dict[str | None, Difference]:
    """Tiles that were turned over as it was asked, and show another face than they had, by their cells."""
    due = {cell: task.after[cell] for task in table.steps for cell in task.cells if cell in task.after}
    odd = [(d, due[d.cell]) for d in found.differences if d.cell in due]
    return {
        d.cell: replace(d, expected=face)
        for d, face in odd
        if turned_over(d.expected, face) == turned_over(d.expected, d.seen) != "" and face != d.seen
    }


def _way_back(
    table: Table, found: Explanation, seen: Evidence, others: Mapping[str | None, Difference]
) -> tuple[str, ...]:
    """What is put right, and of tiles that show another face that it may have been misread, now or before."""
    if not others:
        return (_then_asked_for(table, found, seen),)
    was = [
        f"the {piece_words(d.expected, table.colours)} was seen {place_words(cell)} before"
        for cell, d in others.items()
    ]
    look = f"{join(was)}: if it is that one, tap it here"
    rest = replace(found, differences=tuple(d for d in found.differences if d.cell not in others))
    return look, _then_asked_for(table, rest, seen, others)


def _then_asked_for(table: Table, found: Explanation, seen: Evidence, done: Collection[str | None] = ()) -> str:
    """What is put right first, and what was asked for before; what that puts right as well is told once."""
    cells = {d.cell for d in found.differences}
    left = [task for task in undone(table.steps, seen) if not set(task.cells) & set(done)]
    then = listed([task for task in left if not set(task.cells) & cells] or left)
    due = [task.lying for task in left if task.lying is not None and not task.away]
    odd = [d for d in found.differences if not any(_is_that(d, lying) for lying in due)]
    back = remedy_words(odd, table.colours)
    return f"{back}; then {then}" if back and then else back or then


def _is_that(odd: Difference, due: Lying) -> bool:
    """True for a piece of a free table that is to be turned in its place, and is turned otherwise."""
    return odd.expected == due.piece and odd.cell is None and (odd.x_mm, odd.y_mm) == (due.x_mm, due.y_mm)


def _too_much(table: Table, found: Explanation, seen: Evidence) -> Sequence[Difference]:
    """What is to be put right of all that differs: where a lawful action is part of it, what is not of that action.

    On a board that is told only where no other lawful action would bring about what is left: else either may be meant.
    """
    best, standing = found.best, table.state.standing
    if best is None or standing is None or best.kind != "move":
        return found.differences
    left = seen.differences(best.layout)
    if not 0 < len(left) < len(found.differences):
        return found.differences
    if best.layout.board is not None and not takes_off(best, standing) and _brought_about(table, left):
        return found.differences
    return left


def _brought_about(table: Table, left: Sequence[Difference]) -> bool:
    """True if some lawful action would change a cell to what is seen there."""
    outlook = table.explainer.outlook(table.state.module, table.state.position)
    tables = [cells_of(made.layout) for made in outlook.lawful]
    return any(cells.get(d.cell or "", EMPTY) == d.seen for d in left for cells in tables)


def waits(table: Table, found: Explanation) -> Reading:
    """A hand holds a piece; what is missing for long rather lies somewhere."""
    told, long = told_words(found.differences, table.colours), table.agreed(found.key, held=True)
    table.hint = sentence(f"{told}: {'put it back, or where it is to go' if long else 'waiting until it is put down'}")
    return Reading("unclear", table.hint)


def _explains(found: Explanation, seen: Evidence) -> Hypothesis | None:
    """The unlawful action that leaves no difference, though it was not sure enough by itself."""
    best = found.best
    if best is None or best.kind != "unlawful" or seen.differences(best.layout):
        return None
    return best
