"""`companion bench`: measure speed and accuracy."""

import importlib

import click

from companion.bench import BENCHES
from companion.bench.loops import go_on


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(tuple(BENCHES)), metavar="[" + "|".join(BENCHES) + "]...")
def command(names: tuple[str, ...]) -> None:
    """Run the named benches, or all of them.

    Ctrl-C ends with what was measured so far. Each bench's module in companion/bench says what the environment may ask
    of it.
    """
    for name in names or tuple(BENCHES):
        click.echo(f"{name}: {BENCHES[name]}")
        importlib.import_module(f"companion.bench.{name}").run(click.echo)
        go_on()
