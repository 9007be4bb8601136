"""`companion restore`: bring exported games back into the journal."""

from pathlib import Path

import click

from companion.commands.journal_options import journal_option, noted, own_journal, writable
from companion.commands.paths import ANY
from companion.errors import ConfigError
from companion.journal.database import read_only
from companion.journal.restore import line_of, read_file, restore, resumed
from companion.progress import one_by_one


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=ANY)
@journal_option
def command(files: tuple[Path, ...], journal: Path | None) -> None:
    """Bring games back that `companion export --form json` wrote; FILE may be a folder of them.

    Every file is checked first, by playing its game through: if one is unfit, nothing is written.
    """
    if journal is not None and journal.exists():
        read_only(journal)  # RecordError: a file that was named by mistake is not moved aside like a damaged journal
    named = [file for given in files for file in _files(given)]
    found = [read_file(file) for file in one_by_one(named, "files", noted)]
    games = sorted(found, key=lambda game: game.number)
    with writable(journal or own_journal()) as archive:
        written, goes_on = restore(archive, games), resumed(archive)
    for game, (number, now) in zip(games, written, strict=True):
        click.echo(f"game {number}: {line_of(number, game)}{'' if now else ' (was there already)'}")
    if goes_on is not None:
        click.echo(f"The companion goes on with game {goes_on} when it starts.")


def _files(given: Path) -> list[Path]:
    """The file itself, or the JSON files of a folder."""
    if not given.is_dir():
        return [given]
    found = sorted(given.glob("*.json"))
    if not found:
        raise ConfigError(f"{given}: there is no .json file in it")
    return found
