"""An action taken back by hand: the table as it was, the same but for what followed, or another action made instead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.games.base import Layout, Lying, Move
from companion.games.extras import extras
from companion.pieces import Piece
from companion.referee import happenings as h
from companion.referee.chance import dice
from companion.referee.consequences import led_to
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.layout import Evidence, cells_of, changed, differing, place_key
from companion.referee.explanations.explanation import Earlier, Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.explanations.supposed import explained_from
from companion.referee.reading import Reading
from companion.referee.state import State, fold, fold_all, with_cells
from companion.referee.steps import Task, carried_out, half_way, put_back, redone, tasks
from companion.view import TableView

if TYPE_CHECKING:
    from companion.referee.table import Table

MADE_INSTEAD = "What was done before was taken back."
MISREAD = "The last action was misread."
MOST_TAKEN_BACK = 3  # plies; a step of K'Dak's Tower has two


def earlier_tables(state: State, most: int, half: bool) -> list[Earlier]:
    """The last so many, the newest first; `half`: the last ply may be taken back without what followed from it."""
    last = len(state.plies) - 1
    plies = range(last, max(-1, last - most), -1)
    if state.phase == "over":
        plies = plies[:1]  # pieces that are set up anew take nothing back
    seen = [ply for ply in plies if ply == 0 or state.plies[ply - 1].source != h.IMPLIED]
    layouts = [state.module.layout(state.at(ply)) for ply in seen]
    followed = [_with_what_followed(state) if half and ply == last else None for ply in seen]
    return [Earlier(*found) for found in zip(seen, layouts, followed, strict=True)]


def _with_what_followed(state: State) -> Layout | None:
    """The table before the last ply with what followed from it; None when nothing followed but what the hand did."""
    past = state.plies[-1]
    before, after = state.module.layout(past.before), state.module.layout(past.after)
    if before.board is None:
        return None
    old, made, new = map(cells_of, (before, past.standing, after))
    followed = differing(made, new) - differing(old, made)
    return with_cells(before, after, followed) if followed else None


# --- another action made instead ----------------------------------------------------------------------------------


def made_instead(table: Table, view: TableView, seen: Evidence) -> tuple[int, Explanation, Evidence] | None:
    """The action that was made after the last, or the last few plies, were taken back, if it explains all of the view.

    And how many plies remained; the evidence weighs the view against the table then, as `seen` does against that of
    now. On a free table only where it is bare now: else what is not seen was rather overlooked (see `read_anew`).
    """
    state = table.state
    assert state.standing is not None
    most = 1 if state.phase == "over" else MOST_TAKEN_BACK  # pieces that are set up anew take nothing back
    for ply in reversed(range(max(0, len(state.plies) - most), len(state.plies))):
        first, before = state.plies[ply], fold(state, h.TakenBack(ply, on_table=True))
        if dice(state.module, first.before) and first.source != h.IMPLIED:
            break  # what fell has fallen
        if ply and state.plies[ply - 1].source == h.IMPLIED:
            continue  # what it led to alone told of that one
        if before.standing is None or not _gone(table, view, seen, before.standing):
            continue
        after, again = explained_from(table, before, view)
        best = after.best
        told = after.kind == "move" or (after.kind == "choice" and table.settings.take_the_best)
        if not told or best is None or best.kind != "move" or again.differences(best.layout):
            continue
        recorded = [state.module.read_move(past.before, past.move) for past in state.plies[ply:]]
        again_so = _first_by_hand(before, best.moves) == _first_by_hand(before, recorded)
        if not again_so and best.layout.pieces != state.standing.pieces:  # else what is odd is something else
            return ply, after, again
    return None


def _first_by_hand(state: State, moves: Sequence[Move]) -> Move | None:
    """The first of these moves that is no throw of dice and shows on the table; None where there is none."""
    game, position = state.module, state.position
    for move in moves:
        if not dice(game, position) and changed(game.layout(position), game.during(position, move)):
            return move
        position = game.play(position, move).position
    return None


def _gone(table: Table, view: TableView, seen: Evidence, before: Layout) -> bool:
    """True if something was done by hand that is not to be seen any more; on a free table, if all of it is gone.

    What is not seen there is gone where the table is bare, or where something else lies in its place. A piece that no
    hand can have exchanged since, and that looks like another one, was misread; so was one that the host calls another.
    """
    now = table.state.standing
    assert now is not None
    if now.celled:
        old, new = _stacks(before), _stacks(now)
        return any(old.get(cell) != new.get(cell) for odd in seen.differences(now) if (cell := odd.cell) is not None)
    there = set(map(place_key, before.pieces))
    put = [p for p in now.pieces if place_key(p) not in there]
    if any(_named_otherwise(seen, p) or (table.touch.may_be_misread and _is_another(seen, p)) for p in put):
        return True
    return changed(before, now) and all(_is_bare(view, p) or _displaced(seen, p, now) for p in put)


def _stacks(layout: Layout) -> dict[str, tuple[Piece, int]]:
    """What each occupied cell shows, and how many are stacked there, which no camera above sees."""
    high = {lying.cell: lying.count for lying in layout.pieces}
    return {cell: (piece, high[cell]) for cell, piece in cells_of(layout).items()}


def _is_another(seen: Evidence, lying: Lying) -> bool:
    """True for a piece of a free table in whose place another one is surely seen."""
    return isinstance(seen, FreeEvidence) and seen.surely_another(lying)


def _named_otherwise(seen: Evidence, lying: Lying) -> bool:
    """True for a piece of a free table of which the host said that it is another one."""
    return isinstance(seen, FreeEvidence) and seen.named_otherwise(lying)


def _displaced(seen: Evidence, lying: Lying, now: Layout) -> bool:
    return isinstance(seen, FreeEvidence) and seen.displaced(lying, now)


def _is_bare(view: TableView, lying: Lying) -> bool:
    return lying.x_mm is not None and lying.y_mm is not None and view.bare(lying.x_mm, lying.y_mm)


def taken_back_and_made(table: Table, found: Explanation, view: TableView, seen: Evidence) -> Explanation:
    """Where people watch: what is odd as an earlier table on which another action was made; else `found` itself.

    What seems to be lifted stays among the `differences`: a hand that made another action would hold it no more.
    What another seat has answered since was not taken back unseen. What is unlawful stays so where an action is final,
    too, and where people say that they took nothing back.
    """
    state = table.state
    odd = found.kind in ("strange", "unclear")
    odd = odd or (_may_be_misread(table, seen) and found.kind in ("nothing", "idle", "move"))
    if not (odd or found.kind == "unlawful") or state.phase not in ("play", "over"):
        return found
    if (made := made_instead(table, view, seen)) is None:
        return _named_unlawful(table, view, seen) or found
    ply, after, _ = made
    assert after.best is not None
    best = replace(after.best, kind="earlier", ply=ply)
    refused = state.table.get("undo") == "refuse" and not was_misread(table, best, seen)
    final = table.denied.key == best.key or refused
    if _was_answered(state, ply) or (found.kind == "unlawful" and final):
        return found
    held = found.differences if found.lifted and not state.awaiting else ()
    return replace(after, kind="earlier", key=best.key, best=best, differences=held)


def _named_unlawful(table: Table, view: TableView, seen: Evidence) -> Explanation | None:
    """What the last action was by the host's word, where that is forbidden; None where nothing of it was named."""
    state, last = table.state, len(table.state.plies) - 1
    if last < 0 or state.phase != "play":
        return None
    before = fold(state, h.TakenBack(last, on_table=True))
    assert before.standing is not None and state.standing is not None  # noqa: PT018 - one condition
    there = set(map(place_key, before.standing.pieces))
    if not any(_named_otherwise(seen, p) for p in state.standing.pieces if place_key(p) not in there):
        return None
    after, _ = explained_from(table, before, view)
    return after if after.kind == "unlawful" else None


def _was_answered(state: State, ply: int) -> bool:
    """True if after that ply another seat played, or somebody said on the page how the game went on."""
    later = state.plies[ply + 1 :]
    return any(past.seat != state.plies[ply].seat or past.source in (h.ENTERED, h.ROLLED) for past in later)


def _may_be_misread(table: Table, seen: Evidence) -> bool:
    """True if the last action may be another one than was read: no hand came since, or the host says so."""
    standing = table.state.standing
    assert standing is not None
    return table.touch.may_be_misread or any(_named_otherwise(seen, lying) for lying in standing.pieces)


def was_misread(table: Table, shown: Hypothesis, seen: Evidence) -> bool:
    """True if the one action that the camera read since the table that is shown is misread, and not taken back."""
    since = [past.source for past in table.state.plies[shown.ply :] if past.source != h.IMPLIED]
    return since == [h.TABLE] and _may_be_misread(table, seen)


# --- what becomes of it -------------------------------------------------------------------------------------------


def is_part(state: State, shown: Hypothesis) -> bool:
    """True if the table shows an earlier position but for something that hands have still to put back."""
    return not shown.moves and changed(shown.layout, state.module.layout(state.at(shown.ply)))


def take_back(table: Table, shown: Hypothesis, seen: Evidence | None, source: str = h.TABLE) -> Reading | None:
    """So many plies remain as the table shows; the reading of what was made instead, unless it waits for the button."""
    part = is_part(table.state, shown)
    done = carried_out(table.steps, table.seen) if part else ()
    final, pressed = shown.moves and not table.button.is_needed(table), table.button.pressed_early
    told = bool(table.state.overrides)
    table.record(h.TakenBack(shown.ply, on_table=not part, done=done))
    if not final:
        return None
    made = table.commit(shown, seen, source)
    table.touch.fresh = table.touch.fresh and not told  # what the host said is no misreading
    if pressed:  # for this action, and not for what was taken back before it
        table.button.heed(table.now_s)
    return made


def way_on(table: Table, shown: Hypothesis, seen: Evidence) -> Iterable[Task]:
    """What hands have to do where an action is final that they took back."""
    state, colours = table.state, table.colours
    assert state.standing is not None
    if extras(state.module).work_back is None:
        wanted = half_way(state.standing, table.layout, seen)  # what was done of what is asked for may stay
        return tasks(shown.layout, wanted, colours)
    before = fold(state, h.TakenBack(shown.ply, on_table=True))
    assert before.standing is not None
    made = before
    for move in shown.moves:
        made = fold_all(led_to(made, move, h.TABLE), made)
    back = put_back(replace(before, undone=made.plies[shown.ply :]), shown.layout, before.standing, colours)
    return (*back, *redone(state, shown.ply, before.standing, table.layout, colours))
