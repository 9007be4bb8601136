"""Trains the network that looks at single hypotheses of pyramids: right or not, and where.

`python -m companion.training.pyramid_network --lessons FOLDER` needs torch and onnx. It learns from the lessons that
`pyramid_patch_lessons` keeps in the folder and writes companion/vision/weights/pyramid_look.onnx (convolutions), .npz
(what follows them) and .json. With `--traced FOLDER`, the lessons of path-traced pictures are learned, too, each
`--traced-times` as often; `--start FOLDER` goes on from weights that are there. With `--watched` it is the network of
watched tables, which learns from the lessons of `pyramid_watched_lessons` and is called pyramid_watched.
"""

import argparse
import copy
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.training.about import made_by, write_about
from companion.training.folders import made_folder
from companion.training.precision import autocast
from companion.training.pyramid_bent import as_of_none, faded, relit, turned_about
from companion.training.pyramid_patch_lessons import PATCH_LESSONS, PatchLesson
from companion.training.pyramid_watched_lessons import WATCHED_LESSONS
from companion.training.shipped import Residual, take_up, write
from companion.vision.plans import AT_ONCE
from companion.vision.pyramids.look import EMBEDDED, NAME, SECOND, WATCHED, columns_of
from companion.vision.pyramids.patches import CHANNELS, LEVELS, MIDDLE, SIDE_PX, SINCE
from companion.vision.weights import WEIGHTS

ARRAYS = PatchLesson.__slots__
GAIN, SHIFT, TINT = 0.12, 0.05, 0.03  # of the light on each piece


class Trunk(nn.Module):
    """From a patch to a few numbers; a `deep` one takes twice as long."""

    def __init__(self, deep: bool = False, side_px: int = SIDE_PX, channels: int = CHANNELS) -> None:
        super().__init__()
        self.side_px, self.channels = side_px, channels

        def more(width, count):
            return [Residual(width) for _ in range(count if deep else 0)]

        def layer(a, b, k, stride):
            return [nn.Conv2d(a, b, k, stride, k // 2, bias=False), nn.BatchNorm2d(b), nn.ReLU()]

        self.body = nn.Sequential(
            *layer(channels, 24, 5, 2),
            *layer(24, 40, 3, 2),
            *layer(40, 64, 3, 1),
            *more(64, 1),
            nn.MaxPool2d(2),
            *layer(64, 80, 3, 1),
            *more(80, 2),
            *layer(80, 80, 3, 2),
            nn.Flatten(),
            nn.Linear(80 * (side_px // 16) ** 2, EMBEDDED),
            nn.ReLU(),
        )

    def forward(self, x):
        return self.body(x)


class Head(nn.Module):
    """Right or not and where, beside the columns."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        self.right = nn.Sequential(
            nn.Linear(EMBEDDED + columns, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 4)
        )

    def forward(self, embedded, columns):
        told = self.right(torch.cat([embedded, columns], 1))
        return told[:, 0], told[:, 1:]


def scaled(patches):
    """As the network takes them: floats about 0."""
    x = patches.float()
    since = (x[:, CHANNELS:] - MIDDLE) / LEVELS
    return torch.cat([(x[:, :3] - MIDDLE) / LEVELS, x[:, 3:CHANNELS] / 255, since], 1)


def gathered(lessons):
    """All rows of all lessons, and their columns."""
    every = {name: np.concatenate([getattr(one, name) for one in lessons]) for name in ARRAYS}
    carried = every["carried"][:, None]
    columns = columns_of(every["single"], None, every["kind"])
    for_stacks = columns_of(every["single"], every["stacked"], every["kind"])
    return every, (columns * (1 - carried) + for_stacks * carried).astype(np.float32)


def arguments(description: str | None) -> argparse.ArgumentParser:
    """What this and the network of the colours are told."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--lessons", type=Path, required=True)
    parser.add_argument("--apart", type=int, nargs=2, default=(450, 498), help="seeds of the tables kept apart")
    parser.add_argument("--traced", type=Path, help="folder of path-traced pictures")
    parser.add_argument("--traced-apart", type=int, nargs=2, default=(550_080, 550_100))
    parser.add_argument("--traced-times", type=int, default=2)
    parser.add_argument("--start", type=Path, help="folder of weights to go on from")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=1e9, help="of processor time, after which the rate is 0")
    parser.add_argument("--batch", type=int, default=128, help="rows in one step of networks of single pieces")
    parser.add_argument("--device", default="cpu", help="what torch learns on: cpu, or cuda where there is one")
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    return parser


def _options() -> argparse.Namespace:
    """What the command line says."""
    parser = arguments(__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--watched", action="store_true", help="of lessons of watched tables")
    which.add_argument(
        "--second", action="store_true", help="the network that is asked of what would be told as a piece"
    )
    return parser.parse_args()


def main() -> None:
    """Train, judge on the tables kept apart, export."""
    options = _options()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    rng = torch.Generator(options.device).manual_seed(options.seed)
    lessons = WATCHED_LESSONS if options.watched else PATCH_LESSONS
    name = WATCHED if options.watched else SECOND if options.second else NAME
    channels = CHANNELS + SINCE if options.watched else CHANNELS
    held, taught = lessons.split(options.lessons, options.apart)
    held_traced, traced = lessons.split(options.traced, options.traced_apart)
    print(f"{len(taught)} and {len(traced)} tables to learn from, {len(held)} and {len(held_traced)} apart", flush=True)
    every, columns = gathered([*taught, *traced])
    rows, batch = often(taught, traced, options.traced_times), options.batch
    counts = {"tables": len(taught), "traced": len(traced)}
    del taught, traced
    scale = columns.mean(0), columns.std(0) + 1e-3
    trunk, head = Trunk(channels=channels), Head(columns.shape[1])
    if options.start:
        scale = started(trunk, head, options.start, name)
    trunk = trunk.to(options.device, memory_format=torch.channels_last)
    head.to(options.device)
    optimiser = torch.optim.AdamW([*trunk.parameters(), *head.parameters()], lr=1e-3, weight_decay=2e-4)
    data = tensors(every, columns, scale, options.device)
    count, rows = len(rows), rows.to(options.device)
    start = time.process_time()
    total, step = options.epochs * (count // batch), 0
    for epoch in range(options.epochs):
        trunk.train(not options.start)
        sums = np.zeros(2)
        order = torch.randperm(count, generator=rng, device=options.device)
        for picked in order[: count // batch * batch].reshape(-1, batch):
            chosen = rows[picked]
            done = max(step / total, (time.process_time() - start) / options.seconds)
            rate = rate_at(options.rate, done)
            for group in optimiser.param_groups:
                group["lr"] = rate
            step += 1
            optimiser.zero_grad()
            losses = lost(trunk, head, data, chosen, rng)
            (losses[0] + 0.5 * losses[1]).backward()
            optimiser.step()
            sums += [float(v.detach()) for v in losses]
            if done >= 1:
                break
        spent = time.process_time() - start
        export(trunk, head, scale, options.out, name)
        kept = {"drawn": held, "traced": held_traced}
        told = {which: figures(trunk, head, own, scale) for which, own in kept.items() if own}
        print(epoch, (sums / (count // batch)).round(4), told, f"{spent:.0f} s", flush=True)
        if spent > options.seconds:
            break
    write_about(options.out / f"{name}.json", made_by("pyramid_network", **counts, held_apart=told))


def rate_at(rate: float, done: float) -> float:
    """Rate of learning when a share of it is done: it grows soon, and falls to nothing."""
    return float(rate * min(1.0, 10 * done + 0.1) * 0.5 * (1 + np.cos(np.pi * min(done, 1.0))) + 1e-6)


def often(taught: list[PatchLesson], traced: list[PatchLesson], times: int):
    """Numbers of all rows that are gathered, those of traced tables several times."""
    first, second = (sum(len(one.right) for one in lessons) for lessons in (taught, traced))
    return torch.cat([torch.arange(first), torch.arange(first, first + second).repeat(times)])


def started(trunk: Trunk, head: Head, folder: Path, name: str = NAME):
    """Weights that were exported before; gives the scale of the columns.

    A network that sees what has changed, too, begins with those of the one that does not, where it has none of its own.
    """
    name = name if (folder / f"{name}.onnx").exists() else NAME
    take_up(trunk, folder / f"{name}.onnx")
    with torch.no_grad(), np.load(folder / f"{name}.npz") as arrays:
        for number, one in enumerate(m for m in head.right if isinstance(m, nn.Linear)):
            one.weight.copy_(torch.from_numpy(arrays[f"right_{number}"].T.copy()))
            one.bias.copy_(torch.from_numpy(arrays[f"right_{number}_bias"]))
        return arrays["column_mean"], arrays["column_spread"]


def tensors(every, columns, scale, device="cpu"):
    """Everything as torch takes it."""
    mean, spread = scale
    data = {
        "patches": torch.from_numpy(every["patches"]),
        "columns": torch.from_numpy(np.clip((columns - mean) / spread, -5, 5)),
        "kind": torch.from_numpy(every["kind"].astype(np.int64)),
        "right": torch.from_numpy(every["right"].astype(np.float32)),
        "off": torch.from_numpy((every["off"] * [10, 10, 0.2]).astype(np.float32)),
    }
    return {name: values.to(device) for name, values in data.items()}


def lost(trunk, head, data, chosen, rng):
    """Losses of right or not, and of the place."""
    x, off = turned_about(scaled(data["patches"][chosen]), data["kind"][chosen], data["off"][chosen], rng)
    x, faint = faded(relit(x, (GAIN, SHIFT, TINT), rng), rng)
    columns = data["columns"][chosen]
    columns = columns + 0.1 * torch.randn(columns.shape, generator=rng, device=x.device)
    columns = columns * (torch.rand(len(columns), 1, generator=rng, device=x.device) > 0.25)
    columns = torch.where(faint[:, None], as_of_none(columns, data["right"][chosen], rng), columns)
    with autocast(x.device.type):
        embedded = trunk(x.contiguous(memory_format=torch.channels_last))
    right, where = head(embedded.float(), columns)
    known = data["right"][chosen] >= 0
    first = functional.binary_cross_entropy_with_logits(right[known], data["right"][chosen][known])
    there = ~torch.isnan(off[:, 0])
    if not there.any():
        return first, first * 0
    return first, functional.smooth_l1_loss(where[there], off[there])


def figures(trunk, head, lessons, scale):
    """Log loss, shares and distances on tables kept apart."""
    trunk.eval()
    every, columns = gathered(lessons)
    data = tensors(every, columns, scale, next(head.parameters()).device)
    told = []
    with torch.no_grad():
        for i in range(0, len(columns), 256):
            own = slice(i, i + 256)
            told.append(head(trunk(scaled(data["patches"][own])), data["columns"][own]))
    right, where = (torch.cat(v).cpu() for v in zip(*told, strict=True))
    data = {name: values.cpu() for name, values in data.items()}
    result = {}
    for name, carried in (("single", 0), ("stacked", 1)):
        own = (data["right"] >= 0) & torch.from_numpy(every["carried"] == carried)
        loss = functional.binary_cross_entropy_with_logits(right[own], data["right"][own])
        called, is_ = right[own] > 0, data["right"][own] == 1
        result[name] = {
            "log_loss": round(float(loss), 4),
            "found": round(float(called[is_].float().mean()), 4),
            "right": round(float(is_[called].float().mean()), 4),
        }
    near = ~torch.isnan(data["off"][:, 0])
    gap = (where - data["off"])[near].abs().mean(0) / torch.tensor([10, 10, 0.2])
    before = data["off"][near].abs().mean(0) / torch.tensor([10, 10, 0.2])
    result["off"] = [round(float(v), 3) for v in (*before, *gap)]
    return result


def exported(trunk: Trunk, path: Path) -> None:
    """The convolutions as ONNX with a fixed batch."""
    trunk.eval()
    example = torch.zeros(AT_ONCE, trunk.channels, trunk.side_px, trunk.side_px)
    write(copy.deepcopy(trunk).cpu(), example, path, input_names=["patches"])


def export(trunk: Trunk, head: Head, scale, out: Path, name: str = NAME) -> None:
    """The convolutions, and the rest as arrays."""
    exported(trunk, out / f"{name}.onnx")
    arrays = {"column_mean": scale[0], "column_spread": scale[1]}
    for number, layer in enumerate(one for one in head.right if isinstance(one, nn.Linear)):
        arrays[f"right_{number}"] = layer.weight.detach().cpu().numpy().T
        arrays[f"right_{number}_bias"] = layer.bias.detach().cpu().numpy()
    np.savez(out / f"{name}.npz", **{key: np.asarray(value, np.float32) for key, value in arrays.items()})


if __name__ == "__main__":
    main()
