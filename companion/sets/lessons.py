"""Lessons that the host gives: this table shows what the page draws, so learn the set; or forget what was learned."""

import logging
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.errors import CommandRefused, CompanionError
from companion.events import Event
from companion.games.base import Layout
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Started
from companion.referee.settings import Settings
from companion.referee.snapshot import Snapshot
from companion.referee.words import sentence
from companion.sets.teaching import doubles, learned, learned_free
from companion.texts import counted
from companion.view import TableView
from companion.vision.pipeline import Eye
from hardware.frames import Frame

log = logging.getLogger(__name__)

LEARN, FORGET = "learn", "forget"


class Lessons:
    """What the host asked for, until the vision loop does it; and what came of it, in words.

    Both are of one game: a request lapses with it, and its words are not said of another one's set.
    """

    def __init__(self) -> None:
        self._wanted: tuple[str, str] | None = None
        self._game: str | None = None
        self._lies: int | None = None  # the number of the game on the table, once it was heard of
        self.text = ""

    def ask(self, what: str, game: str | None) -> None:
        """LEARN from the next good picture, or FORGET, the set of the game that is on. CommandRefused without one."""
        if game is None:
            raise CommandRefused("no-game", "No game is on: start the one that is played with this set")
        self._wanted, self._game = (what, game), game
        self.text = "Waiting for a clear picture of the table." if what == LEARN else ""

    def wanted(self, what: str, game: str) -> bool:
        """True once for each request of this game; what was asked for in another one is dropped."""
        if self._wanted is not None and self._wanted[1] != game:
            self._wanted = None
        if self._wanted != (what, game):
            return False
        self._wanted = None
        return True

    def waits(self, game: str | None) -> bool:
        """True while a lesson of this game waits for a clear picture."""
        return self._wanted == (LEARN, game)

    def call_off(self) -> None:
        """Nothing is to be learned after all; what was learned already stays."""
        if self.waits(self._game):
            self._wanted, self.text = None, ""

    def unsay(self) -> None:
        """Another set is in use: nothing of the one before is to be learned or said."""
        self._wanted, self.text = None, ""

    def heard(self, events: Sequence[Event], snapshot: Snapshot) -> None:
        """A game that begins, or is gone on with, calls off what waits: nobody said that the table shows its layout."""
        another = self._lies not in (None, snapshot.game_number)
        self._lies = snapshot.game_number
        if another or any(isinstance(event, Started) for event in events):
            self.call_off()

    def said_of(self, game: str | None) -> str:
        """What came of the last request of this game, in words; empty when there was none."""
        return self.text if game == self._game else ""

    def learn(
        self, frame: Frame, view: TableView, layout: Layout, fresh: Callable[[], Eye], settings: Settings
    ) -> Eye | None:
        """An eye that has learned what lies where; None when this picture teaches nothing, `text` says why.

        `view` is what was made out in it so far.
        """
        eye = fresh()
        try:
            if layout.board is not None:
                learned(eye, frame, layout, settings)
                count = len(cells_of(layout))
            else:
                count = learned_free(eye, frame, view, layout, settings)
        except (CompanionError, ValueError) as error:
            self.text = f"Nothing was learned: {error}."
            return None
        pieces = counted(count, "piece")
        told = (f"The looks of {pieces} were learned from this picture.", *map(sentence, doubles(eye.reader)))
        self.text = " ".join(told)
        return eye


def forget(folder: Path) -> None:
    """Remove what was taught of a set. CommandRefused when the folder cannot be removed."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise CommandRefused("storage", f"{folder}: {error.strerror or error}", 507) from error
