"""What the referee does about each kind of explanation: wait, accept, ask, refuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.errors import IllegalMove
from companion.games.extras import extras
from companion.pieces import EMPTY
from companion.referee import happenings as h
from companion.referee.asking import answer_id, ask, ask_which, wavers, withdraw
from companion.referee.denied import Denied
from companion.referee.evidence.cells import CellEvidence, covered
from companion.referee.evidence.layout import Evidence, changed, signature
from companion.referee.explanations.another_table import elsewhere
from companion.referee.explanations.exchanged import EXCHANGED, exchanged
from companion.referee.explanations.explanation import HARDLY, Explanation
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.explanations.taken_back import MADE_INSTEAD, MISREAD, is_part, take_back, was_misread, way_on
from companion.referee.facing import askew, refuse_turned, turned_cells
from companion.referee.photographs.played_on import gone_on
from companion.referee.put_right import told_words
from companion.referee.reading import Reading
from companion.referee.refusing import and_displaced, or_under_way, refuse
from companion.referee.snapshot import Choice, Question
from companion.referee.spelling import described, spelled
from companion.referee.steps import half_way, listed, undone, work_left
from companion.referee.turn_words import mover, who_moves
from companion.referee.unexplained import after_the_end, note_odd, on_exchanged, on_strange, waits
from companion.referee.words import sentence, tell_words, uncover_words
from companion.view import TableView

if TYPE_CHECKING:
    from companion.referee.table import Table


def look_at_play(table: Table, view: TableView, seen: Evidence) -> Reading:
    """The view is explained, and the explanation answered."""
    found = table.explainer.explain(table.scene(), view, seen)
    found, seen = gone_on(table, found, view, seen)
    found = table.seen_otherwise.instead(table, table.hardly_seen.instead(table, found, seen), seen)
    found = exchanged(table, elsewhere(found, table.scene(), seen), seen)
    found = table.denied.heeded(found, table.state)
    table.last, odd = found, table.odd
    reading = _ANSWERS[found.kind](table, found, seen)
    left = isinstance(seen, CellEvidence) or found.kind != "elsewhere"  # a board may have been played on unseen
    if reading.decided and reading.kind in ("unlawful", "unclear") and left:
        note_odd(table, seen, odd)
    if reading.decided:
        table.wavering.forget()
        withdraw(table, found)
    elif (wavering := wavers(table, found)) is not None:
        return _ask_which(table, wavering, seen)
    return reading


def _next(table: Table) -> str:
    """What hands have still to do, else whose turn it is."""
    if table.steps:
        return f"please {listed(table.steps)}"
    return "the game is over" if table.state.phase == "over" else f"{mover(table.state)} to move"


def _on_nothing(table: Table, found: Explanation, seen: Evidence) -> Reading:
    ruling = table.state.ruling
    turned = turned_cells(table, seen) if ruling is None or ruling.fault.startswith("turned-") else []
    if turned and table.state.phase == "play" and table.pending is None:
        return refuse_turned(table, found, turned)
    if not table.agreed(found.key):
        return Reading("nothing new", decided=False)
    table.touch.as_it_lay(table.views.put_away())
    table.hardly_seen.settle()
    table.hint, table.question, table.denied = "", None, Denied()
    if table.state.ruling is not None:
        table.record(h.PutBack())
        table.known.remember(seen, table.state)  # a cell that the host named to put it right is misread still
        return Reading("take-back", sentence(f"put back as it was: {_next(table)}"))
    if table.pending is not None:
        text = described(table.state, table.pending)
        table.pending = None
        return Reading("take-back", sentence(f"taken back before it was final: {text}"))
    if table.state.phase == "over":
        return Reading("nothing new", "The game is over.")
    table.known.note_facings(seen, table.state)
    table.known.remember(seen, table.state)
    if table.steps:
        assert table.state.standing is not None
        table.steps = work_left(table.state, table.state.standing, table.layout, table.colours)
        return Reading("nothing new", sentence(f"please {listed(table.steps)}"))
    return Reading("nothing new", sentence(who_moves(table.state)))


def _on_idle(table: Table, found: Explanation, seen: Evidence) -> Reading:
    if not table.agreed(found.key):
        return Reading("nothing new", decided=False)
    return Reading("nothing new", sentence(who_moves(table.state)))


def _on_cleared(table: Table, found: Explanation, seen: Evidence) -> Reading:
    if not table.agreed(found.key, patient=table.touch.untouched):
        return Reading("step", decided=False)
    done = listed(table.steps)
    table.record(h.Cleared())
    table.known.rest(seen, table.state)
    after = "the game is over" if table.state.over is not None else who_moves(table.state)
    return Reading("step", f"{sentence(f'done: {done}')} {sentence(after)}")


def _on_step(table: Table, found: Explanation, seen: Evidence) -> Reading:
    if not table.agreed(found.key):
        return Reading("step", decided=False)
    if table.state.ruling is not None:  # what was wrong beside it is put right
        assert table.state.standing is not None
        table.record(h.PutBack())
        table.known.remember(seen, table.state, half_way(table.state.standing, table.layout, seen))
    if found.best is not None:
        table.steps = work_left(table.state, found.best.layout, table.layout, table.colours)
    left = listed(undone(table.steps, seen) or table.steps)  # of a column all but what is in the hand may look done
    new, table.stepped, table.hint = table.stepped != found.key, found.key, ""
    return Reading("step" if new else "nothing new", sentence(f"still to do: {left}"))


def _on_move(table: Table, found: Explanation, seen: Evidence) -> Reading:
    assert found.best is not None
    if (crooked := askew(table, seen, seen.differences(table.layout))) is not None:
        return crooked
    if not table.agreed(found.key, patient=table.touch.untouched or _may_be_held(table, found.best)):
        return Reading("move", decided=False)
    table.hint, table.question = "", None
    if table.button.is_needed(table) and len(found.best.moves) == 1:
        table.pending = found.best
        return Reading("nothing new", f"{described(table.state, found.best)} The end-of-turn button makes it final.")
    if table.settings.take_the_best:
        _keep_in_mind(table, (found.best, *found.rivals), seen)
    doubts = _doubts(table, (found.best, *found.as_well)) if table.settings.take_the_best else ""
    taken = table.commit(found.best, seen)
    return replace(taken, text=f"{taken.text}{doubts}")


def _doubts(table: Table, choices: Sequence[Hypothesis]) -> str:
    """In which order the first of these was done, where that is not seen, and what may have been done instead."""
    unordered = extras(table.state.module).unordered(table.state.position, choices[0].moves)
    others = [*dict.fromkeys(_done(table, hypothesis) for hypothesis in choices)][1:]
    instead = f"Just as well it may have been: {' Or: '.join(others)}" if others else ""
    return "".join(f" {doubt}" for doubt in (unordered, instead) if doubt)


def _done(table: Table, done: Hypothesis) -> str:
    if done.kind == "earlier" and not done.moves:
        return sentence(f"the table was put back to {_place(done)}")
    return described(table.state, done)


def _place(earlier: Hypothesis) -> str:
    return "the set-up" if earlier.ply == 0 else f"action {earlier.ply}"


def _may_be_held(table: Table, made: Hypothesis) -> bool:
    """True for an action on a board that looks as if a piece was lifted: so does one put on another of its kind."""
    return made.layout.board is not None and signature(made.layout) < signature(table.layout)


def _keep_in_mind(table: Table, choices: Sequence[Hypothesis], seen: Evidence) -> None:
    """Of several lawful actions the first is taken unasked: later looks may tell better."""
    if len(choices) > 1 and all(c.error is None for c in choices):
        table.second_thoughts.note(table, choices, seen)


def _on_earlier(table: Table, found: Explanation, seen: Evidence) -> Reading:
    assert found.best is not None
    if not table.agreed(found.key, patient=True):
        return Reading("take-back", decided=False)
    if found.lifted and not table.agreed(found.key, held=True):
        return waits(table, found)
    choice, best = table.state.table.get("undo", "offer"), found.best
    place, over = _place(best), table.state.phase == "over"
    unasked = choice == "take" and (not over or table.settings.take_the_best)  # who puts the pieces away undoes no end
    if unasked or was_misread(table, best, seen):
        doubts = _doubts(table, (best, *found.as_well))
        taken = _taken_back(table, best, place, seen)
        return replace(taken, text=f"{taken.text}{doubts}" if table.settings.take_the_best else taken.text)
    if choice == "refuse" or table.denied.key == found.key:
        if over:
            return after_the_end(table)
        done = "an action was taken back and another made" if best.moves else f"the table was put back to {place}"
        text, remedy = f"{done}, but an action is final", sentence(listed(way_on(table, best, seen)))
        return refuse(table, IllegalMove("final", table.rule_of("final"), text, remedy), found)
    question = _whether_taken_back(table, best, place)
    ask(table, question, {"yes": best}, found.key)
    return Reading("take-back", question.text)


def _taken_back(table: Table, shown: Hypothesis, place: str, seen: Evidence) -> Reading:
    said = MISREAD if was_misread(table, shown, seen) else MADE_INSTEAD
    made = take_back(table, shown, seen)
    if shown.moves:
        return replace(made, text=f"{said} {made.text}") if made else Reading("take-back", said)
    table.known.rest(seen, table.state, shown.layout)
    left = undone(table.steps, seen) if changed(shown.layout, table.layout) else ()
    why = f"{MISREAD} " if said == MISREAD else ""
    text = sentence(f"taken back to {place}: {listed(left) or f'{mover(table.state)} to move'}")
    return Reading("take-back", f"{why}{text}")


def _whether_taken_back(table: Table, shown: Hypothesis, place: str) -> Question:
    name, text = f"undo-{shown.ply}", f"The table lies as it did after {place}. Is all that followed taken back?"
    if is_part(table.state, shown):
        text = f"The last action is put back, but not all that followed from it. Is it taken back, to {place}?"
    if shown.moves:
        name = f"{name}-{answer_id('; '.join(spelled(table.state, shown)))}"
        text = f"Was the last action taken back, and another made? {described(table.state, shown)}"
    denied = "No: the game stays over" if table.state.phase == "over" else "No: the table will be put right"
    return Question(name, text, (Choice("yes", "Take it back"), Choice("no", denied)))


def _on_unlawful(table: Table, found: Explanation, seen: Evidence) -> Reading:
    assert found.best is not None
    assert found.best.error is not None
    if not table.agreed(found.key, patient=True):
        return Reading("unlawful", decided=False)
    if table.state.awaiting:  # it was made on the table that was asked for
        table.record(h.Cleared())
    error = or_under_way(table, and_displaced(table, found.best.error, seen), found)
    return refuse(table, error, found, spelled(table.state, found.best)[-1])


def _on_early(table: Table, found: Explanation, seen: Evidence) -> Reading:
    assert found.best is not None
    if not table.agreed(found.key, patient=True):
        return Reading("unlawful", decided=False)
    left = listed(undone(table.steps, seen) or table.steps)
    text = f"What was asked for is not done yet, and already: {described(table.state, found.best)}"
    error = IllegalMove("not-asked-for", table.rule_of("removal"), text, sentence(f"{left}: then it counts"))
    return refuse(table, error, found)


def _on_choice(table: Table, found: Explanation, seen: Evidence) -> Reading:
    if table.denied.key == found.key:
        return _on_denied(table, found, seen)
    faults = {choice.error and (choice.error.name, choice.error.rule) for choice in found.choices}
    if len(faults) == 1 and None not in faults:  # whichever it was, it is refused for the same reason
        named = replace(found, kind="unlawful", key=found.choices[0].key, best=found.choices[0])
        return _on_unlawful(table, named, seen)
    untouched = table.touch.untouched  # then one look in two minds among looks that are not says nothing
    if not table.agreed(found.key, patient=untouched, says_nothing=untouched):
        return Reading("unclear", decided=False)
    ruling = table.state.ruling
    if ruling is not None and any(
        c.error is not None and spelled(table.state, c)[-1] == ruling.move for c in found.choices
    ):
        return Reading("unlawful", f"{ruling.text} {ruling.remedy}".strip(), (ruling.move,), rule=ruling.rule or None)
    return _ask_which(table, found, seen)


def _on_denied(table: Table, found: Explanation, seen: Evidence) -> Reading:
    """What people said was not done lies there still: it is refused, once, in whichever way it looks."""
    ruling, standing = table.state.ruling, table.state.standing
    assert standing is not None
    if ruling is not None and table.denied.refused:
        return Reading("unlawful", f"{ruling.text} {ruling.remedy}".strip(), rule=ruling.rule or None)
    odd = seen.differences(standing)
    reading = (on_strange if odd else _on_unclear)(table, replace(found, best=None, choices=(), differences=odd), seen)
    table.denied.refused = reading.decided and reading.kind == "unlawful"
    return reading


def _ask_which(table: Table, found: Explanation, seen: Evidence) -> Reading:
    """More than one action fits: people say which it was; where nobody can be asked, it was the likeliest."""
    if table.settings.take_the_best:
        every = tuple({h.key: h for h in (*found.choices, *found.as_well)}.values())
        _keep_in_mind(table, [h for h in every if h.kind != "earlier"], seen)
        doubts = _doubts(table, every)
        taken = settle_choice(table, found.choices[0], seen)
        return replace(taken, text=f"{taken.text}{doubts}")
    text = "More than one action fits what is seen. Which was it?"
    told = ask_which(table, found, "which", text, no="None of these: it is put right")
    return Reading("unclear", f"More than one action fits: {told}")


def _on_hardly_seen(table: Table, found: Explanation, seen: Evidence) -> Reading:
    """Nothing is seen to have changed, and something may have come that would be lawful."""
    if not table.agreed(found.key, patient=True):
        return Reading("unclear", decided=False)
    text = "Something is hardly seen. Was this done?"
    told = ask_which(table, found, "hardly-seen", text, no="No: nothing was put there")
    return Reading("unclear", f"{text} {told}")


def settle_choice(table: Table, chosen: Hypothesis, seen: Evidence | None, source: str = h.TABLE) -> Reading:
    """One of several actions that fit was picked: it is final, or refused."""
    if chosen.error is not None:
        table.question = None
        return refuse(
            table, chosen.error, Explanation(chosen.kind, chosen.key, chosen), spelled(table.state, chosen)[-1]
        )
    return table.commit(chosen, seen, source)


def _on_between(table: Table, found: Explanation, seen: Evidence) -> Reading:
    if table.denied.key == found.key:
        return _on_denied(table, found, seen)
    if not table.agreed(found.key, patient=True):
        return Reading("unclear", decided=False)
    if found.lifted and not table.agreed(found.key, held=True):
        return waits(table, found)
    text = "Were two actions made, the first of them unseen?"
    if any(len(pair.moves) == 1 for pair in found.choices):
        text = "Was something done that was not seen?"
    told = ask_which(table, found, "between", text, no="No: it is put right")
    return Reading("unclear", f"{text} {told}")


def _on_elsewhere(table: Table, found: Explanation, seen: Evidence) -> Reading:
    if not table.agreed(found.key, patient=True, says_nothing=True):
        return Reading("unclear", decided=False)
    if table.state.phase == "over":
        return after_the_end(table)
    table.hint = sentence("hardly anything lies where it lay: this seems to be another table")
    if table.layout.celled:
        table.hint = sentence("more differs than a few actions change: this seems to be another table")
    return Reading("unclear", table.hint)


def _on_unclear(table: Table, found: Explanation, seen: Evidence) -> Reading:
    if table.state.phase == "play" and (crooked := askew(table, seen, found.differences)) is not None:
        return crooked
    if not table.agreed(found.key, patient=True, says_nothing=True):
        return Reading("unclear", decided=False)
    if table.state.phase == "over":
        return after_the_end(table)
    if under := covered(seen):
        table.hint = ""  # the reminders ask for it
        return Reading("unclear", sentence(uncover_words(under)))
    told = told_words(found.differences, table.colours)
    told = sentence(f"not sure: {told}" if told else "not sure what lies on the table")
    missing = bool(found.differences) and all(d.seen == EMPTY and d.why is None for d in found.differences)
    table.hint = f"{told} {tell_words(len(found.differences), missing)}"
    return Reading("unclear", table.hint)


_ANSWERS: dict[str, Callable[[Table, Explanation, Evidence], Reading]] = {
    "nothing": _on_nothing,
    "idle": _on_idle,
    "cleared": _on_cleared,
    "step": _on_step,
    "move": _on_move,
    "earlier": _on_earlier,
    "early": _on_early,
    "unlawful": _on_unlawful,
    "choice": _on_choice,
    "strange": on_strange,
    "between": _on_between,
    HARDLY: _on_hardly_seen,
    EXCHANGED: on_exchanged,
    "unclear": _on_unclear,
    "elsewhere": _on_elsewhere,
}
