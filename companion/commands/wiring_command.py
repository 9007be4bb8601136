"""`companion wiring`: which pin goes where, and whether what is connected there works."""

import contextlib
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import click

from companion.commands.paths import ANY
from companion.config import Config, config_file
from companion.config.reading import read_config
from companion.outputs import wiring
from companion.outputs.devices import make_board, on_real_pins
from companion.outputs.trying import Trial


@click.command()
@click.option("--config", "path", type=ANY, default=None, help="Configuration file; else the usual one.")
@click.option(
    "--try", "trying", is_flag=True, help="Light and sound one after the other, and watch for each button's press."
)
def command(path: Path | None, trying: bool) -> None:
    """Show where lamps, buzzer and buttons are connected: a table, and the header seen from above.

    With --try the exit code is 1 when something did not do what it should.
    """
    config = read_config(path or config_file(), must_exist=path is not None)
    if trying:
        _try(config)
    else:
        click.echo(wiring.header(config))
        click.echo()
        click.echo(wiring.table(config))


def _try(config: Config) -> None:
    if not on_real_pins(config):
        click.echo("these are mock pins: nothing lights, sounds or is pressed")
    with _ended_politely(), contextlib.closing(make_board(config)) as board:
        failed = Trial(config, board, lambda question: click.confirm(question, default=True), click.echo).run()
    for section in failed:
        click.echo(wiring.NOTES[section])
    sys.exit(1 if failed else 0)


@contextlib.contextmanager
def _ended_politely() -> Iterator[None]:
    """SIGTERM and a terminal that is closed end this as Ctrl-C does: what is on goes off."""
    before = {number: signal.signal(number, _leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, frame: object) -> NoReturn:
    sys.exit(128 + number)
