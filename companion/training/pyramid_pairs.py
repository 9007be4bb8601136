"""Trains the network that looks at stacked lying pyramids of which the eye found one.

`python -m companion.training.pyramid_pairs --lessons FOLDER --traced FOLDER` needs torch and onnx. The folders keep the
lessons of `pyramid_pair_lessons`. It goes on from the weights of `--start FOLDER`, or begins with the convolutions of
`pyramid_look.onnx`, and writes companion/vision/weights/pyramid_pairs.onnx (convolutions), .npz (what follows them) and
.json.
"""

import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.training.about import made_by, write_about
from companion.training.precision import autocast
from companion.training.pyramid_bent import relit, turned_about
from companion.training.pyramid_network import (
    GAIN,
    SHIFT,
    TINT,
    Head,
    Trunk,
    arguments,
    export,
    rate_at,
    scaled,
    started,
)
from companion.training.pyramid_pair_lessons import PAIR_LESSONS, PairLesson
from companion.vision.pyramids.pair_look import NAME
from companion.vision.weights import WEIGHTS

BATCH = 128
DECAY = 2e-3
UNTOLD = 0.25  # of pairs that are shown without their columns
CALLED = (0.0, 2.0, 4.0)  # log-odds from which the figures count a pair as claimed


def begun(start: Path | None, columns: int, side_px: int):
    """Weights to go on from, or the convolutions of the network of single hypotheses, for larger pictures; a head; the
    scale of the columns.
    """
    trunk, head = Trunk(side_px=side_px), Head(columns)
    if start:
        scale = started(trunk, head, start, NAME)
        return trunk.to(memory_format=torch.channels_last), head, scale
    known = Trunk()
    scale = started(known, head, WEIGHTS)
    convolutions = slice(0, -3)  # all but what flattens, weighs and cuts off
    trunk.body[convolutions].load_state_dict(known.body[convolutions].state_dict())
    return trunk.to(memory_format=torch.channels_last), head, scale


def tensors(lessons: list[PairLesson], scale, device="cpu"):
    """Everything as torch takes it, without what is nearly right."""
    every = {name: np.concatenate([getattr(one, name) for one in lessons]) for name in PairLesson.__slots__}
    told = every["right"] >= 0
    columns = np.clip((every["columns"] - scale[0]) / scale[1], -5, 5)
    data = {
        "patches": torch.from_numpy(every["patches"][told]),
        "columns": torch.from_numpy(columns[told].astype(np.float32)),
        "kind": torch.from_numpy(every["kind"][told].astype(np.int64)),
        "tried": torch.from_numpy(every["tried"][told] > 0),
        "right": torch.from_numpy(every["right"][told].astype(np.float32)),
    }
    return {name: values.to(device) for name, values in data.items()}


def lost(trunk: Trunk, head: Head, data, chosen, rng):
    """Loss of right or not."""
    x, off = scaled(data["patches"][chosen]), torch.zeros(len(chosen), 3, device=chosen.device)
    x, _ = turned_about(x, data["kind"][chosen], off, rng)
    x = relit(x, (GAIN, SHIFT, TINT), rng)
    columns = data["columns"][chosen]
    columns = columns + 0.1 * torch.randn(columns.shape, generator=rng, device=x.device)
    columns = columns * (torch.rand(len(columns), 1, generator=rng, device=x.device) > UNTOLD)
    with autocast(x.device.type):
        embedded = trunk(x.contiguous(memory_format=torch.channels_last))
    return functional.binary_cross_entropy_with_logits(head(embedded.float(), columns)[0], data["right"][chosen])


def figures(trunk: Trunk, head: Head, data):
    """Of pairs that the eye tries on tables kept apart: log loss, and what is found and wrong from some log-odds on."""
    trunk.eval()
    own = torch.nonzero(data["tried"])[:, 0]
    with torch.no_grad():
        told = [head(trunk(scaled(data["patches"][at])), data["columns"][at])[0] for at in own.split(256)]
    odds, right = torch.cat(told), data["right"][own]
    called = [odds > least for least in CALLED]
    return {
        "pairs": len(own),
        "there": int(right.sum()),
        "log_loss": round(float(functional.binary_cross_entropy_with_logits(odds, right)), 4),
        "from": CALLED,
        "found": [int(right[some].sum()) for some in called],
        "wrong": [int((1 - right[some]).sum()) for some in called],
    }


def main() -> None:
    """Train, judge on the tables kept apart, export."""
    options = arguments(__doc__).parse_args()
    torch.manual_seed(options.seed)
    rng = torch.Generator(options.device).manual_seed(options.seed)
    held, taught = PAIR_LESSONS.split(options.lessons, options.apart)
    held_traced, traced = PAIR_LESSONS.split(options.traced, options.traced_apart)
    print(f"{len(taught)} and {len(traced)} tables to learn from, {len(held)} and {len(held_traced)} apart", flush=True)
    one = taught[0]
    trunk, head, scale = begun(options.start, one.columns.shape[1], one.patches.shape[-1])
    counts = {"tables": len(taught), "traced": len(traced)}
    trunk.to(options.device)
    head.to(options.device)
    data = tensors(taught + traced * options.traced_times, scale, options.device)
    kept = {
        name: tensors(some, scale, options.device) for name, some in (("drawn", held), ("traced", held_traced)) if some
    }
    del taught, traced
    optimiser = torch.optim.AdamW([*trunk.parameters(), *head.parameters()], lr=options.rate, weight_decay=DECAY)
    count, step, begin = len(data["right"]), 0, time.process_time()
    total = options.epochs * (count // BATCH)
    for epoch in range(options.epochs):
        trunk.eval()  # the norms are within the convolutions already
        losses = 0.0
        order = torch.randperm(count, generator=rng, device=options.device)
        for chosen in order[: count // BATCH * BATCH].reshape(-1, BATCH):
            for group in optimiser.param_groups:
                group["lr"] = rate_at(options.rate, step / total)
            step += 1
            optimiser.zero_grad()
            loss = lost(trunk, head, data, chosen, rng)
            loss.backward()
            nn.utils.clip_grad_norm_([*trunk.parameters(), *head.parameters()], 5.0)
            optimiser.step()
            losses += float(loss.detach())
        export(trunk, head, scale, options.out, NAME)
        told = {name: figures(trunk, head, some) for name, some in kept.items()}
        print(epoch, round(losses / (count // BATCH), 4), told, f"{time.process_time() - begin:.0f} s", flush=True)
    write_about(options.out / f"{NAME}.json", made_by("pyramid_pairs", **counts, held_apart=told))


if __name__ == "__main__":
    main()
