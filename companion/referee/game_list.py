"""The games of the journal, each in one line."""

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from companion.errors import RecordError
from companion.referee.record import summary
from companion.referee.recorder import Archive


class GameList:
    """Keeps the lines of games to which nothing can be added: a game is played through for its line.

    `on_table` tells the number of the game on the table, which may go on though others were recorded since.
    """

    def __init__(self, archive: Archive, on_table: Callable[[], int]) -> None:
        self._archive, self._on_table = archive, on_table
        self._kept: dict[int, dict[str, Any]] = {}

    def lines(self) -> list[dict[str, Any]]:
        """The games, newest first: see `summary`."""
        return [self._line(game, final) for game, final in self._listed()]

    def ahead(self, pause: Callable[[float], bool]) -> None:
        """Play the closed games through before anybody opens the list, newest first.

        `pause` waits so many seconds, as long as each took: the eye needs its share. True from it ends this.
        """
        with contextlib.suppress(RecordError):  # who opens the list is told
            for game, final in self._listed():
                began = time.monotonic()
                if final:
                    self._line(game, final)
                if pause(time.monotonic() - began):
                    return

    def forget(self, game: int) -> None:
        """A game was erased."""
        self._kept.pop(game, None)

    def _listed(self) -> Iterator[tuple[int, bool]]:
        """The games, newest first, and whether nothing can be added to them any more."""
        games = self._archive.games()
        return ((game, game not in (games[-1], self._on_table())) for game in reversed(games))

    def _line(self, game: int, final: bool) -> dict[str, Any]:
        if game in self._kept:
            return dict(self._kept[game])
        line = summary(game, self._archive.events(game), self._archive.whole(game))
        if final:
            self._kept[game] = dict(line)
        return line
