"""A disk in memory whose power can be cut between any two calls, and the journal's SQLite on top of it.

What was synced stays; of what was not, each sector of 512 bytes is kept or dropped at random. kill -9 cannot show
this, because the kernel keeps the pages.
"""

import contextlib
import itertools
import random
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512
CHECKPOINT_PAGES = 12  # soon enough that cuts fall into checkpoints, too


class PowerCut(apsw.IOError):
    """The current is gone: nothing works any more."""


class File:
    """One file: what is on the disk, and what the program believes to be there."""

    def __init__(self, content: bytes = b"") -> None:
        self.safe, self.now = content, bytearray(content)
        self.dirty: set[int] = set()

    def write(self, data: bytes, offset: int) -> None:
        """Into the cache."""
        self.now.extend(bytes(max(0, offset - len(self.now))))
        self.now[offset : offset + len(data)] = data
        self.dirty.update(range(offset // SECTOR, (offset + len(data) - 1) // SECTOR + 1))

    def sync(self) -> None:
        """Onto the disk."""
        self.safe = bytes(self.now)
        self.dirty.clear()

    def left(self, rng: random.Random) -> bytes:
        """What is found after the current was cut."""
        size = rng.choice((len(self.safe), len(self.now)))
        found = bytearray(self.safe[:size].ljust(size, b"\0"))
        for sector in self.dirty:
            start, end = sector * SECTOR, min((sector + 1) * SECTOR, len(self.now))
            if start < end and rng.random() < 0.5:
                found.extend(bytes(max(0, end - len(found))))
                found[start:end] = self.now[start:end]
        return bytes(found)


class Disk:
    """Files by name; at changing call number `fails_at` the `fault` strikes, and if it is lasting at all later ones.

    Every disk has a folder of its own: a program that was cut off cannot reach into the next one's.
    """

    numbers = itertools.count()

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        self.folder = Path(f"/disk-{next(self.numbers)}")
        self.files = {name: File(content) for name, content in (files or {}).items()}
        self.calls, self.fails_at, self.fault, self.lasting = 0, -1, PowerCut, True

    def change(self) -> None:
        """One more call that changes something."""
        self.calls += 1
        if self.calls == self.fails_at or (self.lasting and 0 <= self.fails_at < self.calls):
            raise self.fault("the disk does not do it")

    def after_the_cut(self, rng: random.Random) -> "Disk":
        """The disk as it is found when the power is back."""
        return Disk({name: file.left(rng) for name, file in self.files.items()})


class OpenFile:
    """SQLite's handle of a file (apsw.VFSFile)."""

    def __init__(self, disk: Disk, name: str) -> None:
        self._disk, self._file = disk, disk.files.setdefault(Path(name).name, File())

    def xRead(self, amount: int, offset: int) -> bytes:
        return bytes(self._file.now[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.change()
        self._file.write(data, offset)

    def xTruncate(self, size: int) -> None:
        self._disk.change()
        del self._file.now[size:]

    def xSync(self, flags: int) -> None:
        self._disk.change()
        self._file.sync()

    def xFileSize(self) -> int:
        return len(self._file.now)

    def xSectorSize(self) -> int:
        return SECTOR

    def xDeviceCharacteristics(self) -> int:
        return 0

    def xFileControl(self, op: int, pointer: int) -> bool:
        return False

    def xCheckReservedLock(self) -> bool:
        return False

    def xLock(self, level: int) -> None:
        """There is no other process."""

    def xUnlock(self, level: int) -> None:
        """There is no other process."""

    def xClose(self) -> None:
        """Closing brings nothing to the disk."""

    def excepthook(self, *details: object) -> None:
        """SQLite is told of an error by its code; there is nobody else to tell."""


class Drive(apsw.VFS):
    """Makes SQLite use the disk that is in."""

    def __init__(self) -> None:
        super().__init__("power", "")
        self.disk = Disk()

    def xOpen(self, name: Any, flags: list[int]) -> Any:
        flags[1] = flags[0]
        return OpenFile(self.disk, name.filename() if isinstance(name, apsw.URIFilename) else str(name))

    def xAccess(self, path: str, flags: int) -> bool:
        return Path(path).parent == self.disk.folder and Path(path).name in self.disk.files

    def xDelete(self, path: str, sync: bool) -> None:
        if Path(path).parent != self.disk.folder:
            raise PowerCut("this disk is no longer in")
        self.disk.change()
        self.disk.files.pop(Path(path).name, None)

    def xFullPathname(self, name: str) -> str:
        return name

    def excepthook(self, *details: object) -> None:
        """As above."""


class Rows:
    """A cursor whose rows were read already."""

    def __init__(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self._rows = iter(rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self._rows

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(self._rows, None)


class Connection:
    """As much of sqlite3.Connection as the journal uses, on the drive. `weak` is SQLite's lesser promise."""

    def __init__(self, path: Any, weak: bool) -> None:
        self._weak = weak
        with translated():
            self._db = apsw.Connection(str(path), vfs="power")
        self.execute("PRAGMA locking_mode = EXCLUSIVE")  # this drive shares no memory between processes
        self._db.set_wal_hook(checkpoint)

    @property
    def in_transaction(self) -> bool:
        return bool(self._db.in_transaction)

    def set_progress_handler(self, handler: object, steps: int) -> None:
        """Nobody waits for signs of life."""

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> Rows:
        if self._weak:
            sql = sql.replace("synchronous = FULL", "synchronous = NORMAL")
        with translated():
            return Rows(list(self._db.execute(sql, values)))

    def executemany(self, sql: str, values: Iterable[tuple[Any, ...]]) -> None:
        with translated():
            self._db.executemany(sql, list(values))

    def close(self) -> None:
        with translated():
            self._db.close(True)

    def __del__(self) -> None:
        with contextlib.suppress(apsw.Error):  # a program that was cut off closes nothing
            self._db.close(True)


def checkpoint(db: apsw.Connection, name: str, pages: int) -> int:
    """As SQLite's own hook does it: an error in a checkpoint is none of the commit's before it."""
    if pages >= CHECKPOINT_PAGES:
        with contextlib.suppress(apsw.Error):
            db.wal_checkpoint(name, apsw.SQLITE_CHECKPOINT_PASSIVE)
    return apsw.SQLITE_OK


@contextlib.contextmanager
def translated() -> Iterator[None]:
    """apsw's errors as those of the standard library."""
    try:
        yield
    except apsw.Error as error:
        told = sqlite3.OperationalError(str(error))
        told.sqlite_errorcode = getattr(error, "result", apsw.SQLITE_IOERR)
        raise told from error
