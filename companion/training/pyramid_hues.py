"""Trains the network that tells the colours of all pyramids of a table together.

`python -m companion.training.pyramid_hues --lessons FOLDER --traced FOLDER --start FOLDER` needs torch and onnx. The
folders keep the lessons of `pyramid_hue_lessons`; path-traced tables are learned `--traced-times` as often. It writes
companion/vision/weights/pyramid_hues.onnx (convolutions), .npz (what follows them) and .json, and goes on from weights
that are there (`--start`), or from new ones.
"""

import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.training.about import made_by, write_about
from companion.training.attention import Layer, gathered, spread
from companion.training.precision import autocast
from companion.training.pyramid_bent import relit, turned_about
from companion.training.pyramid_hue_lessons import HUE_LESSONS, HueLesson
from companion.training.pyramid_network import Trunk, arguments, exported, rate_at, scaled
from companion.training.shipped import take_up
from companion.training.train import temperature
from companion.vision.pyramids.hues import NAME, beside_of
from companion.vision.pyramids.look import EMBEDDED

COLOURS, BESIDE = 10, 18
WIDTH, LAYERS = 64, 2
TABLES, PIECES = 6, 32  # in one step, and of each at most
FEW, SOME = 0.3, 4  # share of tables of which at most so many are shown: games begin with one piece
ALIKE, OWN = (0.12, 0.05, 0.03), (0.04, 0.02, 0.01)  # gain, shift, tint of a table's light, and of each piece's


class Hues(nn.Module):
    """What each piece looks like by itself, and how it compares with the others."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = Trunk(deep=True)
        self.hidden, self.alone = nn.Linear(EMBEDDED + BESIDE, 64), nn.Linear(64, COLOURS)
        self.token = nn.Linear(EMBEDDED + BESIDE, WIDTH)
        self.layers = nn.ModuleList(Layer(WIDTH) for _ in range(LAYERS))
        self.norm = nn.LayerNorm(WIDTH)
        self.colour = nn.Linear(WIDTH, COLOURS)
        self.dropout = nn.Dropout(0.1)
        nn.init.zeros_(self.colour.weight)
        nn.init.zeros_(self.colour.bias)

    def forward(self, patches, beside, at, there):
        """(n, COLOURS) of n pieces; `at` (n) are their indices in `there` (tables, k)."""
        with autocast(patches.device.type):
            embedded = self.trunk(patches.contiguous(memory_format=torch.channels_last))
        rows = torch.cat([self.dropout(embedded.float()), beside], 1)
        x = spread(self.token(rows), at, there)
        for layer in self.layers:
            x = layer(x, there)
        return self.alone(torch.relu(self.hidden(rows))) + self.colour(self.norm(gathered(x, at)))


class Pieces:
    """All pieces of a table."""

    def __init__(self, lesson: HueLesson, mean, width, device="cpu") -> None:
        beside = beside_of(lesson.bodies, lesson.terms, lesson.kind, mean, width)
        self.patches = torch.from_numpy(lesson.patches).to(device)
        self.beside = torch.from_numpy(beside).to(device)
        self.kind = torch.from_numpy(lesson.kind.astype(np.int64)).to(device)
        self.colour = torch.from_numpy(lesson.colour.astype(np.int64)).to(device)

    def __len__(self) -> int:
        return len(self.colour)


def laid(tables: list[Pieces], chosen):
    """Chosen rows of some tables in one heap: patches, beside, kind, colour, table; `at` and `there` for attention."""
    most = max(len(rows) for rows in chosen)
    there = torch.zeros(len(tables), most, dtype=torch.bool)
    at = []
    for number, rows in enumerate(chosen):
        there[number, : len(rows)] = True
        at.append(torch.arange(len(rows)) + number * most)
    heap = [
        torch.cat([getattr(one, name)[rows] for one, rows in zip(tables, chosen, strict=True)])
        for name in ("patches", "beside", "kind", "colour")
    ]
    device = heap[0].device
    return *heap, torch.cat(at).to(device), there.to(device)


def lost(network, tables, rng):
    """The loss of some tables: each in a light of its own, some of its pieces missing."""
    chosen = []
    for one in tables:
        most = min(PIECES, len(one))
        few = float(torch.rand((), generator=rng, device=rng.device)) < FEW
        low, high = (1, min(SOME, most)) if few else (max(1, most // 3), most)
        count = int(torch.randint(low, high + 1, (), generator=rng, device=rng.device))
        chosen.append(torch.randperm(len(one), generator=rng, device=rng.device)[:count])
    patches, beside, kind, colour, at, there = laid(tables, chosen)
    x, _ = turned_about(scaled(patches), kind, torch.zeros(len(kind), 3, device=kind.device), rng)
    x = relit(relit(x, ALIKE, rng, at // there.shape[1]), OWN, rng)
    beside = beside.clone()
    beside[:, :-6] += 0.05 * torch.randn(beside[:, :-6].shape, generator=rng, device=x.device)
    return functional.cross_entropy(network(x, beside, at, there), colour, label_smoothing=0.02)


def told_of(network, tables):
    """(n, COLOURS) what is said of all pieces of tables kept apart, each seen whole, and (n) their colours."""
    network.eval()
    told, named = [], []
    with torch.no_grad():
        for one in tables:
            patches, beside, _, colour, at, there = laid([one], [torch.arange(len(one))])
            told.append(network(scaled(patches), beside, at, there))
            named.append(colour)
    return torch.cat(told).cpu(), torch.cat(named).cpu()


def figures(told, named):
    """Log loss and share of right ones."""
    right = (told.argmax(1) == named).float().mean()
    return {
        "log_loss": round(float(functional.cross_entropy(told, named)), 4),
        "right": round(float(right), 4),
        "pieces": len(named),
    }


def shares_of(tables: list[Pieces]):
    """How much of what is learned has each colour: of clear pieces, the hardest, there is more than on real tables."""
    return torch.bincount(torch.cat([one.colour for one in tables]).cpu(), minlength=COLOURS) / sum(map(len, tables))


def export(network, mean, width, shares, heat: float, out: Path) -> None:
    """The convolutions as ONNX with a fixed batch, the rest as arrays: as sure as it is right (`heat` is the
    temperature of what it says), and every colour as frequent as the others.
    """
    exported(network.trunk, out / f"{NAME}.onnx")
    arrays = {
        name: value.cpu().numpy() for name, value in network.state_dict().items() if not name.startswith("trunk.")
    }
    for name in ("alone.weight", "alone.bias", "colour.weight", "colour.bias"):
        arrays[name] = arrays[name] / heat
    arrays["alone.bias"] = arrays["alone.bias"] - torch.log(shares * COLOURS).numpy()
    np.savez(out / f"{NAME}.npz", look_mean=mean, look_spread=width, **arrays)


def main() -> None:
    """Train, judge on the tables kept apart, export."""
    options = arguments(__doc__).parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    rng = torch.Generator(options.device).manual_seed(options.seed)
    held, taught = HUE_LESSONS.split(options.lessons, options.apart)
    held_traced, traced = HUE_LESSONS.split(options.traced, options.traced_apart)
    network = Hues()
    mean, width = begin(network, options.start, [*taught, *traced])
    parts = [
        [Pieces(one, mean, width, options.device) for one in lessons] for lessons in (taught, traced, held, held_traced)
    ]
    counts = {"tables": len(taught), "traced": len(traced)}
    del taught, traced, held, held_traced
    taught, traced, held, held_traced = ([one for one in part if len(one)] for part in parts)
    tables = taught + traced * options.traced_times
    network.to(options.device)
    print(f"{counts}, {sum(map(len, tables))} pieces", flush=True)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=2e-4)
    start, steps, step = time.process_time(), len(tables) // TABLES, 0
    for epoch in range(options.epochs):
        network.train()
        network.trunk.train(not options.start)
        total = 0.0
        order = torch.randperm(len(tables), generator=rng, device=rng.device)[: steps * TABLES].reshape(-1, TABLES)
        for some in order.tolist():
            done = max(step / (steps * options.epochs), (time.process_time() - start) / options.seconds)
            rate = rate_at(options.rate, done)
            for group in optimiser.param_groups:
                group["lr"] = rate
            step += 1
            optimiser.zero_grad()
            loss = lost(network, [tables[i] for i in some], rng)
            loss.backward()
            optimiser.step()
            total += float(loss.detach())
            if done >= 1:
                break
        answers = {"drawn": told_of(network, held), "traced": told_of(network, held_traced)}
        heat = temperature(*(torch.cat(part) for part in zip(*answers.values(), strict=True)))
        told = {name: figures(*answer) for name, answer in answers.items()} | {"temperature": round(heat, 3)}
        spent = time.process_time() - start
        print(epoch, round(total / steps, 4), told, f"{spent:.0f} s", flush=True)
        export(network, mean, width, shares_of(tables), heat, options.out)
        if spent > options.seconds:
            break
    write_about(options.out / f"{NAME}.json", made_by(NAME, **counts, held_apart=told))


def begin(network: Hues, folder: Path | None, lessons: list[HueLesson]):
    """Weights that were exported before, if any; gives the mean and the spread of the looks."""
    if folder is None:
        looks = np.concatenate([np.concatenate([one.bodies, one.terms], axis=1) for one in lessons])
        return looks.mean(0).astype(np.float32), looks.std(0).astype(np.float32) + 1e-3
    take_up(network.trunk, folder / f"{NAME}.onnx")
    with np.load(folder / f"{NAME}.npz") as arrays:
        stored = {name: torch.from_numpy(arrays[name]) for name in arrays.files if not name.startswith("look_")}
        network.load_state_dict(stored, strict=False)
        return arrays["look_mean"], arrays["look_spread"]


if __name__ == "__main__":
    main()
