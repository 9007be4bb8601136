"""The journal's file as SQLite sees it: opened, checked row by row, salvaged, replaced as a whole."""

import contextlib
import errno
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.errors import RecordError
from companion.journal.schema import SCHEMA_STEPS, NewerSchema, OtherProgram, bring_up_to_date, check_version

FIRST_LINK = "0" * 16
ALIVE_STEPS = 100_000  # of SQLite's own, between two signs of life; some hundredths of a second
PAGE_BYTES, PAGE_COUNT = 4096, slice(28, 32)  # of SQLite's files, and where their header counts the pages
COPIES = 3  # of a journal in use, until one is whole
WAIT_S = 10.0  # for another program to let go
MEMORY = "/dev/shm"  # a folder that no disk has to find room for
# what SQLite says of a damaged name is not always text
DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
UNREADABLE = (sqlite3.Error, UnicodeDecodeError, OSError, ValueError)
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
NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
HELD = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}

Alive = Callable[[], None] | None  # called again and again while something takes long
Stored = tuple[int, int, str, str]  # number, game, text and link of the chain


def spelled(event: Mapping[str, Any]) -> str:
    """The one spelling of an event's JSON, over which the chain runs."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def link(previous: str, no: int, game: int, text: str) -> str:
    """The checksum of a row, chained to the row before: 16 hexadecimal digits of BLAKE2b."""
    return hashlib.blake2b(f"{previous} {no} {game} {text}".encode(), digest_size=8).hexdigest()


def connect(path: Path, alive: Alive = None) -> sqlite3.Connection:
    """A connection that loses no committed event, with the newest schema."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=WAIT_S)
    try:
        db.set_progress_handler(alive, ALIVE_STEPS)
        check_version(db, SCHEMA_STEPS)  # before anything is changed
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        bring_up_to_date(db, SCHEMA_STEPS)
    except BaseException:
        db.close()
        raise
    return db


def primary(error: BaseException) -> int:
    """SQLite's primary result code (the low byte of the extended one)."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def no_room(error: BaseException) -> bool:
    """True where some free space may help."""
    return primary(error) in NO_ROOM or getattr(error, "errno", None) == errno.ENOSPC


def held(error: Exception) -> bool:
    """True where another program did not let go of the file in time."""
    return primary(error) in HELD


def _copies() -> tempfile.TemporaryDirectory[str]:
    """A folder for copies that are read once, in memory where there is such a one."""
    return tempfile.TemporaryDirectory(prefix="companion-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)


def damage(error: Exception) -> bool:
    """True where what is wrong is in the file itself, which is of no newer version and of no other program."""
    others = isinstance(error, NewerSchema | OtherProgram)
    return isinstance(error, DAMAGED) and not others and primary(error) not in NOT_DAMAGE


def words(error: Exception) -> str:
    """What is wrong with a file, for people."""
    if held(error):
        return "another program holds it. End that one, or try again in a moment"
    if "no such table" in str(error):
        return "it is empty, or of another program"
    return "its table has a name that is no text" if isinstance(error, UnicodeDecodeError) else str(error)


def what_is_wrong(db: sqlite3.Connection) -> str | None:
    """None for a sound file, else what is wrong with it: SQLite's own check guards structure, the chain content."""
    answer = db.execute("PRAGMA integrity_check(1)").fetchone()
    if answer is None or answer[0] != "ok":
        return str(answer[0] if answer else "no answer").splitlines()[0]
    db.execute("BEGIN")  # counted and read of one state: somebody else may be writing
    try:
        count = db.execute("SELECT count(*) FROM events").fetchone()[0]
        sound = sum(1 for _ in good_prefix(db))
    finally:
        db.execute("ROLLBACK")
    return None if sound == count else f"event {sound + 1} does not fit its checksum"


def good_prefix(db: sqlite3.Connection) -> Iterator[Stored]:
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


def read_only(path: Path) -> tuple[list[Stored], str | None]:
    """The good rows of a journal that is only read, and what is wrong behind them; RecordError for no journal."""
    try:
        try:
            return _read(path)
        except sqlite3.OperationalError:  # SQLite can write nothing beside it
            return _read_untouched(path)
    except UNREADABLE as error:
        if damage(error) and (rows := salvage(path)):
            return rows, words(error)
        raise RecordError(f"{path}: this journal cannot be read: {words(error)}") from error


def _read_untouched(path: Path) -> tuple[list[Stored], str | None]:
    """Read without a file being made beside it."""
    wal = path.with_name(path.name + "-wal")
    return _read_copy(path, wal) if wal.exists() and wal.stat().st_size else _read(path, "&immutable=1")


def _read(path: Path, more: str = "") -> tuple[list[Stored], str | None]:
    uri = f"{path.absolute().as_uri()}?mode=ro{more}"
    with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=WAIT_S)) as db:
        check_version(db, SCHEMA_STEPS)
        rows = list(good_prefix(db))
        return rows, what_is_wrong(db)


def _read_copy(path: Path, wal: Path) -> tuple[list[Stored], str | None]:
    """What is in the file and its WAL, which whoever is writing may change between the one copy and the other."""
    rows: list[Stored] = []
    fault: str | None = None
    for _ in range(COPIES):
        with _copies() as folder:
            for file in (path, wal):
                shutil.copyfile(file, Path(folder, file.name))
            rows, fault = _read(Path(folder, path.name))
        if not fault:
            break
    return rows, fault


def salvage(path: Path, alive: Alive = None) -> list[Stored]:
    """The good prefix of a file that SQLite refuses to open properly; [] when nothing can be read."""
    return _salvaged(path, alive) or _behind_first_page(path, alive)


def _salvaged(path: Path, alive: Alive) -> list[Stored]:
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error:
        return []
    try:
        db.set_progress_handler(alive, ALIVE_STEPS)
        db.execute("PRAGMA writable_schema = ON")  # else nothing is read of a file that was cut short
        return list(good_prefix(db))
    except DAMAGED:
        return []
    finally:
        db.close()


def _behind_first_page(path: Path, alive: Alive) -> list[Stored]:
    """What a copy holds whose first page, which is alike in all journals but for the count of pages, is a new one."""
    try:
        with _copies() as folder:
            copy = Path(folder, path.name)
            connect(copy).close()
            first, old = bytearray(copy.read_bytes()[:PAGE_BYTES]), path.read_bytes()
            first[PAGE_COUNT] = (len(old) // PAGE_BYTES).to_bytes(4, "big")
            copy.write_bytes(first + old[PAGE_BYTES:])
            wal = path.with_name(path.name + "-wal")
            if wal.exists():
                shutil.copyfile(wal, Path(folder, wal.name))
            return _salvaged(copy, alive)
    except (OSError, sqlite3.Error):  # no room for a copy, too
        return []


def added(new: Path, rows: Iterable[Stored]) -> None:
    """Write more rows into a journal that nobody uses."""
    with contextlib.closing(connect(new)) as db:
        _insert(db, rows)


def replace(path: Path, new: Path) -> None:
    """Put a journal written beside into its place. A cut of the power leaves the old file or the new one.

    All of the old one must be in its one file.
    """
    shutil.copymode(path, new)
    _rename(new, path)


def rows_behind(path: Path, last: tuple[int, str]) -> list[Stored]:
    """The rows behind the one of this number and link; RecordError where they do not go on from it."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None, timeout=WAIT_S)) as db:
        no, chain = last
        rows: list[Stored] = []
        for row in db.execute("SELECT no, game, text, chain FROM events WHERE no > ? ORDER BY no", (no,)):
            no, chain = no + 1, link(chain, no + 1, row[1], row[2])
            if (no, chain) != (row[0], row[3]):
                raise RecordError(f"{path}: event {no} does not fit its checksum")
            rows.append(row)
        return rows


def mend(path: Path, good: Iterable[Stored], alive: Alive = None) -> Path:
    """Move a damaged journal aside, and go on with its good rows; the damaged one's new path.

    Nothing is touched before the good rows are safe in a file of their own; what was cut short behind that is
    finished at the next start.
    """
    _rename(written_beside(path, good, alive), path.with_name(f"{path.name}.mended"))
    aside = finish_mending(path, damaged=True)
    assert aside is not None
    return aside


def finish_mending(path: Path, damaged: bool = False) -> Path | None:
    """Put a mended journal into its place; where the damaged one lies now, None when none was being mended."""
    mended = path.with_name(f"{path.name}.mended")
    if not mended.exists():
        return None
    if not damaged and _sound(path):  # somebody has put a copy there since
        _move_aside(mended)
        return None
    aside = _move_aside(path)
    _rename(mended, path)
    return aside


def _sound(path: Path) -> bool:
    try:
        return path.exists() and _read_untouched(path)[1] is None
    except UNREADABLE:
        return False


def written_beside(path: Path, rows: Iterable[Stored], alive: Alive = None) -> Path:
    """A journal of these rows in one file beside the one that it is to take the place of."""
    new = path.with_name(f"{path.name}.new")
    remove(new)
    try:
        with contextlib.closing(connect(new, alive)) as db:
            _insert(db, rows)
    except BaseException:
        remove(new)  # half a file would only fill the disk
        raise
    return new


def _insert(db: sqlite3.Connection, rows: Iterable[Stored]) -> None:
    db.execute("BEGIN IMMEDIATE")
    db.executemany("INSERT INTO events (no, game, text, chain) VALUES (?, ?, ?, ?)", rows)
    db.execute("COMMIT")
    db.execute("PRAGMA journal_mode = DELETE")  # all of it in the one file


def remove(path: Path) -> None:
    """A journal's file, and what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _rename(old: Path, new: Path) -> None:
    """Onto the disk at once."""
    os.replace(old, new)
    folder = os.open(new.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _move_aside(path: Path) -> Path:
    """Rename the file and its companions to `NAME.corrupt.N`; never delete. Returns the new path."""
    number = 1
    while path.with_name(f"{path.name}.corrupt.{number}").exists():
        number += 1
    if not path.exists():  # renamed already, before the power was cut
        return path.with_name(f"{path.name}.corrupt.{number - 1}")
    aside = path.with_name(f"{path.name}.corrupt.{number}")
    for suffix in ("-wal", "-shm", ""):  # the file itself at the end: it says that the others have gone before
        side = path.with_name(path.name + suffix)
        if side.exists():
            side.rename(aside.with_name(aside.name + suffix))
    return aside
