"""`companion export`: write a recorded game as text, JSON or HTML."""

from pathlib import Path

import click

from companion.commands.journal_options import chosen, journal_option, opened
from companion.errors import ConfigError
from companion.exports import EXPORTS
from companion.storage import write_safely


@click.command()
@click.argument("number", type=int, required=False)
@journal_option
@click.option("--form", type=click.Choice(list(EXPORTS)), default="text", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=None, help="File; else it is printed.")
def command(number: int | None, journal: Path | None, form: str, out: Path | None) -> None:
    """Write game NUMBER (default: the newest) from the journal."""
    game, events = chosen(opened(journal), number)
    text = EXPORTS[form](game, events)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        write_safely(out, text.encode())
    except OSError as error:
        raise ConfigError(f"{out}: {error.strerror or error}") from error
    click.echo(f"game {game} written to {out}")
