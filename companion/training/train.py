"""Trains the Khet cell network and writes companion/vision/weights/khet.{onnx,npz,json}.

python -m companion.training.train --pictures /tmp/khet /tmp/simulated --epochs 24 --seed 1
"""

import argparse
import datetime
import json
import math
import shlex
import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as functional

from companion.training.labels import CLASSES, INDEX, SIDES
from companion.training.network import PLANES, WINDOW, CellNetwork
from companion.training.pictures import EMPTY_SHARE, SPAN, Patches, batches, load, plain

WEIGHTS = Path(__file__).parent.parent / "companion" / "vision" / "weights"
BATCH_OF_CELLS = 80
RISE = 0.12  # share of the training in which the learning rate rises


def evaluate(network: CellNetwork, patches: Patches) -> dict[str, torch.Tensor]:
    """Logits of all patches, with the truth."""
    network.eval()
    with torch.no_grad():
        rows = [(*network(x), label, side) for x, label, side in plain(patches)]
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


def train(network: CellNetwork, patches: Patches, held: Patches, given: argparse.Namespace) -> None:
    """AdamW with one cycle of the learning rate; stops in time for the wall clock given."""
    random = torch.Generator().manual_seed(given.seed)
    empty = float((patches.label == INDEX["empty", ""]).sum())
    steps = given.epochs * (len(patches) - (1 - EMPTY_SHARE) * empty) / given.batch
    optimiser = torch.optim.AdamW(network.parameters(), lr=given.rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: one_cycle(step / steps))
    started = time.monotonic()
    for epoch in range(given.epochs):
        network.train()
        total, count = 0.0, 0
        for x, label, side in batches(patches, given.batch, random):
            with torch.autocast("cpu", torch.bfloat16):
                what_logits, side_logits = network(x.contiguous(memory_format=torch.channels_last))
            what_logits, side_logits = what_logits.float(), side_logits.float()
            loss = functional.cross_entropy(what_logits, label, label_smoothing=0.02)
            if (side >= 0).any():
                loss = loss + 0.3 * functional.cross_entropy(side_logits, side, ignore_index=-1)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
            optimiser.step()
            schedule.step()
            total, count = total + float(loss.detach()), count + 1
        if epoch % 3 == 2 or epoch == given.epochs - 1:
            print(
                epoch, f"{total / count:.4f}", figures(network, held), f"{time.monotonic() - started:.0f} s", flush=True
            )


def export(network: CellNetwork, out: Path, about: dict[str, object]) -> None:
    """The trunk as ONNX for cv2.dnn with a fixed batch, the heads as arrays, and what made them."""
    out.mkdir(parents=True, exist_ok=True)
    network.eval()
    example = torch.zeros(BATCH_OF_CELLS, PLANES, WINDOW, WINDOW)
    torch.onnx.export(
        network.trunk,
        (example,),
        str(out / "khet.onnx"),
        opset_version=13,
        input_names=["cells"],
        output_names=["embedding"],
        dynamo=False,
    )
    heads = {
        "what_weight": network.what.weight,
        "what_bias": network.what.bias,
        "side_weight": network.side.weight,
        "side_bias": network.side.bias,
    }
    np.savez(out / "khet.npz", **{name: value.detach().numpy().astype(np.float32) for name, value in heads.items()})
    (out / "khet.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def _short(argument: str) -> str:
    """An argument of the command line without the folders of the machine that ran it."""
    return Path(argument).name if "/" in argument else argument


def main() -> None:
    """Train, measure, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=Path, nargs="+", required=True)
    parser.add_argument("--held", type=int, default=12, help="boards of each folder that are kept apart")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="a state to go on from")
    parser.add_argument("--state", type=Path, help="where the state is kept")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    patches, held = load(given.pictures, slice(given.held, None)), load(given.pictures, slice(None, given.held))
    network = CellNetwork(len(CLASSES), len(SIDES)).to(memory_format=torch.channels_last)
    stages: list[str] = []
    if given.start:
        before = torch.load(given.start)
        network.load_state_dict(before["network"])
        stages = before["stages"]
    train(network, patches, held, given)
    stages = [*stages, f"{given.epochs} epochs on {int(patches.board.max()) + 1} boards, rate {given.rate:g}"]
    if given.state:
        torch.save({"network": network.state_dict(), "stages": stages}, given.state)
    about: dict[str, object] = {
        "version": 1,
        "made": datetime.date.today().isoformat(),
        "command": shlex.join(["python", "-m", "companion.training.train", *map(_short, sys.argv[1:])]),
        "stages": stages,
        "seed": given.seed,
        "window_px": WINDOW,
        "window_cells": SPAN,
        "classes": [list(c) for c in CLASSES],
        "sides": list(SIDES),
        "held_out": figures(network, held),
    }
    export(network, given.out, about)


if __name__ == "__main__":
    main()
