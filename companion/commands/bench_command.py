"""`companion bench`: measure speed and accuracy."""

import importlib

import click

from companion.bench import BENCHES


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(tuple(BENCHES)), metavar="[" + "|".join(BENCHES) + "]...")
def command(names: tuple[str, ...]) -> None:
    """Run the named benches, or all of them."""
    for name in names or tuple(BENCHES):
        click.echo(f"{name}: {BENCHES[name]}")
        importlib.import_module(f"companion.bench.{name}").run(click.echo)
