"""What is chosen of a game on the command line: options by name, and where `play` and `perft` begin."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

from companion.errors import UnreadableText
from companion.games.base import Game, Position

T = TypeVar("T")
_CHOICES = ("seats", "variant", "layout", "board")
_OPTIONS = (
    click.option("--seats", type=int, default=None, help="Number of players, for games that leave it open."),
    click.option("--variant", default=None, help="Variant of the game."),
    click.option("--layout", default=None, help="Starting layout, for games that have several."),
    click.option("--board", default=None, help="Board, for games that have several."),
    click.option("--option", "more", multiple=True, metavar="NAME=VALUE", help="Any other option of the game."),
    click.option("--position", default=None, help="Start from this position instead of the game's first."),
)


def start_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a click command; they arrive as `begun` takes them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def begun(played: Game, position: str | None, more: Iterable[str], **chosen: Any) -> Position:
    """Where play begins: as the options say, or at the position that was typed. UnreadableText, UsageError."""
    options = joined({name: chosen[name] for name in _CHOICES if chosen[name] is not None}, named_values(more))
    if position is None:
        return played.start(options)
    if options:
        raise click.UsageError("--position says it all; leave the other choices out")
    return played.read_position(position)


def named_values(texts: Iterable[str]) -> dict[str, str]:
    """What was given as `--option NAME=VALUE`; UnreadableText for anything else."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UnreadableText(f"--option {text}: write NAME=VALUE")
        found = joined(found, {name.strip(): value.strip()})
    return found


def joined(one: Mapping[str, T], other: Mapping[str, T]) -> dict[str, T]:
    """What was chosen in two ways; UnreadableText for an option that both name, as one of them would not be heeded."""
    if twice := sorted(one.keys() & other.keys()):
        raise UnreadableText(f"option {twice[0]!r} is given twice: as {one[twice[0]]} and as {other[twice[0]]}")
    return {**one, **other}
