"""The one way in which a journal loses anything: a new file is written beside it and takes its place."""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import RecordError
from companion.journal.database import (
    FIRST_LINK,
    Stored,
    added,
    held,
    link,
    no_room,
    read_only,
    remove,
    replace,
    rows_behind,
    spelled,
    words,
    written_beside,
)

SOMEBODY = "somebody"  # whose name was erased
WAIT_S = 0.2  # for another program to let go

Change = Callable[[int, str], str | None]  # a row's game and text: the text that stays, None for no row


def in_use(path: Path) -> bool:
    """True while a program has this journal open. When none has, all that it holds is in its one file afterwards."""
    if not path.exists():
        return False
    db = sqlite3.connect(path, isolation_level=None, timeout=WAIT_S)
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN IMMEDIATE")  # refused while anybody else is connected
        db.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        return held(error)
    except sqlite3.DatabaseError:
        return False  # no journal that anybody could use
    finally:
        db.close()
    return False


@dataclass(frozen=True, slots=True)
class Draft:
    """A journal written anew beside the old one, which may grow meanwhile."""

    file: Path | None  # None where no row is to be changed
    old: tuple[int, str]  # number and link of the old one's last row that was read ...
    new: tuple[int, str]  # ... and of the last that was written
    changed: int


def rewrite(path: Path, change: Change) -> int:
    """Write the journal anew with every row as `change` wants it; how many rows were changed or left out.

    A cut of the power leaves the old file or the new one. RecordError when the journal is damaged.
    """
    draft = drafted(path, change)
    take_its_place(path, change, draft)
    return draft.changed


def drafted(path: Path, change: Change) -> Draft:
    """All that takes long of `rewrite`, while the journal may be in use."""
    rows, fault = read_only(path)
    if fault:
        raise RecordError(f"{path}: the journal is damaged ({fault}): start the companion once, it will be mended")
    kept, changed = _changed(rows, change, (0, FIRST_LINK))
    with _told(path):
        file = written_beside(path, kept) if changed else None
    return Draft(file, _last(rows), _last(kept), changed)


def take_its_place(path: Path, change: Change, draft: Draft) -> None:
    """The rest: what was written since the draft is added to it, and it is the journal. Nobody may use it meanwhile."""
    if draft.file is None:
        return
    with _told(path):
        more, _ = _changed(rows_behind(path, draft.old), change, draft.new)
        if more:
            added(draft.file, more)
        replace(path, draft.file)


def discard(draft: Draft) -> None:
    """The journal stays what it is."""
    if draft.file is not None:
        remove(draft.file)


def _changed(rows: Iterable[Stored], change: Change, last: tuple[int, str]) -> tuple[list[Stored], int]:
    """The rows as they go on behind this number and link, and how many were changed or left out."""
    kept: list[Stored] = []
    changed, (number, chain) = 0, last
    for _, game, text, _ in rows:
        wanted = change(game, text)
        changed += wanted != text
        if wanted is not None:
            number += 1
            chain = link(chain, number, game, wanted)
            kept.append((number, game, wanted, chain))
    return kept, changed


def _last(rows: Sequence[Stored]) -> tuple[int, str]:
    return (rows[-1][0], rows[-1][3]) if rows else (0, FIRST_LINK)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What goes wrong with the disk as a RecordError, with what may help."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        remedy = ". Free some space on the disk: for a while there are two of it" if no_room(error) else ""
        raise RecordError(f"{path}: the journal cannot be written anew: {words(error)}{remedy}") from error


def without_game(number: int) -> Change:
    """Leaves one game out."""
    return lambda game, text: None if game == number else text


def without_names(names: Collection[str]) -> Change:
    """Leaves players' names out: of where they join, and of the sentences that name them in brackets."""
    return lambda game, text: _unnamed(text, names)


def players(path: Path) -> set[str]:
    """Every name under which somebody has played."""
    found = (_fields(text).get("player") for _, _, text, _ in read_only(path)[0])
    return {name for name in found if isinstance(name, str)}


def _fields(text: str) -> dict[str, Any]:
    """An event's fields; none of what another version may have written in its place."""
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _unnamed(text: str, names: Collection[str]) -> str:
    data = _fields(text)
    if data.get("player") in names:
        data["player"] = SOMEBODY
    for key, value in data.items():
        for name in names if isinstance(value, str) else ():
            data[key] = data[key].replace(f"({name})", f"({SOMEBODY})")
    return spelled(data) if data else text
