"""`companion erase`: remove what the companion has stored of people and of their table."""

import unicodedata
from pathlib import Path

import click

from companion.commands.journal_options import nobody_writes, own_journal
from companion.config import state_folder
from companion.errors import ConfigError
from companion.journal.database import read_only
from companion.journal.rewrite import SOMEBODY, players, rewrite, without_game, without_names
from companion.service.erasing import KINDS, remove, size, stored
from companion.texts import counted

HELP = "\n".join(f"  {name}: {kind.words}" for name, kind in KINDS.items())


@click.command(
    help=f"""Remove what was stored: everything, or only the kinds WHAT. The configuration stays.

\b
{HELP}

First it lists what would go, and asks. With --player or --game only that goes, and all else stays.
"""
)
@click.argument("what", nargs=-1, metavar="[WHAT]...", type=click.Choice(list(KINDS)))
@click.option("--player", default=None, help="Only this player's name, in every game.")
@click.option("--game", type=int, default=None, help="Only the game of this number.")
@click.option("--list", "only_list", is_flag=True, help="Only say what would go.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(what: tuple[str, ...], player: str | None, game: int | None, only_list: bool, yes: bool) -> None:
    """See above: the text is made from the kinds."""
    if sum((bool(what), player is not None, game is not None)) > 1:
        raise click.UsageError("name kinds, or --player, or --game")
    state, journal = state_folder(), own_journal()
    if player is not None:
        _erase_name(player, state, journal, only_list, yes)
    elif game is not None:
        _erase_game(game, journal, only_list, yes)
    else:
        _erase_kinds(what or tuple(KINDS), state, journal, only_list, yes)


def _erase_kinds(what: tuple[str, ...], state: Path, journal: Path, only_list: bool, yes: bool) -> None:
    there = {kind: paths for kind in dict.fromkeys(what) if (paths := stored(kind, state, journal))}
    if not there:
        click.echo(f"Nothing of that is stored in {state}.")
        return
    for kind, paths in there.items():
        count, content = size(paths)
        files = counted(count, "file")
        click.echo(f"{kind}: {KINDS[kind].words} ({files}, {content / 1e6:.1f} MB)")
        for path in paths:
            click.echo(f"  {path}")
    if only_list:
        return
    _confirm(journal, yes)
    for paths in there.values():
        remove(paths)
    click.echo("Erased.")


def _erase_game(number: int, journal: Path, only_list: bool, yes: bool) -> None:
    numbers = {game for _, game, _, _ in read_only(_existing(journal))[0]}
    if number not in numbers:
        raise ConfigError(f"there is no game {number} in {journal}; `companion games` lists them")
    click.echo(f"game {number}, with the names of its players")
    if not only_list:
        _confirm(journal, yes)
        rewrite(journal, without_game(number))
        click.echo("Erased.")


def _erase_name(player: str, state: Path, journal: Path, only_list: bool, yes: bool) -> None:
    """The name goes from the journal; damaged copies of it, which nobody can search, go altogether."""
    wanted = _alike(player)
    names = {name for name in players(_existing(journal)) if _alike(name) == wanted}
    damaged = [path for path in stored("games", state, journal) if ".corrupt." in path.name]
    if not names:
        unsearched = "".join(f"; {path} may hold the name: a damaged copy, which nobody can search" for path in damaged)
        raise ConfigError(f"nobody called {player!r} has played in {journal}: nothing was erased{unsearched}")
    click.echo(f"the name {', '.join(sorted(names))}; the games stay, played by {SOMEBODY!r}")
    for path in damaged:
        click.echo(f"  {path}: a damaged copy that may hold the name, too")
    if not only_list:
        _confirm(journal, yes)
        rewrite(journal, without_names(names))
        remove(damaged)
        click.echo("Erased.")


def _alike(name: str) -> str:
    """The same text for names that look the same but for capitals: accents are signs of their own on some phones."""
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()


def _existing(journal: Path) -> Path:
    if not journal.exists():
        raise ConfigError(f"{journal}: there is no journal")
    return journal


def _confirm(journal: Path, yes: bool) -> None:
    """Go on only when a person wants it, and while no companion is running that would go on writing."""
    nobody_writes(journal)
    if not yes:
        click.confirm("Erase this for good?", abort=True)
