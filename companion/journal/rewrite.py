"""The one way in which a journal loses anything: a new file is written beside it and takes its place."""

import json
import sqlite3
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from companion.errors import RecordError
from companion.journal.database import FIRST_LINK, Stored, held, link, no_room, read_only, replace, words

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


def rewrite(path: Path, change: Change) -> int:
    """Write the journal anew with every row as `change` wants it; how many rows were changed or left out.

    A cut of the power leaves the old file or the new one. RecordError when the journal is damaged.
    """
    rows, fault = read_only(path)
    if fault:
        raise RecordError(f"{path}: the journal is damaged ({fault}): start the companion once, it will be mended")
    kept: list[Stored] = []
    changed, chain = 0, FIRST_LINK
    for _, game, text, _ in rows:
        wanted = change(game, text)
        changed += wanted != text
        if wanted is not None:
            chain = link(chain, len(kept) + 1, game, wanted)
            kept.append((len(kept) + 1, game, wanted, chain))
    if changed:
        try:
            replace(path, kept)
        except (OSError, sqlite3.Error) as error:
            remedy = ". Free some space on the disk: for a while there are two of it" if no_room(error) else ""
            raise RecordError(f"{path}: the journal cannot be written anew: {words(error)}{remedy}") from error
    return changed


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
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) if data else text
