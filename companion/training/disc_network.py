"""Trains the network that tells whether a disc lies on a cell, and writes disc_seen.onnx and .json.

python -m companion.training.disc_network --seeds 3000-3399 --wells 10000-11599 --hexagons 3000-3159 \
    --many 3000-3099 --keep /tmp/discs
"""

import argparse
import itertools
from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.simulator.disc_tables import disc_table
from companion.training.about import made_by, write_about
from companion.training.discs import SIZES, Board, drawn, shaken
from companion.training.fitting import arguments, fit
from companion.training.folders import made_folder
from companion.training.piecepack_networks import PatchNetwork
from companion.training.piecepack_train import planes
from companion.training.seeds import first_to_last, for_training
from companion.training.shipped import take_up, write
from companion.vision.boards.cells import cell_tones
from companion.vision.discs.looks import board_looks, cell_colours
from companion.vision.discs.network import NAME, SIDE_PX, looks_of
from companion.vision.discs.rings import RingSettings, find_rings, reduced
from companion.vision.plans import AT_ONCE
from companion.vision.weights import WEIGHTS

WIDTHS, OUT, BATCH = (12, 20, 32, 40), (1,), 128
HELD = 8  # every so manieth board is kept apart
SHAKES = {"grid": 2, "hex": 2, "many": 0}  # times that a board is also seen in other light
MOST = 160  # cells of a board in one light
Arrays = dict[str, np.ndarray]


def lessons_of(board: Board, rng: np.random.Generator) -> Arrays:
    """What is seen of the cells of a board, and whether discs lie there."""
    patches = board.patches
    small = reduced(patches, RingSettings())
    rings = find_rings(small, RingSettings())
    cells = cell_colours(small, rings, cell_tones(patches.cells, board.tones), board.tones)
    looks = board_looks(cells, board.tones)
    rows = rng.permutation(len(patches))[:MOST]
    return {"seen": looks_of(small, looks)[rows], "disc": (board.labels[rows] > 0).astype(np.float32)}


def gathered(boards: list[tuple[int, str]], keep: Path, shakes: bool) -> Arrays:
    """The lessons of these boards, as drawn and in other light."""
    parts = []
    for seed, kind in boards:
        rng, board = np.random.default_rng([for_training(seed), 113]), drawn(seed, keep, kind)
        others = [shaken(board, rng) for _ in range(SHAKES[kind] if shakes else 0)]
        parts += [lessons_of(one, rng) for one in (board, *others)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def with_wells(seeds: Iterable[int]) -> list[int]:
    """Those of the square boards whose cells have circles or squares printed on them."""
    boards = ((seed, disc_table(seed, *SIZES[0]).scene.board) for seed in seeds)
    return [seed for seed, board in boards if board is not None and board.well_mm > 0]


def train(arrays: Arrays, given: argparse.Namespace) -> nn.Module:
    """The network fitted to its lessons."""
    torch.manual_seed(given.seed)
    noise, turns = torch.Generator(given.device).manual_seed(given.seed), np.random.default_rng([given.seed, 1])
    network = whole()
    if given.start is not None:
        take_up(network, given.start / f"{NAME}.onnx")
    network.to(given.device, memory_format=torch.channels_last)
    data = {key: torch.from_numpy(values).to(given.device) for key, values in arrays.items()}

    def loss(rows: torch.Tensor) -> torch.Tensor:
        x = torch.rot90(planes(data["seen"][rows], noise), int(turns.integers(4)), (2, 3))
        x = x.flip(3) if turns.random() < 0.5 else x
        told = network(x.contiguous(memory_format=torch.channels_last)).float()[:, 0]
        return functional.binary_cross_entropy_with_logits(told, data["disc"][rows])

    fit(network, len(data["disc"]), given.batch, loss, given)
    return network.cpu()


def whole() -> nn.Sequential:
    """From a cell to the log-odds of a disc."""
    network = PatchNetwork(SIDE_PX, WIDTHS, OUT)
    return nn.Sequential(network.body, network.head)


def figures(network: nn.Module, data: Arrays) -> dict[str, float]:
    """On boards kept apart, in the light they were drawn in."""
    network.eval()
    with torch.no_grad():
        parts = torch.from_numpy(data["seen"]).split(256)
        told = torch.cat([network(planes(part, None))[:, 0] for part in parts])
    disc = torch.from_numpy(data["disc"])
    return {
        "cells": len(disc),
        "wrong": int(((told > 0) != (disc > 0)).sum()),
        "log_loss": round(float(functional.binary_cross_entropy_with_logits(told, disc)), 5),
    }


def main() -> None:
    """Draw, train, measure, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=first_to_last, nargs="+", default=[], help="of square boards: FIRST-LAST")
    parser.add_argument(
        "--wells", type=first_to_last, nargs="+", default=[], help="of which those with prints on their cells"
    )
    parser.add_argument("--hexagons", type=first_to_last, nargs="+", default=[])
    parser.add_argument("--many", type=first_to_last, nargs="+", default=[], help="of boards of 13 to 26 cells a side")
    parser.add_argument("--keep", type=made_folder, default="/tmp/discs", help="folder of boards once drawn")
    parser.add_argument("--seed", type=int, default=1, help="of chance")
    parser.add_argument("--batch", type=int, default=BATCH, help="lessons of one step")
    parser.add_argument("--start", type=Path, help="folder of weights to go on from")
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    arguments(parser, epochs=6, rate=4e-3)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    grids = [*itertools.chain(*given.seeds), *with_wells(itertools.chain(*given.wells))]
    asked = {"grid": grids, "hex": itertools.chain(*given.hexagons), "many": itertools.chain(*given.many)}
    boards = [(seed, kind) for kind, seeds in asked.items() for seed in seeds]
    data = gathered([b for b in boards if b[0] % HELD], given.keep, shakes=True)
    network = train(data, given)
    told = figures(network, gathered([b for b in boards if not b[0] % HELD], given.keep, shakes=False))
    write_about(given.out / f"{NAME}.json", made_by("disc_network", held_out=told, lessons=len(data["disc"])))
    write(network, torch.zeros(AT_ONCE, 3, SIDE_PX, SIDE_PX), given.out / f"{NAME}.onnx", input_names=["patches"])
    print(told)


if __name__ == "__main__":
    main()
