"""Of a piecepack's pawns and dice there is one of each suit."""

import numpy as np
import pytest

from companion.vision.piecepack_networks import KINDS
from companion.vision.piecepack_places import Place, Spot
from companion.vision.piecepack_suits import apart, tell_apart

SURE = [0.97, 0.01, 0.01, 0.01]
TORN = [0.5, 0.45, 0.03, 0.02]
TWINS = 0.03


def places(*told):
    return [
        Place(Spot(KINDS.index(kind), 0.0, 0.0, 0.0, 1.0), 1.0, 1.0, {"suit": np.array(suits, np.float32)})
        for kind, suits in told
    ]


def test_a_blank_die_is_not_of_the_suit_that_another_shows():
    own = places(("die", SURE), ("die", TORN))
    tell_apart(own, TWINS)
    shown, blank = (place.told["suit"] for place in own)
    assert shown.argmax() == 0
    assert shown[0] > 0.9
    assert blank.argmax() == 1
    assert blank[1] > 0.8


@pytest.mark.parametrize(
    ("kinds", "suits"),
    [(("pawn", "die"), TORN), (("coin", "coin"), TORN), (("die",) * 5, TORN), (("die",), TORN)],
    ids=["of another kind", "of which there are more", "of two sets", "alone"],
)
def test_what_says_nothing_of_another_changes_none(kinds, suits):
    own = places((kinds[0], SURE), *((kind, suits) for kind in kinds[1:]))
    before = [place.told["suit"].tolist() for place in own]
    tell_apart(own, TWINS)
    assert [place.told["suit"].tolist() for place in own] == before


def test_two_that_surely_are_of_one_suit_stay_so():
    sure = np.array([[0.999, 0.0004, 0.0003, 0.0003]] * 2, np.float32)
    assert (apart(sure, TWINS)[:, 0] > 0.95).all()


def test_shares_stay_probabilities():
    random = np.random.default_rng(1).dirichlet(np.ones(4), (200, 4)).astype(np.float32)
    for shares in random:
        told = apart(shares, TWINS)
        assert np.isfinite(told).all()
        np.testing.assert_allclose(told.sum(axis=1), 1.0, atol=1e-5)
    certain = np.eye(4, dtype=np.float32)
    np.testing.assert_allclose(apart(certain, TWINS), certain, atol=1e-6)
