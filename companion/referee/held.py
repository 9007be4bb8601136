"""Pieces at rest on a free table are held still, though every look measures them a little elsewhere."""

import math
from dataclasses import replace

from companion.headings import turn_deg
from companion.referee.settings import Settings
from companion.view import Sighting, TableView


class Held:
    """Remembers the last look. What lies within the camera's error of it is taken to lie where it lay."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._last: tuple[Sighting, ...] = ()

    def forget(self) -> None:
        """Something came between: what is seen next is measured anew."""
        self._last = ()

    def hold(self, view: TableView) -> TableView:
        """The view with every piece at rest where it was measured first."""
        left = list(self._last)
        sightings = []
        for sighting in view.sightings:
            was = next((s for s in left if self._same(s, sighting)), None)
            if was is not None:
                left.remove(was)
                sighting = replace(
                    sighting, x_mm=was.x_mm, y_mm=was.y_mm, heading_deg=was.heading_deg, base_deg=was.base_deg
                )
            sightings.append(sighting)
        self._last = tuple(sightings)
        return replace(view, sightings=self._last)

    def _same(self, was: Sighting, now: Sighting) -> bool:
        if was.x_mm is None or was.y_mm is None or now.x_mm is None or now.y_mm is None or was.piece != now.piece:
            return False
        if math.hypot(was.x_mm - now.x_mm, was.y_mm - now.y_mm) > self._settings.hold_mm:
            return False
        if was.heading_deg is None or now.heading_deg is None:
            return was.heading_deg == now.heading_deg
        return abs(turn_deg(was.heading_deg, now.heading_deg)) <= self._settings.hold_deg
