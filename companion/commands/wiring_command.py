"""`companion wiring`: which pin goes where."""

from pathlib import Path

import click

from companion.commands.paths import ANY
from companion.config import config_file
from companion.config.reading import read_config
from companion.outputs import wiring


@click.command()
@click.option("--config", "path", type=ANY, default=None, help="Configuration; else the usual one.")
def command(path: Path | None) -> None:
    """Show where lamps, buzzer and buttons are connected: a table, and the header seen from above."""
    config = read_config(path or config_file(), must_exist=path is not None)
    click.echo(wiring.header(config))
    click.echo()
    click.echo(wiring.table(config))
