"""What can be chosen before a game: the games, each with its options and those of the table."""

import functools
from collections.abc import Hashable, Iterator, Mapping
from typing import Any, cast

from companion.errors import CompanionError, UnreadableText
from companion.games import GAMES
from companion.games import game as game_named
from companion.games.base import Game, Option, Options
from companion.games.extras import extras
from companion.games.options import said
from companion.referee.chance import has_dice
from companion.referee.settings import DICE, DICE_UNREAD, TABLE_OPTIONS
from companion.referee.state import State


def chosen_anew(state: State) -> str:
    """What the host chose otherwise for the table while this game is on it, in words; "" for nothing."""
    options = {option.name: option for option in _table_options(state.module)}
    anew = [(options[name], state.table[name]) for name in state.chosen_anew if name in options]
    anew = [(option, value) for option, value in anew if value in option.choices]  # another version may know more
    told = " · ".join(f"{option.label}: {said(option, value)}" for option, value in anew)
    return f"Changed by the host. {told}" if told else ""


def _table_options(game: Game) -> Iterator[Option]:
    """The table's options for this game, in words that hold for it."""
    for option in TABLE_OPTIONS:
        if option is not DICE:
            yield option
        elif has_dice(game):
            yield DICE if extras(game).shown_by is not None else DICE_UNREAD


@functools.cache  # to try them all takes a small computer a while
def _unfit(module: Hashable) -> Mapping[str, tuple[dict[str, Any], ...]]:
    """Of each option of the game the choices that do not go with one of an option before it."""
    game = cast("Game", module)
    found: dict[str, tuple[dict[str, Any], ...]] = {}
    for number, option in enumerate(game.OPTIONS):
        before = [
            (o.name, value) for o in game.OPTIONS[:number] for value in o.choices if _starts(game, {o.name: value})
        ]
        pairs = [(choice, name, value) for choice in option.choices for name, value in before]
        found[option.name] = tuple(
            {"choice": choice, "name": name, "value": value}
            for choice, name, value in pairs
            if not _starts(game, {name: value, option.name: choice})
        )
    return found


def _starts(game: Game, options: Options) -> bool:
    try:
        game.start(options)
    except UnreadableText:
        return False
    return True


def installed() -> Mapping[str, Game]:
    """The games of this installation, by name."""
    found = {}
    for name in GAMES:
        try:
            found[name] = game_named(name)
        except (ImportError, CompanionError):  # a game that is not part of it
            continue
    return found


def choices(games: Mapping[str, Game]) -> list[dict[str, Any]]:
    """The games that can be started, each with its options and those of the table."""
    return [
        {
            "name": name,
            "title": game.TITLE,
            "options": [
                {
                    "name": o.name,
                    "label": o.label or o.name,
                    "choices": list(o.choices),
                    "said": list(o.said or map(str, o.choices)),
                    "default": o.default,
                    "meaning": o.meaning,
                    "rule": o.rule,
                    "unfit": list(_unfit(cast("Hashable", game)).get(o.name, ())),
                    "table": o not in game.OPTIONS,  # chosen for the table, whatever is played on it
                }
                for o in (*game.OPTIONS, *_table_options(game))
            ],
        }
        for name, game in games.items()
    ]
