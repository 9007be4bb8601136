"""The journal's file: one append-only table of events, durable before anyone is told, checked by a chain."""

import contextlib
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from companion.errors import RecordError
from companion.events import Event
from companion.journal.database import (
    DAMAGED,
    FIRST_LINK,
    Alive,
    connect,
    damage,
    finish_mending,
    good_prefix,
    held,
    link,
    mend,
    no_room,
    salvage,
    spelled,
    what_is_wrong,
    words,
)
from companion.journal.rewrite import discard, drafted, in_use, take_its_place, without_game

_T = TypeVar("_T")
BALLAST_BYTES = 2 * 1024 * 1024  # kept free for the last words when the disk is full


@dataclass(frozen=True, slots=True)
class Row:
    """One event as written: its number, its game, its JSON text and its link of the chain."""

    no: int
    game: int
    text: str
    chain: str


def event_text(event: Event) -> str:
    """An event's one spelling in the journal."""
    return spelled(event.to_json())


class Log:
    """One writer, any number of readers of the same process. Use as a context manager or call `close`.

    A file that does not keep its promises is moved aside to `NAME.corrupt.N`; its good prefix is kept, and
    `notice` says so in words. `alive` is called again and again while a long journal is checked or mended.
    """

    def __init__(self, path: Path, *, ballast_bytes: int = BALLAST_BYTES, alive: Alive = None) -> None:
        self.path = path
        self.notice: str | None = None
        self._lock, self._erasing = threading.RLock(), threading.Lock()  # one game is erased at a time
        self._ballast_bytes = ballast_bytes
        try:
            self._ballast = path.with_name(path.name + ".ballast")
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and not path.is_file():  # a device would be taken for a damaged journal, and moved aside
                raise ValueError("this is no file")
            self._db = self._opened(alive)
            self._last, self._chain = self._tip()
        except (sqlite3.Error, OSError, ValueError) as error:  # ValueError: this can be no file's name
            raise RecordError(f"{path}: the journal cannot be opened: {words(error)}") from error
        self.keep_ballast()

    def __enter__(self) -> "Log":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def last(self) -> int:
        """The number of the last event, 0 when there is none."""
        with self._lock:
            return self._last

    def append(self, game: int, events: Sequence[Event]) -> int:
        """Write all events or none; on return they are on the disk. Returns the last one's number.

        RecordError when that is impossible; after the cause is gone the same call works again.
        """
        with self._lock:
            rows, chain, no = [], self._chain, self._last
            for event in events:
                no, text = no + 1, event_text(event)
                chain = link(chain, no, game, text)
                rows.append((no, game, text, chain))
            try:
                self._write(rows)
            except sqlite3.IntegrityError as error:  # this number was written by somebody else
                raise RecordError(f"another companion writes into {self.path}: end one of the two") from error
            except sqlite3.Error as first:
                if held(first) or not self._drop_ballast():
                    raise _unwritten(first) from first
                try:
                    self._write(rows)
                except sqlite3.Error as error:
                    raise _unwritten(error) from error
            self._last, self._chain = no, chain
            return no

    def erase(self, game: int) -> None:
        """Write the journal anew without this game; the events behind it are numbered anew.

        Events are appended meanwhile: only to put the new one into its place they wait. RecordError when that is
        impossible, or while another program has the file open: all is there as before.
        """
        change = without_game(game)
        with self._erasing:
            draft = self._with_ballast(lambda: drafted(self.path, change))
            try:
                self._exchange(lambda: take_its_place(self.path, change, draft))
            except BaseException:
                discard(draft)
                raise

    def _exchange(self, exchange: Callable[[], None]) -> None:
        """Another file in the journal's place, while nobody has it open."""
        with self._lock:
            self._db.close()
            try:
                if in_use(self.path):
                    raise RecordError(f"another program has {self.path} open: end that one, or try again in a moment")
                self._with_ballast(exchange)
            finally:
                self._db = self._with_room(lambda: connect(self.path))
                self._last, self._chain = self._tip()

    def rows(self, game: int | None = None, after: int = 0, most: int = -1) -> Iterator[Row]:
        """The rows in their order, of one game or of all; with `most` no more than so many."""
        where = "no > ?" if game is None else "no > ? AND game = ?"
        values = (after, most) if game is None else (after, game, most)
        found = self._read(f"SELECT no, game, text, chain FROM events WHERE {where} ORDER BY no LIMIT ?", values)
        return iter([Row(*r) for r in found])

    def games(self) -> list[int]:
        """The numbers of all games, oldest first; what happened before any game bears the number 0."""
        return [int(r[0]) for r in self._read("SELECT DISTINCT game FROM events WHERE game > 0 ORDER BY game")]

    def next_game(self) -> int:
        """A number that no game has yet."""
        return max(self.games(), default=0) + 1

    def low_on_space(self) -> bool:
        """True while the ballast is gone: the disk was full and is not yet free enough."""
        return self._ballast_bytes > 0 and not os.path.exists(self._ballast)  # False, too, for a disk that is gone

    def keep_ballast(self) -> None:
        """Put the ballast back when there is room for it."""
        if not self.low_on_space():
            return
        try:
            if shutil.disk_usage(self.path.parent).free > 2 * self._ballast_bytes:
                self._ballast.write_bytes(os.urandom(self._ballast_bytes))
        except OSError:
            self._drop_ballast()  # no room after all: tried again later

    def close(self) -> None:
        """Close the file; what was appended is on the disk already."""
        with self._lock:
            self._db.close()

    def _read(self, sql: str, values: Sequence[int] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return list(self._db.execute(sql, values))
            except DAMAGED as error:
                raise RecordError(f"{self.path}: the journal cannot be read: {words(error)}") from error

    def _write(self, rows: Iterable[tuple[int, int, str, str]]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT INTO events (no, game, text, chain) VALUES (?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _with_ballast(self, write: Callable[[], _T]) -> _T:
        """On a full disk the ballast makes room for it, as who erases something may want just that."""
        try:
            return write()
        except RecordError as error:
            if error.__cause__ is None or not no_room(error.__cause__) or not self._drop_ballast():
                raise
            return write()

    def _drop_ballast(self) -> bool:
        """Free the ballast for what has to be written now; False when it is gone already, or cannot be removed."""
        try:
            self._ballast.unlink()
        except OSError:  # FileNotFoundError among them, and a disk that has turned read-only
            return False
        return True

    def _tip(self) -> tuple[int, str]:
        row = self._db.execute("SELECT no, chain FROM events ORDER BY no DESC LIMIT 1").fetchone()
        return (int(row[0]), str(row[1])) if row else (0, FIRST_LINK)

    def _opened(self, alive: Alive) -> sqlite3.Connection:
        db = self._with_room(lambda: self._open_sound(alive))
        db.set_progress_handler(None, 0)
        return db

    def _with_room(self, opened: Callable[[], sqlite3.Connection]) -> sqlite3.Connection:
        """The file's connection; on a full disk the ballast makes room for it."""
        try:
            return opened()
        except (sqlite3.Error, OSError) as error:
            if not no_room(error) or not self._drop_ballast():
                raise
            return opened()

    def _open_sound(self, alive: Alive) -> sqlite3.Connection:
        """The file's connection; a damaged file is moved aside first and its good prefix copied."""
        aside = finish_mending(self.path)
        if aside is not None:
            self.notice = f"the journal was damaged; it was moved to {aside.name}, and what was before the damage kept"
        with contextlib.ExitStack() as unsound:
            try:
                db = connect(self.path, alive)
                unsound.callback(db.close)
                if not (fault := what_is_wrong(db)):
                    unsound.pop_all()
                    return db
                good = list(good_prefix(db))
            except DAMAGED as error:
                if not damage(error):
                    raise
                fault, good = words(error), salvage(self.path, alive)
        aside = mend(self.path, good, alive)
        self.notice = (
            f"the journal was damaged ({fault}); it was moved to {aside.name}, and {len(good)} events before the "
            "damage were kept"
        )
        return connect(self.path)


def _unwritten(error: sqlite3.Error) -> RecordError:
    remedy = "" if held(error) else ". Free some space on the disk, or see whether it can still be written"
    return RecordError(f"the record cannot be written: {words(error)}{remedy}")
