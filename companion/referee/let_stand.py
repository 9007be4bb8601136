"""What no rule allows, and play goes on from all the same: an unlawful action, or a board as it lies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.events import Event
from companion.games.base import Move
from companion.games.extras import extras
from companion.pieces import Piece
from companion.referee import happenings as h
from companion.referee.evidence import cells_of
from companion.referee.state import State, fold, fold_all, led_to, to_the_end

if TYPE_CHECKING:
    from companion.referee.table import Table

ACTION, BOARD = "action", "board"


def allows(table: Table) -> str:
    """What a host may let stand now: the unlawful ACTION that is refused, the BOARD as it lies, or nothing, ""."""
    state = table.state
    if state.phase != "play" or state.ruling is None:
        return ""
    if table.forbidden is not None:
        return ACTION if extras(state.module).carry_out is not None else ""
    lies = table.unexplained.shown(table.layout) if table.unexplained is not None else None
    seats = range(len(state.module.seats(state.position)))
    if lies is None or lies == cells_of(table.layout):
        return ""
    return BOARD if all(taken_up(state, lies, seat, "") is not None for seat in seats) else ""


def let_stand(state: State, moves: Sequence[Move], words: str) -> tuple[Event, ...]:
    """The events by which an unlawful action, the last of these moves, is let stand; those before it are lawful.

    IllegalMove when the game cannot go on from it.
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
    position = json.dumps(game.to_json(turn.position), ensure_ascii=False)
    text = f"{words}: {game.describe(before, move)}"
    allowed = h.Allowed(game.to_move(before) or 0, game.write_move(before, move), text, position)
    return (*events, allowed, *to_the_end(game, turn))


def taken_up(state: State, cells: Mapping[str, Piece], seat: int, words: str) -> h.TakenUp | None:
    """The event by which play goes on from these cells with that seat to move; None where it cannot."""
    game = state.module
    offered = extras(game).taken_up
    if offered is None:
        return None
    try:
        position = offered(state.position, cells, seat)
        event = h.TakenUp(words, json.dumps(game.to_json(position), ensure_ascii=False))
        return event if game.to_move(fold(state, event).position) == seat else None
    except CompanionError:  # nobody plays from there
        return None
