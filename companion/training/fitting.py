"""Fits a network that reads patches to its lessons: AdamW with one cycle of the learning rate."""

import argparse
import math
import time
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from companion.training.precision import autocast
from companion.training.shipped import norms_rest
from companion.training.train import one_cycle

Loss = Callable[[torch.Tensor], torch.Tensor]  # of the lessons of these numbers


def fit(network: nn.Module, count: int, batch: int, loss_of: Loss, given: argparse.Namespace) -> None:
    """Train on `count` lessons as `arguments` says; a network that goes on from weights keeps what its norms know."""
    optimiser = torch.optim.AdamW(
        network.parameters(), lr=given.rate, weight_decay=0.01, fused=given.device.startswith("cuda")
    )
    order, started = np.random.default_rng(given.seed), time.monotonic()
    steps, step, done = given.epochs * (count // batch), 0, 0.0
    for epoch in range(given.epochs):
        network.train()
        if given.start is not None:
            norms_rest(network)
        rows = torch.from_numpy(order.permutation(count)).to(given.device)
        total = torch.zeros((), device=given.device)
        for first in range(0, count - batch + 1, batch):
            done = max(step / max(1, steps), (time.monotonic() - started) / given.seconds)
            for group in optimiser.param_groups:
                group["lr"] = given.rate * one_cycle(done)
            with autocast(given.device.split(":")[0]):
                loss = loss_of(rows[first : first + batch])
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimiser.step()
            step += 1
            total += loss.detach()
            if done >= 1:
                break
        mean, spent = float(total) / max(1, count // batch), time.monotonic() - started
        print(epoch, f"{mean:.4f} {spent:.0f} s", flush=True)
        if done >= 1:
            break


def arguments(parser: argparse.ArgumentParser, epochs: int, rate: float) -> None:
    """What `fit` is told."""
    parser.add_argument("--epochs", type=int, default=epochs)
    parser.add_argument("--rate", type=float, default=rate, help="the highest, of learning")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which the cycle of the rate has ended")
    parser.add_argument("--device", default="cpu", help="what torch learns on: cpu, or cuda where there is one")
