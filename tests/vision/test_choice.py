"""Claims that exclude each other: the heaviest of them stand, and what lies well together weighs more."""

from itertools import chain, combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.choice import heaviest, margins

N = 7
WEIGHTS = st.lists(st.floats(-2.0, 8.0), min_size=N, max_size=N)
PAIRS = st.sets(st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)).filter(lambda pair: pair[0] != pair[1]))


def symmetric(pairs, value=1.0) -> np.ndarray:
    matrix = np.zeros((N, N))
    for i, j in pairs:
        matrix[i, j] = matrix[j, i] = value
    return matrix


def subsets():
    return chain.from_iterable(combinations(range(N), size) for size in range(N + 1))


@given(WEIGHTS, PAIRS)
def test_what_stands_excludes_nothing_of_itself_and_leaves_out_only_what_is_excluded(weights, pairs):
    excludes = symmetric(pairs) > 0
    kept = heaviest(weights, excludes)
    assert not excludes[np.ix_(kept, kept)].any()
    for i in range(N):
        assert i in kept or weights[i] <= 0 or excludes[i, kept].any()


@given(WEIGHTS, PAIRS)
def test_the_heaviest_set_is_found_from_its_own_claims_and_nothing_heavier_is_invented(weights, pairs):
    excludes = symmetric(pairs) > 0
    lawful = [some for some in map(list, subsets()) if not excludes[np.ix_(some, some)].any()]
    best = max(lawful, key=lambda some: sum(weights[i] for i in some))
    kept = heaviest(weights, excludes, starts=[(), best])
    assert abs(sum(weights[i] for i in kept) - sum(weights[i] for i in best)) < 1e-6


@given(WEIGHTS, PAIRS, PAIRS)
def test_bonds_do_not_make_anything_give_way_to_nothing(weights, pairs, apart):
    excludes = symmetric(pairs) > 0
    kept = heaviest(weights, excludes, bonds=symmetric(apart, -3.0))
    for i in range(N):
        assert i in kept or weights[i] <= 0 or excludes[i, kept].any()


def test_many_that_lie_well_together_stand_before_fewer_that_are_surer():
    excludes = symmetric([(0, 4), (1, 4), (1, 5), (2, 5), (2, 6), (3, 6)]) > 0
    row, between = (0, 1, 2, 3), (4, 5, 6)
    weights = [3.0] * len(row) + [5.0] * len(between)
    assert sorted(heaviest(weights, excludes)) == [4, 5, 6]
    together = symmetric([(0, 1), (1, 2), (2, 3)])
    assert sorted(heaviest(weights, excludes, together + symmetric([(4, 5)], -1.0), [between, row])) == [0, 1, 2, 3]


def test_a_claim_is_as_sure_as_it_outweighs_what_would_take_its_place():
    excludes = symmetric([(0, 1), (2, 3), (3, 4)]) > 0
    weights = [5.0, 3.0, 4.0, 6.0, 4.0, -1.0, 2.0]
    kept = heaviest(weights, excludes)
    told = dict(zip(kept, margins(weights, excludes, kept), strict=True))
    assert told == {0: 2.0, 2: 4.0, 4: 4.0, 6: 2.0}  # 3 could take the place of neither 2 nor 4 alone
