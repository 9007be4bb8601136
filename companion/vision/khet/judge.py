"""Which way a doubtful pyramid faces, judged beside the others of its board: their shades and the network's answer.

A small network of three layers weighs both. It is asked in all `views`, and the answers are averaged. To its logits are
added those of the network that compares the pictures of all pyramids (`together`).
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.chances import softmax
from companion.vision.errors import UnusableWeights
from companion.vision.khet.network import FIRST
from companion.vision.khet.shades import Expected, Pyramids, ShadeSettings, expected, sectors
from companion.vision.khet.together import Together
from companion.vision.khet.views import FACINGS, MIRRORED, VIEWS, View
from companion.vision.reader import CellPatches
from companion.vision.weights import WEIGHTS, arrays_of

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

FILE = "khet_shades.npz"
LEAST = 1e-5  # shares below it are all the same
FARTHEST = 8.0  # numbers are cut off there
FILES_HALF, RANKS_HALF = 4.5, 3.5  # cells from the middle of the board to the middle of its last file and rank
# four numbers each, turned together: by facing NE NW SW SE, by way N W S E, by corner NW SW SE NE
BLOCKS = ("facing", "facing", *("way",) * 7, *("corner",) * 3)
MIRRORED_BLOCKS = {"facing": MIRRORED, "way": (0, 3, 2, 1), "corner": (3, 2, 1, 0)}
LEAN = 4 * len(BLOCKS)  # then two numbers of the lean, and the spread of the side's brightness
NUMBERS = LEAN + 3


@dataclass(frozen=True, slots=True)
class WitnessSettings:
    """Which pyramids are asked for, and which are witnesses."""

    least_pyramid: float = 0.5  # share of the class from which on a cell counts as one
    judged_below: float = 0.999  # a surer facing is left as it is
    witness_from: float = 0.8  # a share of the best facing with which it begins to count
    witness_full: float = 0.95  # ... and counts in full
    least_witnesses: float = 2.0
    judge: float = 0.3  # weight of its logits beside those of the network that compares
    compared: float = 1.0  # ... and theirs
    views: tuple[View, ...] = VIEWS[:1]  # in which all pyramids are compared: as they are ...
    more_views: tuple[View, ...] = VIEWS[1:]  # ... and turned and mirrored, when one facing is still less sure than
    more_below: float = 0.98


def turned_numbers(numbers: Floats, view: View) -> Floats:
    """(n, NUMBERS) as they were if the whole table were seen so."""
    changed = numbers.copy()
    for block, kind in enumerate(BLOCKS):
        own = numbers[:, 4 * block : 4 * block + 4]
        own = own[:, MIRRORED_BLOCKS[kind]] if view.mirrored else own
        changed[:, 4 * block : 4 * block + 4] = np.roll(own, view.quarters, axis=1)
    changed[:, LEAN : LEAN + 2] = view.arrows(numbers[:, LEAN : LEAN + 2])
    return changed


def numbers(expectations: list[Expected], network: Floats, seen: Floats, lean: Floats) -> Floats:
    """(n, NUMBERS) what is judged: (n, 4) logits of the network, (n, 8, rings) sectors, and what is expected."""
    rows = []
    for one, logits, bright, slant in zip(expectations, network, seen, lean, strict=True):
        own = bright - one.level
        parts = (one.fits, logits, one.differs, one.differs_spread, own[::2].T.ravel(), own[1::2].T.ravel(), slant)
        rows.append(np.concatenate([*parts, [one.level_spread]]))
    return np.array(rows)


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Linear layers with ReLU between them; the last gives four logits and the logarithm of the network's weight."""

    scale: Floats
    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]

    @classmethod
    def load(cls, path: Path) -> "Judge":
        """From a file of the training; UnusableWeights."""
        arrays = arrays_of(path)
        count = sum(name.startswith("weight") for name in arrays)
        weights = tuple(arrays[f"weight{i}"].astype(np.float64) for i in range(count))
        biases = tuple(arrays[f"bias{i}"].astype(np.float64) for i in range(count))
        scale = arrays["scale"].astype(np.float64)
        if scale.shape != (NUMBERS,) or not count or weights[-1].shape[0] != FACINGS + 1:
            raise UnusableWeights(path, f"it is no judge of {NUMBERS} numbers")
        return cls(scale, weights, biases)

    def logits(self, given: Floats) -> Floats:
        """(n, NUMBERS) to (n, 4), the mean over all views."""
        return np.asarray(np.mean([view.back(self._once(turned_numbers(given, view))) for view in VIEWS], axis=0))

    def _once(self, given: Floats) -> Floats:
        layer = np.clip(given, -FARTHEST, FARTHEST) / self.scale
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            layer = np.maximum(layer @ weight.T + bias, 0.0)
        out = layer @ self.weights[-1].T + self.biases[-1]
        return np.asarray(out[:, :FACINGS] + given[:, FACINGS : 2 * FACINGS] * np.exp(out[:, FACINGS:]))


@cache
def shipped_judge() -> Judge | None:
    """The trained judge; None where its file is absent."""
    path = WEIGHTS / FILE
    return Judge.load(path) if path.exists() else None


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """A pyramid as it was seen last."""

    side: int
    facing: int
    sure: float
    seen: Floats  # (8, rings) sectors


class Witnesses:
    """The pyramids of a board, remembered while only parts of it are read again."""

    def __init__(
        self,
        judge: Judge | None,
        together: Together | None = None,
        settings: WitnessSettings | None = None,
        shades: ShadeSettings | None = None,
    ) -> None:
        self.settings, self.shades = settings or WitnessSettings(), shades or ShadeSettings()
        self._judge, self._together = judge, together
        self._pictures: CellPatches | None = None  # of the pyramids known
        self.known: dict[str, Witness] = {}

    def judged(self, patches: CellPatches, what: Floats, sides: Floats, whole: bool, gain: float) -> Floats:
        """`what` (n, classes) with the facings of doubtful pyramids judged anew; each pyramid's whole share stays.

        `gain` is the factor for the brightness of the board.
        """
        if self._judge is None:
            return what
        s, own = self.settings, slice(FIRST["pyramid"], FIRST["pyramid"] + FACINGS)
        self._forget(patches.cells, whole)
        here = np.flatnonzero(what[:, own].sum(axis=1) > s.least_pyramid)
        if not len(here):
            return what
        pyramids = patches.only(here.tolist())
        self._pictures = pyramids if self._pictures is None else self._pictures.joined(pyramids)
        facings, bright = what[here, own], sectors(pyramids, self.shades)
        for i, cell in enumerate(here):
            side, facing = int(sides[cell].argmax()), int(facings[i].argmax())
            self.known[patches.cells[cell]] = Witness(side, facing, self.surety(facings[i]), bright[i])
        doubtful = np.flatnonzero(facings.max(axis=1) < s.judged_below * facings.sum(axis=1))
        if not len(doubtful) or sum(w.sure for w in self.known.values()) < s.least_witnesses:
            return what
        cells, lean = [patches.cells[here[i]] for i in doubtful], patches.lean[here[doubtful]]
        compared = self._compared(cells, self._pictures, gain, s.views)
        judged = self._weighed(self._judge, cells, facings[doubtful], lean, compared)
        if self._together is not None and s.more_views and judged.max(axis=1).min() < s.more_below:
            more = self._compared(cells, self._pictures, gain, s.more_views)
            every = np.average([compared, more], axis=0, weights=[len(s.views), len(s.more_views)])
            judged = self._weighed(self._judge, cells, facings[doubtful], lean, every)
        changed = what.copy()
        changed[here[doubtful], own] = judged * facings[doubtful].sum(axis=1, keepdims=True)
        return changed

    def _weighed(
        self, judge: Judge, cells: list[str], facings: Floats, lean: NDArray[np.float32], compared: Floats
    ) -> Floats:
        """(n, 4) shares of the facings of these cells: what the judge says, and what comparing (n, 4) said."""
        weight = self.settings.judge if self._together is not None else 1.0
        logits = weight * judge.logits(self.numbers(cells, facings, lean)) + self.settings.compared * compared
        judged = softmax(logits)
        for cell, chances in zip(cells, judged, strict=True):
            better = replace(self.known[cell], facing=int(chances.argmax()), sure=self.surety(chances))
            self.known[cell] = better
        return judged

    def _forget(self, cells: Collection[str], whole: bool) -> None:
        """These cells are read anew, or the whole board."""
        self.known = {} if whole else {c: w for c, w in self.known.items() if c not in cells}
        before = self._pictures
        kept = [] if whole or before is None else [c for c in before.cells if c in self.known]
        self._pictures = before.named(kept) if before is not None and kept else None

    def _compared(self, cells: list[str], pyramids: CellPatches, gain: float, views: tuple[View, ...]) -> Floats:
        """(n, 4) logits of these cells from comparing all pyramids of the board; zeros without a network for it."""
        if self._together is None:
            return np.zeros((len(cells), FACINGS))
        logits = self._together.logits(pyramids, gain, views)
        return logits[[pyramids.cells.index(cell) for cell in cells]].astype(np.float64)

    def surety(self, facings: Floats) -> float:
        """How much a pyramid with these (4) shares counts as a witness, 0 to 1."""
        s = self.settings
        return float(np.clip((facings.max() - s.witness_from) / (s.witness_full - s.witness_from), 0.0, 1.0))

    def numbers(self, cells: list[str], facings: Floats, lean: NDArray[np.float32]) -> Floats:
        """(n, NUMBERS) of these cells, which are among the pyramids known; `facings` (n, 4) shares."""
        names = list(self.known)
        pyramids, middle = _pyramids(names, list(self.known.values()))
        wanted = np.array([names.index(cell) for cell in cells], dtype=np.int64)
        logits = np.log(facings + LEAST)
        logits -= logits.mean(axis=1, keepdims=True)
        seen = np.array([self.known[cell].seen for cell in cells]) - middle
        return numbers(expected(pyramids, wanted, self.shades), logits, seen, lean.astype(np.float64))


def _pyramids(cells: list[str], witnesses: list[Witness]) -> tuple[Pyramids, float]:
    """As arrays, their shades about the mean of all; and that mean."""
    places = [((ord(c[0]) - ord("a")) / FILES_HALF - 1, (int(c[1:]) - 1) / RANKS_HALF - 1) for c in cells]
    shade = np.array([w.seen[::2, 1:].mean(axis=1) for w in witnesses])  # towards the ways, without the innermost ring
    middle = float(shade.mean())
    sides, facings = (np.array([getattr(w, n) for w in witnesses], dtype=np.int64) for n in ("side", "facing"))
    sure = np.array([w.sure for w in witnesses])
    return Pyramids(np.array(places), sides, facings, sure, shade - middle), middle
