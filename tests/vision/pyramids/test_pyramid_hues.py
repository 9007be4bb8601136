"""Colours of all pyramids of a table, told together."""

import numpy as np
import pytest

from companion.vision.attention import HEADS, Attention
from companion.vision.pyramids import hues as pyramid_hues
from companion.vision.pyramids.colours import BODY, TERMS
from companion.vision.pyramids.hues import SURE, beside_of, shipped_hues
from companion.vision.pyramids.look import Trunk, views
from companion.vision.pyramids.patches import CHANNELS, SIDE_PX
from companion.vision.pyramids.shapes import STANDING
from companion.vision.weights import WEIGHTS

needs_weights = pytest.mark.skipif(not (WEIGHTS / "pyramid_hues.onnx").exists(), reason="the network is not here")


def seen(seed, n=7, lying=False):
    rng = np.random.default_rng(seed)
    coarse = rng.integers(60, 200, (n, CHANNELS, 6, 6))
    patches = np.repeat(np.repeat(coarse, SIDE_PX // 6, axis=2), SIDE_PX // 6, axis=3).astype(np.uint8)
    kind = rng.integers(STANDING, 6, n) if lying else rng.integers(0, 6, n)
    return patches, rng.normal(-1, 0.5, (n, BODY)), rng.normal(-1, 0.5, (n, TERMS)), kind


@needs_weights
def test_the_order_of_the_pieces_does_not_matter():
    patches, bodies, terms, kind = seen(1)
    logs = shipped_hues().colours(patches, bodies, terms, kind)
    order = np.random.default_rng(2).permutation(len(kind))
    again = shipped_hues().colours(patches[order], bodies[order], terms[order], kind[order])
    np.testing.assert_allclose(again, logs[order], atol=2e-2)
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1.0, atol=1e-6)


@needs_weights
def test_lying_pieces_look_the_same_in_a_mirror():
    patches, bodies, terms, kind = seen(3, lying=True)
    logs = shipped_hues().colours(patches, bodies, terms, kind)
    mirrored = shipped_hues().colours(patches[:, :, ::-1].copy(), bodies, terms, kind)
    np.testing.assert_allclose(mirrored, logs, atol=2e-2)


@needs_weights
def test_a_piece_is_told_by_the_others_beside_it():
    patches, bodies, terms, kind = seen(5)
    together = shipped_hues().colours(patches, bodies, terms, kind)
    alone = shipped_hues().colours(patches[:1], bodies[:1], terms[:1], kind[:1])
    assert np.abs(together[0] - alone[0]).max() > 0.05


@needs_weights
@pytest.mark.parametrize("sure", [0.01, SURE, 1.1])
def test_only_what_is_in_doubt_is_looked_at_from_other_sides(sure, monkeypatch):
    patches, bodies, terms, kind = seen(9, n=12)
    network, looked = shipped_hues(), []
    one_sided = soft(network._told(network.trunk.embedded(patches)[None], beside(network, bodies, terms, kind))[0])
    doubtful = int((one_sided.max(axis=1) < sure).sum())
    assert doubtful == {0.01: 0, 1.1: 12}.get(sure, doubtful)

    def embedded(self, shown):
        looked.append(len(shown))
        return told(self, shown)

    told = Trunk.embedded
    monkeypatch.setattr(Trunk, "embedded", embedded)
    monkeypatch.setattr(pyramid_hues, "SURE", sure)
    logs = network.colours(patches, bodies, terms, kind)
    assert looked[0] == 12
    assert (
        sum(looked[1:]) == len(views(patches, kind)[1])
        if doubtful == 12
        else doubtful <= sum(looked[1:]) <= 3 * doubtful
    )
    if not doubtful:
        np.testing.assert_allclose(np.exp(logs), one_sided, atol=1e-5)


def beside(network, bodies, terms, kind):
    arrays = network.layers.arrays
    return beside_of(bodies, terms, kind, arrays["look_mean"], arrays["look_spread"])


def soft(told):
    """Probabilities."""
    shares = np.exp(told - told.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def test_without_weights_there_is_no_network(without_weights):
    without_weights(pyramid_hues, shipped_hues)
    assert shipped_hues() is None


def test_attention_as_it_is_written():
    rng, width, n = np.random.default_rng(7), 8, 5
    names = {
        "asked": (3 * width, width),
        "told": (width, width),
        "wide": (2 * width, width),
        "narrow": (width, 2 * width),
    }
    arrays = {f"layers.0.{name}.weight": rng.normal(size=shape) for name, shape in names.items()}
    arrays |= {f"layers.0.{name}.bias": rng.normal(size=shape[0]) for name, shape in names.items()}
    for norm in ("layers.0.norm1", "layers.0.norm2", "norm"):
        arrays |= {f"{norm}.weight": rng.normal(size=width), f"{norm}.bias": rng.normal(size=width)}
    x = rng.normal(size=(n, width))
    attention = Attention(arrays)
    assert attention.layers == 1

    def normed(row, name):
        return (row - row.mean()) / np.sqrt(row.var() + 1e-5) * arrays[f"{name}.weight"] + arrays[f"{name}.bias"]

    def through(row, name):
        return arrays[f"layers.0.{name}.weight"] @ row + arrays[f"layers.0.{name}.bias"]

    asked = [through(normed(row, "layers.0.norm1"), "asked") for row in x]
    part = width // HEADS
    for i, row in enumerate(x):
        heard = []
        for head in range(HEADS):
            own = slice(head * part, (head + 1) * part)
            query = asked[i][own]
            near = np.array([query @ other[width:][own] for other in asked]) / np.sqrt(part)
            shares = np.exp(near) / np.exp(near).sum()
            heard.append(sum(share * other[2 * width :][own] for share, other in zip(shares, asked, strict=True)))
        row = row + through(np.concatenate(heard), "told")
        row = row + through(np.maximum(through(normed(row, "layers.0.norm2"), "wide"), 0), "narrow")
        np.testing.assert_allclose(attention.compared(x[None])[0, i], normed(row, "norm"), atol=1e-9)
