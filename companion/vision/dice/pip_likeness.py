"""Which round spots are so alike that they may be pips of one die, and which are the pattern of a cloth."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from companion.vision.dice.pips import Spots

if TYPE_CHECKING:
    from companion.vision.dice.pip_dice import DiceSettings


def contrast_of(spots: Spots) -> NDArray[np.float32]:
    """(n) by how many grey levels each spot differs from what is round it."""
    return np.asarray(np.abs(spots.tones - spots.grounds).max(axis=1))


def alike(spots: Spots, i: int, s: "DiceSettings") -> NDArray[np.bool_]:
    """(n) which spots may belong to the same face as this one."""
    ratio = np.maximum(spots.radii / spots.radii[i], spots.radii[i] / spots.radii)
    tone = np.abs(spots.tones - spots.tones[i]).max(axis=1)
    ground = np.abs(spots.grounds - spots.grounds[i]).max(axis=1)
    most = max(s.tone, 0.5 * float(np.abs(spots.tones[i] - spots.grounds[i]).max()))
    bent = np.linalg.norm(spots.shapes - spots.shapes[i], axis=(1, 2)) / spots.radii[i]
    same = bent <= s.shape + s.shape_px / spots.radii[i]
    return np.asarray((ratio <= s.size) & (tone <= most) & (ground <= most) & same)


def without_patterns(spots: Spots, s: "DiceSettings") -> Spots:
    """Those of which there are not more than all dice of a table have pips: nobody throws so many dice of one look."""
    if len(spots) <= s.most_alike:
        return spots
    left = np.ones(len(spots), bool)
    for i in range(len(spots)):
        if left[i] and np.count_nonzero(like := alike(spots, i, s)) > s.most_alike:
            left &= ~like
    return spots.only(np.flatnonzero(left))
