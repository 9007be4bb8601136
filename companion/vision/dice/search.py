"""Pip dice of any size in a picture, read by the network: every round spot may be a pip, or a die as a whole, so dice
are looked for round each of them, in the sizes that such a die may have.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.dice.network import DIE_MM, SIDE_PX, SPAN_MM, FaceReader, patch_at
from companion.vision.dice.pips import Spots

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class DieSearchSettings:
    """Where and how often the network looks."""

    most: int = 250  # spots, those that stand out most
    pips: tuple[float, ...] = (0.05, 0.072, 0.1, 0.14)  # radius of a pip in sides ...
    whole: float = 0.56  # ... and of a die whose pips are hardly seen: it is a spot itself, if not ...
    beside: tuple[float, float] = (1.9, 4.5)  # ... so many radii beside it lies another one ...
    same_pips: float = 0.45  # ... of a size so near, as logarithms: then both are pips
    side_px: tuple[float, float] = (14.0, 600.0)
    looks: tuple[int, ...] = (1, 1, 4)  # sides from which the network looks, each time where the last one led it ...
    closer: float = 0.05  # ... if it gave a die this probability
    same: float = 0.12  # answers so near, in sides ...
    same_size: float = 0.2  # ... and of sizes so near, as logarithms, need no second look
    apart: float = 0.7  # answers nearer than so many sides are of one die ...
    aside: float = 1.1  # ... and nearer than these, if one is so small a part of the other ...
    smaller: float = 0.6  # ... it is a face of that die seen from the side


@dataclass(frozen=True, slots=True, eq=False)
class ReadDie:
    """A die that the network sees, in pixels."""

    middle: Floats  # (2,)
    side: float
    faces: Floats  # (FACES,) probabilities: no die, and the six values

    @property
    def value(self) -> int:
        """The likeliest."""
        return int(self.faces[1:].argmax()) + 1

    @property
    def sure(self) -> float:
        """The probability of that value."""
        return float(self.faces[self.value])


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where dice may lie, in pixels."""

    at: Floats  # (n, 2)
    side: Floats  # (n,)


def first_places(spots: Spots, s: DieSearchSettings) -> Places:
    """Round each spot, in every size of a die that may have such a pip, or be that spot itself."""
    strongest = np.argsort(-np.abs(spots.tones - spots.grounds).max(axis=1))[: s.most]
    at, radii = spots.centres[strongest].astype(np.float64), spots.radii[strongest].astype(np.float64)
    alone = ~_in_groups(at, radii, s)
    side = np.concatenate([(radii[:, None] / np.array(s.pips)).ravel(), radii[alone] / s.whole])
    at = np.concatenate([np.repeat(at, len(s.pips), axis=0), at[alone]])
    fits = (side >= s.side_px[0]) & (side <= s.side_px[1])
    return Places(at[fits], side[fits])


def _in_groups(at: Floats, radii: Floats, s: DieSearchSettings) -> NDArray[np.bool_]:
    """(n) which spots have another as large beside them, as pips have."""
    away = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) / radii[:, None]
    alike = np.abs(np.log(radii[:, None] / radii[None])) <= s.same_pips
    return np.asarray((alike & (away >= s.beside[0]) & (away <= s.beside[1])).any(axis=1))


def search(picture: Pixels, spots: Spots, network: FaceReader, s: DieSearchSettings) -> list[ReadDie]:
    """Every die; of answers about one die the surest."""
    smaller, first = halved(picture), first_places(spots, s)
    at, side, faces = first.at, first.side, np.zeros((0, 1))
    for sides in s.looks:
        if not len(at):
            return []
        told, off = network.told(np.stack([cut(smaller, *one) for one in zip(at, side, strict=True)]), sides)
        near = told[:, 0] <= 1 - s.closer
        at = (at + off * (1, -1) * (side / DIE_MM)[:, None])[near]
        side, faces = side[near], told[near].astype(np.float64)
        kept = _each_once(at, side, faces[:, 0], s)
        at, side, faces = at[kept], side[kept], faces[kept]
    dice = [ReadDie(*one) for one in zip(at, side.tolist(), faces, strict=True)]
    found: list[ReadDie] = []
    for die in sorted(dice, key=lambda d: -d.sure):
        if not any(_of_one(die, f, s) for f in found):
            found.append(die)
    return found


def _of_one(die: ReadDie, other: ReadDie, s: DieSearchSettings) -> bool:
    """True for two answers that are too near each other to be of two dice."""
    less, more = sorted((die.side, other.side))
    reach = s.aside if less < s.smaller * more else s.apart
    return float(np.hypot(*(die.middle - other.middle))) <= reach * more


def _each_once(at: Floats, side: Floats, none: Floats, s: DieSearchSettings) -> list[int]:
    """Of answers at one place and of one size the surest that there is a die."""
    kept: list[int] = []
    for i in np.argsort(none):
        away = np.hypot(*(at[kept] - at[i]).T) if kept else np.zeros(0)
        if not ((away <= s.same * side[kept]) & (np.abs(np.log(side[kept] / side[i])) <= s.same_size)).any():
            kept.append(int(i))
    return kept


def halved(picture: Pixels) -> list[Pixels]:
    """The picture, and again and again half as large."""
    smaller = [picture]
    while min(smaller[-1].shape[:2]) > 2 * SIDE_PX:
        smaller.append(np.asarray(cv2.resize(smaller[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)))
    return smaller


def cut(smaller: list[Pixels], middle: Floats, side: float) -> Pixels:
    """What the network looks at, from the picture that is halved so often that few pixels are left out."""
    scale, level = side * SPAN_MM / DIE_MM / SIDE_PX, 0
    while scale > 1.5 and level + 1 < len(smaller):
        scale, level = scale / 2, level + 1
    return patch_at(smaller[level], (middle + 0.5) / 2**level - 0.5, scale)
