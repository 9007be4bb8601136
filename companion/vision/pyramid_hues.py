"""Which colours the pyramids of a table have, looked at together: convolutions see each, and attention compares them.

All pieces of one colour of a set are cast alike and lie in the same light: whether an orange piece is a red one is told
by the others. The convolutions run in `cv2.dnn` (`weights/pyramid_hues.onnx`), the layers after them are plain matrix
products; `pyramid_hues.json` says how they were trained. Without its weights the bodies' colours decide alone.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.vision.attention import Attention
from companion.vision.plans import Plans
from companion.vision.pyramid_look import Trunk, views
from companion.vision.pyramid_shapes import STANDING

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Ints = NDArray[np.intp]

WEIGHTS = Path(__file__).parent / "weights"
NAME = "pyramid_hues"
FARTHEST = 5.0  # spreads by which a look may differ from the mean of all


@dataclass(frozen=True, eq=False)
class HuesNetwork:
    """The network and the layers after it."""

    trunk: Trunk
    layers: Attention

    def colours(self, patches: Pixels, bodies: Floats, terms: Floats, kind: Ints) -> Floats:
        """(n, colours) logarithms of the probability of each colour, of all n pieces of a table."""
        seen, _ = views(patches, kind)
        embedded = self.trunk.embedded(np.concatenate([patches, seen]))
        beside = beside_of(bodies, terms, kind, self.layers.arrays["look_mean"], self.layers.arrays["look_spread"])
        told = self._told(_sides(embedded, kind), beside).mean(axis=0, dtype=np.float64)
        told -= told.max(axis=1, keepdims=True)
        return np.asarray(told - np.log(np.exp(told).sum(axis=1, keepdims=True)))

    def _told(self, embedded: Singles, beside: Singles) -> Singles:
        """(views, n, colours) of (views, n, EMBEDDED)."""
        layers = self.layers
        rows = np.concatenate([embedded, np.broadcast_to(beside, (len(embedded), *beside.shape))], axis=2)
        alone = layers.linear(np.maximum(layers.linear(rows, "hidden"), 0), "alone")
        return np.asarray(alone + layers.linear(layers.compared(layers.linear(rows, "token")), "colour"))


def beside_of(bodies: Floats, terms: Floats, kind: Ints, mean: Singles, spread: Singles) -> Singles:
    """(n, k) what is told of each piece beside its patch: its look, scaled, and its class."""
    looks = (np.concatenate([bodies, terms], axis=1) - mean) / spread
    return np.concatenate([np.clip(looks, -FARTHEST, FARTHEST), np.eye(6)[kind]], axis=1).astype(np.float32)


def _sides(embedded: Singles, kind: Ints) -> Singles:
    """(4, n, EMBEDDED): the whole table as it is, in a mirror, and both with the upright pieces turned."""
    n, upright = len(kind), np.flatnonzero(kind < STANDING)
    straight, mirrored = embedded[:n], embedded[n : 2 * n]
    turned = [straight.copy(), mirrored.copy()]
    for side, own in zip(turned, np.split(embedded[2 * n :], 2), strict=True):
        side[upright] = own
    return np.stack([straight, mirrored, *turned])


@cache
def shipped_hues() -> HuesNetwork | None:
    """The network that comes with the project; None when its weights are absent."""
    convolutions, layers = (WEIGHTS / f"{NAME}{ending}" for ending in (".onnx", ".npz"))
    if not (convolutions.exists() and layers.exists()):
        return None
    with np.load(layers) as arrays:
        return HuesNetwork(Trunk(Plans(convolutions)), Attention(dict(arrays)))
