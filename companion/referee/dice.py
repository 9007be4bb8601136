"""Dice that are due: thrown by the companion when it is asked to, or by people and read where they lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.games.extras import extras
from companion.referee import chance
from companion.referee import happenings as h
from companion.referee.explanations.outlook import Hypothesis
from companion.referee.reading import Reading
from companion.referee.state import State
from companion.referee.thrown import Thrown, ThrownSettings
from companion.referee.words import sentence
from companion.view import TableView

if TYPE_CHECKING:
    from companion.referee.table import Table


def rolls(state: State) -> str:
    """The dice that the companion throws when it is asked to, in words; "" when it is not its turn to."""
    if state.phase != "play" or state.table.get("dice") != chance.COMPANION:
        return ""
    return chance.dice(state.module, state.position)


def throws(state: State) -> str:
    """The dice that people throw now, in words; "" when there are none to throw, or the companion does it."""
    if state.phase != "play" or state.table.get("dice") in (None, chance.COMPANION):
        return ""
    return chance.dice(state.module, state.position)


def told_later(state: State) -> str:
    """What people are told of dice that the camera is to tell and does not read where they lie; "" elsewhere."""
    if not throws(state) or state.table.get("dice") != chance.CAMERA or extras(state.module).shown_by is not None:
        return ""
    return sentence("the camera tells what was thrown by what is done next; else enter it here")


@dataclass
class Dice:
    """The dice of one table. `draw` gives numbers from 0 up to, never reaching, 1."""

    draw: Callable[[], float]
    _thrown: Thrown = field(default_factory=lambda: Thrown(ThrownSettings()))
    _unread: bool = False  # dice were thrown that cannot be read

    def roll(self, table: Table) -> Reading:
        """The companion throws them."""
        return table.enter(chance.throw(table.state.module, table.state.position, self.draw), h.ROLLED)

    def look(self, table: Table, view: TableView) -> Reading | None:
        """What was thrown where the camera reads the dice; None when nothing is due, or nothing fell."""
        state, self._unread = table.state, False
        if not throws(state) or state.table.get("dice") != chance.CAMERA or state.awaiting or state.ruling is not None:
            return None
        move, self._unread = self._thrown.move(state.module, state.position, view)
        if move is None:
            return None
        if not table.agreed(("thrown", move), patient=table.touch.untouched):
            return Reading("move", decided=False)
        self.rest(view)
        return table.commit(Hypothesis("move", state.module.during(state.position, move), 0.0, (move,)))

    def unreadable(self, state: State) -> str:
        """What people are told of dice that were thrown and cannot be read; "" when there are none."""
        due = throws(state) if self._unread else ""
        return sentence(f"{due} cannot be read there: throw again, or enter what was thrown") if due else ""

    def rest(self, view: TableView) -> None:
        """Nothing is to be thrown, or what was thrown is read: so the dice lie."""
        self._thrown.rest(view)

    def forget(self) -> None:
        """Another game, or another table."""
        self._thrown.forget()
