"""Which cells of a Khet board are surely empty: a network of a fifteenth of the cell network's size is asked first.

More than half of the cells are empty. Those that surely are need not be read one by one: one of them is, for all.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plans import Plans
from companion.vision.weights import WEIGHTS

Singles = NDArray[np.float32]
Numbers = NDArray[np.int64]

NAME = "khet_empty"
WINDOW, CELLS = 32, 80  # pixels of a window's side; cells of a board
AT_ONCE = (CELLS, 8, 1)


@dataclass(frozen=True, slots=True)
class EmptySettings:
    """When a cell is not looked at any further."""

    least_logit: float = 9.0  # of being empty
    least_cells: int = 16  # of which so many are asked at least, or it is not worth it


class EmptyCells:
    """The trained network. UnusableWeights."""

    def __init__(self, folder: Path, settings: EmptySettings | None = None) -> None:
        self.settings = settings or EmptySettings()
        self._plans = Plans(folder / f"{NAME}.onnx", AT_ONCE, blocked=True)
        # the first run plans the network: not while somebody waits for an answer
        self.logits(np.zeros((sum(AT_ONCE), 2 * WINDOW, 2 * WINDOW, 3), np.float32))

    def logits(self, windows: Singles) -> Singles:
        """(n) of being empty, of (n, 2 WINDOW, 2 WINDOW, 3) windows in 0..1 as the cell network is shown them."""
        planes = cv2.dnn.blobFromImages(list(windows), 2.0, (WINDOW, WINDOW), (0.5, 0.5, 0.5))
        return self._plans.answers(np.asarray(planes, np.float32)).reshape(-1)

    def looked_at(self, windows: Singles) -> Numbers:
        """(n) which cell is looked at for each: itself, or the surest of those that are surely empty."""
        each = np.arange(len(windows))
        if len(windows) < self.settings.least_cells:
            return each
        logits = self.logits(windows)
        return np.where(logits > self.settings.least_logit, logits.argmax(), each)


@cache
def shipped_empty(folder: Path = WEIGHTS) -> EmptyCells | None:
    """The trained network; None where its files are absent."""
    return EmptyCells(folder) if (folder / f"{NAME}.onnx").exists() else None
