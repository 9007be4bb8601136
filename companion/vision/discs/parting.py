"""Where the discs of a board part from its empty cells, on cells of each tone.

Of how likely a disc lies on them, empty cells of one tone say nearly the same, and so do discs of one colour on them;
from board to board it differs far more. Circles printed on all cells look a little like discs, black discs on black
cells hardly do. So the groups of a board tell where they part: the parting that makes every group narrow, its middle
usual, and about as many cells of every tone taken, is the likeliest.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SHARES = np.linspace(0.02, 0.98, 25)  # of the cells that are taken


@dataclass(frozen=True, slots=True)
class Usual:
    """Log-odds of a disc where there are some or none; measured on drawn boards that no network had learned."""

    middle: float  # of all boards
    boards: float  # standard deviation of boards about that ...
    within: float  # ... and of the cells of one board and tone
    known: float  # this is as surely known of `within` as from so many cells
    ends: tuple[float, float]  # beyond which the middle of a board is not


@dataclass(frozen=True, slots=True)
class PartingSettings:
    """When the discs of a board are parted from its empty cells elsewhere than at even odds."""

    empty: Usual = Usual(-20.0, 5.0, 2.0, 6.0, (-60.0, 6.0))
    disc: Usual = Usual(35.0, 11.0, 3.5, 4.0, (-8.0, 120.0))
    beyond: float = 60.0  # log-likelihood that a middle beyond its ends costs
    odd: float = 0.01  # share of cells that are like no others, ...
    odd_reach: float = 80.0  # ... anywhere within so many log-odds
    gap: float = 1.5  # log-odds that no cell has, at least, where the groups part ...
    reach: tuple[float, float] = (-12.0, 22.0)  # ... and between which that may be
    end: float = 3.0  # ... or so far above all cells
    most: int = 6  # of the widest gaps
    alike: float = 8.0  # the tones' shares of taken cells are as alike as if each were of so many cells
    gain: float = 8.0  # log-likelihood by which a parting is to be likelier than even odds


def partings(odds: Floats, white: Bools, tone: NDArray[np.int64], tones: int, s: PartingSettings) -> Floats:
    """(tones) the log-odds above which there is a disc on cells of each tone: nearly always 0.

    `odds` (n) are log-odds of a disc on each cell, `white` (n) what colour it rather has.
    """
    ats, worths, taken = [], [], []
    for number in range(tones):
        own = tone == number
        at = [0.0, *_gaps(odds[own], s)]
        ats.append(at)
        worths.append([_worth(odds[own], white[own], a, s) for a in at])
        taken.append([_taken(int((odds[own] > a).sum()), int(own.sum()), s.alike) for a in at])
    if all(len(at) == 1 for at in ats):
        return np.zeros(tones)
    shape = [len(at) for at in ats]
    total, shares = np.zeros(shape), np.zeros((*shape, len(SHARES)))
    for number in range(tones):
        along = [1] * tones
        along[number] = -1
        total = total + np.reshape(worths[number], along)
        shares = shares + np.reshape(taken[number], (*along, len(SHARES)))
    total += np.logaddexp.reduce(shares, axis=-1)
    best = np.unravel_index(int(np.argmax(total)), total.shape)
    if total[best] < total.flat[0] + s.gain:
        return np.zeros(tones)
    return np.array([at[i] for at, i in zip(ats, best, strict=True)])


def _gaps(odds: Floats, s: PartingSettings) -> list[float]:
    """The middles of the widest gaps, and above all cells: they may all be empty."""
    if not len(odds):
        return []
    order = np.sort(np.append(odds, odds.max() + 2 * s.end))
    low, high = np.maximum(order[:-1], s.reach[0]), np.minimum(order[1:], s.reach[1])
    widest = np.argsort(low - high)[: s.most]
    return [float(low[i] + high[i]) / 2 for i in widest if high[i] - low[i] > s.gap]


def _worth(odds: Floats, white: Bools, at: float, s: PartingSettings) -> float:
    """Log-likelihood of the three groups that cells of one tone fall into if they part there."""
    empty = odds <= at
    discs = (odds[~empty & (white == colour)] for colour in (False, True))
    return _narrow(odds[empty], s.empty, s) + sum(_narrow(group, s.disc, s) for group in discs)


def _narrow(group: Floats, usual: Usual, s: PartingSettings) -> float:
    """Log-likelihood of a group about its likeliest middle and spread."""
    if not len(group):
        return 0.0
    middle, spread = float(np.median(group)), usual.within
    for _ in range(2):
        far = np.minimum((group - middle) ** 2, (6 * usual.within) ** 2)
        spread = math.sqrt((usual.known * usual.within**2 + far.sum()) / (usual.known + len(group)))
        near, pull = np.clip(group, middle - 4 * spread, middle + 4 * spread), (spread / usual.boards) ** 2
        middle = float(near.sum() + pull * usual.middle) / (len(group) + pull)
    bell = np.exp(-(((group - middle) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))
    likely = float(np.log((1 - s.odd) * bell + s.odd / s.odd_reach).sum())
    likely -= ((middle - usual.middle) / usual.boards) ** 2 / 2
    likely -= usual.known / 2 * ((usual.within / spread) ** 2 - 1 + 2 * math.log(spread / usual.within))
    return likely - (0.0 if usual.ends[0] <= middle <= usual.ends[1] else s.beyond)


def _taken(held: int, cells: int, alike: float) -> Sequence[float]:
    """Log-likelihood that so many cells of a tone are taken, for each of SHARES of all (beta-binomial)."""
    own = math.lgamma(alike) - math.lgamma(cells + alike)
    return [own + _rising(alike * p, held) + _rising(alike * (1 - p), cells - held) for p in SHARES.tolist()]


def _rising(start: float, steps: int) -> float:
    return math.lgamma(start + steps) - math.lgamma(start)
