"""The set-up is a free labelled picture: learn the looks of the set from it, but only when it surely is the set-up."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from companion.games.base import Layout
from companion.pieces import EMPTY, Piece
from companion.referee.evidence import CellEvidence, cells_of
from companion.referee.explain import posterior
from companion.referee.settings import Settings
from companion.view import TableView
from companion.vision.errors import ObstructedView
from companion.vision.pipeline import Eye
from hardware.frames import Frame

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How much a view resembles a layout: shares of the cells, 0 to 1."""

    occupied: float  # cells on which something, or nothing, rightly stands
    contradicted: float  # cells whose piece is surely another one than the layout's


def likeness(layout: Layout, view: TableView, settings: Settings) -> Likeness:
    """Compare what an eye that does not know the set believes with a layout."""
    cells, sightings = cells_of(layout), view.by_cell()
    if not sightings:
        return Likeness(0.0, 0.0)
    right = sum((s.belief(EMPTY) < 0.5) == (cell in cells) for cell, s in sightings.items())
    wrong = sum(_contradicts(s.beliefs, cells.get(cell, EMPTY), settings) for cell, s in sightings.items())
    return Likeness(right / len(sightings), wrong / len(sightings))


def _contradicts(beliefs: tuple[tuple[Piece, float], ...], expected: Piece, settings: Settings) -> bool:
    top = max(beliefs, key=lambda pair: pair[1], default=(EMPTY, 0.0))
    return top[1] >= settings.sure_seen and not expected.fits(top[0])


class SetTeacher:
    """Replaces an eye by one that knows the set, once the table shows the set-up.

    `fresh` makes an eye that was not taught; `contradictions` is the share of cells in which the untaught eye may
    be of another opinion (0 where a person can still turn a piece, more for photographs of a game).
    """

    def __init__(self, fresh: Callable[[], Eye], settings: Settings, contradictions: float = 0.0) -> None:
        self._fresh, self._settings, self._contradictions = fresh, settings, contradictions

    def taught(self, frame: Frame, view: TableView, layout: Layout) -> tuple[Eye | None, TableView] | None:
        """An eye that has learned from this frame, and what it sees in it; None when it is not surely the set-up.

        The eye is None when the set looks so usual that nothing had to be learned: it would only see worse.
        """
        like = likeness(layout, view, self._settings)
        if like.occupied < self._settings.starts_alike or like.contradicted > self._contradictions:
            return None
        eye = self._fresh()
        try:
            eye.teach(frame, cells_of(layout))
        except (ObstructedView, ValueError) as error:
            log.info("the set-up teaches nothing: %s", error)
            return None
        seen = eye.read(frame)
        candidates = [(eye, seen), (None, view)]
        fitting = [(e, v) for e, v in candidates if v.clear and shows(layout, v, self._settings)]
        return max(fitting, key=lambda pair: score(layout, pair[1], self._settings)) if fitting else None


def score(layout: Layout, view: TableView, settings: Settings) -> float:
    """Log-likelihood of the view if the table shows this layout."""
    return CellEvidence(view, settings).score(layout)


def shows(layout: Layout, view: TableView, settings: Settings) -> bool:
    """True if the view surely shows this layout and nothing else."""
    seen = CellEvidence(view, settings)
    return posterior([seen.score(layout), seen.best_score(layout)])[0] >= settings.certainty
