"""`companion play GAME`: a whole game in the terminal, typed or piped."""

import io
import sys
from typing import Any

import click

from companion.commands.game_options import begun, start_options
from companion.commands.playing import Playing
from companion.games import GAMES, game


@click.command(epilog=f"GAME is one of {', '.join(GAMES)}.")
@click.argument("name", metavar="GAME", type=click.Choice(tuple(GAMES)))
@start_options
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=None,
    help="Seed of dice, bag and random moves; without it they differ.",
)
@click.option("--type-chance", is_flag=True, help="Ask for what dice and bag show instead of rolling them.")
def command(name: str, seed: int | None, type_chance: bool, **chosen: Any) -> None:
    """Play GAME by typed moves: one on each line, or random, undo, moves, help, quit."""
    played = game(name)
    playing = Playing(played, begun(played, **chosen), click.echo, seed, roll=not type_chance)
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
