"""Fits the judge of pyramid hypotheses and the default colours, on simulated tables.

`python -m training.pyramids --tables 150 --seed 1` writes companion/vision/weights/pyramids.npz and
pyramid_colours.npz. Needs nothing but the companion itself; seeds stay inside `tables.TRAINING`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass
class Net:
    """Two hidden layers, trained by Adam on the log loss."""

    weights: list[Singles]

    @classmethod
    def new(cls, inputs: int, hidden: int, rng: np.random.Generator) -> "Net":
        """Random weights."""
        sizes = [(inputs, hidden), (hidden, hidden // 2), (hidden // 2, 1)]
        made: list[Singles] = []
        for a, b in sizes:
            made += [(rng.standard_normal((a, b)) * np.sqrt(2 / a)).astype(np.float32), np.zeros(b, np.float32)]
        return cls(made)

    def forward(self, x: Singles) -> tuple[Singles, list[Singles]]:
        """Log-odds, and what the hidden layers said."""
        w1, b1, w2, b2, w3, b3 = self.weights
        one = np.maximum(x @ w1 + b1, 0)
        two = np.maximum(one @ w2 + b2, 0)
        return (two @ w3 + b3)[:, 0], [x, one, two]

    def gradient(self, x: Singles, y: Singles, weight: Singles) -> list[Singles]:
        """Of the weighted log loss."""
        logits, (x0, one, two) = self.forward(x)
        off = ((1 / (1 + np.exp(-logits)) - y) * weight / len(y))[:, None]
        back2 = off @ self.weights[4].T * (two > 0)
        back1 = back2 @ self.weights[2].T * (one > 0)
        return [x0.T @ back1, back1.sum(0), one.T @ back2, back2.sum(0), two.T @ off, off.sum(0)]


def batches(count: int, size: int, rng: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """Shuffled numbers in handfuls."""
    order = rng.permutation(count)
    for start in range(0, count, size):
        yield order[start : start + size]


def train_judge(columns: Singles, right: Singles, epochs: int, seed: int, hidden: int = 40) -> dict[str, Singles]:
    """The arrays of a `companion.vision.pyramid_score.Judge`."""
    rng = np.random.default_rng(seed)
    mean, spread = columns.mean(axis=0), columns.std(axis=0) + 1e-3
    x = np.clip((columns - mean) / spread, -5, 5).astype(np.float32)
    net = Net.new(x.shape[1], hidden, rng)
    first, second = [np.zeros_like(w) for w in net.weights], [np.zeros_like(w) for w in net.weights]
    step = 0
    for epoch in range(epochs):
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 1e-5
        for chosen in batches(len(x), 512, rng):
            step += 1
            noise = rng.normal(0, 0.05, x[chosen].shape).astype(np.float32)
            slopes = net.gradient(x[chosen] + noise, right[chosen], np.ones(len(chosen), np.float32))
            for i, slope in enumerate(slopes):
                slope = slope + 1e-5 * net.weights[i]
                first[i] = 0.9 * first[i] + 0.1 * slope
                second[i] = 0.999 * second[i] + 0.001 * slope**2
                fair = np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8
                net.weights[i] = (net.weights[i] - rate * first[i] / (1 - 0.9**step) / fair).astype(np.float32)
    names = ("first", "first_bias", "second", "second_bias", "last", "last_bias")
    return {"mean": mean, "spread": spread, **dict(zip(names, net.weights, strict=True))}


def fit_colours(bodies: Floats, terms: Floats, colours: NDArray[np.intp], count: int) -> dict[str, Floats]:
    """The arrays of `companion.vision.pyramid_colours.Looks`: a line and a spread for every colour."""
    lines, spreads = [], []
    ridge = np.diag([1e-3, 2.0, 2.0, 2.0, 1.0, 4.0])
    common = np.zeros((bodies.shape[1], bodies.shape[1]))
    rests = []
    for colour in range(count):
        own = colours == colour
        x, y = terms[own], bodies[own]
        line = np.linalg.solve(x.T @ x + ridge, x.T @ y)
        rests.append(y - x @ line)
        lines.append(line.T)
        common += rests[-1].T @ rests[-1] / len(bodies)
    for rest in rests:
        spreads.append((rest.T @ rest + 12 * common) / (len(rest) + 12) + 1e-4 * np.eye(len(common)))
    return {"terms": np.array(lines), "spread": np.array(spreads)}
