"""Pip dice that lie loose on a table among other pieces: looked for only where something as small as a die lies.

From 80 cm above, a pip is two or three pixels wide: every such place is enlarged before its pips are read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from companion.view import Sighting
from companion.vision.finders import Found
from companion.vision.foreground import Ground, Region
from companion.vision.pip_dice import DiceSettings, Face, find_faces, sighting
from companion.vision.reader import TablePicture


@dataclass(frozen=True, slots=True)
class LooseDiceSettings:
    """How large a die with its shadow seems, and how it is enlarged."""

    size_mm: tuple[float, float] = (9.0, 45.0)
    margin_mm: float = 6.0
    enlarged: tuple[int, ...] = (2, 3)  # the first at which one face is read
    dice: DiceSettings = field(default_factory=DiceSettings)


@dataclass(slots=True)
class LooseDice:
    """The family of pip dice on a large table: see `companion.vision.finders.FamilyFinder`."""

    settings: LooseDiceSettings = field(default_factory=LooseDiceSettings)

    def find(self, ground: Ground) -> list[Found]:
        """Every die that lies by itself and can be read."""
        picture = TablePicture(ground.picture, ground.gains, ground.pose)
        found = []
        for region in ground.regions:
            for face in self._faces(ground, region):
                seen = sighting(face, picture)
                if face.doubt is None:
                    found.append(Found(seen, seen.confidence, ground.pose.to_table(face.corners(), 0.0)))
        return found

    def _faces(self, ground: Ground, region: Region) -> Iterator[Face]:
        """The face that is seen in a region of a die's size, in pixels of the picture."""
        box = self._box(ground, region)
        if box is None:
            return
        x, y, right, low = box
        part = ground.picture[y:low, x:right]
        for times in self.settings.enlarged:
            large = cv2.resize(part, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC)
            faces = [face for face in find_faces(np.asarray(large, np.uint8), self.settings.dice) if face.doubt is None]
            if len(faces) == 1:
                face = faces[0]
                middle = (face.middle + 0.5) / times - 0.5 + np.array([x, y])
                yield replace(face, middle=middle, side=face.side / times, axes=face.axes / times)
                return

    def _box(self, ground: Ground, region: Region) -> tuple[int, int, int, int] | None:
        """Left, top, right and bottom of the region in the picture; None when no die is so small or so large."""
        s, grid = self.settings, ground.settings
        step = grid.fine_mm * grid.coarse
        wide, high = region.size_px
        least, most = s.size_mm
        if not (least <= min(wide, high) * step and max(wide, high) * step <= most):
            return None
        edge = s.margin_mm / step
        ends = np.array([[region.x - edge, region.y - edge], [region.x + wide + edge, region.y + high + edge]])
        corners = np.array([[x, y] for x in ends[:, 0] for y in ends[:, 1]]) * grid.coarse
        at = ground.pose.project(ground.to_mm(corners))
        rows, cols = ground.picture.shape[:2]
        low, top = np.floor(at.min(axis=0)).astype(int), np.ceil(at.max(axis=0)).astype(int)
        x, y = max(int(low[0]), 0), max(int(low[1]), 0)
        right, bottom = min(int(top[0]), cols), min(int(top[1]), rows)
        return (x, y, right, bottom) if right - x > 4 and bottom - y > 4 else None

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Dice need no teaching."""

    def save(self, folder: Path) -> None:
        """Nothing is learned."""

    def load(self, folder: Path) -> None:
        """Nothing was learned."""
