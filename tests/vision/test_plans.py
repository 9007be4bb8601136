"""Networks are asked about any number of inputs, none made up."""

import numpy as np
import pytest

from companion.vision.dice.network import NAME, SIDE_PX
from companion.vision.plans import Plans
from companion.vision.weights import WEIGHTS


@pytest.fixture(scope="module")
def plans():
    return Plans(WEIGHTS / f"{NAME}.onnx", (8, 3, 1))


def patches(count):
    return np.random.default_rng(7).integers(0, 256, (count, SIDE_PX, SIDE_PX, 3), dtype=np.uint8)


@pytest.mark.parametrize("count", [1, 2, 7, 8, 12, 20])
def test_the_answer_to_one_input_does_not_depend_on_those_beside_it(plans, count):
    seen = patches(count)
    one_by_one = np.concatenate([plans.of_pixels(seen[i : i + 1]) for i in range(count)])
    assert np.ptp(one_by_one) > 0
    np.testing.assert_allclose(plans.of_pixels(seen), one_by_one, atol=1e-4)


def test_a_file_that_holds_no_network_is_named(tmp_path):
    (tmp_path / "torn.onnx").write_bytes(b"torn")
    with pytest.raises(ValueError, match=r"torn\.onnx cannot be used"):
        Plans(tmp_path / "torn.onnx")
