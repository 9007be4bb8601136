"""Which of many claims stand when some exclude each other: the set of greatest weight, and how sure each is."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ROUNDS = 50


def heaviest(weights: Sequence[float], excludes: Flags) -> list[int]:
    """Indices of claims that exclude none of each other and weigh most together (local search; weights above 0 count).

    `excludes`: (n, n), symmetric. A claim joins when it weighs more than all those that it drives out, and two of them
    when they do so together.
    """
    w = np.asarray(weights, np.float64)
    kept = np.zeros(len(w), bool)
    order = [int(i) for i in np.argsort(-w) if w[i] > 0]
    for i in order:
        kept[i] = not (excludes[i] & kept).any()
    for _ in range(ROUNDS):
        if not (_join_one(w, excludes, kept, order) or _join_two(w, excludes, kept, order)):
            break
    return [i for i in order if kept[i]]


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


def _join_one(w: Floats, excludes: Flags, kept: Flags, order: Sequence[int]) -> bool:
    for i in order:
        out = excludes[i] & kept
        if not kept[i] and w[i] > w[out].sum() + 1e-9:
            kept[out] = False
            kept[i] = True
            return True
    return False


def _join_two(w: Floats, excludes: Flags, kept: Flags, order: Sequence[int]) -> bool:
    free = [i for i in order if not kept[i]]
    for n, i in enumerate(free):
        for j in free[n + 1 :]:
            if excludes[i, j]:
                continue
            out = (excludes[i] | excludes[j]) & kept
            if w[i] + w[j] > w[out].sum() + 1e-9:
                kept[out] = False
                kept[[i, j]] = True
                return True
    return False
