"""`companion play GAME`: a whole game in the terminal, typed or piped."""

import io
import sys
from typing import Any

import click

from companion.commands.playing import Playing
from companion.games import GAMES, game

CHOICES = ("seats", "variant", "layout", "board")


@click.command(epilog=f"GAME is one of {', '.join(GAMES)}.")
@click.argument("name", metavar="GAME", type=click.Choice(tuple(GAMES)))
@click.option("--seats", type=int, default=None, help="Number of players, for games that leave it open.")
@click.option("--variant", default=None, help="Variant of the game.")
@click.option("--layout", default=None, help="Starting layout, for games that have several.")
@click.option("--board", default=None, help="Board, for games that have several.")
@click.option("--option", "more", multiple=True, metavar="NAME=VALUE", help="Any other option of the game.")
@click.option("--position", default=None, help="Start from this position instead of the game's first.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=None,
    help="Seed of dice, bag and random moves; without it they differ.",
)
@click.option("--type-chance", is_flag=True, help="Ask for what dice and bag show instead of rolling them.")
def command(
    name: str,
    more: tuple[str, ...],
    position: str | None,
    seed: int | None,
    type_chance: bool,
    **chosen: str | int | None,
) -> None:
    """Play GAME by typed moves: one on each line, or random, undo, moves, help, quit."""
    options: dict[str, Any] = {key: chosen[key] for key in CHOICES if chosen[key] is not None}
    options |= dict(_pair(text) for text in more)
    if position is not None and options:
        raise click.UsageError("--position says it all; leave the other choices out")
    played = game(name)
    begin = played.start(options) if position is None else played.read_position(position)
    playing = Playing(played, begin, click.echo, seed, roll=not type_chance)
    playing.begin()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text become an unreadable line
    while not playing.done:
        click.echo(playing.prompt, nl=False)
        line = sys.stdin.readline()
        if not line:
            click.echo()
            break
        playing.answer(line)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
    return key, value
