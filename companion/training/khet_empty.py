"""Trains the small network that says which cells of a board are surely empty; writes weights/khet_empty.*.

python -m companion.training.khet_empty --boards /tmp/khet/traced /tmp/khet/simulated /tmp/khet/pyramids --seed 1

Every tenth board is kept apart. The figures say, for several thresholds, how many empty cells are told and how many
pieces would be lost.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import nn

from companion.training.about import made_by, write_about
from companion.training.folders import boards_in, made_folder
from companion.training.pictures import SPAN, gain_of
from companion.training.shipped import write
from companion.training.train import one_cycle
from companion.vision.khet.empty import CELLS, NAME, WINDOW
from companion.vision.khet.network import FIRST
from companion.vision.weights import WEIGHTS

KEPT = 40  # pixels that are kept of a cell's side, of which WINDOW are shown
APART = 10  # every so many boards
LESS_EMPTY = 0.5  # weight of an empty cell beside a piece's
BATCH, RATE = 512, 4e-3
LOGITS = (5.0, 7.0, 9.0, 11.0)
Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]


class EmptyNetwork(nn.Sequential):
    """Three planes of WINDOW x WINDOW in, the logit of being empty out."""

    def __init__(self) -> None:
        layers: list[nn.Module] = []
        for inside, outside, kernel in ((3, 12, 5), (12, 24, 3), (24, 32, 3)):
            layers += [
                nn.Conv2d(inside, outside, kernel, 2, kernel // 2, bias=False),
                nn.BatchNorm2d(outside),
                nn.ReLU(),
            ]
        side = WINDOW // 8
        super().__init__(*layers, nn.Flatten(), nn.Linear(32 * side * side, 32), nn.ReLU(), nn.Linear(32, 1))


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells of many boards, a little larger than they are shown."""

    pixels: Pixels  # (n, KEPT, KEPT, 3)
    gain: Floats  # (n)
    empty: NDArray[np.bool_]


def load(files: Sequence[Path]) -> Cells:
    """All cells of these boards."""
    parts = [_board(dict(np.load(file))) for file in files]
    pixels, gain, empty = (np.concatenate([part[i] for part in parts]) for i in range(3))
    return Cells(pixels, gain, empty)


def _board(stored: dict[str, NDArray[np.generic]]) -> tuple[Pixels, Floats, NDArray[np.bool_]]:
    pixels = np.asarray(stored["pixels"], np.uint8)
    size, span = pixels.shape[1], float(stored.get("span", np.float32(1.5)))
    zoom, middle = SPAN / span * size / WINDOW, (size - 1) / 2
    back = np.array([[zoom, 0, middle - zoom * (KEPT - 1) / 2], [0, zoom, middle - zoom * (KEPT - 1) / 2]])
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    cuts = [cv2.warpAffine(p, back, (KEPT, KEPT), flags=flags, borderMode=cv2.BORDER_REPLICATE) for p in pixels]
    empty = stored["label"].astype(np.int64) == FIRST["empty"]
    return np.array(cuts, np.uint8), np.full(len(cuts), gain_of(pixels), np.float32), empty


def plain(cells: Cells, index: NDArray[np.int64]) -> Floats:
    """(n, WINDOW, WINDOW, 3) in 0..1, as they are read."""
    edge = (KEPT - WINDOW) // 2
    shown = cells.pixels[index, edge : edge + WINDOW, edge : edge + WINDOW]
    return np.minimum(shown * (cells.gain[index] / 255)[:, None, None, None], 1).astype(np.float32)


def varied(cells: Cells, index: NDArray[np.int64], random: np.random.Generator) -> Floats:
    """Likewise, shifted, turned, mirrored and in other light, shade, grain and sharpness."""
    n = len(index)
    x, y = random.integers(2, KEPT - WINDOW - 1, 2)
    shown = cells.pixels[index, y : y + WINDOW, x : x + WINDOW].astype(np.float32) / 255
    if random.random() < 0.5:
        shown = shown[:, :, ::-1]
    shown = np.rot90(shown, int(random.integers(4)), axes=(1, 2))
    gains = (
        cells.gain[index][:, None] * np.exp(random.uniform(-0.35, 0.25, (n, 1))) * random.uniform(0.87, 1.13, (n, 3))
    )
    shown = np.clip(shown * gains[:, None, None].astype(np.float32), 1e-4, 1)
    shown = shown ** random.uniform(0.75, 1.4, (n, 1, 1, 1)).astype(np.float32)
    slope = np.linspace(-1, 1, WINDOW, dtype=np.float32)
    fall = random.normal(0, 0.1, (2, n, 1, 1)).astype(np.float32)
    shown = shown * (1 + fall[0] * slope[None, :, None] + fall[1] * slope[None, None, :])[..., None]
    if random.random() < 0.3:
        shown = functional.avg_pool2d(torch.from_numpy(shown.transpose(0, 3, 1, 2).copy()), 3, 1, 1).numpy()
        shown = shown.transpose(0, 2, 3, 1)
    grain = random.standard_normal(shown.shape, dtype=np.float32)
    shown = shown + grain * random.uniform(0, 0.04, (n, 1, 1, 1)).astype(np.float32)
    return np.asarray(np.clip(shown, 0, 1), np.float32)


def planes(shown: Floats) -> torch.Tensor:
    """(n, 3, WINDOW, WINDOW) about 0."""
    return torch.from_numpy(np.ascontiguousarray(shown.transpose(0, 3, 1, 2))) * 2 - 1


def train(network: EmptyNetwork, cells: Cells, steps: int, random: np.random.Generator) -> None:
    """AdamW with one cycle of the learning rate."""
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.01)
    empty, total = torch.from_numpy(cells.empty).float(), 0.0
    for step in range(1, steps + 1):
        optimiser.param_groups[0]["lr"] = RATE * one_cycle(step / steps)
        index = np.sort(random.integers(0, len(cells.empty), BATCH))
        wanted = empty[torch.from_numpy(index)]
        logits = network(planes(varied(cells, index, random)))[:, 0]
        each = functional.binary_cross_entropy_with_logits(logits, wanted, 1 - (1 - LESS_EMPTY) * wanted)
        optimiser.zero_grad()
        each.backward()
        optimiser.step()
        total += float(each.detach())
        if step % 500 == 0:
            print(step, f"loss {total / 500:.5f}", flush=True)
            total = 0.0


def figures(network: EmptyNetwork, cells: Cells) -> dict[str, object]:
    """For each threshold the share of empty cells that are told, and the pieces that would be lost."""
    network.eval()
    with torch.no_grad():
        order = np.arange(len(cells.empty))
        parts = [network(planes(plain(cells, order[i : i + 2000])))[:, 0] for i in range(0, len(order), 2000)]
    logits, empty = torch.cat(parts).numpy(), cells.empty
    told: dict[str, object] = {"empty": int(empty.sum()), "pieces": int((~empty).sum())}
    told["highest_of_pieces"] = [round(float(v), 2) for v in np.sort(logits[~empty])[::-1][:5]]
    for least in LOGITS:
        share = round(float((logits[empty] > least).mean()), 4)
        told[f"above_{least:g}"] = {"of_empty": share, "pieces_lost": int((logits[~empty] > least).sum())}
    return told


def main() -> None:
    """Train, measure, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", type=Path, required=True, help="folders of stored boards")
    parser.add_argument("--most", type=int, default=3000, help="boards, drawn at random")
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    random = np.random.default_rng(given.seed)
    files = boards_in(given.boards)
    files = [files[i] for i in random.permutation(len(files))[: given.most]]
    learnt, apart = (load([f for i, f in enumerate(files) if (i % APART == 0) == kept]) for kept in (False, True))
    network = EmptyNetwork()
    train(network, learnt, given.steps, random)
    told = {"learnt": figures(network, learnt), "apart": figures(network, apart)}
    about = made_by("khet_empty", boards=len(files), **told)
    example = torch.zeros(CELLS, 3, WINDOW, WINDOW)
    write(network, example, given.out / f"{NAME}.onnx", input_names=["cells"], output_names=["empty"])
    write_about(given.out / f"{NAME}.json", about)
    print(json.dumps(about, indent=1))


if __name__ == "__main__":
    main()
