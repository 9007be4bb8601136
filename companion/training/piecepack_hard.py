"""Chooses lessons for going on with the network of small pieces: what it finds hard again and again, of the rest some.

python -m companion.training.piecepack_hard --files found.npz simulated.npz crowded.npz --out hard.npz

Asks the shipped network (or the one in `--weights`). Coins are read rightly nearly always, so few of them are kept.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from companion.vision.piecepack.networks import Networks
from companion.vision.weights import WEIGHTS

SURE = (0.93, 0.9, 0.9, 0.9)  # probability of what it is (nothing, coin, pawn, die), below which a lesson is hard ...
TIMES = 3  # ... and shown so often
EASY = (0.2, 0.1, 0.3, 0.2)  # share of the others that is kept
AT_ONCE = 512


def chosen(patches: np.ndarray, kinds: np.ndarray, networks: Networks, rng: np.random.Generator) -> np.ndarray:
    """Numbers of the lessons to learn from, the hard ones several times. Kinds: 0 nothing, 1 coin, 2 pawn, 3 die."""
    parts = [patches[first : first + AT_ONCE] for first in range(0, len(patches), AT_ONCE)]
    told = np.concatenate([networks.told("small", networks.embed("small", part))["kind"] for part in parts])
    hard = told[np.arange(len(kinds)), kinds] < np.array(SURE)[kinds]
    easy = ~hard & (rng.random(len(kinds)) < np.array(EASY)[kinds])
    return np.concatenate([np.flatnonzero(easy), np.repeat(np.flatnonzero(hard), TIMES)])


def main() -> None:
    """Choose from all files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=Path, nargs="+", required=True)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    networks, rng = Networks(given.weights), np.random.default_rng(given.seed)
    patches, labels = [], []
    for file in given.files:
        with np.load(file) as arrays:
            small, label = arrays["small"], arrays["small_label"]
        rows = chosen(small, label[:, 0].astype(int), networks, rng)
        patches.append(small[rows])
        labels.append(label[rows])
        print(f"{file}: {len(rows)} lessons of {len(small)}", flush=True)
    np.savez(given.out, small=np.concatenate(patches), small_label=np.concatenate(labels))


if __name__ == "__main__":
    main()
