"""`companion pin`: set the host's PIN at the device."""

import sys

import click

from companion.config import state_folder
from companion.web.factory import PIN_FILE
from companion.web.pin import PinStore


@click.command()
@click.option("--stdin", "piped", is_flag=True, help="Read the PIN from the standard input instead of asking for it.")
def command(piped: bool) -> None:
    """Set the PIN that every change on the page asks for. There is none until one is set."""
    store = PinStore(state_folder() / PIN_FILE)
    pin = sys.stdin.readline().strip() if piped else _asked()
    store.set(pin)  # UnreadableText says what a PIN is
    click.echo(f"The host's PIN is set ({store.path}).")


def _asked() -> str:
    pin: str = click.prompt("New PIN", hide_input=True, confirmation_prompt="The same again")
    return pin
