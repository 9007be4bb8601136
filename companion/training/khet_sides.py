"""Fits the side head of the cell network anew, on cells as they are and blown out by gloss.

python -m companion.training.khet_sides --boards /tmp/khet/traced /tmp/khet/simulated --seed 5

The trunk stays as it is: the head is a linear layer on the shipped embeddings. It rewrites the side head in
companion/vision/weights/khet.npz and adds a stage to khet.json; every fifth board is kept apart for the figures.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray

from companion.training.about import write_about
from companion.training.folders import boards_in, made_folder
from companion.training.pictures import gain_of
from companion.vision.khet.network import SIDES, shipped
from companion.vision.weights import WEIGHTS

PIECES = 10  # of a board, every other one blown out
LEAST_PIECES = 4  # a board with fewer says little
STEPS, BATCH, RATE, STAY = 3000, 512, 3e-3, 1e-4  # STAY: how the head is held to what it was
APART = 5  # every so many boards are kept apart
LIT = (0.30, 0.42)  # half the side of what gloss covers, in cells
GLOSS = (0.3, 2.0)  # linear light that it adds; white paper is 1
Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Cells:
    """Windows of pieces with their sides."""

    view: Floats  # (n, W, W, 3) BGR in 0..1
    lean: Floats  # (n, 2)
    side: Numbers
    blown: NDArray[np.bool_]


def glossed(view: Floats, half_px: float, random: np.random.Generator) -> Floats:
    """A lamp mirrored by all of a piece's top, or by one side of it, but hardly by its rim."""
    size = len(view)
    angle, (x0, y0) = random.normal(0, 0.05), (size - 1) / 2 + random.normal(0, 1.5, 2)
    y, x = np.mgrid[:size, :size].astype(np.float64)
    u = (x - x0) * np.cos(angle) + (y - y0) * np.sin(angle)
    v = (y - y0) * np.cos(angle) - (x - x0) * np.sin(angle)
    lit = np.clip(half_px - np.maximum(np.abs(u), np.abs(v)) + 0.5, 0, 1)
    if random.random() < 0.5:
        one_side = (u > v, u < v, u > -v, u < -v)[int(random.integers(4))]
        lit = lit * np.where(one_side, 1, random.uniform(0, 0.8))
    if random.random() < 0.15:  # a knob in the middle stays as it is
        lit = lit * (np.hypot(u, v) > random.uniform(2, 12))
    white = random.uniform(*GLOSS) * random.uniform(0.95, 1.05, 3)
    return np.asarray(np.minimum(view**2.2 + lit[..., None] * white, 1) ** (1 / 2.2), np.float32)


def cells_of(files: Sequence[Path], window_px: int, span: float, random: np.random.Generator) -> Cells:
    """Some pieces of each board: shifted, turned, in a little other light, every other one blown out."""
    parts = [part for file in files for part in _of_board(dict(np.load(file)), window_px, span, random)]
    view, lean, side, blown = zip(*parts, strict=True)
    return Cells(np.stack(view), np.array(lean, np.float32), np.array(side, np.int64), np.array(blown, bool))


def _of_board(
    board: dict[str, NDArray[np.generic]], window_px: int, span: float, random: np.random.Generator
) -> Iterator[tuple[Floats, Floats, int, bool]]:
    pixels, sides = np.asarray(board["pixels"], np.uint8), board["side"].astype(np.int64)
    pieces = np.flatnonzero(sides >= 0)
    if len(pieces) < LEAST_PIECES:
        return
    gain, middle = gain_of(pixels), (pixels.shape[1] - 1) / 2
    zoom = span / float(board.get("span", np.float32(1.5))) * pixels.shape[1] / window_px
    for number, cell in enumerate(random.permutation(pieces)[:PIECES]):
        corner = middle - zoom * (window_px - 1) / 2 + random.normal(0, 0.6, 2)
        back = np.array([[zoom, 0, corner[0]], [0, zoom, corner[1]]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        cut = cv2.warpAffine(pixels[cell], back, (window_px, window_px), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        gains = gain * np.exp(random.uniform(-0.15, 0.15)) * random.uniform(0.95, 1.05, 3) / 255
        view = np.minimum(cut * gains, 1).astype(np.float32)
        blown = number % 2 == 1
        if blown:
            view = glossed(view, random.uniform(*LIT) / span * window_px, random)
        if random.random() < 0.5:
            view = np.clip(view + random.normal(0, 0.02, view.shape), 0, 1).astype(np.float32)
        quarters, lean = int(random.integers(4)), board["lean"][cell].astype(np.float32)
        for _ in range(quarters):
            lean = np.array((-lean[1], lean[0]), np.float32)
        yield np.ascontiguousarray(np.rot90(view, quarters)), lean, int(sides[cell]), blown


def fitted(embeddings: torch.Tensor, sides: torch.Tensor, head: torch.nn.Linear, random: np.random.Generator) -> None:
    """Adam on random batches; the head is held to where it began."""
    began = [p.detach().clone() for p in head.parameters()]
    optimiser = torch.optim.Adam(head.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, STEPS)
    for _ in range(STEPS):
        chosen = torch.from_numpy(random.integers(0, len(sides), BATCH))
        loss = functional.cross_entropy(head(embeddings[chosen]), sides[chosen])
        loss = loss + STAY / 2 * sum(((p - b) ** 2).sum() for p, b in zip(head.parameters(), began, strict=True))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()


def right(head: torch.nn.Linear, embeddings: torch.Tensor, cells: Cells) -> dict[str, float]:
    """Share of silver and red pieces told right, as they are and blown out."""
    with torch.no_grad():
        told = head(embeddings)[:, :2].argmax(1).numpy()
    known = cells.side < 2
    picks = {"plain": known & ~cells.blown, "blown_out": known & cells.blown}
    return {name: round(float((told == cells.side)[pick].mean()), 4) for name, pick in picks.items()}


def main() -> None:
    """Fit, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", nargs="+", type=Path, required=True, help="folders of stored boards")
    parser.add_argument("--most", type=int, default=1600, help="boards, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    random, tools = np.random.default_rng(given.seed), shipped()
    assert tools.side is not None
    files = boards_in(given.boards)
    files = [files[i] for i in random.permutation(len(files))[: given.most]]
    eyes = tools.embedder
    learnt, apart = (
        cells_of(
            [f for i, f in enumerate(files) if (i % APART == 0) == kept], eyes.window_px, eyes.window_cells, random
        )
        for kept in (False, True)
    )
    seen, seen_apart = (torch.from_numpy(eyes.embed(cells.view, cells.lean)) for cells in (learnt, apart))
    head = torch.nn.Linear(seen.shape[1], len(SIDES))
    with torch.no_grad():
        head.weight.copy_(torch.from_numpy(tools.side.weight))
        head.bias.copy_(torch.from_numpy(tools.side.bias))
    before = right(head, seen_apart, apart)
    fitted(seen, torch.from_numpy(learnt.side), head, random)
    figures = {"cells_apart": len(apart.side), "before": before, "now": right(head, seen_apart, apart)}
    print(json.dumps(figures))
    with np.load(given.out / "khet.npz") as stored:
        arrays = {name: stored[name] for name in stored.files}
    arrays |= {"side_weight": head.weight.detach().numpy(), "side_bias": head.bias.detach().numpy()}
    np.savez(given.out / "khet.npz", **arrays)
    about = json.loads((given.out / "khet.json").read_text(encoding="utf-8"))
    about["stages"].append(f"the side head anew, on {len(learnt.side)} pieces of {len(files)} boards, half blown out")
    about["side_head"] = figures
    write_about(given.out / "khet.json", about)


if __name__ == "__main__":
    main()
