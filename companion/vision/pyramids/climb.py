"""What is nearly told, at the place near by where most speaks for it.

Flush against others of its colour a piece has hardly an edge of its own, and a fit to edges ends a few millimetres off:
there neither the network nor the change since the last look knows it. In a photograph faint pieces are fitted as badly.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from companion.vision.convex import shared
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.shapes import STANDING

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
OddsOf = Callable[[Hypotheses], Floats]


@dataclass(frozen=True, slots=True)
class ClimbSettings:
    """Of what a better place is looked for, and how far."""

    least: float = -4.0  # log-odds from which a hypothesis is nearly told ...
    enough: float = 1.4  # ... up to which
    same: float = 0.3  # common share of the smaller foot from which not both can be there: the likelier stands ...
    sure: float = 5.0  # ... and one of another class is tried there, too, unless it is so likely
    most: int = 4  # so many, the likeliest
    changed: float = 0.15  # share of the outline of what came that has changed: the rest has the tone of the table
    steps: tuple[tuple[float, float], ...] = ((2.0, 4.0), (1.5, 3.0), (1.0, 2.0))  # mm and degrees, one after another


def climbed(
    odds_of: OddsOf,
    glance: OddsOf,
    found: Hypotheses,
    odds: Floats,
    feet: Sequence[Floats],
    s: ClimbSettings,
    may_be: Callable[[int], bool],
) -> tuple[Hypotheses, Floats]:
    """What is likelier than the doubtful ones of (n) hypotheses are as they were found, and its log-odds.

    Other sizes are tried, and places: `glance` looks at all from one side, `odds_of` from several at what seems best
    there, as the likeliest of many seems likelier than it is. `may_be` says of the number of each whether a piece may
    have come there: elsewhere such doubt is no piece.
    """
    doubtful = _doubtful(found, odds, feet, s, may_be)
    best, first = found.only(doubtful), odds[doubtful]
    if not len(best):
        return best, first
    best, told = _likeliest(odds_of, glance, best, first, [_sized(best, by) for by in (-1, 1)])
    for step_mm, step_deg in s.steps:
        tried = [best.moved(best.place + np.array(by)) for by in _around(step_mm, step_deg)]
        best, told = _likeliest(odds_of, glance, best, told, tried)
    higher = np.flatnonzero(told > first)
    return best.only(higher), told[higher]


def _likeliest(
    odds_of: OddsOf, glance: OddsOf, best: Hypotheses, told: Floats, tried: Sequence[Hypotheses]
) -> tuple[Hypotheses, Floats]:
    """Of each what seems best of all it is tried as, where that is likelier than what it is, and its log-odds."""
    winner, which = glance(joined(tried)).reshape(len(tried), len(best)).argmax(axis=0), np.arange(len(best))
    rival = Hypotheses(
        np.stack([one.kind for one in tried])[winner, which],
        np.stack([one.place for one in tried])[winner, which],
        best.window,
    )
    odds = odds_of(rival)
    won = odds > told
    return Hypotheses(
        np.where(won, rival.kind, best.kind), np.where(won[:, None], rival.place, best.place), best.window
    ), np.maximum(odds, told)


def _sized(found: Hypotheses, by: int) -> Hypotheses:
    """In the same pose, so many sizes larger; what has no such size as it is."""
    size = found.kind % STANDING + by
    there = (size >= 0) & (size < STANDING)
    return Hypotheses(np.where(there, found.kind + by, found.kind), found.place, found.window)


def _around(step_mm: float, step_deg: float) -> list[tuple[float, float, float, float]]:
    """The steps to all sides, in mm and degrees."""
    straight = [(sign * a, sign * b, 0.0, 0.0) for sign in (1.0, -1.0) for a, b in ((step_mm, 0.0), (0.0, step_mm))]
    return [*straight, (0.0, 0.0, step_deg, 0.0), (0.0, 0.0, -step_deg, 0.0)]


def _doubtful(
    found: Hypotheses, odds: Floats, feet: Sequence[Floats], s: ClimbSettings, may_be: Callable[[int], bool]
) -> Ints:
    """Those nearly told where nothing likelier of their class stands, and nothing sure."""
    standing: list[int] = []
    for i in np.argsort(-odds).tolist():
        rivals = (j for j in standing if found.kind[j] == found.kind[i] or odds[j] > s.sure)
        if odds[i] > s.least and not any(shared(feet[i], feet[j]) > s.same for j in rivals):
            standing.append(i)
    doubtful = (i for i in standing if odds[i] < s.enough and may_be(i))
    return np.array(list(islice(doubtful, s.most)), np.intp)
