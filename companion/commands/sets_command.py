"""`companion sets`: the taught sets of a game that are kept under names, as the page lists them."""

import click

from companion.commands.journal_options import nobody_writes, own_journal
from companion.config import config_file, state_folder
from companion.config.reading import load_config
from companion.errors import CommandRefused, ConfigError
from companion.sets.taught_sets import TaughtSets
from companion.texts import printable
from companion.vision.readers import READERS

STEPS = ("keep", "use", "rename", "delete", "restore")  # in the order in which they are done


@click.command()
@click.argument("game", type=click.Choice([name for name in READERS if name != "dice"]))
@click.option("--keep", metavar="NAME", default=None, help="Keep what is in use now under this name.")
@click.option("--use", metavar="NAME", default=None, help="Read with this set from now on.")
@click.option("--rename", metavar="OLD NEW", nargs=2, default=None, help="Give a set another name.")
@click.option("--delete", metavar="NAME", default=None, help="Delete a set; the last one can be brought back.")
@click.option("--restore", metavar="NAME", default=None, help="Bring the set back that was deleted last.")
def command(game: str, **asked: str | tuple[str, str] | None) -> None:
    """List the sets of GAME that were taught and are kept under names, or change one of them.

    What is in use is marked with *. Changes need the companion to be stopped: while it runs, they are made on the page,
    under Host, Camera and table.
    """
    from companion.app import merged_look
    from companion.sets.stored_eyes import StoredEyes

    config, _ = load_config(config_file())
    state = state_folder()
    sets = TaughtSets(state / "taught-sets", StoredEyes(merged_look(config, {}), state))
    wanted = {step: value for step in STEPS if (value := asked[step]) is not None}
    if len(wanted) > 1:
        raise click.UsageError(f"one change at a time: {' or '.join(f'--{step}' for step in wanted)}")
    for step, value in wanted.items():
        nobody_writes(own_journal())
        old, new = value if isinstance(value, tuple) else (value, value)
        try:
            sets.act(game, step, "" if step == "keep" else _number(sets, game, step, old), new)
        except CommandRefused as error:
            raise ConfigError(error.text) from error
    _list(sets, game)


def _number(sets: TaughtSets, game: str, step: str, name: str) -> str:
    """The set of this name: one that was deleted where it is to be restored. ConfigError names those there are."""
    there = [one for one in sets.listed(game) if one["deleted"] == (step == "restore")]
    for one in there:
        if one["name"].casefold() == " ".join(name.split()).casefold():
            return str(one["id"])
    names = ", ".join(printable(one["name"]) for one in there) or "none"
    which = "was deleted" if step == "restore" else "is kept"
    raise ConfigError(f"no set of {game} {which} under the name {printable(name)!r}: there are {names}")


def _list(sets: TaughtSets, game: str) -> None:
    listed = sets.listed(game)
    if not listed:
        click.echo(f"No set of {game} is kept under a name; `companion sets {game} --keep NAME` keeps what is in use.")
    for one in listed:
        learned = f", learned {one['learned'][:10]}" if one["learned"] else ""
        state = ", deleted" if one["deleted"] else ""
        click.echo(f"{'*' if one['used'] else ' '} {printable(one['name'])}{learned}{state}")
