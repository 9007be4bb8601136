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


class Readable(Protocol):
    """Recorded games to look back at."""

    def games(self) -> list[int]:
        """The numbers of all games."""

    def events(self, game: int) -> list[Event]:
        """What was written of one game, in order, up to the first event that this version does not know."""

    def first(self, game: int) -> Event | None:
        """How a game began; None where not even that can be read. Quicker than all its events."""

    def whole(self, game: int) -> bool:
        """True if all that was written of this game is known."""


class Archive(Recorder, Readable, Protocol):
    """A recorder that can be read again."""

    def erase(self, game: int) -> None:
        """Nothing is left of this game; the numbers of events may change. RecordError when it cannot be."""

    def last_number(self) -> int:
        """The number of the last event."""

    def last_game(self) -> int:
        """The game of the last event; 0 where there is none."""

    def notices(self) -> tuple[str, ...]:
        """What people should know of the record: damaged, disk nearly full ..."""


class NoRecorder:
    """Refuses everything: a record that is only read."""

    def append(self, game: int, events: Sequence[Event]) -> int:
        raise RecordError("this record is only read")

    def next_game(self) -> int:
        raise RecordError("this record is only read")
