"""What no rule allows, and play goes on from all the same: an unlawful action, or a table as it lies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.events import Event
from companion.games.base import Move
from companion.games.extras import Shown, extras
from companion.referee import happenings as h
from companion.referee.consequences import led_to, to_the_end
from companion.referee.evidence.layout import cells_of
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.state import State, fold, fold_all

if TYPE_CHECKING:
    from companion.referee.table import Table

ACTION, TABLE = "action", "table"


def allows(table: Table) -> str:
    """What a host may let stand now: the unlawful ACTION that is refused, the TABLE as it lies, or nothing, "".

    Asked for with every snapshot, and found out once: a crowded table takes its time.
    """
    if table.pending is not None:  # which lies there instead
        return ""
    of = (table.state, table.forbidden, table.unexplained)
    if table.allowed is None or any(old is not new for old, new in zip(table.allowed[0], of, strict=True)):
        table.allowed = (of, _found_out(table))
    return table.allowed[1]


def _found_out(table: Table) -> str:
    if table.state.ruling is None:
        return ""
    if table.forbidden is not None and _can_stand(table, table.forbidden):
        return ACTION
    return TABLE if can_be_taken_up(table) else ""


def _can_stand(table: Table, forbidden: Hypothesis) -> bool:
    """True if the game can go on from this action: what is offered is not refused afterwards."""
    if extras(table.state.module).carry_out is None:
        return False
    try:
        fold_all(let_stand(table.state, forbidden.moves, ""), table.state)
    except CompanionError:
        return False
    return True


def can_be_taken_up(table: Table) -> bool:
    """True if something is seen that is otherwise than the record says, and play may go on from it."""
    state, lay = table.state, table.unexplained
    shown = lay.shown(table.layout) if lay is not None else None
    if shown is None or shown == cells_of(table.layout):
        return False
    seats = range(len(state.module.seats(state.position)))
    return any(taken_up(state, shown, seat, "") is not None for seat in seats)


def let_stand(state: State, moves: Sequence[Move], words: str) -> tuple[Event, ...]:
    """The events by which an unlawful action, the last of these moves, is let stand; those before it are lawful.

    What is hidden is not known any more, as of a table that is `taken_up`. IllegalMove when the game cannot go on.
    """
    events: list[Event] = []
    for move in moves[:-1]:
        played = led_to(state, move, h.TABLE)
        state = fold_all(played, state)
        events += played
    game, before, move = state.module, state.position, moves[-1]
    carry_out = extras(game).carry_out
    assert carry_out is not None  # only games that offer it are asked
    turn = carry_out(before, move)
    position = json.dumps(game.to_json(game.seen_by(turn.position, None)), ensure_ascii=False)
    text = f"{words}: {game.describe(before, move)}"
    allowed = h.Allowed(game.to_move(before) or 0, game.write_move(before, move), text, position)
    return (*events, allowed, *to_the_end(game, turn))


def taken_up(state: State, shown: Shown, seat: int, words: str) -> h.TakenUp | None:
    """The event by which play goes on from what is shown with that seat to move; None where it cannot.

    What was seen before and is hidden now is not known any more: an export tells it to nobody, and has to replay.
    """
    game = state.module
    offered = extras(game).taken_up
    if offered is None:
        return None
    try:
        position = game.seen_by(offered(state.position, shown, seat), None)
        event = h.TakenUp(words, json.dumps(game.to_json(position), ensure_ascii=False))
        return event if game.to_move(fold(state, event).position) == seat else None
    except CompanionError:  # nobody plays from there
        return None
