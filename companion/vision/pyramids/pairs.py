"""Stacked lying pyramids of which one was found: what may lie on it, and what it may lie on.

Of a lower one that is no larger than what it carries only a band along its base is seen; the search for single pieces
then finds one piece for both. So every lying piece found is tried as the lower and as the upper one of such pairs. Of
upright ones the band is hardly seen: judges of them were right in less than half of what they claimed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.fit import edge_fitness, outer_edges
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.patches import PatchSettings
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.shapes import CLASSES, TIP_RISE_MM, axis_of, shape_of
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]

LYING = tuple(kind for kind, (_, pose) in enumerate(CLASSES) if pose == "lying")
HIGH = np.array([np.linalg.norm(axis_of(shape_of(*kind))) for kind in CLASSES])
AXES = np.array([axis_of(shape_of(*kind)) for kind in CLASSES]) / HIGH[:, None]
TIPS = np.array([shape_of(*kind).corners[4] for kind in CLASSES])


@dataclass(frozen=True, slots=True)
class PairSettings:
    """How pairs are laid round a piece that was found."""

    along_mm: tuple[float, ...] = (-1.4, 0.0, 1.4)
    rises_mm: tuple[float, ...] = (TIP_RISE_MM - 1.2, TIP_RISE_MM, TIP_RISE_MM + 1.4)
    steps: tuple[tuple[float, float], ...] = ((0.7, 3.0), (0.35, 1.5))  # millimetres and degrees, from the best on
    patches: PatchSettings = field(default_factory=lambda: PatchSettings(bases=2.4, side_px=64, of_both=True))


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


def pairs_of(
    windows: Windows, found: Hypotheses, carrying: Flags, carried: Flags, search: SearchSettings, s: PairSettings
) -> Pairs:
    """For each lying piece the best fitting pair of each size: with what may lie on it, if it may be `carrying`, and
    with what may lie under it, if it may be `carried`.
    """
    cases = [case for i in range(len(found)) for case in _cases(i, int(found.kind[i]), carrying[i], carried[i])]
    piece, low, high, below = np.array(cases, dtype=np.intp).reshape(-1, 4).T
    if not cases:
        return Pairs(found.only(piece), high, np.zeros(0), piece, below.astype(bool), np.zeros(0))
    each = np.array([(along, 0.0, rise) for along in s.along_mm for rise in s.rises_mm])
    which, grid = np.repeat(np.arange(len(cases)), len(each)), np.tile(each, (len(cases), 1))
    rise = grid[:, 2]
    place = found.place[piece[which]].copy()
    move = shift_of(low[which], high[which], rise, place[:, 2])
    under = _under(windows.ground.camera, place, move)
    place[:, :2] = np.where(below[which, None] == 1, place[:, :2], under)
    place[:, :2] += _turned(grid[:, :2], place[:, 2])
    lower = Hypotheses(low[which], place, found.window[piece[which]])
    fits = _fits(windows, lower, high[which], rise, search)
    best = np.arange(len(cases)) * len(each) + fits.reshape(len(cases), -1).argmax(axis=1)
    first = Pairs(lower.only(best), high, rise[best], piece, below.astype(bool), fits[best])
    return _fitted(windows, first, search, s)


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


def shift_of(lower: Ints, upper: Ints, rise: Floats, heading: Floats) -> Floats:
    """(n, 3) from the lower one's place to the upper one's."""
    moved = TIPS[lower] - TIPS[upper] + AXES[lower] * rise[:, None]
    return np.column_stack([_turned(moved[:, :2], heading), moved[:, 2]])


def on_top(lower: Hypotheses, kind: Ints, rise: Floats) -> Hypotheses:
    """Pieces of these classes on the lower ones."""
    place = lower.place.copy()
    move = shift_of(lower.kind, kind, rise, place[:, 2])
    place[:, :2] += move[:, :2]
    place[:, 3] += move[:, 2]
    return Hypotheses(kind, place, lower.window)


def _turned(points: Floats, heading: Floats) -> Floats:
    c, sn = np.cos(np.radians(heading)), np.sin(np.radians(heading))
    return np.column_stack([c * points[:, 0] - sn * points[:, 1], sn * points[:, 0] + c * points[:, 1]])


def _fits(windows: Windows, lower: Hypotheses, kind: Ints, rise: Floats, search: SearchSettings) -> Floats:
    upper = on_top(lower, kind, rise)
    both = (edge_fitness(windows, one, search, outer_edges(windows, one)) for one in (lower, upper))
    return np.asarray(sum(both), np.float64)


def _fitted(windows: Windows, pairs: Pairs, search: SearchSettings, s: PairSettings) -> Pairs:
    """Both moved and turned together to where they fit best."""
    lower, fits, rows = pairs.lower, pairs.fit, np.arange(len(pairs))
    kind, rise = pairs.kind, pairs.rise
    six, kinds, rises = lower.only(np.repeat(rows, 6)), np.repeat(kind, 6), np.repeat(rise, 6)
    for step, turn in s.steps:
        tried = np.repeat(lower.place[:, None], 6, axis=1)
        for k, way in enumerate(((step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step))):
            tried[:, k, :2] += _turned(np.tile(way, (len(rows), 1)), lower.place[:, 2])
        tried[:, 4, 2] += turn
        tried[:, 5, 2] -= turn
        got = _fits(windows, six.moved(tried.reshape(-1, 4)), kinds, rises, search).reshape(-1, 6)
        gains = np.maximum(got - fits[:, None], 0.0)
        every = lower.place.copy()  # all single moves that help, at once
        for k in (0, 2, 4):
            way = k + gains[:, k : k + 2].argmax(axis=1)
            every += (tried[rows, way] - lower.place) * (gains[rows, way] > 0)[:, None]
        together = _fits(windows, lower.moved(every), kind, rise, search)
        options = np.concatenate([tried, every[:, None], lower.place[:, None]], axis=1)
        figures = np.concatenate([got, together[:, None], fits[:, None]], axis=1)
        best = figures.argmax(axis=1)
        lower, fits = lower.moved(options[rows, best]), figures[rows, best]
    return Pairs(lower, kind, rise, pairs.piece, pairs.below, fits)
