"""A set holds only so many pieces of each kind: what one cell shows says something about the others.

This is no rule of the game but what lies in the box (Khet 3a). A piece too many is made unlikely, not impossible:
where the camera is sure of it, it is told as it is. So is a side without a pharaoh, which is lost and cleared away
(Khet 3b.5): a doubtful piece of such a side is rather its pharaoh.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.vision.khet.network import FIRST, PERIOD

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CensusSettings:
    """How many pieces of a kind each side has at most, over all editions; and how much that is trusted."""

    most: Mapping[str, int] = field(
        default_factory=lambda: {
            "pharaoh": 1,
            "sphinx": 1,
            "anubis": 2,
            "scarab": 2,
            "eye": 1,
            "pyramid": 7,
            "obelisk": 4,
        }
    )
    too_many: float = 0.02  # factor for a piece that would be one too many
    always: tuple[str, ...] = ("pharaoh",)  # of which a side that plays has one
    missing: float = 8.0  # factor for a piece that would be the only one of such a kind
    plays_from: float = 4.0  # pieces on the board from which on a side plays
    least: float = 1e-3  # smaller shares are left out of the count
    rounds: int = 2


def at_least(shares: Floats, most: int) -> Floats:
    """(n) chances that at least `most` of the others are there, of independent pieces with these probabilities."""
    n = len(shares)
    counts = np.zeros((n, most + 1))  # row i: distribution of the number of others, the last column "most or more"
    counts[:, 0] = 1.0
    for j, share in enumerate(shares):
        there = np.full((n, 1), share)
        there[j] = 0.0
        moved = counts * there
        counts -= moved
        counts[:, 1:] += moved[:, :-1]
        counts[:, -1] += moved[:, -1]
    return np.asarray(counts[:, most])


def _missing(board: Floats, settings: CensusSettings) -> Floats:
    """(n, classes, 2 sides) factors for pieces of kinds that every side that plays has, and that no other cell is."""
    factors = np.ones_like(board)
    pieces = board[:, FIRST["other"] + 1 :].sum(axis=(0, 1))
    for kind in settings.always:
        own = slice(FIRST[kind], FIRST[kind] + PERIOD[kind])
        for side in np.flatnonzero(pieces >= settings.plays_from):
            absent = np.clip(1 - board[:, own, side].sum(axis=1), settings.least, 1.0)
            nowhere_else = absent.prod() / absent
            factors[:, own, side] = (1 + (settings.missing - 1) * nowhere_else)[:, None]
    return factors


def census(seen: Floats, elsewhere: Floats, settings: CensusSettings) -> Floats:
    """Probabilities (n, classes, 2 sides) of cells, each weighed by what all the others show.

    `elsewhere` (m, classes, 2) are cells of the board that are not read now. Rows of the result sum as before.
    """
    total = seen.sum(axis=(1, 2), keepdims=True)
    now = seen
    for _ in range(settings.rounds):
        board = np.concatenate([now, elsewhere])
        factors = np.ones_like(seen)
        for kind, most in settings.most.items():
            own = slice(FIRST[kind], FIRST[kind] + PERIOD[kind])
            for side in (0, 1):
                shares = board[:, own, side].sum(axis=1)
                counted = np.flatnonzero(shares > settings.least)
                if len(counted) <= most:
                    continue
                crowded = np.zeros(len(board))
                crowded[counted] = at_least(shares[counted], most)
                factors[:, own, side] = (1 - (1 - settings.too_many) * crowded[: len(seen)])[:, None]
        factors *= _missing(board, settings)[: len(seen)]
        weighed = seen * factors
        now = weighed * (total / weighed.sum(axis=(1, 2), keepdims=True))
    return now
