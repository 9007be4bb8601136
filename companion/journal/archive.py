"""The journal as the referee uses it: events in, events out, and what people should know of it."""

import contextlib
import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.errors import RecordError, UnreadableText
from companion.events import Event, from_json
from companion.games import game as game_named
from companion.journal.database import Alive, read_only
from companion.journal.log import Log
from companion.referee.happenings import Started


class Archive:
    """Games of events over one `Log`."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._given = 0  # the newest number that was handed out

    def append(self, game: int, events: Sequence[Event]) -> int:
        """Durable on return; RecordError otherwise."""
        number = self._log.append(game, events)
        if self._log.low_on_space():
            self._log.keep_ballast()
        return number

    def next_game(self) -> int:
        """A number for a new game, never given twice."""
        self._given = max(self._given + 1, self._log.next_game())
        return self._given

    def last_number(self) -> int:
        """The number of the last event."""
        return self._log.last

    def last_game(self) -> int:
        """The game of the last event."""
        return next((row.game for row in self._log.rows(after=self._log.last - 1)), 0)

    def games(self) -> list[int]:
        """The numbers of all games, oldest first."""
        return self._log.games()

    def events(self, game: int) -> list[Event]:
        """What was written of one game; it ends before the first event that this version cannot read."""
        return readable(row.text for row in self._log.rows(game))

    def first(self, game: int) -> Event | None:
        """How the game began; None where this version cannot read that."""
        return next(iter(readable(row.text for row in self._log.rows(game, most=1))), None)

    def whole(self, game: int) -> bool:
        """True if this version can read every event of the game."""
        texts = [row.text for row in self._log.rows(game)]
        return len(readable(texts)) == len(texts)

    def erase(self, game: int) -> None:
        """Nothing is left of this game; RecordError when that is impossible."""
        self._log.erase(game)

    def notices(self) -> tuple[str, ...]:
        """Damage found at the start, and a disk that is nearly full."""
        damage = (self._log.notice,) if self._log.notice else ()
        full = ("The disk is nearly full: free some space, or the game will be paused",)
        return (*damage, *(full if self._log.low_on_space() else ()))

    def close(self) -> None:
        """Close the file."""
        self._log.close()


def open_archive(path: Path, alive: Alive = None) -> Archive:
    """The journal in this file, made if it is not there; a damaged one is moved aside, its good prefix kept."""
    return Archive(Log(path, alive=alive))


def readable(texts: Iterable[str]) -> list[Event]:
    """The events of these texts, up to the first that this version cannot read."""
    found: list[Event] = []
    for text in texts:
        try:
            found.append(event_of(json.loads(text)))
        except ValueError:
            break
    return found


def event_of(data: Mapping[str, Any]) -> Event:
    """The event that was written like this; UnreadableText when it is none. A game's own are known once it began."""
    event = from_json(data)
    if isinstance(event, Started):
        _know_events_of(event.game)
    return event


def _know_events_of(name: str) -> None:
    """A game registers the events that only it knows when it is imported."""
    with contextlib.suppress(ImportError, UnreadableText):  # a game that is not installed is read as far as it can be
        game_named(name)


class Shelf:
    """The games of a journal that is only looked at: nothing is written or mended, the service may be using it."""

    def __init__(self, path: Path) -> None:
        rows, fault = read_only(path)
        self._notices = (f"{path}: the journal is damaged ({fault}); what is sound is shown",) if fault else ()
        self._texts: dict[int, list[str]] = {}
        for _, game, text, _ in rows:
            self._texts.setdefault(game, []).append(text)

    def games(self) -> list[int]:
        """The numbers of all games, oldest first."""
        return sorted(game for game in self._texts if game > 0)

    def events(self, game: int) -> list[Event]:
        """What was written of one game; it ends before the first event that this version cannot read."""
        return readable(self._texts.get(game, ()))

    def first(self, game: int) -> Event | None:
        """How the game began; None where this version cannot read that."""
        return next(iter(readable(self._texts.get(game, ())[:1])), None)

    def whole(self, game: int) -> bool:
        """True if this version can read every event of the game."""
        return len(self.events(game)) == len(self._texts.get(game, ()))

    def notices(self) -> tuple[str, ...]:
        """What is wrong with the file."""
        return self._notices


class MemoryArchive:
    """An archive that is kept nowhere: for pictures read once, for tests, and after a journal that is only read."""

    def __init__(self, before: Shelf | None = None) -> None:
        self._before = before
        self._rows: list[tuple[int, Event]] = []
        self._lock = threading.Lock()  # a game is erased while events are appended
        self._given = 0
        self.full = False  # True: behave like a full disk

    def append(self, game: int, events: Sequence[Event]) -> int:
        """Kept until the program ends."""
        if self.full:
            raise RecordError("the record cannot be written: no room")
        with self._lock:
            self._rows += [(game, event) for event in events]
            return len(self._rows)

    def next_game(self) -> int:
        """A number for a new game."""
        self._given = max(self._given, *self.games(), 0) + 1
        return self._given

    def last_number(self) -> int:
        """The number of the last event."""
        return len(self._rows)

    def last_game(self) -> int:
        """The game of the last event."""
        return self._rows[-1][0] if self._rows else 0

    def games(self) -> list[int]:
        """The numbers of all games, oldest first."""
        before = self._before.games() if self._before is not None else []
        return sorted({*before, *(game for game, _ in self._rows if game > 0)})

    def events(self, game: int) -> list[Event]:
        """What was written of one game."""
        before = self._before.events(game) if self._before is not None else []
        return before + [event for number, event in self._rows if number == game]

    def first(self, game: int) -> Event | None:
        """How the game began."""
        return next(iter(self.events(game)), None)

    def erase(self, game: int) -> None:
        """Nothing is left of this game; RecordError for one of a journal that is only read."""
        if self._before is not None and game in self._before.games():
            raise RecordError("the journal is only read: no game of it can be erased")
        with self._lock:
            self._rows = [(number, event) for number, event in self._rows if number != game]

    def whole(self, game: int) -> bool:
        """What is kept as it is, is known."""
        return self._before is None or self._before.whole(game)

    def notices(self) -> tuple[str, ...]:
        """What is wrong with the journal that is only read."""
        return self._before.notices() if self._before is not None else ()


def read_archive(path: Path) -> MemoryArchive:
    """For a journal that cannot be written: its games as far as they can be read; what follows is kept nowhere."""
    try:
        return MemoryArchive(Shelf(path))
    except RecordError:
        return MemoryArchive()
