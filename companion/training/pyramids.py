"""Fits the judge of pyramid hypotheses and the default colours, on simulated tables.

`python -m companion.training.pyramids --tables 160 --seed 1` writes companion/vision/weights/pyramids.npz, stacks.npz,
pyramid_colours.npz and pyramids.json. Needs nothing but the companion itself; seeds stay inside `tables.TRAINING`.
"""

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_COLOURS
from companion.simulator.tables import TRAINING
from companion.training.about import made_by, write_about
from companion.training.folders import made_folder
from companion.training.pyramid_lessons import LESSONS, Lesson
from companion.vision.pyramids.score import FeatureNet
from companion.vision.weights import WEIGHTS

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
LIGHT_ROUNDS, LIGHT_WEIGHT = 5, 3.0  # pieces whose mean counts as much as that the light is the usual one


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


def train_judge(
    columns: Singles, right: Singles, epochs: int, seed: int, hidden: int = 40, noise: float = 0.05, decay: float = 1e-5
) -> dict[str, Singles]:
    """The arrays of a `companion.vision.pyramids.score.FeatureNet`."""
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
            shaken = rng.normal(0, noise, x[chosen].shape).astype(np.float32)
            slopes = net.gradient(x[chosen] + shaken, right[chosen], np.ones(len(chosen), np.float32))
            for i, slope in enumerate(slopes):
                slope = slope + decay * net.weights[i]
                first[i] = 0.9 * first[i] + 0.1 * slope
                second[i] = 0.999 * second[i] + 0.001 * slope**2
                fair = np.sqrt(second[i] / (1 - 0.999**step)) + 1e-8
                net.weights[i] = (net.weights[i] - rate * first[i] / (1 - 0.9**step) / fair).astype(np.float32)
    names = ("first", "first_bias", "second", "second_bias", "last", "last_bias")
    return {"mean": mean, "spread": spread, **dict(zip(names, net.weights, strict=True))}


def fit_colours(lessons: Sequence[Lesson], count: int) -> dict[str, Floats]:
    """The arrays of `companion.vision.pyramids.colours.Looks`: lines and spreads, once the light is taken out."""
    bodies, terms = (np.concatenate([getattr(lesson, name) for lesson in lessons]) for name in ("bodies", "terms"))
    colours = np.concatenate([lesson.colours for lesson in lessons]).astype(np.intp)
    table = np.concatenate([np.full(len(lesson.colours), i) for i, lesson in enumerate(lessons)])
    light = np.zeros((len(lessons), bodies.shape[1]))
    ridge = np.diag([1e-3, 2.0, 2.0, 2.0, 1.0, 4.0])
    lines, rest = np.zeros((count, bodies.shape[1], terms.shape[1])), np.zeros_like(bodies)
    for _ in range(LIGHT_ROUNDS):
        for colour in range(count):
            own = colours == colour
            x, y = terms[own], bodies[own] - light[table[own]]
            lines[colour] = np.linalg.solve(x.T @ x + ridge, x.T @ y).T
            rest[own] = bodies[own] - x @ lines[colour].T
        pieces = np.bincount(table, minlength=len(lessons))
        sums = np.array([rest[table == i].sum(axis=0) for i in range(len(lessons))])
        light = sums / (pieces + LIGHT_WEIGHT)[:, None]
    rest = rest - light[table]
    common = rest.T @ rest / len(rest)
    spreads = []
    for colour in range(count):
        own = rest[colours == colour]
        spreads.append((own.T @ own + 12 * common) / (len(own) + 12) + 1e-4 * np.eye(len(common)))
    many = pieces > LIGHT_WEIGHT
    drift = light[many].T @ light[many] / max(int(many.sum()), 1) + 1e-4 * np.eye(len(common))
    return {"terms": lines, "spread": np.array(spreads), "drift": drift}


def main() -> None:
    """Make the lessons that are missing, fit, and write the weights beside the figures they reach."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--lessons", type=made_folder, default="/tmp/pyramid-lessons", help="folder that keeps them")
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so much work, to go on later")
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    options = parser.parse_args()
    lessons = []
    for seed in TRAINING[: options.tables]:
        if time.process_time() > options.seconds and not (options.lessons / f"{seed:07d}.npz").exists():
            print(f"{len(lessons)} of {options.tables} tables; call again to go on")
            return
        made = LESSONS.kept(seed, options.lessons)
        if made is not None:
            lessons.append(made)
    figures = _fit_all(lessons, options.epochs, options.seed, options.out)
    about = {"version": 1, **made_by("pyramids", tables=len(lessons), **figures)}
    write_about(options.out / "pyramids.json", about)
    print(json.dumps(figures, indent=1))


def _fit_all(lessons: Sequence[Lesson], epochs: int, seed: int, out: Path) -> dict[str, dict[str, float]]:
    """Figures on every fifth table with what the others teach; then weights from all."""
    held = [i % 5 == 4 for i in range(len(lessons))]
    figures: dict[str, dict[str, float]] = {}
    plans = (
        ("pyramids", "single", {"hidden": 40, "noise": 0.08, "decay": 1e-4}, epochs),
        ("stacks", "stacked", {"hidden": 16, "noise": 0.2, "decay": 1e-3}, epochs * 4),
    )
    for name, part, options, passes in plans:
        rows = [(getattr(lesson, part), getattr(lesson, f"{part}_right")) for lesson in lessons]
        taught, tested = (_joined(rows, held, side) for side in (False, True))
        judge = FeatureNet(**train_judge(*taught, passes, seed, **options))
        figures[name] = _judged(judge.log_odds(tested[0]), tested[1])
        np.savez(out / f"{name}.npz", **train_judge(*_joined(rows, held, None), passes, seed, **options))
    looks = fit_colours(lessons, len(PYRAMID_COLOURS))
    np.savez(out / "pyramid_colours.npz", **looks)
    return figures


def _joined(rows: Sequence[tuple[Floats, Floats]], held: Sequence[bool], side: bool | None) -> tuple[Singles, Singles]:
    chosen = [row for row, apart in zip(rows, held, strict=True) if side is None or apart is side]
    columns, right = (np.concatenate(parts).astype(np.float32) for parts in zip(*chosen, strict=True))
    return columns, right


def _judged(log_odds: Floats, right: Singles) -> dict[str, float]:
    p = np.clip(1 / (1 + np.exp(-log_odds)), 1e-6, 1 - 1e-6)
    loss = -float(np.mean(right * np.log(p) + (1 - right) * np.log(1 - p)))
    called = p > 0.5
    return {
        "log_loss": round(loss, 4),
        "found": round(float(called[right == 1].mean()), 4),
        "right": round(float(right[called].mean()), 4),
    }


if __name__ == "__main__":
    main()
