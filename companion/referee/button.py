"""The end-of-turn button: it makes final what is seen, or throws the dice, and pressed early it counts for a while."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.referee.dice import rolls

if TYPE_CHECKING:
    from companion.referee.table import Table


@dataclass
class Button:
    """When it was pressed, in seconds of the table's clock."""

    _early_s: float | None = None  # before there was anything to make final
    _heeded_s: float | None = None  # the last press that did something

    def is_needed(self, table: Table) -> bool:
        """True while the button is wanted and was not pressed lately."""
        if not table.state.table.get("end_turn"):
            return False
        return self._early_s is None or table.now_s - self._early_s > table.settings.pressed_for_s

    def press(self, table: Table) -> None:
        """What is pending and still seen is final; pressed early, it counts for a while."""
        now = table.now_s
        if self._heeded_s is not None and now - self._heeded_s < table.settings.pressed_again_s:
            return  # it would count for the next player
        pending, newest = table.pending, table.last
        if pending is not None and table.sight.state == "seeing" and newest is not None and newest.key == pending.key:
            table.commit(pending, table.seen)
            self._heeded_s = now
        elif rolls(table.state):
            table.dice.roll(table)
            self._heeded_s = now
        else:
            self._early_s = now

    @property
    def pressed_early(self) -> bool:
        """True if a press waits for an action that it makes final."""
        return self._early_s is not None

    def heed(self, now_s: float) -> None:
        """The press that came early has made an action final now."""
        self._heeded_s = now_s

    def settle(self) -> None:
        """Something became final: no press waits any more."""
        self._early_s = None
