"""The option that `games`, `replay` and `export` share: which journal."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from companion.config import config_file, load_config, state_folder
from companion.errors import ConfigError
from companion.events import Event
from companion.journal.archive import Archive, open_archive


def journal_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add --journal; it arrives as `journal`."""
    kind = click.Path(dir_okay=False, path_type=Path)
    return click.option("--journal", type=kind, default=None, help="Another journal than the companion's own.")(command)


@contextlib.contextmanager
def opened(journal: Path | None) -> Iterator[Archive]:
    """The journal named, or the companion's own."""
    path = journal
    if path is None:
        config, _ = load_config(config_file())
        path = state_folder() / config.journal.path
    if not path.exists():
        raise ConfigError(f"{path}: there is no journal; play a game first, or name one with --journal")
    archive = open_archive(path)
    try:
        for notice in archive.notices():
            click.echo(f"companion: {notice}", err=True)
        yield archive
    finally:
        archive.close()


def chosen(archive: Archive, number: int | None) -> tuple[int, list[Event]]:
    """A recorded game, the newest when none is named; ConfigError lists those there are."""
    games = archive.games()
    if not games:
        raise ConfigError("no game is recorded yet")
    game = games[-1] if number is None else number
    if game not in games:
        raise ConfigError(f"there is no game {game}; there are {games[0]} to {games[-1]}")
    return game, archive.events(game)
