"""What is on a cell, by its numbers: judges of each cell by itself, and of cells beside the rest of their board."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from companion.vision.chances import softmax
from companion.vision.weights import WEIGHTS, arrays_of

Singles = NDArray[np.float32]
Ints = NDArray[np.int64]

NAME = "discs"
CLASSES = ("empty", "black", "white")


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """One hidden layer from columns to the logits of CLASSES."""

    mean: Singles
    spread: Singles
    hidden: Singles  # (columns, h)
    hidden_bias: Singles
    last: Singles  # (h, 3)
    last_bias: Singles

    def inner(self, columns: Singles) -> Singles:
        """(n, h) what the hidden layer says."""
        x = np.clip((columns - self.mean) / self.spread, -5, 5)
        return np.asarray(np.maximum(x @ self.hidden + self.hidden_bias, 0), dtype=np.float32)

    def logits(self, columns: Singles) -> Singles:
        """(n, 3)."""
        return np.asarray(self.inner(columns) @ self.last + self.last_bias, dtype=np.float32)

    def arrays(self, prefix: str) -> dict[str, Singles]:
        """As named arrays."""
        return {f"{prefix}_{name}": getattr(self, name) for name in self.__dataclass_fields__}

    @classmethod
    def read(cls, arrays: Mapping[str, Singles], prefix: str) -> "Judge":
        """Back from `arrays`; KeyError when one is missing."""
        return cls(*(arrays[f"{prefix}_{name}"].astype(np.float32) for name in cls.__dataclass_fields__))


def bent(judge: Judge, columns: Singles, labels: Ints, stiffness: float, rounds: int) -> Judge:
    """The judge whose last layer explains the labelled cells best without leaving the given one further than needed."""
    inputs = np.hstack([judge.inner(columns), np.ones((len(columns), 1), np.float32)])
    start = np.vstack([judge.last, judge.last_bias[None]])
    weight = (1 / np.sqrt(np.bincount(labels, minlength=3)[labels]))[:, None].astype(np.float32)
    target = np.eye(3, dtype=np.float32)[labels]
    steepest = float(np.linalg.norm((inputs * weight).T @ inputs, 2))
    now = start.copy()
    for _ in range(rounds):
        downhill = inputs.T @ ((softmax(inputs @ now) - target) * weight) + stiffness * (now - start)
        now = now - downhill / (0.5 * steepest + stiffness)
    return replace(judge, last=now[:-1].astype(np.float32), last_bias=now[-1].astype(np.float32))


@cache
def shipped_judges() -> tuple[Judge, Judge]:
    """The judges that the project ships: of a cell by itself, and beside the rest of its board."""
    arrays = arrays_of(WEIGHTS / f"{NAME}.npz")
    return Judge.read(arrays, "first"), Judge.read(arrays, "second")
