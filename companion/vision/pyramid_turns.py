"""Where something is proposed and nothing is found: what is proposed there, turned every way that it may lie.

What hardly has edges, such as clear plastic on cloth, is proposed at its place, but the way it looks is often told
wrong by more than a fit can put right.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramid_hypotheses import Hypotheses
from companion.vision.pyramid_shapes import STANDING

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """What is turned, and how far."""

    found: float = 1.0  # log-odds from which a hypothesis is found ...
    near_mm: float = 9.0  # ... and explains what is proposed so near it
    most: int = 40  # so many proposals, the likeliest
    upright_deg: tuple[float, ...] = (15.0, 30.0, 45.0, 60.0, 75.0)
    lying_deg: tuple[float, ...] = (-40.0, -20.0, 20.0, 40.0)
    worth_a_look: float = -12.0  # least log-odds by the judge without pictures, which goes by edges


def unexplained(proposed: Hypotheses, found: Hypotheses, s: TurnSettings) -> Ints:
    """Numbers of what of `proposed` lies near nothing that was found; `proposed` begins with the likeliest."""
    apart = np.hypot(*(proposed.place[:, None, :2] - found.place[None, :, :2]).transpose(2, 0, 1))
    return np.flatnonzero((apart >= s.near_mm).all(axis=1))[: s.most]


def turned(proposed: Hypotheses, found: Hypotheses, s: TurnSettings) -> Hypotheses:
    """What is not explained by what was found, in all other ways."""
    open_ = unexplained(proposed, found, s)
    ways = [s.upright_deg if kind < STANDING else s.lying_deg for kind in proposed.kind[open_]]
    rows = np.repeat(open_, [len(way) for way in ways])
    place = proposed.place[rows].copy()
    place[:, 2] += np.array([turn for way in ways for turn in way])
    return proposed.only(rows).moved(place)
