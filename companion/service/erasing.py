"""What the companion has stored, by kind, so that people can see it and have it removed."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from calibration.store import LENS_FILE
from companion.errors import RecordError
from companion.web.factory import KEY_FILE, PIN_FILE, SESSIONS_FILE


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of stored things: what it is in words, and where it lies (state folder, journal)."""

    words: str
    places: Callable[[Path, Path], Iterator[Path]]


def _games(state: Path, journal: Path) -> Iterator[Path]:
    """The journal and what SQLite and the companion keep beside it, damaged copies too."""
    if journal.parent.is_dir():
        yield from (path for path in journal.parent.iterdir() if _of(journal, path.name))


def _of(journal: Path, name: str) -> bool:
    beside = ("-wal", "-shm", "-journal", ".ballast", ".mended", ".new", ".new-wal", ".new-shm", ".new-journal")
    return name in (journal.name, *(journal.name + end for end in beside)) or name.startswith(
        f"{journal.name}.corrupt."
    )


KINDS = {
    "games": Kind("all games with the players' names", _games),
    "pictures": Kind("pictures of tables that were corrected", lambda state, _: iter((state / "corrected",))),
    "looks": Kind(
        "the looks of your set, learned from pictures", lambda state, _: iter((state / "taught", state / "taught-sets"))
    ),
    "lens": Kind("the measured lens", lambda state, _: iter((state / "calibration" / LENS_FILE,))),
    "host": Kind(
        "the PIN, the secret key and who is logged in",
        lambda state, _: iter(state / name for name in (PIN_FILE, KEY_FILE, SESSIONS_FILE)),
    ),
}


def stored(kind: str, state: Path, journal: Path) -> list[Path]:
    """The files and folders of this kind that there are."""
    return sorted(path for path in KINDS[kind].places(state, journal) if path.exists())


def size(paths: list[Path]) -> tuple[int, int]:
    """How many files these are, folders looked into, and their bytes."""
    files = [f for path in paths for f in ([path] if path.is_file() else path.rglob("*")) if f.is_file()]
    return len(files), sum(file.stat().st_size for file in files)


def remove(paths: list[Path]) -> None:
    """Remove files and folders, on the disk when it returns. RecordError names the one that stays."""
    for path in paths:
        try:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
            folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise RecordError(f"{path}: cannot be removed: {error.strerror or error}") from error
