"""Fits what is told of trees of pyramids to what the network says of each piece that may be in them.

`python -m companion.training.pyramid_trees --seeds 49000 49600 --lessons FOLDER --apart 49400 49600` reads simulated
tables of trees and writes companion/vision/weights/pyramid_trees.npz and .json. With `--traced FOLDER`, all path-traced
pictures there are read, too. A second or two of one core a table, kept in the folders; needs nothing but the companion
itself. Fit it anew, in empty folders, after the network that looks at single hypotheses (`pyramid_network`).
"""

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import PYRAMID_SIZES as SIZES
from companion.training.about import made_by, write_about
from companion.training.folders import made_folder
from companion.training.lesson_folder import LessonFolder
from companion.training.pyramid_lessons import Truth, picture_of, seeds_of, table_of
from companion.training.seen_ground import ground_of
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.trees import NAME, ODDS, TREES, Grown, grown, possible
from companion.vision.weights import WEIGHTS

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

NEAR_MM = 5.0
PRIOR = {(): 0.6, (0,): 0.15, (1,): 0.15, (1, 0): 0.1}  # how often each tree is met on games' tables
STEPS, RATE, DECAY, SCALE = 4000, 0.5, 1e-4, 5.0  # log-odds that count as one


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """n lowest pieces: their classes, the log-odds of what may be on them, and which of TREES each carries."""

    kind: Ints
    odds: Floats  # (n, ODDS)
    tree: Ints


def told_lesson(seed: int, folder: Path) -> Told | None:
    """Of every lowest piece of a table that the eye has found where one is; None when there is none."""
    table = table_of(seed)
    ground = ground_of(table.scene, picture_of(table, folder))
    if ground is None:
        return None
    finder = PyramidFinder()
    seen = finder.see(ground)
    lowest = np.array([i for i, below in enumerate(seen.on) if below is None], np.intp)
    if not len(lowest):
        return None
    trees = grown(seen.windows, seen.found.only(lowest), finder.on_each)
    truth = [p for p in table.truth()["pieces"] if p["kind"] == "pyramid"]
    there = [_tree_at(trees, n, truth) for n in range(len(lowest))]
    rows = [n for n, tree in enumerate(there) if tree in TREES]
    which = np.array([TREES.index(tree) for tree in there if tree in TREES], np.intp)
    return Told(trees.lowest.kind[rows], trees.odds[rows], which) if rows else None


def _tree_at(trees: Grown, n: int, truth: Truth) -> tuple[int, ...] | None:
    """The tree that is where the eye has found a lowest piece; None where there is no such piece."""
    pose = trees.lowest.pose(n)
    for number, piece in enumerate(truth):
        near = math.hypot(piece["x_mm"] - pose.x_mm, piece["y_mm"] - pose.y_mm) < NEAR_MM
        if near and piece.get("nested_on") is None and (piece["size"], piece["pose"]) == (pose.size, pose.pose):
            return tree_on(truth, number)
    return None


def tree_on(truth: Truth, number: int) -> tuple[int, ...]:
    """Sizes of what is on a piece, from below."""
    for above, piece in enumerate(truth):
        if piece.get("nested_on") == number:
            return SIZES.index(piece["size"]), *tree_on(truth, above)
    return ()


def joined(told: Sequence[Told]) -> Told:
    """Of all tables."""
    return Told(*(np.concatenate([getattr(one, name) for one in told]) for name in Told.__slots__))


def fitted(told: Told) -> Floats:
    """(CLASSES, TREES, 1 + ODDS): logistic regression for each class."""
    return np.array([_fitted(kind, told) for kind in range(len(CLASSES))])


def _fitted(kind: int, told: Told) -> Floats:
    own = told.kind == kind
    if not own.any():
        return np.zeros((len(TREES), 1 + len(ODDS)))
    x = np.concatenate([np.ones((own.sum(), 1)), told.odds[own] / SCALE], axis=1)
    right, can = np.eye(len(TREES))[told.tree[own]], possible(np.array([kind]))[0]
    prior = np.array([PRIOR[tree] for tree in TREES]) * can
    weight = (right * (prior / np.maximum(right.mean(axis=0), 1e-9))).sum(axis=1, keepdims=True)
    layers, speed = np.zeros((len(TREES), x.shape[1])), np.zeros((len(TREES), x.shape[1]))
    for _ in range(STEPS):
        shares = np.exp(np.where(can, x @ layers.T, -np.inf))
        shares /= shares.sum(axis=1, keepdims=True)
        slope = ((right - shares) * weight).T @ x / weight.sum() - DECAY * layers
        speed = 0.9 * speed + slope
        layers = layers + RATE * speed
    layers[:, 1:] /= SCALE
    return layers


def shares_of(layers: Floats, told: Told) -> Floats:
    """(n, TREES) probabilities."""
    columns = np.concatenate([np.ones((len(told.odds), 1)), told.odds], axis=1)
    logits = np.where(possible(told.kind), np.einsum("nto,no->nt", layers[told.kind], columns), -np.inf)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def figures(layers: Floats, told: Told) -> dict[str, dict[str, dict[str, int]]]:
    """Of each class and tree, how often it was taken for which."""
    best = shares_of(layers, told).argmax(axis=1)
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for kind, tree, taken in zip(told.kind.tolist(), told.tree.tolist(), best.tolist(), strict=True):
        own = counts.setdefault(" ".join(CLASSES[kind][::-1]), {}).setdefault(_name(tree), {})
        own[_name(taken)] = own.get(_name(taken), 0) + 1
    return counts


def _name(tree: int) -> str:
    return " and ".join(SIZES[size] for size in TREES[tree]) or "nothing"


LESSONS = LessonFolder("-trees.npz", Told, told_lesson)


def main() -> None:
    """Read, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs=2, required=True, help="tables to draw: first, after last")
    parser.add_argument("--lessons", type=made_folder, required=True)
    parser.add_argument("--traced", type=Path, help="folder of path-traced pictures")
    parser.add_argument("--apart", type=int, nargs=2, required=True, help="tables to judge it on")
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for seed in range(*options.seeds):
        LESSONS.kept(seed, options.lessons)
    for seed in seeds_of(options.traced):
        LESSONS.kept(seed, options.traced)
    (held, taught), (_, traced) = (LESSONS.split(folder, options.apart) for folder in (options.lessons, options.traced))
    layers = fitted(joined([*taught, *traced]))
    np.savez(options.out / f"{NAME}.npz", layers=layers.astype(np.float32))
    told = figures(layers, joined(held))
    counts = {"tables": len(taught), "traced": len(traced)}
    write_about(options.out / f"{NAME}.json", made_by(NAME, **counts, columns=["1", *ODDS], held_apart=told))
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
