"""What is told of trees of pyramids, of all that may be in one at once."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pieces import PYRAMID_SIZES
from companion.vision.pyramids import trees as pyramid_trees
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.shapes import CLASSES, STANDING
from companion.vision.pyramids.trees import (
    LEAST,
    MEDIUM,
    MOST,
    SMALL,
    TREES,
    WORTH,
    Grown,
    grown,
    possible,
    shipped_layers,
)

LARGE = [CLASSES.index(("large", pose)) for pose in ("upright", "lying")]
ODDS = st.lists(st.floats(LEAST, MOST), min_size=3, max_size=3)


def on_it(kind, *sizes_above):
    """Hypotheses, one of each size, marked by their height."""
    lying = kind // STANDING * STANDING
    return Hypotheses(
        np.array([lying + size for size in sizes_above]), np.zeros((len(sizes_above), 4)), np.zeros(1, int)
    )


def tree(kind, odds):
    lowest = Hypotheses(np.array([kind]), np.zeros((1, 4)), np.zeros(1, int))
    medium, small = on_it(kind, MEDIUM), on_it(kind, SMALL)
    return Grown(lowest, medium, small, small, np.array([odds], float), shipped_layers())


def sizes_of(stacked):
    return [PYRAMID_SIZES[int(one.piece.kind[0]) % STANDING] for one in stacked]


@given(st.integers(0, len(CLASSES) - 1), ODDS)
def test_every_piece_is_smaller_than_what_it_lies_on_and_at_least_as_sure_as_asked_for(kind, odds):
    stacked = tree(kind, odds).on(0, 0.5)
    sizes = [kind % STANDING, *(int(one.piece.kind[0]) % STANDING for one in stacked)]
    assert sizes == sorted(set(sizes), reverse=True)
    assert all(0.5 <= one.odds <= MOST + 1e-9 for one in stacked)


@given(st.sampled_from(LARGE), ODDS)
def test_a_piece_is_as_sure_as_all_trees_that_hold_it(kind, odds):
    one = tree(kind, odds)
    shares = np.exp(one.logits()[0])
    told = {int(each.piece.kind[0]) % STANDING: each.odds for each in one.on(0, LEAST - 1)}
    for size in (SMALL, MEDIUM):
        with_it = sum(share for share, which in zip(shares, TREES, strict=True) if size in which)
        assert told[size] == pytest.approx(np.clip(np.log(with_it / (shares.sum() - with_it)), LEAST, MOST), abs=1e-6)


@given(st.sampled_from(LARGE), ODDS)
def test_of_what_was_found_on_it_only_trees_that_hold_it_are_weighed(kind, odds):
    one = tree(kind, odds)
    lone_small, lone_medium, both = one.logits()[0, 1:]
    assert bool(one.under_small(0, 0.0)) == (both >= lone_small)
    assert bool(one.over_medium(0, 0.0)) == (both >= lone_medium)
    assert not one.under_small(0, max(0.0, both - lone_small + 0.1))


@pytest.mark.parametrize(
    ("odds", "sizes"),
    [
        ((-9.0, -9.0, -9.0), []),
        ((-9.0, -6.0, 6.0), ["small"]),
        ((7.0, -8.0, -6.0), ["medium"]),
        ((6.0, 6.0, 2.0), ["medium", "small"]),
    ],
)
def test_the_bare_the_low_and_the_whole_tree_are_told(odds, sizes):
    assert all(sizes_of(tree(kind, odds).on(0, 0.5)) == sizes for kind in LARGE)


def test_a_small_piece_carries_nothing_and_a_medium_one_a_small_one():
    assert possible(np.array([0, 1, 2])).tolist() == [[True] + [False] * 3, [True, True, False, False], [True] * 4]
    assert tree(CLASSES.index(("small", "lying")), (9.0, 9.0, 9.0)).on(0, 0.5) == []
    assert sizes_of(tree(CLASSES.index(("medium", "upright")), (LEAST, LEAST, 7.0)).on(0, 0.5)) == ["small"]


def test_without_weights_each_is_judged_by_itself(without_weights):
    without_weights(pyramid_trees, shipped_layers)
    assert sizes_of(tree(LARGE[0], (3.0, 2.0, 1.0)).on(0, 0.5)) == ["medium", "small"]
    assert sizes_of(tree(LARGE[0], (-3.0, 2.0, 1.0)).on(0, 0.5)) == ["small"]
    assert tree(LARGE[0], (-3.0, 2.0, -1.0)).on(0, 0.5) == []


def test_without_the_network_what_was_fitted_to_it_does_not_count(monkeypatch):
    monkeypatch.setattr(pyramid_trees, "look_of", lambda windows: None)
    nothing = Hypotheses(np.zeros(0, int), np.zeros((0, 4)), np.zeros(0, int))
    trees = grown(None, nothing, lambda windows, lower: (lower, np.zeros(0, int), np.zeros(0)))
    assert trees.layers is pyramid_trees.ALONE


def test_what_lies_on_a_medium_piece_is_asked_where_there_may_be_one():
    lowest = Hypotheses(np.array([LARGE[0], LARGE[0], 1, 0]), np.zeros((4, 4)), np.zeros(4, int))
    asked = []

    def on_each(windows, lower):
        pairs = [(i, size) for i, kind in enumerate(lower.kind.tolist()) for size in range(kind)]
        under, kinds = np.array(pairs, int).reshape(-1, 2).T
        asked.append(lower.kind.tolist())
        odds = np.where((kinds == MEDIUM) & (under == 1), WORTH - 0.5, 2.0 + kinds)
        return (
            Hypotheses(kinds, np.column_stack([under, kinds, kinds, kinds]).astype(float), np.zeros(len(kinds), int)),
            under,
            odds,
        )

    trees = grown(SimpleNamespace(since=None), lowest, on_each)
    assert asked == [[LARGE[0], LARGE[0], 1, 0], [MEDIUM]]
    assert trees.odds.tolist() == [
        [3.0, 2.0, 2.0],
        [WORTH - 0.5, LEAST, 2.0],
        [LEAST, LEAST, 2.0],
        [LEAST, LEAST, LEAST],
    ]
    assert trees.medium.place[:2, 0].tolist() == [0.0, 1.0]
    assert trees.small.place[:3, 0].tolist() == [0.0, 1.0, 2.0]
    assert trees.top.kind[0] == SMALL
