"""A second opinion on hypotheses of pyramids: a small network looks at each, turned into its own frame.

It says how probable it is that a piece of that size lies just so, and by how much it is off.
Of a watched table a network of its own (`pyramid_watched.*`) sees what has changed, too.
The convolutions run in `cv2.dnn` (`weights/pyramid_look.onnx`), the few layers after them here; `pyramid_look.json`
says how they were trained. Without its weights the judge without pictures decides alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.vision.plans import Plans
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.patches import BASES, CHANNELS, LEVELS, MIDDLE
from companion.vision.pyramids.shapes import STANDING
from companion.vision.pyramids.windows import Windows
from companion.vision.weights import WEIGHTS, arrays_of

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Ints = NDArray[np.intp]

NAME, WATCHED = "pyramid_look", "pyramid_watched"  # the latter sees what has changed on a watched table, too
SECOND = "pyramid_second"  # it has learned small things of no game, and is asked of what would be told as a piece
DOUBT, ALL = 4.0, np.inf  # log-odds within which a hypothesis is looked at from several sides
EMBEDDED = 80
STACKED_BESIDE = 47  # columns of `stacks.stack_features` beside those of the upper one alone
OFF_UNITS = np.array([0.1, 0.1, 5.0])  # bases along, bases across, degrees


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """Of n hypotheses."""

    odds: Floats  # (n) log-odds that a piece lies just so
    off: Floats  # (n, 3) where it rather lies: bases along and across the heading, degrees


@dataclass(eq=False)
class Trunk:
    """Convolutions."""

    plans: Plans

    def embedded(self, patches: Pixels) -> Singles:
        """(n, EMBEDDED) what the convolutions make of patches."""
        if not len(patches):
            return np.zeros((0, EMBEDDED), np.float32)
        x = patches.astype(np.float32)
        x[:, :3] = (x[:, :3] - MIDDLE) / LEVELS
        x[:, 3:CHANNELS] /= 255
        x[:, CHANNELS:] = (x[:, CHANNELS:] - MIDDLE) / LEVELS
        return self.plans.answers(x)


@dataclass(frozen=True, eq=False)
class LookNetwork:
    """The network and the layers after it."""

    trunk: Trunk
    arrays: Mapping[str, Singles]
    since: bool = False  # it is shown what has changed, too

    def look(self, patches: Pixels, columns: Floats, kind: Ints, doubt: float = DOUBT) -> Opinion:
        """`columns` (n, k): what the judge without pictures goes by, see `columns_of`. Those of log-odds within `doubt`
        are looked at from several sides.
        """
        scaled = self._scaled(columns)
        told = self._layers(np.concatenate([self.trunk.embedded(patches), scaled], axis=1))
        odds = told[:, 0].astype(np.float64)
        doubtful = np.flatnonzero(np.abs(odds) < doubt)
        if len(doubtful):
            seen, rows = views(patches[doubtful], kind[doubtful])
            beside = self._layers(np.concatenate([self.trunk.embedded(seen), scaled[doubtful][rows]], 1))
            odds[doubtful] = mean_of(odds[doubtful, None], beside[:, :1].astype(np.float64), rows)[:, 0]
        return Opinion(odds, told[:, 1:4] * OFF_UNITS)

    def _scaled(self, columns: Floats) -> Singles:
        off = (columns - self.arrays["column_mean"]) / self.arrays["column_spread"]
        return np.clip(off, -5, 5).astype(np.float32)

    def _layers(self, x: Singles) -> Singles:
        number = 0
        while f"right_{number}" in self.arrays:
            x = np.maximum(x, 0) if number else x
            x = x @ self.arrays[f"right_{number}"] + self.arrays[f"right_{number}_bias"]
            number += 1
        return x


def views(patches: Pixels, kind: Ints) -> tuple[Pixels, Ints]:
    """Patches (m) as a mirror shows them, of upright pieces also turned; and which of the n each is of."""
    upright = np.flatnonzero(kind < STANDING)
    stand = patches[upright]
    parts = [patches[:, :, ::-1], stand[:, :, :, ::-1], stand.transpose(0, 1, 3, 2)]
    return np.concatenate(parts), np.concatenate([np.arange(len(patches)), upright, upright]).astype(np.intp)


def mean_of(first: Floats, others: Floats, rows: Ints) -> Floats:
    """(n, k) mean of what was told of a first view and of the others of the same rows."""
    total, count = first.copy(), np.ones((len(first), 1))
    np.add.at(total, rows, others)
    np.add.at(count, rows, 1.0)
    return np.asarray(total / count)


def moved_by(found: Hypotheses, off: Floats) -> Hypotheses:
    """Hypotheses where the network sees their pieces."""
    base = BASES[found.kind]
    c, sn = np.cos(np.radians(found.place[:, 2])), np.sin(np.radians(found.place[:, 2]))
    place = found.place.copy()
    place[:, 0] += (c * off[:, 0] - sn * off[:, 1]) * base
    place[:, 1] += (sn * off[:, 0] + c * off[:, 1]) * base
    place[:, 2] += off[:, 2]
    return found.moved(place)


def columns_of(single: Floats, stacked: Floats | None, kind: Ints) -> Floats:
    """(n, k) columns as the network was taught them; `stacked` is None for pieces that stand on the table.

    How much better a hypothesis fits than its rivals is left out: it depends on which rivals are kept.
    """
    one = _without_margins(single)
    beside = np.zeros((len(single), STACKED_BESIDE)) if stacked is None else stacked[:, single.shape[1] :]
    carried = np.full((len(single), 1), float(stacked is not None))
    return np.concatenate([one, beside, carried, np.eye(6)[kind]], axis=1)


def _without_margins(single: Floats) -> Floats:
    """`score.features` without the margins: before them all but the last seven columns and three."""
    return np.concatenate([single[:, :-10], single[:, -7:]], axis=1)


@cache
def shipped_look(name: str = NAME) -> LookNetwork | None:
    """A network that comes with the project; None when its weights are absent."""
    convolutions, layers = (WEIGHTS / f"{name}{ending}" for ending in (".onnx", ".npz"))
    if not (convolutions.exists() and layers.exists()):
        return None
    return LookNetwork(Trunk(Plans(convolutions, blocked=True)), arrays_of(layers), name == WATCHED)


def look_of(windows: Windows) -> LookNetwork | None:
    """The network for what windows hold: of a watched table the one that is shown what has changed, if it is there."""
    return (shipped_look(WATCHED) if windows.since is not None else None) or shipped_look()
