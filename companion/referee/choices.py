"""What can be chosen before a game: the games, each with its options and those of the table."""

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.base import Game, Option
from companion.games.extras import extras
from companion.referee.chance import has_dice
from companion.referee.settings import DICE, DICE_UNREAD, TABLE_OPTIONS


def _table_options(game: Game) -> Iterator[Option]:
    """The table's options for this game, in words that hold for it."""
    for option in TABLE_OPTIONS:
        if option is not DICE:
            yield option
        elif has_dice(game):
            yield DICE if extras(game).shown_by is not None else DICE_UNREAD


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
                }
                for o in (*game.OPTIONS, *_table_options(game))
            ],
        }
        for name, game in games.items()
    ]
