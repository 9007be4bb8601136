"""The games. A game is added by one module that offers the names of `companion.games.base.Game`."""

import importlib
from typing import TYPE_CHECKING, cast

from companion.errors import UnreadableText
from companion.games.base import Game

GAMES = {
    "khet": "companion.games.khet",
    "ataxx": "companion.games.ataxx",
    "hexxagon": "companion.games.hexxagon",
    "kaxxt": "companion.games.kaxxt",
    "chaos": "companion.games.chaos",
    "kdak": "companion.games.kdak",
}


def game(name: str) -> Game:
    """The game module of that name; UnreadableText lists the names there are."""
    if name not in GAMES:
        raise UnreadableText(f"no game is called {name!r}; there are {', '.join(GAMES)}")
    return cast(Game, importlib.import_module(GAMES[name]))


def usual() -> str:
    """The game that is meant when nobody named one: the first there is."""
    return next(iter(GAMES))


if TYPE_CHECKING:  # the type checker compares each module with `Game`
    from companion.games import ataxx, chaos, hexxagon, kaxxt, kdak, khet

    _ATAXX: Game = ataxx
    _CHAOS: Game = chaos
    _HEXXAGON: Game = hexxagon
    _KAXXT: Game = kaxxt
    _KDAK: Game = kdak
    _KHET: Game = khet
