"""Whether a disc lies on a cell: a small network looks at all that the picture shows of each cell by itself.

The judges go by numbers of circles and colours; a black disc on a black cell has little of either, and a circle printed
on a cell has both. The network knows no colours of discs, the judges tell those. It runs in `cv2.dnn`;
`weights/disc_seen.json` says how it was trained. Without its weights the judges decide alone.
"""

from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.vision.discs.looks import BoardLooks
from companion.vision.discs.rings import SmallPatches
from companion.vision.plans import Plans
from companion.vision.weights import WEIGHTS

Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]

NAME = "disc_seen"
SIDE_PX = 48  # of `RingSettings.cell_px` to a cell: the cell and a third of another on each side
DARK = 6.0  # grey levels added before logarithms


class DiscSeer(Protocol):
    """What tells the log-odds of a disc, (n) of (n, SIDE_PX, SIDE_PX, 3) `looks_of` cells."""

    def odds(self, looks: Pixels) -> Singles:
        """(n) natural log-odds."""
        ...


class DiscNetwork:
    """The network that comes with the project."""

    def __init__(self, path: Path) -> None:
        self._plans = Plans(path)

    def odds(self, looks: Pixels) -> Singles:
        """(n) natural log-odds of a disc."""
        return self._plans.of_pixels(looks)[:, 0] if len(looks) else np.zeros(0, np.float32)


def looks_of(small: SmallPatches, looks: BoardLooks) -> Pixels:
    """(n, SIDE_PX, SIDE_PX, 3) logarithms of the levels of cells; dim and bright boards alike."""
    first = (small.size - SIDE_PX) // 2
    middle = small.pixels[:, max(first, 0) : first + SIDE_PX, max(first, 0) : first + SIDE_PX]
    rim = [(0, 0), *[(max(-first, 0), SIDE_PX - middle.shape[1] - max(-first, 0))] * 2, (0, 0)]
    lit = looks.gain * np.pad(middle, rim, mode="edge")
    levels = np.log(lit / np.float32(DARK) + 1) * np.float32(255 / np.log(255 / DARK + 1))
    return np.asarray(np.clip(levels, 0, 255), np.uint8)


@cache
def shipped() -> DiscNetwork | None:
    """The network that comes with the project; None when its weights are absent."""
    path = WEIGHTS / f"{NAME}.onnx"
    return DiscNetwork(path) if path.exists() else None
