"""Sets that were taught and are kept under a name: to choose one of several, name it anew, delete it, bring it back."""

import contextlib
import datetime
import hashlib
import importlib.metadata
import json
import logging
import shutil
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from companion.errors import CommandRefused
from companion.sets.stored_eyes import StoredEyes
from companion.storage import write_safely
from companion.vision.taught_looks import taught_in

log = logging.getLogger(__name__)

ABOUT, LOOKS = "set.json", "looks"
MOST = 12  # kept of one game: more would be no list to choose from


@dataclass(frozen=True, slots=True)
class KeptSet:
    """One kept set, as the page lists it. `learned` is ISO 8601, `version` the companion's that kept it."""

    id: str
    name: str
    learned: str
    version: str
    deleted: bool = False
    used: bool = False


class TaughtSets:
    """The kept sets of each game, in a folder of their own; what is in use is a copy that lessons may change.

    All refusals are CommandRefused. Of what was deleted the last one can be brought back.
    """

    def __init__(self, folder: Path, eyes: StoredEyes) -> None:
        self._folder, self._eyes = folder, eyes
        self._guard = threading.RLock()

    def listed(self, game: str | None) -> list[dict[str, Any]]:
        """The kept sets of a game by name, the deleted one last."""
        with self._guard:
            kept = [] if game is None else [asdict(one) for one in self._kept(game)]
        return sorted(kept, key=lambda one: (one["deleted"], one["name"].casefold()))

    def act(self, game: str | None, step: str, number: str, name: str) -> None:
        """`step` is keep, use, rename, delete or restore; `number` tells which set but for keep, `name` its new one."""
        if game is None:
            raise CommandRefused("no-game", "No game is on: start the one that is played with this set")
        with self._guard:
            try:
                if step == "keep":
                    self._keep(game, self._free_name(game, name))
                    return
                chosen = self._named(game, number)
                if step == "use":
                    self._use(game, chosen)
                elif step == "rename":
                    self._write(game, replace(chosen, name=self._free_name(game, name, number)))
                elif step == "delete":
                    self._delete(game, chosen)
                else:
                    self._restore(game, chosen)
            except OSError as error:
                raise CommandRefused("storage", f"{error.filename}: {error.strerror or error}", 507) from error

    # --- the steps ----------------------------------------------------------------------------------------------

    def _keep(self, game: str, name: str) -> None:
        """What is in use now, under a name."""
        with self._eyes.lesson(game) as looks:
            if looks is None:
                raise CommandRefused("nothing-learned", "Nothing was learned of this set yet: let it be learned first")
            if len([one for one in self._kept(game) if not one.deleted]) >= MOST:
                raise CommandRefused("too-many", f"{MOST} sets are kept of this game: delete one first")
            home = self._folder / game
            home.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=home, prefix=".") as half:  # nobody lists half a set
                made = Path(half) / "set"
                shutil.copytree(looks, made / LOOKS)
                number = self._next_number(home)
                version = importlib.metadata.version("tabletop-companion")
                about = KeptSet(number, name, taught_in(looks).date, version)
                _write(made, about)
                made.rename(home / number)

    def _next_number(self, home: Path) -> str:
        """In the order in which sets were kept, whatever the clock says."""
        numbers = (int(path.name) for path in home.iterdir() if path.name.isdecimal())
        return f"{max(numbers, default=0) + 1:06d}"

    def _use(self, game: str, chosen: KeptSet) -> None:
        """The eye reads with this set from now on; what it read with stays, named for its date if it has no name."""
        looks = self._folder / game / chosen.id / LOOKS
        if why := self._eyes.amiss(game, looks):
            raise CommandRefused("unusable", f"This set cannot be used any more: {why}")
        with self._eyes.lesson(game) as now:
            unnamed = now is not None and not any(one.used for one in self._kept(game))
            plain = _dated(taught_in(now).date) if now is not None else ""
        if unnamed:
            taken = {one.name for one in self._kept(game)}
            self._keep(game, next(n for i in range(MOST + 2) if (n := f"{plain} ({i})" if i else plain) not in taken))
        self._eyes.adopt(game, looks)
        log.info("the set %r of %s is in use", chosen.name, game)

    def _delete(self, game: str, chosen: KeptSet) -> None:
        if chosen.used:
            raise CommandRefused("in-use", "This set is in use: use another one first, or forget what was learned")
        for before in self._kept(game):
            if before.deleted and before.id != chosen.id:
                shutil.rmtree(self._folder / game / before.id)
        self._write(game, replace(chosen, deleted=True))

    def _restore(self, game: str, chosen: KeptSet) -> None:
        """One more than MOST may be kept then: whoever deletes another one for it has lost this one."""
        name = self._free_name(game, chosen.name, chosen.id, "rename that one first")
        self._write(game, replace(chosen, name=name, deleted=False))

    # --- what is there ------------------------------------------------------------------------------------------

    def _kept(self, game: str) -> Iterator[KeptSet]:
        with self._eyes.lesson(game) as looks:
            now = _fingerprint(looks) if looks is not None else ""
        for path in sorted((self._folder / game).glob(f"[0-9]*/{ABOUT}")):
            with contextlib.suppress(OSError, ValueError, TypeError):  # a torn one is no set any more
                about = KeptSet(**json.loads(path.read_text(encoding="utf-8")))
                yield replace(about, id=path.parent.name, used=bool(now) and _fingerprint(path.parent / LOOKS) == now)

    def _named(self, game: str, number: str) -> KeptSet:
        for one in self._kept(game):
            if one.id == number:
                return one
        raise CommandRefused("no-such-set", "This set is not there any more", 404)

    def _free_name(self, game: str, name: str, number: str = "", else_do: str = "choose another name") -> str:
        words = " ".join(name.split())
        if not words:
            raise CommandRefused("unreadable", "Give the set a name", 400)
        others = (one for one in self._kept(game) if one.id != number and not one.deleted)
        if words.casefold() in {one.name.casefold() for one in others}:
            raise CommandRefused("name-taken", f"Another set is called {words}: {else_do}")
        return words

    def _write(self, game: str, about: KeptSet) -> None:
        _write(self._folder / game / about.id, about)


def _write(folder: Path, about: KeptSet) -> None:
    content = json.dumps(asdict(replace(about, used=False)), indent=1) + "\n"
    write_safely(folder / ABOUT, content.encode())


def _dated(learned: str) -> str:
    """A name for a set that was given none: "Learned 2026-11-30 18:04", by the clock of the place."""
    with contextlib.suppress(ValueError):  # an early version wrote no date
        return f"Learned {datetime.datetime.fromisoformat(learned).astimezone():%Y-%m-%d %H:%M}"
    return "Learned earlier"


def _fingerprint(looks: Path) -> str:
    """What tells one lesson from another: its files that say what was learned, and name the arrays by their content."""
    with contextlib.suppress(OSError):
        heads = sorted(looks.glob("*.json"))
        return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in heads)).hexdigest()
    return ""
