"""Stacked lying pyramids of which one was found: what may lie on it, and what it may lie on.

Of a lower one that is no larger than what it carries only a band along its base is seen; the search for single pieces
then finds one piece for both. So every lying piece found is tried as the lower and as the upper one of such pairs. Of
upright ones the band is hardly seen: judges of them were right in less than half of what they claimed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.fit import edge_fitness, nudged, outer_edges
from companion.vision.pyramids.hypotheses import Hypotheses, on_top, shift_of, turned
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.shapes import LYING, RISES_MM
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]

ALONG_MM = (-1.4, 0.0, 1.4)  # at which pairs are laid round a piece that was found ...
STEPS = ((0.7, 3.0), (0.35, 1.5))  # ... and moved from the best on: millimetres and degrees


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """n pairs, each with the piece that was found and that is one of it."""

    lower: Hypotheses
    kind: Ints  # (n) of the upper one
    rise: Floats  # (n) of its tip beyond the lower one's, millimetres
    piece: Ints  # (n) number of the piece found
    below: Flags  # (n) it is the lower one
    fit: Floats  # (n) how well the edges of both fit

    def __len__(self) -> int:
        return len(self.piece)

    @property
    def upper(self) -> Hypotheses:
        """What lies on the lower ones."""
        return on_top(self.lower, self.kind, self.rise)

    def only(self, chosen: Sequence[int] | Ints) -> "Pairs":
        """Some of them."""
        at = np.asarray(chosen, dtype=np.intp)
        rest = (self.kind[at], self.rise[at], self.piece[at], self.below[at], self.fit[at])
        return Pairs(self.lower.only(at), *rest)


def pairs_of(windows: Windows, found: Hypotheses, carrying: Flags, carried: Flags, search: SearchSettings) -> Pairs:
    """For each lying piece the best fitting pair of each size: with what may lie on it, if it may be `carrying`, and
    with what may lie under it, if it may be `carried`.
    """
    cases = [case for i in range(len(found)) for case in _cases(i, int(found.kind[i]), carrying[i], carried[i])]
    piece, low, high, below = np.array(cases, dtype=np.intp).reshape(-1, 4).T
    if not cases:
        return Pairs(found.only(piece), high, np.zeros(0), piece, below.astype(bool), np.zeros(0))
    each = np.array([(along, 0.0, rise) for along in ALONG_MM for rise in RISES_MM])
    which, grid = np.repeat(np.arange(len(cases)), len(each)), np.tile(each, (len(cases), 1))
    rise = grid[:, 2]
    place = found.place[piece[which]].copy()
    move = shift_of(low[which], high[which], rise, place[:, 2])
    under = _under(windows.ground.camera, place, move)
    place[:, :2] = np.where(below[which, None] == 1, place[:, :2], under)
    place[:, :2] += turned(grid[:, :2], place[:, 2])
    lower = Hypotheses(low[which], place, found.window[piece[which]])
    fits = _fits(windows, lower, high[which], rise, search)
    best = np.arange(len(cases)) * len(each) + fits.reshape(len(cases), -1).argmax(axis=1)
    first = Pairs(lower.only(best), high, rise[best], piece, below.astype(bool), fits[best])
    return _fitted(windows, first, search)


def _cases(number: int, kind: int, carrying: bool, carried: bool) -> list[tuple[int, int, int, int]]:
    """Number of the piece, classes of the lower and of the upper one, and 1 where the piece is the lower one."""
    if kind not in LYING:
        return []
    on = [(number, kind, other, 1) for other in LYING if other <= kind and carrying]
    return on + [(number, other, kind, 0) for other in LYING if other >= kind and carried]


def _under(camera: Floats, place: Floats, move: Floats) -> Floats:
    """(n, 2) where lower ones stand, when what was taken to lie on the table at `place` lies on them."""
    nearer = 1 - move[:, 2] / (camera[2] - place[:, 3])
    return np.asarray(camera[:2] + (place[:, :2] - camera[:2]) * nearer[:, None] - move[:, :2])


def _fits(windows: Windows, lower: Hypotheses, kind: Ints, rise: Floats, search: SearchSettings) -> Floats:
    upper = on_top(lower, kind, rise)
    both = (edge_fitness(windows, one, search, outer_edges(windows, one)) for one in (lower, upper))
    return np.asarray(sum(both), np.float64)


def _fitted(windows: Windows, pairs: Pairs, search: SearchSettings) -> Pairs:
    """Both moved and turned together to where they fit best."""

    def fits(of: Ints, place: Floats) -> Floats:
        return _fits(windows, pairs.lower.only(of).moved(place), pairs.kind[of], pairs.rise[of], search)

    place, fit = nudged(fits, pairs.lower.place, pairs.fit, STEPS)
    return replace(pairs, lower=pairs.lower.moved(place), fit=fit)
