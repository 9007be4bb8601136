"""What a strip of lights shows of a game: one module and one line here; other games leave it dark."""

import importlib
from typing import Protocol, cast

from companion.events import Event
from companion.outputs.films import Film
from companion.referee.snapshot import Snapshot

SHOWS = {"kdak": "companion.outputs.kdak_show"}


class Show(Protocol):
    """The names that such a module offers."""

    def lasting(self, snapshot: Snapshot, lights: int) -> Film:
        """What is shown while nothing happens."""

    def passing(self, event: Event, snapshot: Snapshot, lights: int) -> Film | None:
        """What runs once when this has happened; None for nothing."""


def show_of(game: str | None) -> Show | None:
    """The show of a game, when it has one."""
    return cast(Show, importlib.import_module(SHOWS[game])) if game in SHOWS else None
