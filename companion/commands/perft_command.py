"""`companion perft GAME`: how many lines of play there are to a depth."""

from collections.abc import Callable
from typing import Any, cast

import click

from companion.games import GAMES, game
from companion.games.base import Game, Position

CHOICES = ("layout", "board", "variant", "seats")


@click.command(epilog=f"GAME is one of {', '.join(GAMES)}.")
@click.argument("name", metavar="GAME", type=click.Choice(tuple(GAMES)))
@click.option("--depth", type=click.IntRange(min=0), default=3, show_default=True, help="Plies to look ahead.")
@click.option("--position", default=None, help="Start from this position instead of the game's first.")
@click.option("--layout", default=None, help="Starting layout, for games that have several.")
@click.option("--board", default=None, help="Board, for games that have several.")
@click.option("--variant", default=None, help="Variant of the game.")
@click.option("--seats", type=int, default=None, help="Number of players.")
@click.option("--option", "more", multiple=True, metavar="NAME=VALUE", help="Any other option of the game.")
def command(name: str, depth: int, position: str | None, more: tuple[str, ...], **chosen: str | int | None) -> None:
    """Count the lines of play of GAME, depth by depth; the last line is the count alone."""
    played = game(name)
    options: dict[str, Any] = {key: chosen[key] for key in CHOICES if chosen[key] is not None}
    options |= dict(_pair(text) for text in more)
    if position is not None and options:
        raise click.UsageError("--position says it all; leave the other choices out")
    begin = played.start(options) if position is None else played.read_position(position)
    count = counter(played)
    total = 1
    for ply in range(1, depth + 1):
        total = count(begin, ply)
        click.echo(f"depth {ply}: {total}")
    click.echo(total)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--option")
    return key, value


def counter(played: Game) -> Callable[[Position, int], int]:
    """The game's own fast count where it offers one (`perft`), else the plain walk by its `moves` and `play`."""
    own = getattr(played, "perft", None)
    if own is not None:
        return cast(Callable[[Position, int], int], own)
    return lambda position, depth: walk(played, position, depth)


def walk(played: Game, position: Position, depth: int) -> int:
    """Lines of play to a depth by the names that every game has; moves of chance count like others."""
    if depth == 0:
        return 1
    moves = played.moves(position)
    if depth == 1:
        return sum(1 for _ in moves)
    return sum(walk(played, played.play(position, move).position, depth - 1) for move in moves)
