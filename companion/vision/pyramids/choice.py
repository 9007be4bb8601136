"""Which of many hypotheses are the pyramids of a table: the most probable set of which none excludes another."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.headings import turn_deg
from companion.vision.chances import odds_of
from companion.vision.convex import shared
from companion.vision.pyramids.hypotheses import Hypotheses, on_top
from companion.vision.pyramids.placed import Placed
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import STANDING, TIP_RISE_MM

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

Choice = tuple[Ints, Floats, tuple[dict[int, float], ...], tuple[int | None, ...]]  # see `chosen_set`


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """Hypotheses together with what each carries."""

    lower: Ints  # (t) numbers of the hypotheses
    odds: Floats  # (t) log-odds of both together
    tops: tuple[Floats, ...]  # outlines of the upper ones
    bare: frozenset[int] = frozenset()  # numbers of hypotheses that surely carry nothing


@dataclass(frozen=True, slots=True)
class _Clashes:
    """How candidates stand to each other, by their numbers."""

    foes: dict[int, set[int]]  # those that cannot be there with it
    as_top: set[tuple[int, int]]  # ... because one is what the other's tree has on top
    over: dict[int, set[int]]  # those that it lies over, and may be stacked on


def chosen_set(tried: Placed, odds: Floats, trees: Trees, s: PyramidSettings) -> Choice:
    """The most probable set of hypotheses that do not exclude each other, their log-odds, the probability of every
    class at each spot, and stacks. A lying piece over the tip of another lying one excludes it not: it is stacked on
    it. A tree counts as one hypothesis in the place of its lower piece, which excludes what lies where its top does.
    """
    found, least, n = tried.found, odds_of(s.perhaps), len(tried.found)
    of = np.concatenate([np.arange(n), trees.lower])  # the hypothesis that each candidate is
    all_odds = np.concatenate([odds, trees.odds])
    order = [int(i) for i in np.argsort(-all_odds) if all_odds[i] > least - 3]
    clashes = _clashes(tried, of, order, trees, s)
    foes = clashes.foes
    worth = np.concatenate([np.minimum(odds, s.most_odds), trees.odds]) - least
    kept = best_set([i for i in order if worth[i] > 0], foes, worth)
    spots: dict[int, list[int]] = {i: [int(of[i])] for i in kept}
    for i in order:
        rivals = [k for k in kept if k in foes[i] and (i, k) not in clashes.as_top]
        if i < n and i not in spots and rivals and i != of[rivals[0]]:
            spots[rivals[0]].append(i)
    carried = tuple(next((kept.index(j) for j in clashes.over.get(i, ()) if j in kept), None) for i in kept)
    own = np.array([max(odds[of[i]], min(all_odds[i], s.backed_to)) for i in kept], dtype=np.float64)
    raised = odds.copy()
    raised[of[kept]] = own
    beliefs = tuple(alternatives(found, raised, np.array(spots[i], dtype=np.intp)) for i in kept)
    return of[np.array(kept, dtype=np.intp)], own, beliefs, carried


def _clashes(tried: Placed, of: Ints, order: Sequence[int], trees: Trees, s: PyramidSettings) -> _Clashes:
    """Of the candidates in `order`, each the hypothesis `of` it, or from the number of hypotheses on a tree."""
    found, outlines, feet, n = tried.found, tried.outlines, tried.feet, len(tried.found)
    foes: dict[int, set[int]] = {i: set() for i in order}
    as_top: set[tuple[int, int]] = set()
    over: dict[int, set[int]] = {}
    spans = [_span(outlines[of[i]], trees.tops[i - n] if i >= n else None) for i in order]
    touching = _touching(spans) | _touching([feet[of[i]] for i in order])
    for rank, i in enumerate(order):
        for j in (order[int(m)] for m in np.flatnonzero(touching[rank, :rank])):
            a, b = int(of[i]), int(of[j])
            if _stands_for_top(trees, i - n, outlines[b], s) or _stands_for_top(trees, j - n, outlines[a], s):
                _exclude_each_other(foes, i, j)
                as_top |= {(i, j), (j, i)}
            elif a != b and not exclude(outlines[a], outlines[b], feet[a], feet[b], s):
                continue
            elif _lies_over(found, a, b, s):
                over.setdefault(i, set()).add(j)
            elif _lies_over(found, b, a, s):
                over.setdefault(j, set()).add(i)
            else:
                _exclude_each_other(foes, i, j)
    return _Clashes(foes, as_top, over)


def _exclude_each_other(foes: Mapping[int, set[int]], i: int, j: int) -> None:
    foes[i].add(j)
    foes[j].add(i)


def _span(outline_mm: Floats, top: Floats | None) -> Floats:
    return outline_mm if top is None else np.vstack([outline_mm, top])


def _stands_for_top(trees: Trees, tree: int, other: Floats, s: PyramidSettings) -> bool:
    """True if another outline lies where the upper piece of a tree does: it is that piece, taken for one on the
    table."""
    return tree >= 0 and shared(trees.tops[tree], other) > s.hidden


def exclude(seen: Floats, other: Floats, foot: Floats, other_foot: Floats, s: PyramidSettings) -> bool:
    """True when two pieces cannot both be there: one would stand in the other, or quite hide it."""
    return shared(foot, other_foot) > s.within or shared(seen, other) > s.hidden


def _touching(outlines: Sequence[Floats]) -> NDArray[np.bool_]:
    """(n, n) whose upright boxes overlap."""
    low = np.array([points.min(axis=0) for points in outlines]).reshape(-1, 1, 2)
    high = np.array([points.max(axis=0) for points in outlines]).reshape(-1, 1, 2)
    return np.asarray(((low <= high.transpose(1, 0, 2)) & (low.transpose(1, 0, 2) <= high)).all(axis=2))


def best_set(order: Sequence[int], foes: Mapping[int, set[int]], worth: Floats) -> list[int]:
    """Greedily the best ones; then one is given up where several that only it excludes are worth more together."""
    kept: list[int] = []
    for i in order:
        if not foes[i] & set(kept):
            kept.append(i)
    better = True
    while better:
        better = False
        for k in list(kept):
            others = set(kept) - {k}
            instead: list[int] = []
            for i in (i for i in order if k in foes[i] and not foes[i] & others):
                if not foes[i] & set(instead):
                    instead.append(i)
            if sum(worth[i] for i in instead) > worth[k] + 1e-9:
                kept, better = [*others, *instead], True
                break
    return sorted(kept, key=lambda i: -worth[i])


def _lies_over(found: Hypotheses, upper: int, lower: int, s: PyramidSettings) -> bool:
    """True if a lying piece lies where one stacked on that other lying piece would."""
    kind, below = found.kind[[upper, lower]].tolist()
    if not STANDING <= kind < below:
        return False
    place, due = found.place[upper], on_top(found.only([lower]), np.array([kind]), np.full(1, TIP_RISE_MM)).place[0]
    return abs(turn_deg(place[2], due[2])) < s.over_deg and math.dist(place[:2], due[:2]) < s.over_mm


def alternatives(found: Hypotheses, odds: Floats, spot: Ints) -> dict[int, float]:
    """Probability of each class at one spot, by the odds of its best hypothesis there."""
    best: dict[int, float] = {}
    for i in spot:
        kind = int(found.kind[i])
        best[kind] = max(best.get(kind, -math.inf), float(np.clip(odds[i], -30, 12)))
    whole = 1 + sum(math.exp(v) for v in best.values())
    return {kind: math.exp(v) / whole for kind, v in best.items()}
