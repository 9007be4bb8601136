"""The option that `games`, `replay`, `export` and `restore` share: which journal."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from companion.commands.paths import FILE
from companion.config import config_file, state_folder
from companion.config.reading import load_config
from companion.errors import ConfigError
from companion.events import Event
from companion.journal.archive import Archive, Shelf
from companion.journal.log import Log
from companion.journal.rewrite import in_use
from companion.referee.record import as_exported


def journal_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --journal; it arrives as `journal`."""
    return click.option("--journal", type=FILE, default=None, help="Another journal than the companion's own.")(command)


def noted(text: str) -> None:
    """Something to know beside the answer, on the standard error."""
    click.echo(f"companion: {text}", err=True)


def own_journal() -> Path:
    """The companion's own journal."""
    config, _ = load_config(config_file())
    return state_folder() / config.journal.path


def nobody_writes(journal: Path) -> None:
    """ConfigError while a companion is running that would go on writing into this journal."""
    if in_use(journal):
        raise ConfigError("the companion is running: stop it first, for example with `sudo systemctl stop companion`")


@contextlib.contextmanager
def writable(journal: Path) -> Iterator[Archive]:
    """This journal, to write into, made if it is not there; ConfigError while a companion is running that does so."""
    nobody_writes(journal)
    with Log(journal) as log:
        if log.notice:
            noted(log.notice)
        yield Archive(log)


def opened(journal: Path | None) -> Shelf:
    """The games of the journal named, or of the companion's own; the file is left as it is."""
    path = journal or own_journal()
    try:
        there = path.exists()
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}; ask as the user who runs the companion") from error
    if not there:
        raise ConfigError(f"{path}: there is no journal; play a game first, or name one with --journal")
    shelf = Shelf(path)
    for notice in shelf.notices():
        noted(notice)
    return shelf


def chosen(shelf: Shelf, number: int | None, form: str = "text") -> tuple[int, list[Event]]:
    """A recorded game, the newest when none is named, as `events_of`; ConfigError lists those there are."""
    games = shelf.games()
    if not games:
        raise ConfigError("no game is recorded yet")
    game = games[-1] if number is None else number
    if game not in games:
        raise ConfigError(f"there is no game {game}; there are {spans(games)}")
    return game, events_of(shelf, game, form)


def spans(numbers: Sequence[int]) -> str:
    """Numbers that rise, those that follow one another as one: "1 to 40, 42"."""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    return ", ".join(f"{a} to {b}" if a < b else str(a) for a, b in zip(starts, ends, strict=True))


def events_of(shelf: Shelf, game: int, form: str = "text") -> list[Event]:
    """What can be read of a game, for this form of it; that there is more is said."""
    events = shelf.events(game)
    if not shelf.whole(game):
        told = f"only the first {len(events)} of its events" if events else "none of its events"
        noted(f"game {game} is of another version, and this one can read {told}")
    return as_exported(shelf, game, form)
