"""`companion perft GAME`: how many lines of play there are to a depth."""

from collections.abc import Callable
from typing import Any, cast

import click

from companion.commands.game_options import begun, start_options
from companion.games import GAMES, game
from companion.games.base import Game, Position


@click.command(epilog=f"GAME is one of {', '.join(GAMES)}.")
@click.argument("name", metavar="GAME", type=click.Choice(tuple(GAMES)))
@click.option("--depth", type=click.IntRange(min=0), default=3, show_default=True, help="Plies to look ahead.")
@start_options
def command(name: str, depth: int, **chosen: Any) -> None:
    """Count the lines of play of GAME, depth by depth; the last line is the count alone."""
    played = game(name)
    begin = begun(played, **chosen)
    count = counter(played)
    total = 1
    for ply in range(1, depth + 1):
        total = count(begin, ply)
        click.echo(f"depth {ply}: {total}")
    click.echo(total)


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
