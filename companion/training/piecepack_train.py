"""Trains the piecepack networks and writes piecepack_{find,tile,small,die}.onnx, .npz and piecepack.json.

python -m companion.training.piecepack_train --train /tmp/piecepack/train.npz --held /tmp/piecepack/held.npz --seed 1
"""

import argparse
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from companion.pieces import SUITS, VALUES
from companion.training.about import made_by, write_about
from companion.training.fitting import arguments, fit
from companion.training.folders import made_folder
from companion.training.piecepack_networks import DIE_OUT, SMALL_OUT, TILE_OUT, FindNetwork, PatchNetwork
from companion.training.shipped import take_up, write
from companion.training.train import temperature
from companion.vision.piecepack.patches import DIE_PX, FIND_STRIDE, SMALL_PX, TILE_PX
from companion.vision.plans import AT_ONCE
from companion.vision.weights import WEIGHTS

Arrays = dict[str, np.ndarray]
Tensors = dict[str, torch.Tensor]
BATCH, BATCH_OF_CROPS = 96, 16  # lessons of one step; the latter of `find`
NETWORKS: dict[str, Callable[[], nn.Module]] = {
    "find": FindNetwork,
    "tile": lambda: PatchNetwork(TILE_PX, (12, 24, 40, 64), TILE_OUT),
    "small": lambda: PatchNetwork(SMALL_PX, (24, 48, 72, 112), SMALL_OUT),
    "die": lambda: PatchNetwork(DIE_PX, (16, 32, 48, 80), DIE_OUT),
}
ASKED = {  # of each network that reads: its questions and how many answers each has
    "tile": (("kind", "turn", "suit", "value"), TILE_OUT),
    "small": (("kind", "face", "suit", "value", "heading"), SMALL_OUT),
    "die": (("suit", "value"), DIE_OUT),
}


def planes(pictures: torch.Tensor, random: torch.Generator | None) -> torch.Tensor:
    """(n, 3, h, w) in -1..1 of (n, h, w, 3) bytes; with a generator, in other light and with noise."""
    x = pictures.permute(0, 3, 1, 2).float() / 255
    if random is not None:

        def noise(*shape: int) -> torch.Tensor:
            return torch.randn(*shape, generator=random, device=x.device)

        n = len(x)
        x = x * torch.exp(0.14 * noise(n, 1, 1, 1) + 0.045 * noise(n, 3, 1, 1)) + 0.012 * noise(n, 1, 1, 1)
        grain = 0.012 * torch.rand(n, 1, 1, 1, generator=random, device=x.device)
        x = x + grain * noise(*x.shape)
    return x.clamp(0, 1) * 2 - 1


def find_planes(data: Tensors, rows: torch.Tensor, random: torch.Generator | None) -> torch.Tensor:
    """Picture and lean."""
    x = planes(data["find"][rows], random)
    lean = data["lean"][rows].float().permute(0, 3, 1, 2)
    lean = functional.interpolate(lean, scale_factor=8, mode="bilinear", align_corners=False)
    return torch.cat([x, lean], dim=1)


def find_loss(out: torch.Tensor, target: torch.Tensor, where: torch.Tensor) -> torch.Tensor:
    """Focal loss of the heat, absolute error of offsets and angles where there is a piece."""
    k = where.shape[1]
    p, want = torch.sigmoid(out[:, :k]).clamp(1e-4, 1 - 1e-4), target[:, :k]
    hit = (want >= 0.999).float()
    heat = -(hit * (1 - p) ** 2 * p.log() + (1 - hit) * (1 - want) ** 4 * p**2 * (1 - p).log()).sum()
    mask = where.float()
    offset = (out[:, k : 3 * k] - target[:, k : 3 * k]).abs() * mask.repeat_interleave(2, 1)
    angles = torch.cat([mask[:, :1]] * 2 + [mask[:, 3:4]] * 2, dim=1)
    turn = (out[:, 3 * k :] - target[:, 3 * k :]).abs() * angles
    count = hit.sum().clamp(min=1)
    return (heat + 1.2 * offset.sum() + 0.6 * turn.sum()) / count


def patch_loss(out: torch.Tensor, label: torch.Tensor, sizes: tuple[int, ...]) -> torch.Tensor:
    """Cross entropy of each question that has an answer; the last of small pieces is an angle."""
    loss, start = out.new_zeros(()), 0
    for i, size in enumerate(sizes):
        part = out[:, start : start + size]
        start += size
        if size == 2 and i == 4:
            known = ~label[:, 4].isnan()
            a = torch.deg2rad(label[known, 4])
            want = torch.stack([a.cos(), a.sin()], dim=1)
            loss = loss + 0.5 * (part[known] - want).abs().sum(1).mean()
        else:
            wanted = label[:, i].long()
            if (wanted >= 0).any():
                loss = loss + functional.cross_entropy(part, wanted, ignore_index=-1, label_smoothing=0.01)
    return loss


def turned(x: torch.Tensor, label: torch.Tensor, quarters: int, name: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Patches turned counter-clockwise by quarters, their labels too."""
    label = label.clone()
    if name == "tile":
        known = label[:, 1] >= 0
        label[known, 1] = (label[known, 1] - quarters) % 4
    elif name == "small":
        label[:, 4] = label[:, 4] + 90 * quarters
    return torch.rot90(x, quarters, (2, 3)), label


def loss_of(
    name: str, network: nn.Module, data: Tensors, rows: torch.Tensor, random: torch.Generator, quarters: int
) -> torch.Tensor:
    """Of one batch, turned by so many quarters."""
    if name == "find":
        x = find_planes(data, rows, random)
        x = x.contiguous(memory_format=torch.channels_last)
        return find_loss(network(x).float(), data["target"][rows].float(), data["where"][rows])
    x, label = planes(data[name][rows], random), data[f"{name}_label"][rows]
    x, label = turned(x, label, quarters, name)
    x = x.contiguous(memory_format=torch.channels_last)
    return patch_loss(network(x).float(), label, ASKED[name][1])


def begin(network: nn.Module, start: Path, name: str) -> None:
    """Go on from a folder of exported weights."""
    take_up(network.body, start / f"piecepack_{name}.onnx")
    if isinstance(network, PatchNetwork):
        with torch.no_grad(), np.load(start / f"piecepack_{name}.npz") as arrays:
            network.head.weight.copy_(torch.from_numpy(arrays["weight"]))
            network.head.bias.copy_(torch.from_numpy(arrays["bias"]))


def train(name: str, arrays: Arrays, given: argparse.Namespace) -> nn.Module:
    """A network fitted to its lessons."""
    torch.manual_seed(given.seed)
    random, turns = torch.Generator(given.device).manual_seed(given.seed), np.random.default_rng([given.seed, 1])
    network = NETWORKS[name]()
    if given.start is not None:
        begin(network, given.start, name)
    network.to(given.device, memory_format=torch.channels_last)
    data = {key: torch.from_numpy(values).to(given.device) for key, values in arrays.items()}

    def loss(rows: torch.Tensor) -> torch.Tensor:
        return loss_of(name, network, data, rows, random, int(turns.integers(4)))

    print(name)
    fit(network, len(data[name]), given.batch or (BATCH_OF_CROPS if name == "find" else BATCH), loss, given)
    return network.cpu()


def patch_figures(network: nn.Module, data: Arrays, name: str) -> dict[str, float]:
    """Share of right answers to each question on held-out patches, and a temperature for each.

    Dice are looked at from four sides, as the eye does.
    """
    network.eval()
    pictures, sides = data[name], range(4) if name == "die" else range(1)
    with torch.no_grad():
        parts = [planes(part, None) for part in torch.from_numpy(pictures).split(256)]
        views = [torch.cat([network(torch.rot90(x, side, (2, 3))) for x in parts]) for side in sides]
    out, label = torch.stack(views).mean(dim=0), torch.from_numpy(data[f"{name}_label"])
    asked, sizes = ASKED[name]
    found: dict[str, float] = {"patches": len(label)}
    start = 0
    for i, (question, size) in enumerate(zip(asked, sizes, strict=True)):
        if question == "heading":
            continue
        part, wanted = out[:, start : start + size], label[:, i].long()
        start += size
        known = wanted >= 0
        found[question] = round(float((part.argmax(1) == wanted)[known].float().mean()), 5)
        found[f"{question}_temperature"] = round(temperature(part[known], wanted[known]), 4)
    if name == "small":
        known = ~label[:, 4].isnan() & (label[:, 0] == 1)
        off = torch.rad2deg(torch.atan2(out[known, -1], out[known, -2])) - label[known, 4]
        found["heading_deg"] = round(float(((off + 180) % 360 - 180).abs().median()), 2)
    return found


def find_figures(network: nn.Module, data: Arrays) -> dict[str, float]:
    """How many pieces have a peak within a cell, and how many peaks have no piece."""
    network.eval()
    hit = missed = false = 0
    seen = {key: torch.from_numpy(data[key]) for key in ("find", "lean", "target")}
    with torch.no_grad():
        for rows in torch.arange(len(seen["find"])).split(20):
            out = network(find_planes(seen, rows, None))
            heat = torch.sigmoid(out[:, :4])
            peak = (functional.max_pool2d(heat, 3, 1, 1) == heat) & (heat > 0.4)
            want = seen["target"][rows].float()[:, :4] >= 0.999
            near = functional.max_pool2d(peak.float(), 3, 1, 1) > 0
            hit += int((want & near).sum())
            missed += int((want & ~near).sum())
            false += int((peak & ~(functional.max_pool2d(want.float(), 3, 1, 1) > 0)).sum())
    return {"pieces": hit + missed, "found": round(hit / max(1, hit + missed), 5), "false": false}


def export(network: nn.Module, name: str, out: Path) -> None:
    """ONNX for cv2.dnn; the last layer of those that read patches as arrays, because teaching bends it."""
    network.eval()
    example = {
        "find": torch.zeros(1, 5, 96 * FIND_STRIDE, 96 * FIND_STRIDE),
        "tile": torch.zeros(AT_ONCE, 3, TILE_PX, TILE_PX),
        "small": torch.zeros(AT_ONCE, 3, SMALL_PX, SMALL_PX),
        "die": torch.zeros(AT_ONCE, 3, DIE_PX, DIE_PX),
    }[name]
    if isinstance(network, PatchNetwork):
        weight, bias = network.head.weight.detach().numpy(), network.head.bias.detach().numpy()
        np.savez(out / f"piecepack_{name}.npz", weight=weight, bias=bias)
    path = out / f"piecepack_{name}.onnx"
    write(network.body, example, path, input_names=["picture"], output_names=["answer"])


def main() -> None:
    """Train, measure, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, nargs="+", required=True)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=list(NETWORKS))
    arguments(parser, epochs=8, rate=3e-3)
    parser.add_argument("--batch", type=int, help=f"lessons of one step; {BATCH}, of find {BATCH_OF_CROPS}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="folder of weights to go on from")
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    given = parser.parse_args()
    path = given.out / "piecepack.json"
    about: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"networks": {}}
    about["version"] = int(about.get("version", 0)) + 1  # what was taught to other networks is of no use to these
    about |= {"suits": list(SUITS), "values": list(VALUES)}
    held = dict(np.load(given.held))
    for name in given.only:
        names = {"find": ("find", "lean", "target", "where")}.get(name, (name, f"{name}_label"))
        files = [np.load(file) for file in given.train]
        data = {key: np.concatenate([file[key] for file in files]) for key in names}
        network = train(name, data, given)
        figures = find_figures(network, held) if name == "find" else patch_figures(network, held, name)
        if any(isinstance(v, float) and math.isnan(v) for v in figures.values()):
            raise SystemExit(f"{name}: the training went astray: {figures}")
        about["networks"][name] = made_by("piecepack_train", pictures=len(data[name]), held_out=figures)
        print(name, figures, flush=True)
        export(network, name, given.out)
        write_about(path, about)


if __name__ == "__main__":
    main()
