"""Probabilities, and what networks and judges tell of them in logarithms."""

import math
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Real = TypeVar("Real", np.float32, np.float64)


def odds_of(chance: float) -> float:
    """The natural log-odds of a probability."""
    return math.log(chance / (1 - chance))


def chance_of(odds: float) -> float:
    """The probability of natural log-odds."""
    return 1 / (1 + math.exp(-odds))


def softmax(logits: NDArray[Real]) -> NDArray[Real]:
    """Probabilities along the last axis."""
    raised = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))
