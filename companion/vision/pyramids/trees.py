"""Which tree stands or lies on the lowest piece of it: told by all that may be on it, at once.

A small piece on a large one looks nearly alike with and without a medium one between them, and on a medium one a small
one hardly shows: judged one by one, each is told too rarely. What the network says of all three is weighed together.
The weights are shipped (`weights/pyramid_trees.npz`) and were fitted on simulated trees by
`companion/training/pyramid_trees.py`; without them, or without the network, each is judged by itself.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.vision.chances import chance_of, odds_of
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.look import look_of
from companion.vision.pyramids.shapes import CLASSES, STANDING
from companion.vision.pyramids.windows import Windows
from companion.vision.weights import WEIGHTS, arrays_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]
OnEach = Callable[[Windows, Hypotheses], tuple[Hypotheses, Ints, Floats]]

NAME = "pyramid_trees"
SMALL, MEDIUM = 0, 1  # as in PYRAMID_SIZES
TREES = ((), (SMALL,), (MEDIUM,), (MEDIUM, SMALL))  # sizes of what is on the lowest piece, from below
ODDS = ("medium on it", "small on that", "small on it")
LEAST, MOST = -10.0, 9.0  # log-odds beyond which nothing more is told
BOUNDS = chance_of(LEAST), chance_of(MOST)
ALONE = np.tile(np.array([(0, 0, 0, 0), (0, 0, 0, 1), (0, 1, 0, 0), (0, 1, 1, 0)], np.float64), (len(CLASSES), 1, 1))
WORTH = -9.0  # log-odds of a medium piece from which it is asked what lies on it


@dataclass(frozen=True, slots=True, eq=False)
class Stacked:
    """A piece on another one, told by all trees that hold one of its size."""

    piece: Hypotheses  # (1)
    odds: float  # log-odds


@dataclass(frozen=True, slots=True, eq=False)
class Grown:
    """What may be on n lowest pieces: of each size the best fitting one, and what the network says of it."""

    lowest: Hypotheses
    medium: Hypotheses  # (n) on them; anything where none is smaller than the lowest one
    small: Hypotheses  # (n) on them
    top: Hypotheses  # (n) the small ones on the medium ones
    odds: Floats  # (n, ODDS) log-odds, LEAST of what cannot be
    layers: Floats  # see `shipped_layers`

    def logits(self) -> Floats:
        """(n, TREES) logarithms of probabilities, but for what is common to all; -inf of trees that cannot be."""
        told = np.concatenate([np.ones((len(self.odds), 1)), self.odds], axis=1)
        logits = np.einsum("nto,no->nt", self.layers[self.lowest.kind], told)
        return np.where(possible(self.lowest.kind), logits, -np.inf)

    def on(self, i: int, least: float) -> list[Stacked]:
        """What is on one of them from these log-odds on, from below."""
        medium, small = self._stacked(i, MEDIUM), self._stacked(i, SMALL)
        if medium.odds < least:
            return [small] if small.odds >= least else []
        return [medium, replace(small, piece=self.top.only([i]))] if small.odds >= least else [medium]

    def over_medium(self, i: int, least: float) -> list[Stacked]:
        """The small piece on the medium one that was found on one of them, if there is one."""
        small = replace(self._stacked(i, SMALL, MEDIUM), piece=self.top.only([i]))
        return [small] if small.odds >= least else []

    def under_small(self, i: int, least: float) -> list[Stacked]:
        """The medium piece under the small one that was found on one of them, if there is one."""
        medium = self._stacked(i, MEDIUM, SMALL)
        return [medium] if medium.odds >= least else []

    def _stacked(self, i: int, size: int, held: int | None = None) -> Stacked:
        """One that may be on it, given that one of another size is."""
        logits = np.where(holding(held), self.logits()[i], -np.inf)
        shares = np.exp(logits - logits.max())
        odds = odds_of(float(np.clip(shares[holding(size)].sum() / shares.sum(), *BOUNDS)))
        return Stacked((self.medium if size == MEDIUM else self.small).only([i]), odds)


def grown(windows: Windows, lowest: Hypotheses, on_each: OnEach) -> Grown:
    """What may be on these; `on_each` gives what may lie on pieces, on which of them each is, and its log-odds."""
    n, layers = len(lowest), shipped_layers() if look_of(windows) is not None else ALONE
    upper, under, told = on_each(windows, lowest)
    odds, row = np.full((n, len(ODDS)), LEAST), np.zeros((n, STANDING), np.intp)
    if not len(upper):
        return Grown(lowest, lowest, lowest, lowest, odds, layers)
    row[under, upper.kind % STANDING] = np.arange(len(upper))
    high = lowest.kind % STANDING
    for size, column in ((MEDIUM, 0), (SMALL, 2)):
        odds[high > size, column] = told[row[high > size, size]]
    medium, small = upper.only(row[:, MEDIUM]), upper.only(row[:, SMALL])
    carrying = np.flatnonzero((high > MEDIUM) & (odds[:, 0] > WORTH))
    top = [medium]
    if len(carrying):
        above, _, more = on_each(windows, medium.only(carrying))
        smallest = np.flatnonzero(above.kind % STANDING == SMALL)
        odds[carrying, 1] = more[smallest]
        top.append(above.only(smallest))
    number = np.arange(n)
    number[carrying] = n + np.arange(len(carrying))
    return Grown(lowest, medium, small, joined(top).only(number), np.clip(odds, LEAST, MOST), layers)


def possible(kind: Ints) -> Flags:
    """(n, TREES) which trees may be on pieces of these classes: each piece smaller than the one below it."""
    high = np.array([max(tree, default=-1) for tree in TREES])
    return np.asarray(high[None] < kind[:, None] % STANDING)


def holding(size: int | None) -> Flags:
    """(TREES) which trees hold a piece of this size; all where none is asked for."""
    return np.array([size is None or size in tree for tree in TREES])


@cache
def shipped_layers() -> Floats:
    """(CLASSES, TREES, 1 + ODDS) what each log-odds speaks for each tree on each class, after what does at once."""
    path = WEIGHTS / f"{NAME}.npz"
    return np.asarray(arrays_of(path)["layers"], np.float64) if path.exists() else ALONE
