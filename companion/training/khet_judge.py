"""Trains the judge of doubtful pyramids and writes companion/vision/weights/khet_shades.{npz,json}.

python -m companion.training.khet_judge --boards /tmp/khet/simulated --lessons /tmp/khet/lessons.npz --seed 1

The boards are those of `companion.training.simulated`, each of one set; they are read by the shipped network, so train
this after it. Each is read as it is and in a worse picture, because the doubtful ones are what is to be learned. Every
fifth board is kept apart for the figures.
"""

import argparse
import json
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import nn

from companion.training.about import made_by, write_about
from companion.training.folders import boards_in, made_folder, whole
from companion.vision.khet.judge import (
    FARTHEST,
    FILE,
    NUMBERS,
    Judge,
    Witness,
    Witnesses,
    turned_numbers,
)
from companion.vision.khet.network import FIRST, shipped
from companion.vision.khet.reader import SHAPE, KhetReader
from companion.vision.khet.shades import sectors
from companion.vision.khet.views import FACINGS, VIEWS
from companion.vision.reader import CellPatches
from companion.vision.weights import WEIGHTS

CELL_MM, HEIGHT_MM = 38.0, 800.0  # stored patches tell neither; the judge needs them roughly
HIDDEN, DROPOUT, BATCH, RATE, DECAY = 64, 0.1, 512, 2e-3, 0.03
WITNESSES = (0.3, 1.2)  # share of the sure pyramids that are asked, from board to board
APART = 5  # every so many boards are kept apart
# of the worse picture: how far its brightness goes (logarithm), at most so many grey levels of noise, pixels of blur
BRIGHTER, NOISE, BLUR = (-0.5, 0.5), 14.0, 1.2
Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


def stored(path: Path) -> tuple[CellPatches, Numbers]:
    """The cells of a stored board and their classes; ValueError when it is no whole board."""
    assert SHAPE is not None
    try:
        board = dict(np.load(path))
    except (OSError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path} is no stored board ({error}): cut it again") from error
    pixels, cells = board["pixels"], tuple(SHAPE.cells())
    if len(pixels) != len(cells):
        raise ValueError(f"{path} holds {len(pixels)} cells, not the {len(cells)} of a board")
    span = float(board.get("span", 1.5))
    patches = CellPatches(
        pixels=pixels,
        cells=cells,
        lean=board["lean"].astype(np.float32),
        mm_per_px=CELL_MM * span / pixels.shape[1],
        cell_mm=CELL_MM,
        margin_mm=CELL_MM * (span - 1) / 2,
        camera_height_mm=HEIGHT_MM,
        glare=np.zeros(pixels.shape[:3], np.bool_),
    )
    return patches, board["label"].astype(np.int64)


def spoilt(patches: CellPatches, random: np.random.Generator) -> CellPatches:
    """The same board in a worse picture: brighter or darker, blurred, noisy."""
    gain, blur, noise = np.exp(random.uniform(*BRIGHTER)), random.uniform(0.1, BLUR), random.uniform(0, NOISE)
    taken = np.stack([cv2.GaussianBlur(cell, (0, 0), blur) for cell in patches.pixels]).astype(np.float32) * gain
    taken += random.standard_normal(taken.shape, dtype=np.float32) * noise
    return replace(patches, pixels=np.clip(taken + 0.5, 0, 255).astype(np.uint8))


def lessons_of(
    patches: CellPatches, label: Numbers, random: np.random.Generator, folder: Path
) -> tuple[Floats, Numbers]:
    """(n, NUMBERS) of the pyramids of a board, as the reader would have them judged, and their facings."""
    what, sides = KhetReader(shipped(folder)).looks(patches)
    here = np.flatnonzero((label >= FIRST["pyramid"]) & (label < FIRST["pyramid"] + FACINGS))
    if len(here) < 2:
        return np.zeros((0, NUMBERS)), np.zeros(0, np.int64)
    seen = Witnesses(None)
    facings = what[here, FIRST["pyramid"] : FIRST["pyramid"] + FACINGS]
    bright = sectors(patches.only(here.tolist()), seen.shades)
    asked = random.random(len(here)) < random.uniform(*WITNESSES)
    for i, cell in enumerate(here):
        sure = seen.surety(facings[i]) * asked[i]
        seen.known[patches.cells[cell]] = Witness(int(sides[cell].argmax()), int(facings[i].argmax()), sure, bright[i])
    given = seen.numbers([patches.cells[cell] for cell in here], facings, patches.lean[here])
    return given, label[here] - FIRST["pyramid"]


def collect(files: Sequence[Path], seed: int, folder: Path) -> dict[str, NDArray[np.generic]]:
    """Numbers, facings and board of every pyramid."""
    random = np.random.default_rng(seed)
    found, board = [], []
    for number, path in enumerate(files):
        patches, label = stored(path)
        for picture in (patches, spoilt(patches, random)):
            found.append(lessons_of(picture, label, random, folder))
            board += [number] * len(found[-1][1])
    return {
        "numbers": np.concatenate([given for given, _ in found]).astype(np.float32),
        "facing": np.concatenate([facing for _, facing in found]),
        "board": np.array(board),
    }


def _turned(numbers: Floats, facing: Numbers) -> Iterator[tuple[Floats, Numbers]]:
    one_hot = np.eye(FACINGS)[facing]
    for view in VIEWS:
        yield turned_numbers(numbers, view), view.facings(one_hot).argmax(axis=1)


def fit(numbers: Floats, facing: Numbers, rounds: int, seed: int) -> dict[str, NDArray[np.float32]]:
    """The judge's arrays, of least log loss on the lessons in all turns and mirror images."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    turned = list(_turned(numbers, facing))
    given = np.clip(np.concatenate([t for t, _ in turned]), -FARTHEST, FARTHEST)
    scale = given.std(axis=0) + 1e-3
    network = torch.from_numpy(np.concatenate([t[:, FACINGS : 2 * FACINGS] for t, _ in turned]).astype(np.float32))
    x, y = (
        torch.from_numpy((given / scale).astype(np.float32)),
        torch.from_numpy(np.concatenate([f for _, f in turned])),
    )
    layers = nn.Sequential(
        nn.Linear(NUMBERS, HIDDEN),
        nn.ReLU(),
        nn.Dropout(DROPOUT),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, FACINGS + 1),
    )
    last = layers[-1]
    assert isinstance(last, nn.Linear)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    optimiser = torch.optim.AdamW(layers.parameters(), lr=RATE, weight_decay=DECAY)
    steps = rounds * len(x) // BATCH
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(steps):
        chosen = torch.from_numpy(random.integers(len(x), size=BATCH))
        out = layers(x[chosen])
        loss = functional.cross_entropy(out[:, :FACINGS] + network[chosen] * out[:, FACINGS:].exp(), y[chosen])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    arrays = {"scale": scale.astype(np.float32)}
    for number, layer in enumerate(layer for layer in layers if isinstance(layer, nn.Linear)):
        arrays |= {f"weight{number}": layer.weight.detach().numpy(), f"bias{number}": layer.bias.detach().numpy()}
    return arrays


def figures(judge: Judge, numbers: Floats, facing: Numbers) -> dict[str, float]:
    """Log loss and share of right facings, of the network alone and judged; and of those it is unsure of."""
    alone, judged = numbers[:, FACINGS : 2 * FACINGS], judge.logits(numbers)
    chances = np.exp(alone) / np.exp(alone).sum(axis=1, keepdims=True)
    doubtful = chances.max(axis=1) < 0.9
    found: dict[str, float] = {"pyramids": len(facing), "doubtful": int(doubtful.sum())}
    for name, logits in (("alone", alone), ("judged", judged)):
        loss = functional.cross_entropy(torch.from_numpy(logits), torch.from_numpy(facing))
        right = logits.argmax(axis=1) == facing
        found |= {f"{name}_loss": round(float(loss), 4), f"{name}_right": round(float(right.mean()), 4)}
        found[f"{name}_doubtful_right"] = round(float(right[doubtful].mean()), 4)
    return found


def main() -> None:
    """Collect lessons where there are none, fit, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", type=Path, default=[], help="folders of companion.training.simulated")
    parser.add_argument("--lessons", type=Path, required=True, help="where lessons are kept; used again when there")
    parser.add_argument("--network", type=Path, default=WEIGHTS, help="folder of the cell network that reads them")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    if not given.lessons.exists():
        with whole(given.lessons) as half:
            np.savez(half, **collect(boards_in(given.boards), given.seed, given.network))  # type: ignore[arg-type]
    with np.load(given.lessons) as lessons:
        numbers, facing, board = lessons["numbers"].astype(np.float64), lessons["facing"], lessons["board"]
    apart = board % APART == 0
    np.savez(given.out / FILE, **fit(numbers[~apart], facing[~apart], given.rounds, given.seed))  # type: ignore[arg-type]
    about = made_by(
        "khet_judge",
        boards=len(set(board[~apart].tolist())),
        lessons=int((~apart).sum()),
        apart=figures(Judge.load(given.out / FILE), numbers[apart], facing[apart]),
    )
    write_about((given.out / FILE).with_suffix(".json"), about)
    print(json.dumps(about, indent=1))


if __name__ == "__main__":
    main()
