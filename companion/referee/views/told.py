"""A view with what the host said of it: a piece in a cell, or at a place of a free table."""

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.pieces import EMPTY, UNKNOWN, Piece
from companion.referee.evidence.cells import told_cell
from companion.referee.evidence.free_layouts import apart
from companion.view import Sighting, TableView


@dataclass(slots=True)
class Lasting:
    """What the host said holds until a hand came and the eye itself sees something else there than it saw before.

    Else a piece that was named would stay where it was when it is moved.
    """

    sure_seen: float  # belief from which the eye itself is heeded
    near_mm: float  # what lies so near a named place of a free table is what was named
    _first: dict[Hashable, Piece | None] = field(default_factory=dict)  # how it looked to the eye when it was said
    _handled: set[Hashable] = field(default_factory=set)  # ... and what a hand may have moved since

    def forget(self) -> None:
        """Another game is laid out."""
        self._first, self._handled = {}, set()

    def unseen(self) -> None:
        """A hand may have moved what was named."""
        self._handled = set(self._first)

    def cells(self, view: TableView, told: Mapping[str, Piece]) -> dict[str, Piece]:
        """What was said of cells and still holds."""
        seen = view.by_cell()
        return {c: piece for c, piece in told.items() if c not in seen or self._holds((c, piece), self._sure(seen[c]))}

    def places(self, view: TableView, told: Iterable[Sighting]) -> tuple[Sighting, ...]:
        """What was said of places of a free table and still holds: there only what lies there at all counts."""
        return tuple(word for word in told if self._holds(word, self._nearest(view, word)))

    def _holds(self, said: Hashable, now: Piece | None) -> bool:
        first = self._first.setdefault(said, now)
        return said not in self._handled or now is None or first is None or now == first

    def _sure(self, seen: Sighting) -> Piece | None:
        """What the eye itself sees, None where it is not sure."""
        own = seen.unnamed
        return own.piece if own.why is None and own.confidence >= self.sure_seen else None

    def _nearest(self, view: TableView, word: Sighting) -> Piece:
        lies = any(apart(word, seen) <= self.near_mm for seen in view.pieces())
        return UNKNOWN if lies else EMPTY


def corrected_view(view: TableView, overrides: Mapping[str, Piece]) -> TableView:
    """The view with what the host said of some cells."""
    if not overrides:
        return view
    told = {cell: told_cell(cell, overrides[cell], s) for cell, s in view.by_cell().items() if cell in overrides}
    return replace(view, sightings=tuple(told.get(s.cell or "", s) for s in view.sightings))


def told_view(view: TableView, told: Iterable[Sighting], near_mm: float) -> TableView:
    """The view of a free table with what the host said: what lies within `near_mm` of the place is that piece.

    EMPTY means that nothing lies there; where nothing is seen, the piece is added. Indices stay what they were.
    """
    sightings = list(view.sightings)
    for word in told:
        places = [(apart(word, seen), index) for index, seen in enumerate(sightings)]
        away, index = min(places, default=(math.inf, -1))
        if away <= near_mm:
            heading = sightings[index].heading_deg if word.heading_deg is None else word.heading_deg
            heading = None if word.piece.pose == "upright" else heading
            seen = sightings[index]
            said = replace(seen, beliefs=word.beliefs, misread=seen.unnamed.beliefs)
            sightings[index] = replace(said, heading_deg=heading, why=None, faint=False)
        elif word.piece != EMPTY:
            sightings.append(replace(word, misread=()))
    return replace(view, sightings=tuple(sightings))
