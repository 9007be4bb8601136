"""Pip dice that lie loose on a table among other pieces: looked for only where something as small as a die lies.

A network reads them. Where it is absent, every such place is enlarged and its pips are looked for: from 80 cm above, a
pip is two or three pixels wide.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import balanced
from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.convex import round_outline
from companion.vision.dice.loose_places import Box, PlaceSettings, hats_of, pip_groups, small_things, spotted_places
from companion.vision.dice.network import DIE_MM, DieNetwork, cut_out, shipped
from companion.vision.dice.pip_dice import DiceSettings, Face, find_faces, sighting
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.reader import TablePicture

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
UNREAD = "a die whose pips cannot be counted"


@dataclass(frozen=True, slots=True)
class LooseDiceSettings:
    """What is looked at, and from when it is called a die and its face is read."""

    places: PlaceSettings = field(default_factory=PlaceSettings)
    enlarged: tuple[int, ...] = (2, 3)  # the first at which one face is read
    dice: DiceSettings = field(default_factory=DiceSettings)
    slip_mm: float = 4.0  # by which a place may be off on both sides
    looks: tuple[int, ...] = (1, 1, 4)  # sides from which the network looks, each time where the last one led it ...
    closer: float = 0.02  # ... if it gave a die this probability
    die: float = 0.5  # probability from which it is called one
    face: float = 0.9  # of one value, else the die is not read
    apart_mm: float = 8.0  # two answers nearer than this are of one die
    inside_mm: float = 2.0  # of what is no die: so far from its outline, none is looked for ...
    larger_mm: float = 22.0  # ... if it is longer than this: what is no larger may be a die, however sure it seems


@dataclass(slots=True)
class LooseDice:
    """The family of pip dice on a large table: see `companion.vision.finders.FamilyFinder`."""

    settings: LooseDiceSettings = field(default_factory=LooseDiceSettings)
    network: DieNetwork | None = field(default_factory=shipped)

    def find(self, ground: Ground) -> list[Found]:
        """Every die that lies by itself."""
        if self.network is not None:
            return self._asked(ground, self.network)
        picture = TablePicture(ground.picture, ground.gains, ground.pose)
        found = []
        things = small_things(ground, self.settings.places)
        for box in (*things, *pip_groups(ground, things, self.settings.places)):
            for face in self._faces(ground, box):
                seen = sighting(face, picture)
                found.append(Found(seen, seen.confidence, ground.pose.to_table(face.corners(), 0.0)))
        return found

    def _asked(self, ground: Ground, network: DieNetwork) -> list[Found]:
        """The dice that the network sees, the surest first where two answers are of one."""
        s, at = self.settings, self.probes(ground)
        if not len(at):
            return []
        for sides in s.looks:
            faces, off = network.told(self._patches(ground, at), sides)
            near = faces[:, 0] <= 1 - s.closer
            if not near.any():
                return []
            faces, at = faces[near], (at + off)[near]
        kept: list[int] = []
        for i in np.argsort(faces[:, 0]):
            apart = all(float(np.hypot(*(at[i] - at[k]))) >= s.apart_mm for k in kept)
            if faces[i, 0] <= 1 - s.die and apart:
                kept.append(int(i))
        return [self._die(ground, at[i], faces[i].astype(np.float64)) for i in kept]

    def probes(self, ground: Ground) -> Floats:
        """(n, 2) millimetres in the table's plane at which the network looks first."""
        s = self.settings.places
        things, hats = small_things(ground, s), hats_of(ground, s)
        groups = [_ends(ground, box).mean(axis=0)[None] for box in pip_groups(ground, things, s, hats)]
        places = np.concatenate([np.zeros((0, 2)), *(self._middles(ground, box) for box in things), *groups])
        larger = [own for own in (claim.astype(np.float32) for claim in ground.claimed_mm) if self._too_large(own)]
        places, more = (
            at[[not any(self._well_inside(own, place) for own in larger) for place in at]]
            for at in (places, spotted_places(ground, hats, s))
        )
        away = np.hypot(*(more[:, None] - places[None]).transpose(2, 0, 1)).min(axis=1, initial=np.inf)
        return np.concatenate([places, more[away > self.settings.slip_mm][: s.most]])

    def _too_large(self, outline_mm: Singles) -> bool:
        """True for what is no die, where another family has surely found something."""
        return max(cv2.minAreaRect(outline_mm)[1]) > self.settings.larger_mm

    def _well_inside(self, outline_mm: Singles, place: Floats) -> bool:
        at = (float(place[0]), float(place[1]))
        return cv2.pointPolygonTest(outline_mm, at, measureDist=True) >= self.settings.inside_mm

    def _middles(self, ground: Ground, box: Box) -> Floats:
        """(n, 2) where the middle of a die in the box may be, near enough for the network: in a large one it may lie
        in any quarter, beside its shadow.
        """
        s = self.settings
        left, top, right, low = _ends(ground, box).ravel()
        middle = np.array([(left + right) / 2, (top + low) / 2])
        rooms = np.abs([right - left, top - low]) / 2 - s.places.margin_mm - DIE_MM / 2  # to both sides of it
        steps = [(-room / 2, room / 2) if room > s.slip_mm else (0.0,) for room in rooms]
        return np.array([(middle[0] + x, middle[1] + y) for x in steps[0] for y in steps[1]])

    def _patches(self, ground: Ground, at: Floats) -> NDArray[np.uint8]:
        return np.stack([balanced(cut_out(ground.colours, ground, place), ground.gains) for place in at])

    def _die(self, ground: Ground, seen_mm: Floats, faces: Floats) -> Found:
        """The middle of its upper face is seen there in the table's plane."""
        s = self.settings
        px = ground.pose.project(np.append(seen_mm, 0.0)[None])
        (x, y), beliefs = ground.pose.to_table(px, DIE_MM)[0], []
        for value in np.argsort(-faces[1:]) + 1:
            beliefs.append((Piece("die", value=str(value)), float(faces[value])))
        read = beliefs[0][1] >= s.face * (1 - float(faces[0]))
        told = Sighting(
            beliefs=tuple(beliefs),
            x_mm=float(x),
            y_mm=float(y),
            x_px=float(px[0, 0]),
            y_px=float(px[0, 1]),
            why=None if read else UNREAD,
        )
        return Found(told, 1 - float(faces[0]), round_outline(seen_mm, 0.6 * DIE_MM))

    def _faces(self, ground: Ground, box: Box) -> Iterator[Face]:
        """The face whose pips are seen at a place, in pixels of the picture."""
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

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Dice need no teaching."""

    def save(self, folder: Path) -> None:
        """Nothing is learned."""

    def load(self, folder: Path) -> None:
        """Nothing was learned."""


def _ends(ground: Ground, box: Box) -> Floats:
    """(2, 2) millimetres in the table's plane of two opposite corners."""
    return ground.pose.to_table(np.array([box[:2], box[2:]], np.float64), 0.0)
