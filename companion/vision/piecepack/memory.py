"""What the reading networks said of places: where nothing has changed since, they are not asked again."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from companion.headings import turn_deg
from companion.vision.ground.foreground import Ground, Mask
from companion.vision.piecepack.networks import Singles
from companion.vision.piecepack.places import Spot

Told = dict[str, Singles]  # by question, of one place

SAME_MM, SAME_DEG = 1.0, 2.0  # two spots so near are one: by less the finding network errs from picture to picture


@dataclass
class ReadBefore:
    """Of one table that is watched, for each network."""

    _told: dict[str, list[tuple[Spot, Told]]] = field(default_factory=dict)

    def look(self, ground: Ground, spans_mm: Mapping[str, float]) -> None:
        """Begin a look: forget what was read where that is not settled, and all of it where all is read anew.

        `spans_mm` are the sides of the windows that the networks see.
        """
        unsettled = ground.unsettled
        if unsettled is None:
            self._told = {}
            return
        for name, told in self._told.items():
            half = spans_mm[name] / 2 / ground.coarse_mm
            self._told[name] = [(spot, said) for spot, said in told if not _reaches(unsettled, ground, spot, half)]

    def of(self, ground: Ground, name: str, spot: Spot) -> Told | None:
        """What the network said of that place; None where it has to be asked."""
        reach = SAME_MM / ground.settings.fine_mm
        near = (
            (float(np.hypot(spot.x - old.x, spot.y - old.y)), told)
            for old, told in self._told.get(name, ())
            if abs(turn_deg(spot.heading_deg, old.heading_deg)) <= SAME_DEG
        )
        apart, told = min(near, key=lambda pair: pair[0], default=(np.inf, None))
        return told if apart <= reach else None

    def keep(self, name: str, told: Mapping[Spot, Told]) -> None:
        """Remember what a network says of these."""
        self._told.setdefault(name, []).extend(told.items())


def _reaches(mask: Mask, ground: Ground, spot: Spot, half: float) -> bool:
    """True where a mask reaches into the window round a spot, of so many coarse pixels to each side."""
    row, col = spot.y / ground.settings.coarse, spot.x / ground.settings.coarse
    top, left = max(int(row - half), 0), max(int(col - half), 0)
    return bool(mask[top : max(int(row + half) + 2, 0), left : max(int(col + half) + 2, 0)].any())
