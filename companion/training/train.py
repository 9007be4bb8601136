"""Trains the Khet cell network and writes companion/vision/weights/khet.{onnx,npz,json}.

python -m companion.training.train --pictures /tmp/khet/traced=3 /tmp/khet/simulated --steps 6000 --seed 1

A folder followed by =3 is shown three times as often. With --hard, cells that were hard of late are shown more often
(each folder as often as before), and what is kept is a running mean of the weights.
"""

import argparse
import json
import math
import multiprocessing
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as functional

from companion.training.about import made_by, write_about
from companion.training.folders import made_folder
from companion.training.network import PLANES, WINDOW, CellNetwork
from companion.training.pictures import SPAN, Batch, Patches, batches, drawn, joined, load, plain
from companion.training.precision import autocast
from companion.training.shipped import write
from companion.vision.khet.network import CLASSES, LEAN_GAIN, SIDES
from companion.vision.weights import WEIGHTS

BATCH_OF_CELLS = 80
RISE = 0.12  # share of the training in which the learning rate rises
LEAST_CHANCE, MOST_LOSS, FRESH = 0.2, 1.5, 0.4  # of drawing hard cells: floor, cap, and weight of the latest loss
UNSEEN = 0.5, 0.05  # loss of a piece and of an empty cell that were not shown yet
MEAN_OF = 500  # steps that the running mean of the weights goes back


def planes(batch: Batch) -> torch.Tensor:
    """The network's input: colours about 0, and the lean as two planes."""
    view = torch.from_numpy(batch.view).permute(0, 3, 1, 2).float() / 127.5 - 1
    flat = (LEAN_GAIN * torch.from_numpy(batch.lean))[:, :, None, None].expand(-1, -1, WINDOW, WINDOW)
    return torch.cat([view, flat], 1)


def evaluate(network: CellNetwork, patches: Patches) -> dict[str, torch.Tensor]:
    """Logits of all patches, with the truth."""
    network.eval()
    with torch.no_grad():
        rows = [
            (*network(planes(batch)), torch.from_numpy(batch.label), torch.from_numpy(batch.side))
            for batch in plain(patches)
        ]
    names = ("what", "side", "label", "side_label")
    return {name: torch.cat([row[i] for row in rows]) for i, name in enumerate(names)}


def temperature(logits: torch.Tensor, label: torch.Tensor) -> float:
    """The temperature with the least log loss on held-out patches."""
    grid = torch.exp(torch.linspace(-1.2, 1.2, 97))
    losses = torch.stack([functional.cross_entropy(logits / t, label) for t in grid])
    return float(grid[losses.argmin()])


def figures(network: CellNetwork, held: Patches) -> dict[str, float]:
    """Share of right classes and sides on held-out patches, and the temperatures."""
    seen = evaluate(network, held)
    sided = seen["side_label"] >= 0
    what, side = seen["what"].argmax(1), seen["side"].argmax(1)
    return {
        "cells": len(held),
        "right": round(float((what == seen["label"]).float().mean()), 5),
        "side_right": round(float((side == seen["side_label"])[sided].float().mean()), 5),
        "temperature": round(temperature(seen["what"], seen["label"]), 4),
        "side_temperature": round(temperature(seen["side"][sided], seen["side_label"][sided]), 4),
    }


def one_cycle(progress: float) -> float:
    """The learning rate as a share of the highest: a short rise, then half a cosine down to almost nothing."""
    if progress < RISE:
        return 0.05 + 0.95 * progress / RISE
    return 0.002 + 0.998 * 0.5 * (1 + math.cos(math.pi * min(1.0, (progress - RISE) / (1 - RISE))))


class Together:
    """Several processes that train on and then take the mean of their weights, every so many steps."""

    def __init__(self, network: CellNetwork, count: int) -> None:
        self.count = count
        self.table = torch.stack([_flat(network)] * count).share_memory_()
        context = multiprocessing.get_context("fork")  # the patches are shared, not copied
        self.process, self._gate = context.Process, context.Barrier(count)

    def meet(self, network: CellNetwork, number: int) -> None:
        """Everybody waits for the others, and goes on from the mean."""
        self.table[number] = _flat(network)
        self._gate.wait()
        mean = self.table.mean(dim=0)
        self._gate.wait()
        _set_flat(network, mean)


class Hardness:
    """The loss of each cell when it was shown of late."""

    def __init__(self, patches: Patches, weight: np.ndarray, folder: np.ndarray) -> None:
        self._loss = np.where(patches.label == 0, UNSEEN[1], UNSEEN[0]).astype(np.float32)
        self._folder, self._wanted = folder, np.bincount(folder, weight)

    def chances(self) -> np.ndarray:
        """(n) how often each cell should be drawn."""
        chance = self._loss + LEAST_CHANCE
        return np.asarray(chance * (self._wanted / np.bincount(self._folder, chance))[self._folder])

    def note(self, index: np.ndarray, loss: np.ndarray) -> None:
        """These cells were shown and had these losses."""
        self._loss[index] += FRESH * (np.minimum(loss, MOST_LOSS) - self._loss[index])


def _floats(network: CellNetwork) -> list[torch.Tensor]:
    return [value for value in network.state_dict().values() if value.is_floating_point()]


def _flat(network: CellNetwork) -> torch.Tensor:
    return torch.cat([value.detach().reshape(-1) for value in _floats(network)])


def _set_flat(network: CellNetwork, values: torch.Tensor) -> None:
    at = 0
    with torch.no_grad():
        for value in _floats(network):
            value.copy_(values[at : at + value.numel()].view_as(value))
            at += value.numel()


def train(
    network: CellNetwork,
    patches: Patches,
    weight: np.ndarray,
    folder: np.ndarray,
    held: Patches,
    given: argparse.Namespace,
) -> None:
    """AdamW with one cycle of the learning rate over the minutes given, of each process's own time."""
    together = Together(network, given.together)
    others = [
        together.process(
            target=_train_one, args=(network, patches, weight, folder, None, given, together, number), daemon=True
        )
        for number in range(1, given.together)
    ]
    for process in others:
        process.start()
    _train_one(network, patches, weight, folder, held, given, together, 0)
    for process in others:
        process.join()


def _train_one(
    network: CellNetwork,
    patches: Patches,
    weight: np.ndarray,
    folder: np.ndarray,
    held: Patches | None,
    given: argparse.Namespace,
    together: Together,
    number: int,
) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    random = np.random.default_rng([given.seed, number])
    torch.manual_seed(given.seed + number)
    optimiser = torch.optim.AdamW(network.parameters(), lr=given.rate, weight_decay=0.02)
    network.train()
    total, mean = 0.0, _flat(network)
    hardness = Hardness(patches, weight, folder) if given.hard else None
    shown = (
        drawn(patches, given.batch, hardness.chances, random)
        if hardness
        else _for_ever(patches, weight, given.batch, random)
    )
    for step, batch in enumerate(shown, start=1):
        progress = step / given.steps
        for group in optimiser.param_groups:
            group["lr"] = given.rate * one_cycle(progress)
        loss = _loss(network, batch, hardness)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        total += float(loss.detach())
        if step % given.meet == 0 or step == given.steps:
            together.meet(network, number)
        mean += (_flat(network) - mean) / min(step + 1, MEAN_OF)
        if hardness and step == given.steps:
            _set_flat(network, mean)
        if held is not None and (step % given.tell == 0 or step == given.steps):
            print(step, f"{total / given.tell:.4f}", figures(network, held), f"{time.process_time():.0f} s", flush=True)
            if given.state:
                torch.save({"network": network.state_dict(), "stages": [f"{step} steps"]}, given.state)
            network.train()
            total = 0.0
        if step == given.steps:
            break


def _loss(network: CellNetwork, batch: Batch, hardness: Hardness | None) -> torch.Tensor:
    """Of a batch; how hard each of its cells was is noted."""
    x, label, side = planes(batch), torch.from_numpy(batch.label), torch.from_numpy(batch.side)
    with autocast():
        what_logits, side_logits = network(x.contiguous(memory_format=torch.channels_last))
    each = functional.cross_entropy(what_logits.float(), label, label_smoothing=0.005, reduction="none")
    loss = each.mean()
    if hardness:
        hardness.note(batch.index, each.detach().numpy())
    if (side >= 0).any():
        loss = loss + 0.3 * functional.cross_entropy(side_logits.float(), side, ignore_index=-1)
    return loss


def _for_ever(patches: Patches, weight: np.ndarray, size: int, random: np.random.Generator) -> Iterator[Batch]:
    while True:
        yield from batches(patches, size, weight, random)


def export(network: CellNetwork, out: Path, about: dict[str, object]) -> None:
    """The trunk as ONNX for cv2.dnn with a fixed batch, the heads as arrays, and what made them."""
    network.eval()
    example = torch.zeros(BATCH_OF_CELLS, PLANES, WINDOW, WINDOW)
    write(network.trunk, example, out / "khet.onnx", input_names=["cells"], output_names=["embedding"])
    heads = {
        "what_weight": network.what.weight,
        "what_bias": network.what.bias,
        "side_weight": network.side.weight,
        "side_bias": network.side.bias,
    }
    np.savez(out / "khet.npz", **{name: value.detach().numpy().astype(np.float32) for name, value in heads.items()})
    write_about(out / "khet.json", about)


def next_version(out: Path) -> int:
    """One more than that of the weights that are replaced: looks taught to those are refused then."""
    about = out / "khet.json"
    return 1 + int(json.loads(about.read_text(encoding="utf-8"))["version"]) if about.exists() else 1


def _options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", nargs="+", required=True, metavar="FOLDER[=TIMES]")
    parser.add_argument("--held", type=int, default=12, help="boards of each folder that are kept apart")
    parser.add_argument("--steps", type=int, default=6000, help="batches that each process trains on")
    parser.add_argument("--together", type=int, default=2, help="processes that train")
    parser.add_argument("--meet", type=int, default=40, help="steps after which they take the mean of their weights")
    parser.add_argument("--tell", type=int, default=500, help="steps after which figures are printed")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--hard", action="store_true", help="show hard cells more often, keep a mean of the weights")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="a state to go on from")
    parser.add_argument("--state", type=Path, help="where the state is kept")
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    return parser.parse_args()


def main() -> None:
    """Train, measure, export."""
    given = _options()
    torch.manual_seed(given.seed)
    named = [name.partition("=") for name in given.pictures]
    parts = [load([Path(name)], slice(given.held, None)) for name, _, _ in named]
    weight = np.concatenate(
        [np.full(len(part), float(times or 1)) for part, (_, _, times) in zip(parts, named, strict=True)]
    )
    folder = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    patches, held = joined(parts), load([Path(name) for name, _, _ in named], slice(None, given.held))
    del parts
    network = CellNetwork(len(CLASSES), len(SIDES)).to(memory_format=torch.channels_last)
    stages: list[str] = []
    if given.start:
        before = torch.load(given.start)
        network.load_state_dict(before["network"])
        stages = before["stages"]
    train(network, patches, weight, folder, held, given)
    cells = given.steps * given.together * given.batch
    stages = [*stages, f"{cells} cells of {len(set(patches.board))} boards, rate {given.rate:g}"]
    if given.state:
        torch.save({"network": network.state_dict(), "stages": stages}, given.state)
    about = made_by(
        "train",
        stages=stages,
        seed=given.seed,
        window_px=WINDOW,
        window_cells=SPAN,
        classes=[list(c) for c in CLASSES],
        sides=list(SIDES),
        held_out=figures(network, held),
    )
    export(network, given.out, {"version": next_version(given.out), **about})


if __name__ == "__main__":
    main()
