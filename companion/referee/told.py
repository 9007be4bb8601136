"""A view with what the host said of it: a piece in a cell, or at a place of a free table."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.pieces import EMPTY, Piece
from companion.view import Sighting, TableView


def corrected_view(view: TableView, overrides: Mapping[str, Piece]) -> TableView:
    """The view with what the host said of some cells."""
    if not overrides:
        return view
    told = {cell: told_cell(cell, overrides[cell], s) for cell, s in view.by_cell().items() if cell in overrides}
    return replace(view, sightings=tuple(told.get(s.cell or "", s) for s in view.sightings))


def told_cell(cell: str, piece: Piece, seen: Sighting | None) -> Sighting:
    """The piece that the host named on a cell, and how the cell looks to the eye."""
    own = () if seen is None else seen.unnamed.beliefs
    return Sighting(((piece, 1.0),), cell=cell, misread=own)


def told_view(view: TableView, told: Iterable[Sighting], near_mm: float) -> TableView:
    """The view of a free table with what the host said: what lies within `near_mm` of the place is that piece.

    EMPTY means that nothing lies there; where nothing is seen, the piece is added. Indices stay what they were.
    """
    sightings = list(view.sightings)
    for word in told:
        places = [(_apart(word, seen), index) for index, seen in enumerate(sightings)]
        apart, index = min(places, default=(math.inf, -1))
        if apart <= near_mm:
            heading = sightings[index].heading_deg if word.heading_deg is None else word.heading_deg
            heading = None if word.piece.pose == "upright" else heading
            seen = sightings[index]
            said = replace(seen, beliefs=word.beliefs, misread=seen.unnamed.beliefs)
            sightings[index] = replace(said, heading_deg=heading, why=None, faint=False)
        elif word.piece != EMPTY:
            sightings.append(replace(word, misread=()))
    return replace(view, sightings=tuple(sightings))


def _apart(one: Sighting, other: Sighting) -> float:
    if one.x_mm is None or one.y_mm is None or other.x_mm is None or other.y_mm is None:
        return math.inf
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
