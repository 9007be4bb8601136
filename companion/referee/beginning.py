"""Before play: what lies there is compared with the set-up, which may itself choose what the options left open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.games.base import Game, Layout
from companion.games.extras import extras
from companion.pieces import Piece, spoken
from companion.referee import happenings as h
from companion.referee.consequences import turn_began
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.layout import Evidence, cells_of
from companion.referee.evidence.weighing import posterior
from companion.referee.explanations.explanation import Scene
from companion.referee.reading import Reading
from companion.referee.setup import (
    Fault,
    faults,
    listed_faults,
    may_be_pattern,
    missing,
    mistaken_words,
    unseen_words,
    untold_words,
)
from companion.referee.turn_words import mover
from companion.referee.words import sentence
from companion.view import TableView

if TYPE_CHECKING:
    from companion.referee.table import Table
from companion.texts import join


def look_at_set_up(table: Table, seen: Evidence, begun: tuple[TableView, Evidence] | None) -> Reading:
    """The set-up is compared with the layout; play begins once they are equal.

    `begun`, where only walkers were missing: the same view as it is weighed in a game, where one that is seen nowhere
    is not thought to be away.
    """
    if (opened := _opening(table, seen)) is not None:
        return opened
    if begun is not None and (first := _first_move(table, *begun)) is not None:
        return first
    layout = table.layout
    found = faults(layout, seen)
    table.faults = (*found, *(missing(aside.lying) for aside in table.views.asides.seen if not aside.done))
    patterns = [f for f in found if may_be_pattern(f, table.settings.surely_there)]
    fits = _fits(table, seen, layout) or 0 < len(patterns) == len(found)
    doubts = patterns or [f for f in found if f.state == "unclear" and seen.faintly(f.difference)]
    ready = fits and len(doubts) == len(found) and len(doubts) <= table.settings.unsure_at_start
    agreed = table.agreed(("set-up", ready, tuple((f.state, f.cell, f.difference.seen) for f in found)))
    if not ready or not agreed:
        return _still_wanting(table, seen, found, agreed)
    table.record(h.SetUp(), *turn_began(table.state))
    take_in(table, seen)
    return Reading("set-up", sentence(f"the set-up is complete: {mover(table.state)} begins"))


def _still_wanting(table: Table, seen: Evidence, found: Sequence[Fault], agreed: bool) -> Reading:
    """What the set-up lacks yet; once looks agree on it, with what may be the matter."""
    wanting = table.faults if found else ()  # what play does not wait for is not told alone
    text = join(listed_faults(wanting or (), table.colours)) or "the set-up is being checked"
    if agreed:
        table.flickers.agreed(seen, table.layout)
        table.overlooked = _overlooked(table.layout, found)
        words = unseen_words(table.overlooked, table.colours) or mistaken_words(found, table.colours)
        if table.settings.take_the_best:  # nobody is there to tap a place
            words = ""
        table.hint = words or _not_found(table) or untold_words(found) or _other_set_up(table, seen, found)
        text = f"{sentence(text)} {table.hint}"
    return Reading("set-up", sentence(text.strip()), decided=agreed)


def begin_as_told(table: Table) -> None:
    """The host says that the set-up is complete, whatever is seen: what is seen now is how it looks."""
    table.record(h.SetUp(by_host=True), *turn_began(table.state))
    if table.seen is not None:
        take_in(table, table.seen)


def take_in(table: Table, seen: Evidence) -> None:
    """The set-up is complete: what flickered beside it belongs to no game."""
    table.known.rest(seen, table.state)
    flickered = table.flickers.settled()
    if isinstance(seen, FreeEvidence):
        table.hardly_seen.settle(seen.view)
        table.known.beside(flickered)


def _overlooked(layout: Layout, found: Sequence[Fault]) -> tuple[Piece, ...]:
    """The walkers that are seen nowhere, if nothing else is wrong: they may be there, on cloth of their own colour."""
    walkers = {walker.piece for walker in layout.plan.walkers} if layout.plan is not None else set()
    missed = tuple(f.difference.expected for f in found if f.state == "missing" and f.difference.expected in walkers)
    return missed if len(missed) == len(found) else ()


def _first_move(table: Table, view: TableView, begun: Evidence) -> Reading | None:
    """The first action by a piece that alone was missing: it stood where it belongs, unseen."""
    start, outlook = table.layout, table.explainer.outlook(table.state.module, table.state.position)
    found = table.explainer.explain(Scene(start, outlook), view, begun)
    if found.kind != "move" or found.best is None:
        return None
    now = cells_of(found.best.layout)
    moved = {piece for cell, piece in cells_of(start).items() if now.get(cell) != piece}
    if not moved.intersection(table.overlooked):
        return None
    if not table.agreed(("begun", found.key), patient=True):
        return Reading("move", decided=False)
    table.record(h.SetUp(), *turn_began(table.state))
    return table.commit(found.best, begun)


def _fits(table: Table, seen: Evidence, layout: Layout) -> bool:
    return posterior([seen.score(layout), seen.best_score(layout)])[0] >= table.settings.certainty


def _opening(table: Table, seen: Evidence) -> Reading | None:
    """A choice that the options leave to the table is taken from it: whom the first attack goes to."""
    state = table.state
    if _fits(table, seen, table.layout):
        return None
    for options in extras(state.module).openings(state.options):
        if _fits(table, seen, _begun(state.module, options)):
            if not table.agreed(("opening", tuple(options.items()))):
                return Reading("set-up", decided=False)
            chosen, own = tuple(sorted(options.items())), tuple(sorted(state.table.items()))
            table.record(h.Started(state.name, chosen, own, state.started_at))
            return None
    return None


def _other_set_up(table: Table, seen: Evidence, found: Sequence[Fault]) -> str:
    """What the table would be the set-up of, had something else been chosen; "" where it is none."""
    state = table.state
    if len(found) <= table.settings.few_faults:
        return ""
    for name in state.options:
        for options in extras(state.module).openings(
            {key: value for key, value in state.options.items() if key != name}
        ):
            other = options.get(name, state.options[name])
            if other != state.options[name] and _fits(table, seen, _begun(state.module, options)):
                return sentence(f"this is the set-up of {name} {other}: start a new game with that if it is meant")
    return ""


def _not_found(table: Table) -> str:
    """What to lay out first, where a plan is not found anywhere; "" where it is, and on boards and free tables."""
    plan, laid = table.layout.plan, table.views.laid
    if plan is None or laid.poses:
        return ""
    least = laid.settings.least
    return sentence(f"lay the {spoken(plan.lies)}s out as they are drawn here: {least} or more of them are found")


def _begun(game: Game, options: Mapping[str, h.Value]) -> Layout:
    return game.layout(game.start(options))
