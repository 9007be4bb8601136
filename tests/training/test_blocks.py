"""A convolution over blocks of pixels answers as the one it was made of."""

import numpy as np
import pytest

from companion.training.blocks import blocked, unblocked
from companion.vision.plans import in_blocks


def convolved(planes, weights, step):
    """(n, o, h, w) of (n, c, h, w) and (o, c, k, k), as a network does it, padded by half the side."""
    side = weights.shape[-1]
    wide = np.pad(planes, ((0, 0), (0, 0), *[(side // 2, side // 2)] * 2))
    seen = np.lib.stride_tricks.sliding_window_view(wide, (side, side), axis=(2, 3))[:, :, ::step, ::step]
    return np.einsum("nchwij,ocij->nohw", seen, weights)


@pytest.mark.parametrize(("planes", "high", "wide"), [(1, 2, 2), (3, 8, 12), (5, 16, 6)])
def test_over_blocks_the_answers_are_the_same(planes, high, wide):
    random = np.random.default_rng(planes)
    seen = random.standard_normal((2, planes, high, wide)).astype(np.float32)
    weights = random.standard_normal((4, planes, 5, 5)).astype(np.float32)
    np.testing.assert_allclose(
        convolved(in_blocks(seen), blocked(weights), 1), convolved(seen, weights, 2), rtol=1e-4, atol=1e-4
    )


def test_what_was_turned_is_turned_back():
    weights = np.arange(2 * 3 * 25, dtype=np.float32).reshape(2, 3, 5, 5)
    assert (unblocked(blocked(weights)) == weights).all()
