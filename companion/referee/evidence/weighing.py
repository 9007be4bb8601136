"""A view as evidence, and what log-scores of it are as probabilities."""

import math
from collections.abc import Mapping, Sequence

from companion.games.base import Layout
from companion.pieces import Piece
from companion.referee.evidence.cells import CellEvidence
from companion.referee.evidence.free import FreeEvidence
from companion.referee.evidence.free_layouts import FreeMemory
from companion.referee.evidence.layout import Evidence, Remembered
from companion.referee.settings import Settings
from companion.view import TableView


def evidence(
    view: TableView,
    layout: Layout,
    settings: Settings,
    overrides: Mapping[str, Piece],
    remembered: Remembered | FreeMemory,
) -> Evidence:
    """The view as evidence for layouts like this one: on a board, or free; each kind has a memory of its own."""
    if layout.celled:
        return CellEvidence(view, settings, overrides, remembered if isinstance(remembered, Mapping) else {})
    return FreeEvidence(view, settings, remembered if isinstance(remembered, FreeMemory) else None)


def posterior(scores: Sequence[float]) -> list[float]:
    """Log-scores as probabilities that sum to 1."""
    top = max(scores)
    weights = [math.exp(max(s - top, -700.0)) for s in scores]
    total = sum(weights)
    return [w / total for w in weights]
