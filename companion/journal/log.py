"""The journal's file: one append-only table of events, durable before anyone is told, checked by a chain."""

import hashlib
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.errors import RecordError
from companion.events import Event
from companion.journal.schema import SCHEMA_STEPS, NewerSchema, bring_up_to_date, check_version

BALLAST_BYTES = 2 * 1024 * 1024  # kept free for the last words when the disk is full
ROOM_BYTES = 4 * BALLAST_BYTES  # the ballast is put back only when this much is free
FIRST_LINK = "0" * 16
# what SQLite says of a damaged name is not always text
DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
NOT_DAMAGE = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_NOMEM,
}


@dataclass(frozen=True, slots=True)
class Row:
    """One event as written: its number, its game, its JSON text and its link of the chain."""

    no: int
    game: int
    text: str
    chain: str


def link(previous: str, no: int, game: int, text: str) -> str:
    """The checksum of a row, chained to the row before: 16 hexadecimal digits of BLAKE2b."""
    return hashlib.blake2b(f"{previous} {no} {game} {text}".encode(), digest_size=8).hexdigest()


def event_text(event: Event) -> str:
    """An event's one spelling in the journal."""
    return json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"))


class Log:
    """One writer, any number of readers of the same process. Use as a context manager or call `close`.

    A file that does not keep its promises is moved aside to `NAME.corrupt.N`; its good prefix is kept, and
    `notice` says so in words.
    """

    def __init__(self, path: Path, *, ballast_bytes: int = BALLAST_BYTES) -> None:
        self.path = path
        self.notice: str | None = None
        self._lock = threading.RLock()
        self._ballast = path.with_name(path.name + ".ballast")
        self._ballast_bytes = ballast_bytes
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = self._open_sound()
            self._last, self._chain = self._tip()
        except (sqlite3.Error, OSError) as error:
            raise RecordError(f"{path}: the journal cannot be opened: {error}") from error
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
                if not self._drop_ballast():
                    raise RecordError(f"the record cannot be written: {first}. Free some space on the disk") from first
                try:
                    self._write(rows)
                except sqlite3.Error as error:
                    raise RecordError(f"the record cannot be written: {error}. Free some space on the disk") from error
            self._last, self._chain = no, chain
            return no

    def rows(self, game: int | None = None, after: int = 0) -> Iterator[Row]:
        """The rows in their order, of one game or of all."""
        where = "no > ?" if game is None else "no > ? AND game = ?"
        values = (after,) if game is None else (after, game)
        with self._lock:
            try:
                found = self._db.execute(f"SELECT no, game, text, chain FROM events WHERE {where} ORDER BY no", values)
                rows = [Row(*r) for r in found]
            except sqlite3.Error as error:
                raise RecordError(f"{self.path}: the journal cannot be read: {error}") from error
        return iter(rows)

    def games(self) -> list[int]:
        """The numbers of all games, oldest first; what happened before any game bears the number 0."""
        with self._lock:
            return [
                int(r[0]) for r in self._db.execute("SELECT DISTINCT game FROM events WHERE game > 0 ORDER BY game")
            ]

    def next_game(self) -> int:
        """A number that no game has yet."""
        return max(self.games(), default=0) + 1

    def low_on_space(self) -> bool:
        """True while the ballast is gone: the disk was full and is not yet free enough."""
        return self._ballast_bytes > 0 and not self._ballast.exists()

    def keep_ballast(self) -> None:
        """Put the ballast back when there is room for it."""
        if self._ballast_bytes == 0 or self._ballast.exists():
            return
        try:
            if shutil.disk_usage(self.path.parent).free > 2 * self._ballast_bytes:
                self._ballast.write_bytes(os.urandom(self._ballast_bytes))
        except OSError:
            self._ballast.unlink(missing_ok=True)  # no room after all: tried again later

    def close(self) -> None:
        """Close the file; what was appended is on the disk already."""
        with self._lock:
            self._db.close()

    def _write(self, rows: Iterable[tuple[int, int, str, str]]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT INTO events (no, game, text, chain) VALUES (?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _drop_ballast(self) -> bool:
        """Free the ballast for what has to be written now; False when it is gone already."""
        if not self._ballast.exists():
            return False
        self._ballast.unlink(missing_ok=True)
        return True

    def _tip(self) -> tuple[int, str]:
        row = self._db.execute("SELECT no, chain FROM events ORDER BY no DESC LIMIT 1").fetchone()
        return (int(row[0]), str(row[1])) if row else (0, FIRST_LINK)

    def _open_sound(self) -> sqlite3.Connection:
        """The file's connection; a damaged file is moved aside first and its good prefix copied."""
        try:
            db = connect(self.path)
            if not (fault := what_is_wrong(db)):
                return db
            good = list(good_prefix(db))
            db.close()
        except DAMAGED as error:
            if isinstance(error, NewerSchema) or _primary(error) in NOT_DAMAGE:
                raise
            fault, good = _words(error), salvage(self.path)
        aside = move_aside(self.path)
        db = connect(self.path)
        with db:
            db.executemany("INSERT INTO events (no, game, text, chain) VALUES (?, ?, ?, ?)", good)
        self.notice = (
            f"the journal was damaged ({fault}); it was moved to {aside.name}, and {len(good)} events before the "
            "damage were kept"
        )
        return db


def connect(path: Path) -> sqlite3.Connection:
    """A connection that loses no committed event, with the newest schema."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        bring_up_to_date(db, SCHEMA_STEPS)
    except BaseException:
        db.close()
        raise
    return db


def _primary(error: Exception) -> int:
    """SQLite's primary result code (the low byte of the extended one)."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _words(error: Exception) -> str:
    return "its table has a name that is no text" if isinstance(error, UnicodeDecodeError) else str(error)


def what_is_wrong(db: sqlite3.Connection) -> str | None:
    """None for a sound file, else what is wrong with it: SQLite's own check guards structure, the chain content."""
    answer = db.execute("PRAGMA integrity_check(1)").fetchone()
    if answer is None or answer[0] != "ok":
        return str(answer[0] if answer else "no answer").splitlines()[0]
    count = db.execute("SELECT count(*) FROM events").fetchone()[0]
    sound = sum(1 for _ in good_prefix(db))
    return None if sound == count else f"event {sound + 1} does not fit its checksum"


def good_prefix(db: sqlite3.Connection) -> Iterator[tuple[int, int, str, str]]:
    """The rows from the first on, as long as each is readable and fits the chain."""
    chain, expected = FIRST_LINK, 1
    cursor = db.execute("SELECT no, game, text, chain FROM events ORDER BY no")
    while True:
        try:
            row = cursor.fetchone()
        except DAMAGED:
            return
        if row is None:
            return
        no, game, text, found = row
        chain = link(chain, no, game, text) if isinstance(text, str) else ""
        if no != expected or chain != found:
            return
        expected += 1
        yield no, game, text, found


def read_only(path: Path) -> tuple[list[tuple[int, int, str, str]], str | None]:
    """The good rows of a journal that is only read, and what is wrong behind them; RecordError for no journal."""
    db = None
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=10)
        check_version(db, SCHEMA_STEPS)
        rows = list(good_prefix(db))
        return rows, what_is_wrong(db)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: this journal cannot be read: {_words(error)}") from error
    finally:
        if db is not None:
            db.close()


def salvage(path: Path) -> list[tuple[int, int, str, str]]:
    """The good prefix of a file that SQLite refuses to open properly; [] when nothing can be read."""
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error:
        return []
    try:
        return list(good_prefix(db))
    except DAMAGED:
        return []
    finally:
        db.close()


def move_aside(path: Path) -> Path:
    """Rename the file and its companions to `NAME.corrupt.N`; never delete. Returns the new path."""
    number = 1
    while (aside := path.with_name(f"{path.name}.corrupt.{number}")).exists():
        number += 1
    path.rename(aside)
    for suffix in ("-wal", "-shm"):
        side = path.with_name(path.name + suffix)
        if side.exists():
            side.rename(aside.with_name(aside.name + suffix))
    return aside
