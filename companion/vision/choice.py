"""Which of many claims stand when some exclude each other: the set of greatest weight, and how sure each is."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ROUNDS = 50


def heaviest(
    weights: Sequence[float],
    excludes: Flags,
    bonds: Floats | None = None,
    starts: Sequence[Sequence[int]] = ((),),
) -> list[int]:
    """Indices of claims that exclude none of each other and weigh most together (local search; weights above 0 count).

    `excludes`: (n, n), symmetric. One claim or two drive out all that they exclude, others come in where they now can,
    and so it stays if all of them weigh more. `bonds`: (n, n), symmetric, what each two claims that stand together add
    to their weight (or take off it); they decide between claims: one that excludes no other stands in any case.
    `starts`: claims to begin with, where there are several ways to begin.
    """
    w = np.asarray(weights, np.float64)
    order = [int(i) for i in np.argsort(-w) if w[i] > 0]
    claims = _Claims(w, excludes, np.zeros(excludes.shape) if bonds is None else bonds, order)
    best = max((_bettered(claims, claims.among(start)) for start in starts), key=claims.weight)
    return sorted(claims.filled(best, choosy=False), key=order.index)


def margins(weights: Sequence[float], excludes: Flags, kept: Sequence[int]) -> list[float]:
    """By how much each of the kept claims weighs more than the best single one that could take its place."""
    w = np.asarray(weights, np.float64)
    chosen = np.zeros(len(w), bool)
    chosen[list(kept)] = True
    found = []
    for i in kept:
        others = chosen.copy()
        others[i] = False
        rivals = [w[j] for j in np.flatnonzero(excludes[i] & ~chosen) if not (excludes[j] & others).any()]
        found.append(float(w[i] - max([0.0, *rivals])))
    return found


def _bettered(claims: "_Claims", kept: list[int]) -> list[int]:
    """Where the search from these ends."""
    for _ in range(ROUNDS):
        free = [i for i in claims.order if i not in kept]
        pairs = ([i, j] for n, i in enumerate(free) for j in free[n + 1 :] if not claims.excludes[i, j])
        tries = (claims.filled(claims.beside(new, kept)) for new in chain(([i] for i in free), pairs))
        least = claims.weight(kept) + 1e-9
        better = next((some for some in tries if claims.weight(some) > least), None)
        if better is None:
            break
        kept = better
    return kept


@dataclass(frozen=True)
class _Claims:
    weights: Floats
    excludes: Flags
    bonds: Floats
    order: Sequence[int]

    def among(self, some: Collection[int]) -> list[int]:
        """The heaviest of these as far as they fit, and then of the others."""
        kept: list[int] = []
        for i in self.order:
            if i in some and not self.excludes[i, kept].any():
                kept.append(i)
        return self.filled(kept)

    def beside(self, new: Sequence[int], kept: Collection[int]) -> list[int]:
        return [*new, *(k for k in kept if k not in new and not self.excludes[k, new].any())]

    def filled(self, kept: list[int], choosy: bool = True) -> list[int]:
        """These, and the heaviest of the others that fit; if `choosy`, only what adds to the weight."""
        out: Flags = np.any(self.excludes[kept], axis=0)
        out[kept] = True
        bond = self.bonds[kept].sum(axis=0)
        for i in self.order:
            if not out[i] and (not choosy or self.weights[i] + bond[i] > 0):
                kept.append(i)
                out |= self.excludes[i]
                bond += self.bonds[i]
        return kept

    def weight(self, kept: Sequence[int]) -> float:
        return float(self.weights[kept].sum() + self.bonds[np.ix_(kept, kept)].sum() / 2)
