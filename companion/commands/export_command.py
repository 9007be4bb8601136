"""`companion export`: write a recorded game as text, JSON or HTML."""

import sys
from pathlib import Path

import click

from companion.commands.journal_options import chosen, events_of, journal_option, noted, opened
from companion.commands.paths import ANY, naming
from companion.errors import ConfigError
from companion.exports import EXPORTS
from companion.progress import one_by_one
from companion.storage import write_safely
from companion.texts import counted, read_json

SUFFIXES = {"text": "txt"}  # of the files of a form that is not called as its files are


@click.command()
@click.argument("number", type=int, required=False)
@journal_option
@click.option("--form", type=click.Choice(list(EXPORTS)), default="text", show_default=True, help="What is written.")
@click.option("--out", type=ANY, default=None, help="File; else it is printed.")
@click.option("--all", "everything", is_flag=True, help="Every game, each as a file in the folder --out.")
def command(number: int | None, journal: Path | None, form: str, out: Path | None, everything: bool) -> None:
    """Write game NUMBER (default: the newest) from the journal; `companion restore` brings JSON back."""
    if everything and (number is not None or out is None):
        raise click.UsageError("--all needs a folder, --out FOLDER, and no number")
    shelf = opened(journal)
    if everything and out is not None:
        texts = {}
        for game in one_by_one(shelf.games(), "games", noted):
            if events := events_of(shelf, game, form):  # of some nothing is left
                place = out / f"game-{game}.{SUFFIXES.get(form, form)}"
                texts[place] = EXPORTS[form](game, events, shelf.whole(game))
        for path, text in texts.items():
            if form == "json" and not _goes_before(path, text):
                raise ConfigError(f"{path} holds another game, or more of this one: name another folder")
        for path, text in texts.items():
            with naming(path):
                write_safely(path, text.encode())
        click.echo(f"{counted(len(texts), 'game')} written to {out}")
        return
    game, events = chosen(shelf, number, form)
    text = EXPORTS[form](game, events, shelf.whole(game))
    if out is None:  # a file or another program is given the bytes of --out, whatever signs a terminal has
        click.echo(text if sys.stdout.isatty() else text.encode(), nl=False)
        return
    with naming(out):
        write_safely(out, text.encode())
    click.echo(f"game {game} written to {out}")


def _goes_before(path: Path, text: str) -> bool:
    """True where no copy is lost by the new one: there is none, or an earlier one of the same game."""
    try:
        before = read_json(path.read_text(encoding="utf-8"))["events"]
    except FileNotFoundError:
        return True
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except (ValueError, TypeError, KeyError):  # no copy of ours
        return False
    return isinstance(before, list) and before == read_json(text)["events"][: len(before)]
