"""How the table looked when it was last known what lies there: the next view is weighed against that."""

from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace

from companion.games.base import Layout
from companion.referee.evidence.cells import CellEvidence, open_facings
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import FreeMemory
from companion.referee.evidence.layout import Evidence, Remembered, place_key
from companion.referee.settings import Settings
from companion.referee.state import State
from companion.view import Sighting


class Known:
    """What is remembered of one table, by cell or of what lies free."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.looks: Remembered | FreeMemory = {}
        self.facings: dict[str, str] = {}  # of pieces whose facing does not count, when last at rest

    def forget(self) -> None:
        """Another game is laid out."""
        self.looks, self.facings = {}, {}

    def resumed(self, standing: Layout) -> None:
        """Nobody has looked since the start; what lies there ought to be told from bare table."""
        self.looks = FreeMemory(told=frozenset(map(place_key, standing.pieces)))

    def doubt(self, places: Collection[Hashable]) -> None:
        """What stands in these cells is not known after all."""
        if isinstance(self.looks, Mapping):
            self.looks = {cell: look for cell, look in self.looks.items() if cell not in places}

    def remember(self, seen: Evidence, state: State, shown: Layout | None = None) -> None:
        """How the table looks while it is known what stands there: what is `shown`, or what was last confirmed."""
        if isinstance(seen, CellEvidence | FreeEvidence) and state.standing is not None:
            self.looks = seen.looks(shown or state.standing)

    def note_facings(self, seen: Evidence, state: State) -> None:
        """What has not been seen at rest yet faces as it does now; what has was turned since, if it faces otherwise."""
        self.facings = {**self._facings(seen, state), **self.facings}

    def rest(self, seen: Evidence | None, state: State, shown: Layout | None = None) -> None:
        """The table is known: how it looks is remembered, and what does not count as an action as it lies."""
        if seen is None or state.standing is None:
            return
        self.facings = self._facings(seen, state)
        self.remember(seen, state, shown)
        if isinstance(seen, FreeEvidence) and isinstance(self.looks, FreeMemory):
            self.looks = replace(self.looks, dice=seen.dice)

    def beside(self, strays: Collection[Sighting]) -> None:
        """What lies there besides and belongs to no game, on a free table."""
        if isinstance(self.looks, FreeMemory):
            self.looks = replace(self.looks, strays=(*self.looks.strays, *strays))

    def _facings(self, seen: Evidence, state: State) -> dict[str, str]:
        return open_facings(seen, state.module.layout(state.position), self._settings.turned_seen)
