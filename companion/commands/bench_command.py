"""`companion bench`: measure speed and accuracy."""

import importlib

import click

from companion.bench import BENCHES
from companion.bench.loops import go_on

HELP = "\n".join(f"  {name}: {meaning}" for name, meaning in BENCHES.items())


@click.command(
    help=f"""Run the benches NAMES, or all of them.

\b
{HELP}

Ctrl-C ends with what was measured so far. The settings of a bench are environment variables, which its module in
companion/bench names.
"""
)
@click.argument("names", nargs=-1, type=click.Choice(tuple(BENCHES)), metavar="[NAMES]...")
def command(names: tuple[str, ...]) -> None:
    """See above: the text is made from the benches."""
    for name in names or tuple(BENCHES):
        click.echo(f"{name}: {BENCHES[name]}")
        importlib.import_module(f"companion.bench.{name}").run(click.echo)
        go_on()
