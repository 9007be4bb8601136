"""Lessons that the host gives: this table shows what the page draws, so learn the set; or forget what was learned."""

import logging
import shutil
from collections.abc import Callable
from pathlib import Path

from companion.errors import CommandRefused, CompanionError
from companion.games.base import Layout
from companion.referee.evidence import cells_of
from companion.referee.settings import Settings
from companion.referee.words import sentence
from companion.teaching import doubles, learned
from companion.vision.pipeline import Eye
from hardware.frames import Frame

log = logging.getLogger(__name__)

LEARN, FORGET = "learn", "forget"


class Lessons:
    """What the host asked for, until the vision loop does it; and what came of it, in words."""

    def __init__(self) -> None:
        self._wanted: str | None = None
        self.text = ""

    def ask(self, what: str) -> None:
        """LEARN from the next good picture, or FORGET."""
        self._wanted = what
        self.text = "Waiting for a clear picture of the table." if what == LEARN else ""

    def wanted(self, what: str) -> bool:
        """True once for each request."""
        if self._wanted != what:
            return False
        self._wanted = None
        return True

    def learn(self, frame: Frame, layout: Layout, fresh: Callable[[], Eye], settings: Settings) -> Eye | None:
        """An eye that has learned what lies where; None when this picture teaches nothing, `text` says why."""
        cells = cells_of(layout)
        if not cells:
            self.text = "Only pieces on a board can be learned here; `companion teach` learns others."
            return None
        eye = fresh()
        try:
            learned(eye, frame, layout, settings)
        except (CompanionError, ValueError) as error:
            self.text = f"Nothing was learned: {error}."
            return None
        told = (
            f"The looks of {len(cells)} pieces were learned from this picture.",
            *map(sentence, doubles(eye.reader)),
        )
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
