"""Ways in which a board of Khet is looked at again: it looks the same when all of it is turned, the light included.

North, west, south and east are counted counter-clockwise, and so are facings, which are NE, NW, SW and SE.
"""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Real = TypeVar("Real", np.float32, np.float64)
Pixels = NDArray[np.uint8]

FACINGS = 4
MIRRORED = (1, 0, 3, 2)  # facings, when east and west are exchanged


@dataclass(frozen=True, slots=True)
class View:
    """How all is turned, and whether it was mirrored before."""

    quarters: int  # counter-clockwise
    mirrored: bool  # east and west exchanged, before it is turned

    def pixels(self, cut: Pixels) -> Pixels:
        """(n, side, side, 3) pictures, seen so."""
        return np.rot90(cut[:, :, ::-1] if self.mirrored else cut, self.quarters, axes=(1, 2))

    def arrows(self, arrows: NDArray[Real]) -> NDArray[Real]:
        """(n, 2) arrows, x right and y up, seen so."""
        x, y = arrows.T
        x = -x if self.mirrored else x
        for _ in range(self.quarters):
            x, y = -y, x
        return np.stack([x, y], axis=1)

    def facings(self, shares: NDArray[Real]) -> NDArray[Real]:
        """(n, FACINGS) of what is there, by facings as they are seen so."""
        return np.roll(shares[:, MIRRORED] if self.mirrored else shares, self.quarters, axis=1)

    def back(self, shares: NDArray[Real]) -> NDArray[Real]:
        """(n, FACINGS) of what is seen so, by facings as they really are."""
        straight = np.roll(shares, -self.quarters, axis=1)
        return straight[:, MIRRORED] if self.mirrored else straight


VIEWS = tuple(View(quarters, mirrored) for mirrored in (False, True) for quarters in range(4))
AS_IT_IS = VIEWS[0]
