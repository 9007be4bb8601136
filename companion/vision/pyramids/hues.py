"""Which colours the pyramids of a table have, looked at together: convolutions see each, and attention compares them.

All pieces of one colour of a set are cast alike and lie in the same light: whether an orange piece is a red one is told
by the others. The convolutions run in `cv2.dnn` (`weights/pyramid_hues.onnx`), the layers after them are plain matrix
products; `pyramid_hues.json` says how they were trained. Without its weights the bodies' colours decide alone.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.vision.attention import Attention
from companion.vision.plans import Plans
from companion.vision.pyramids.look import Trunk, views
from companion.vision.pyramids.shapes import STANDING
from companion.vision.weights import WEIGHTS, arrays_of

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Ints = NDArray[np.intp]

NAME = "pyramid_hues"
SURE = 0.99  # probability, from one side: only pieces whose colour is less sure are looked at from the others, too
FARTHEST = 5.0  # spreads by which a look may differ from the mean of all


@dataclass(frozen=True, eq=False)
class HuesNetwork:
    """The network and the layers after it."""

    trunk: Trunk
    layers: Attention

    def colours(self, patches: Pixels, bodies: Floats, terms: Floats, kind: Ints) -> Floats:
        """(n, colours) logarithms of the probability of each colour, of all n pieces of a table."""
        embedded = self.trunk.embedded(patches)
        beside = beside_of(bodies, terms, kind, self.layers.arrays["look_mean"], self.layers.arrays["look_spread"])
        logs = _logs(self._told(embedded[None], beside))
        doubtful = np.flatnonzero(logs.max(axis=1) < np.log(SURE))
        if not len(doubtful):
            return logs
        seen, _ = views(patches[doubtful], kind[doubtful])
        return _logs(self._told(_sides(embedded, self.trunk.embedded(seen), doubtful, kind), beside))

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


def _sides(straight: Singles, seen: Singles, doubtful: Ints, kind: Ints) -> Singles:
    """(4, n, EMBEDDED): the whole table as it is, and its doubtful pieces in a mirror, and in both the upright ones of
    them turned; `seen` is what the network makes of their `views`.
    """
    sides = np.stack([straight] * 4)
    m, upright = len(doubtful), doubtful[kind[doubtful] < STANDING]
    sides[1::2, doubtful] = seen[:m]
    sides[2:, upright] = np.stack(np.split(seen[m:], 2))
    return sides


def _logs(told: Singles) -> Floats:
    """(n, colours) logarithms of the probabilities, of what (views, n, colours) say on the mean."""
    mean = told.mean(axis=0, dtype=np.float64)
    mean -= mean.max(axis=1, keepdims=True)
    return np.asarray(mean - np.log(np.exp(mean).sum(axis=1, keepdims=True)))


@cache
def shipped_hues() -> HuesNetwork | None:
    """The network that comes with the project; None when its weights are absent."""
    convolutions, layers = (WEIGHTS / f"{NAME}{ending}" for ending in (".onnx", ".npz"))
    if not (convolutions.exists() and layers.exists()):
        return None
    return HuesNetwork(Trunk(Plans(convolutions, blocked=True)), Attention(arrays_of(layers)))
