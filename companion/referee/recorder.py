"""Where the events of a table go first: what is not written down did not happen."""

from collections.abc import Sequence
from typing import Protocol

from companion.errors import RecordError
from companion.events import Event


class Recorder(Protocol):
    """Where events are made durable. RecordError when they cannot be."""

    def append(self, game: int, events: Sequence[Event]) -> int:
        """Written and safe on return; the number of the last one."""

    def next_game(self) -> int:
        """A number for a new game."""


class NoRecorder:
    """Refuses everything: a record that is only read."""

    def append(self, game: int, events: Sequence[Event]) -> int:
        raise RecordError("this record is only read")

    def next_game(self) -> int:
        raise RecordError("this record is only read")
