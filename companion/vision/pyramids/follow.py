"""Proposals moved to where the network that looks at them sees their pieces, look by look.

Clear plastic on cloth has next to no edges, and a fit to edges carries what is proposed there off to the next thread.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.look import Opinion, moved_by

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class FollowSettings:
    """What is followed, and how far."""

    found: float = 1.0  # log-odds from which a hypothesis is found ...
    near_mm: float = 9.0  # ... and explains what is proposed so near it
    most: int = 40  # so many proposals, the likeliest
    looks: int = 3  # at each, the first where it is proposed
    least: float = -7.5  # log-odds from which it is followed
    off_mm: float = 0.4  # what the network sees by less off ...
    off_deg: float = 2.0  # ... and turned by less is where it is


def unexplained(proposed: Hypotheses, found: Hypotheses, s: FollowSettings) -> Ints:
    """Numbers of what of `proposed` lies near nothing that was found; `proposed` begins with the likeliest."""
    apart = np.hypot(*(proposed.place[:, None, :2] - found.place[None, :, :2]).transpose(2, 0, 1))
    return np.flatnonzero((apart >= s.near_mm).all(axis=1))[: s.most]


def followed(
    look: Callable[[Hypotheses], Opinion], proposed: Hypotheses, s: FollowSettings
) -> tuple[Hypotheses, Floats]:
    """All places at which proposals were looked at, and their log-odds."""
    places, odds = [], [np.zeros(0)]
    for _ in range(s.looks):
        if not len(proposed):
            break
        opinion = look(proposed)
        places.append(proposed)
        odds.append(opinion.odds)
        moved = moved_by(proposed, opinion.off)
        far = np.hypot(*(moved.place - proposed.place)[:, :2].T) > s.off_mm
        turned = np.abs(opinion.off[:, 2]) > s.off_deg
        proposed = moved.only(np.flatnonzero((opinion.odds > s.least) & (far | turned)))
    return joined(places), np.concatenate(odds)
