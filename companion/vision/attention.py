"""The layers of a trained network that compares things with one another: plain matrix products.

`companion.training.attention` trains them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.chances import softmax

Singles = NDArray[np.float32]

HEADS = 4
TINY = 1e-5  # of a variance


@dataclass(frozen=True, eq=False)
class Attention:
    """`arrays` by the names that torch gives them."""

    arrays: Mapping[str, Singles]

    @property
    def layers(self) -> int:
        """How many layers of attention there are."""
        return sum(name.endswith(".told.bias") for name in self.arrays)

    def linear(self, x: Singles, name: str) -> Singles:
        """(..., m) of (..., k)."""
        return np.asarray(x @ self.arrays[f"{name}.weight"].T + self.arrays[f"{name}.bias"])

    def compared(self, x: Singles) -> Singles:
        """(views, n, WIDTH) what each of n tokens is once it has been compared with the others of its view."""
        for number in range(self.layers):
            layer = f"layers.{number}"
            x = x + self.linear(self._heard(self._norm(x, f"{layer}.norm1"), layer), f"{layer}.told")
            wide = np.maximum(self.linear(self._norm(x, f"{layer}.norm2"), f"{layer}.wide"), 0)
            x = x + self.linear(wide, f"{layer}.narrow")
        return self._norm(x, "norm")

    def _heard(self, x: Singles, layer: str) -> Singles:
        """(views, n, WIDTH) what each token hears from all of its view."""
        views, n, width = x.shape
        asked = self.linear(x, f"{layer}.asked").reshape(views, n, 3, HEADS, width // HEADS)
        query, key, value = asked.transpose(2, 0, 3, 1, 4)
        near = query @ key.swapaxes(-1, -2) / np.float32((width // HEADS) ** 0.5)
        heard = softmax(near) @ value
        return np.asarray(heard.transpose(0, 2, 1, 3).reshape(views, n, width))

    def _norm(self, x: Singles, name: str) -> Singles:
        about = x - x.mean(axis=-1, keepdims=True)
        scaled = about / np.sqrt((about**2).mean(axis=-1, keepdims=True) + np.float32(TINY))
        return np.asarray(scaled * self.arrays[f"{name}.weight"] + self.arrays[f"{name}.bias"])
