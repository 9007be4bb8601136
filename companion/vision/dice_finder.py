"""What lies in a picture of dice: pip dice of any size, with or without markers.

A network and the lattice of their pips tell the values, each for itself: where both do they have to agree, and what
only looks like pips on a lattice, as the holes of a button, the network is asked about.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from companion.pieces import Piece
from companion.view import BoardShape, Sighting
from companion.vision.dice.network import FaceReader, shipped
from companion.vision.dice.pip_dice import DiceSettings, Face, find_faces, place_mm, sighting
from companion.vision.dice.pip_likeness import without_patterns
from companion.vision.dice.pips import find_spots
from companion.vision.dice.search import DieSearchSettings, Pixels, ReadDie, cut, halved, search
from companion.vision.reader import TablePicture

SHAPE: BoardShape | None = None
UNREAD, DISAGREE = "its pips cannot be counted", "its pips can be counted in two ways"
UNSURE = "like a die, but not surely one"


@dataclass(frozen=True, slots=True)
class DiceFinderSettings:
    """The two readers, and from when the network's answer is one."""

    faces: DiceSettings = field(default_factory=DiceSettings)
    search: DieSearchSettings = field(default_factory=DieSearchSettings)
    die: float = 0.5  # probability of a die from which it is told, read or not
    sure: float = 0.98  # of its value, where the lattice of its pips does not tell it ...
    likely: float = 0.8  # ... or, where it is only so likely that there is a die ...
    value: float = 0.995  # ... of its value if there is one
    same: float = 0.6  # two answers nearer than so many sides are about one die
    sizes: tuple[float, ...] = (0.87, 1.0, 1.15)  # in which the network looks at what the lattice alone tells ...
    least: float = 0.05  # ... and what it gives a die less than this is none


class PipDice:
    """A `PieceFinder` of pip dice; without a network only the lattice of their pips tells them."""

    anywhere = in_grey = True

    def __init__(self, settings: DiceFinderSettings | None = None, network: FaceReader | None = None) -> None:
        self.settings, self.network = settings or DiceFinderSettings(), network

    def find(self, picture: TablePicture) -> list[Sighting]:
        """Every die, with its value or with why that cannot be told."""
        s = self.settings
        spots = without_patterns(find_spots(picture.pixels, s.faces.pips), s.faces)
        left = find_faces(picture.pixels, s.faces, spots)
        found = []
        for die in search(picture.pixels, spots, self.network, s.search) if self.network is not None else ():
            if die.faces[0] > 1 - s.die:
                continue
            same = [face for face in left if self._same(die, face)]
            left = [face for face in left if not self._same(die, face)]
            found.append(self._told(die, same, picture))
        told = ((sighting(face, picture), self._die(picture.pixels, face)) for face in left)
        return [*found, *(_doubted(seen, die, s.die) for seen, die in told if die >= s.least)]

    def _die(self, pixels: Pixels, face: Face) -> float:
        """The probability that the network gives a die where the lattice alone tells one; 1 without a network."""
        if self.network is None:
            return 1.0
        smaller = halved(pixels)
        looks = np.stack([cut(smaller, face.middle, face.side * size) for size in self.settings.sizes])
        none = self.network.told(looks, self.settings.search.looks[-1])[0][:, 0]
        return float(1 - none.min())

    def _same(self, die: ReadDie, face: Face) -> bool:
        return float(np.hypot(*(die.middle - face.middle))) <= self.settings.same * max(die.side, face.side)

    def _told(self, die: ReadDie, same: Sequence[Face], picture: TablePicture) -> Sighting:
        counted = {face.value for face in same if face.doubt is None}
        why = DISAGREE if counted - {die.value} else None if counted or self._sure(die) else UNREAD
        mm = place_mm(picture, die.middle, die.middle + die.side / 2)
        beliefs = [(Piece("die", value=str(v)), float(die.faces[v])) for v in np.argsort(-die.faces[1:]) + 1]
        return Sighting(
            beliefs=tuple(beliefs),
            x_mm=None if mm is None else float(mm[0]),
            y_mm=None if mm is None else float(mm[1]),
            x_px=float(die.middle[0]),
            y_px=float(die.middle[1]),
            why=why,
        )

    def _sure(self, die: ReadDie) -> bool:
        """True if the network alone tells the value; dark and small dice may be no dice to it, but have no other."""
        s, there = self.settings, 1 - float(die.faces[0])
        return die.sure >= s.sure or (there >= s.likely and die.sure >= s.value * there)

    def learn(self, picture: TablePicture, sightings: Sequence[Sighting]) -> None:
        """Dice need no teaching: any colours will do."""

    def save(self, folder: Path) -> None:
        """Nothing is learned, and that is what is written."""
        (folder / "dice.json").write_text(json.dumps({"format": 1}) + "\n", encoding="utf-8")

    def load(self, folder: Path) -> None:
        """Nothing was learned."""


def _doubted(seen: Sighting, die: float, least: float) -> Sighting:
    """What the lattice tells, no surer than the network is that there is a die."""
    if die >= least:
        return seen
    beliefs = tuple((piece, min(share, die)) for piece, share in seen.beliefs)
    return replace(seen, beliefs=beliefs, why=seen.why or UNSURE)


def new_reader() -> PipDice:
    """A finder with what the project ships."""
    return PipDice(network=shipped())
