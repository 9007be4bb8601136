"""Trains the network that looks at all pyramids of a board; writes companion/vision/weights/khet_together.*.

python -m companion.training.together --boards /tmp/khet/simulated /tmp/khet/pyramids --start state.pt --steps 9000

It goes on from a state of `companion.training.train`. Boards that were hard of late are shown more often, and what is
kept is a running mean of the weights.
"""

import argparse
import copy
import json
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as functional
from torch import nn

from companion.training.about import made_by, write_about
from companion.training.folders import made_folder
from companion.training.network import PLANES, WINDOW, CellNetwork
from companion.training.precision import autocast
from companion.training.shipped import write
from companion.training.together_lessons import FIRST_FACING, SPAN, Board, Views, batch, load_boards
from companion.training.together_network import TogetherNetwork
from companion.training.train import one_cycle
from companion.vision.khet.network import CLASSES, LEAN_GAIN, SIDES
from companion.vision.khet.together import LEAN_PLACE, NAME
from companion.vision.weights import WEIGHTS

LEAST_CHANCE, MOST_LOSS, FRESH, UNSEEN = 0.12, 2.0, 0.4, 0.5  # of drawing hard boards
MEAN_OF = 400  # steps that the running mean of the weights goes back
TRUNK_RATE = 0.25  # of the rate of what is new
HELD_SEED, HELD_VIEWS = 7, 4
BATCH_OF_CELLS = 80
Given = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]


def given_to(views: Views) -> Given:
    """Planes, leans and places, indices, and which places of the boards are taken."""
    planes = torch.from_numpy(views.view).permute(0, 3, 1, 2).float() / 127.5 - 1
    flat = (LEAN_GAIN * torch.from_numpy(views.lean))[:, :, None, None].expand(-1, -1, WINDOW, WINDOW)
    where = torch.from_numpy(np.concatenate([LEAN_PLACE * views.lean, views.place], axis=1))
    counts = np.bincount(views.board)
    within = np.arange(len(views.board)) - np.repeat(np.cumsum(counts) - counts, counts)
    at = torch.from_numpy(views.board * counts.max() + within)
    there = torch.arange(int(counts.max()))[None] < torch.from_numpy(counts)[:, None]
    return torch.cat([planes, flat], 1).contiguous(memory_format=torch.channels_last), where, at, there


def held_views(boards: list[Board]) -> list[Views]:
    """The boards kept apart, in the same lights each time."""
    random = np.random.default_rng(HELD_SEED)
    return [batch(boards[i : i + 10], random) for _ in range(HELD_VIEWS) for i in range(0, len(boards), 10)]


def figures(network: TogetherNetwork, held: list[Views]) -> dict[str, float]:
    """Log loss and share of right facings on boards kept apart, in many lights."""
    network.eval()
    with torch.no_grad():
        logits = torch.cat([network(*given_to(views)) for views in held])
    facing = torch.from_numpy(np.concatenate([views.facing for views in held]))
    network.train()
    return {
        "pyramids": len(facing),
        "right": round(float((logits.argmax(1) == facing).float().mean()), 5),
        "loss": round(float(functional.cross_entropy(logits, facing)), 5),
    }


def train(network: TogetherNetwork, boards: list[Board], held: list[Views], given: argparse.Namespace) -> nn.Module:
    """AdamW with one cycle of the learning rate; returns the running mean."""
    random = np.random.default_rng(given.seed)
    trunk = [*network.trunk.parameters(), *network.alone.parameters()]
    own = {id(p) for p in trunk}
    new = [p for p in network.parameters() if id(p) not in own]
    groups = [{"params": trunk, "share": TRUNK_RATE}, {"params": new, "share": 1.0}]
    optimiser = torch.optim.AdamW(groups, lr=given.rate, weight_decay=0.02)
    mean = copy.deepcopy(network)
    hard, total = np.full(len(boards), UNSEEN), 0.0
    network.train()
    for step in range(1, given.steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = given.rate * group["share"] * one_cycle(step / given.steps)
        chances = hard + LEAST_CHANCE
        picked = random.choice(len(boards), given.batch, replace=False, p=chances / chances.sum())
        views = batch([boards[i] for i in picked], random)
        facing = torch.from_numpy(views.facing)
        with autocast():
            logits = network(*given_to(views))
        each = functional.cross_entropy(logits.float(), facing, label_smoothing=0.003, reduction="none")
        worst = np.zeros(len(picked))
        np.maximum.at(worst, views.board, each.detach().numpy())
        hard[picked] += FRESH * (np.minimum(worst, MOST_LOSS) - hard[picked])
        loss = each.mean()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        _follow(mean, network, min(step / 10, MEAN_OF))
        total += float(loss.detach())
        if step % given.tell == 0:
            print(step, f"loss {total / given.tell:.4f}", figures(mean, held), f"hard {hard.mean():.3f}", flush=True)
            total = 0.0
    return mean


def _follow(mean: nn.Module, network: nn.Module, steps: float) -> None:
    """Move the running mean of the weights towards the weights, by one of so many steps."""
    with torch.no_grad():
        for kept, value in zip(mean.state_dict().values(), network.state_dict().values(), strict=True):
            if value.is_floating_point():
                kept.lerp_(value, 1 / (1 + steps))


def mean_of(states: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """The mean of the weights of runs that went on from one state."""
    return {
        name: torch.stack([state[name] for state in states]).mean(dim=0) if value.is_floating_point() else value
        for name, value in states[0].items()
    }


def export(network: TogetherNetwork, out: Path, about: dict[str, object]) -> None:
    """The trunk as ONNX, all that comes after it as arrays, and what was done."""
    network.eval().to(memory_format=torch.contiguous_format)
    example = torch.zeros(BATCH_OF_CELLS, PLANES, WINDOW, WINDOW)
    write(network.trunk, example, out / f"{NAME}.onnx", input_names=["cells"], output_names=["embedding"])
    arrays = {n: v.numpy().astype(np.float32) for n, v in network.state_dict().items() if not n.startswith("trunk.")}
    np.savez(out / f"{NAME}.npz", **arrays)
    write_about(out / f"{NAME}.json", about)


def _options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--boards", nargs="+", type=Path, required=True, help="folders of stored boards, each of one set"
    )
    parser.add_argument("--held", type=int, default=10, help="boards of each folder that are kept apart")
    parser.add_argument("--start", type=Path, required=True, help="a state of companion.training.train")
    parser.add_argument(
        "--on", nargs="+", type=Path, default=[], help="states of this training to go on from; of several, their mean"
    )
    parser.add_argument("--steps", type=int, default=9000, help="0 writes what --on says")
    parser.add_argument("--batch", type=int, default=10, help="boards at once")
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--tell", type=int, default=500, help="steps after which figures are printed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", type=Path, help="where the state is kept")
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    return parser.parse_args()


def main() -> None:
    """Train, measure, export."""
    given = _options()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    held = held_views(load_boards(given.boards, slice(None, given.held)))
    boards = load_boards(given.boards, slice(given.held, None))
    cells = CellNetwork(len(CLASSES), len(SIDES))
    cells.load_state_dict(torch.load(given.start)["network"])
    network = TogetherNetwork(cells, FIRST_FACING).to(memory_format=torch.channels_last)
    stages: list[str] = []
    if given.on:
        states = [torch.load(path) for path in given.on]
        network.load_state_dict(mean_of([state["network"] for state in states]))
        stages = states[0]["stages"]
        if len(states) > 1:
            stages = [*stages, f"the mean of the weights of {len(states)} such runs"]
    before = figures(network, held)
    print(len(boards), "boards,", sum(len(b.facing) for b in boards), "pyramids; before:", before, flush=True)
    mean = train(network, boards, held, given)
    assert isinstance(mean, TogetherNetwork)
    if given.steps:
        stages = [*stages, f"{given.steps * given.batch} views of {len(boards)} boards, rate {given.rate:g}"]
    about = made_by(
        "together",
        boards=len(boards),
        pyramids=sum(len(board.facing) for board in boards),
        stages=stages,
        seed=given.seed,
        window_px=WINDOW,
        window_cells=SPAN,
        apart={"before": before, "now": figures(mean, held)},
    )
    if given.state:
        torch.save({"network": mean.state_dict(), "stages": stages}, given.state)
    export(mean, given.out, about)
    print(json.dumps(about, indent=1))


if __name__ == "__main__":
    main()
