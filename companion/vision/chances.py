"""Probabilities of what networks and judges tell in logarithms."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Real = TypeVar("Real", np.float32, np.float64)


def softmax(logits: NDArray[Real]) -> NDArray[Real]:
    """Probabilities along the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))
