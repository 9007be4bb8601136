"""Trains the network that proposes pyramids on whole tables, on simulated and on path-traced ones.

`python -m companion.training.pyramid_proposals --pictures FOLDER --traced FOLDER` needs torch and onnx. The folders
keep pictures, as `pyramid_patch_lessons` and `pyramid_scenes` make them. It writes
companion/vision/weights/pyramid_proposals.onnx and .json. `--start FOLDER` goes on from weights that are there.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from companion.training.about import made_by, write_about
from companion.training.folders import made_folder
from companion.training.lesson_folder import LessonFolder
from companion.training.pyramid_lessons import picture_of, seeds_of, table_of
from companion.training.seen_ground import ground_of
from companion.training.shipped import take_up, write
from companion.vision.pyramids.proposals import (
    ANSWERS,
    HEAT,
    LYING,
    NAME,
    PLANES,
    SHIFT,
    STRIDE,
    UPRIGHT,
    differences,
    fine_detail,
    planes_of,
)
from companion.vision.pyramids.shapes import CLASSES, STANDING
from companion.vision.weights import WEIGHTS

CROP, BATCH = 192, 8  # coarse pixels, pictures
RESCAN = 300  # steps after which new pictures are looked for
STEM, WIDTH = 24, 32
SPREAD = 0.7  # cells of the heat round a piece
NEAR = 1.5  # cells round a piece in which its place and heading are told
Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """One table: (h, w, 3) differences, fine detail, lean, and (n, 4) class, column, row, heading of its pieces."""

    differs: np.ndarray
    detail: np.ndarray  # (2h, 2w)
    lean: np.ndarray  # (4) x and y at the first pixel, their steps along columns and rows
    pieces: np.ndarray


def dense(seed: int, folder: Path) -> Dense | None:
    """The lesson of a table; None when its markers are not found."""
    table = table_of(seed)
    ground = ground_of(table.scene, picture_of(table, folder))
    if ground is None:
        return None
    step = ground.coarse_mm
    x, y, high = ground.camera
    lean = np.array([(ground.left_mm - x) / high, (ground.top_mm - y) / high, step / high, -step / high])
    rows = []
    for piece in table.truth()["pieces"]:
        if piece["kind"] == "pyramid" and piece.get("nested_on") is None:
            heading = piece["heading_deg"] if piece["pose"] == "lying" else piece["base_rotation_deg"]
            fine = ground.fine_px(np.array([piece["x_mm"], piece["y_mm"]]))
            at = (fine - (ground.settings.coarse - 1) / 2) / ground.settings.coarse
            rows.append((CLASSES.index((piece["size"], piece["pose"])), *at, heading))
    pieces = np.array(rows, dtype=np.float64).reshape(-1, 4)
    return Dense(differences(ground), fine_detail(ground.colours), lean, pieces)


LESSONS = LessonFolder("-dense.npz", Dense, dense)


class Wide(nn.Module):
    """A convolution with gaps, and a way round."""

    def __init__(self, reach: int) -> None:
        super().__init__()
        self.inner = layer(WIDTH, WIDTH, 3, 1, reach)

    def forward(self, x):
        return x + self.inner(x)


def layer(inside, outside, side, stride, reach=1):
    """Convolution, norm, threshold."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, side, stride, reach * (side // 2), reach, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(True),
    )


def network() -> nn.Module:
    """(n, PLANES, h, w) to (n, ANSWERS, h / STRIDE, w / STRIDE)."""
    last = nn.Conv2d(WIDTH, ANSWERS, 1)
    nn.init.constant_(last.bias[HEAT], -4.0)
    steps = [layer(PLANES, STEM, 5, 2), layer(STEM, WIDTH, 3, 2), *(Wide(reach) for reach in (1, 2, 4, 2, 1)), last]
    return nn.Sequential(*steps)


def crop(one: Dense, rng: Rng) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Planes, targets and where they count, of a part of a table, turned and mirrored as chance has it."""
    high, wide = one.differs.shape[:2]
    if len(one.pieces) and rng.random() < 0.9:
        middle = one.pieces[int(rng.integers(len(one.pieces))), 1:3] + rng.uniform(-80, 80, 2)
    else:
        middle = rng.uniform((0, 0), (wide, high))
    x0, y0 = (int(np.clip(m - CROP / 2, 0, n - CROP)) for m, n in zip(middle, (wide, high), strict=True))
    differs = one.differs[y0 : y0 + CROP, x0 : x0 + CROP]
    along = one.lean[0] + (x0 + np.arange(CROP)) * one.lean[2]
    across = one.lean[1] + (y0 + np.arange(CROP)) * one.lean[3]
    lean = np.stack(np.broadcast_arrays(along[None], across[:, None])).astype(np.float32)
    at, heading = one.pieces[:, 1:3] - (x0, y0), one.pieces[:, 3]
    detail = one.detail[2 * y0 : 2 * (y0 + CROP), 2 * x0 : 2 * (x0 + CROP)]
    planes, at, heading = turned((differs, lean, detail), at, heading, int(rng.integers(4)), rng.random() < 0.5)
    return shaken(planes, rng), *targets(one.pieces[:, 0].astype(int), at, heading)


def turned(seen, at, heading, quarters, mirrored):
    """A quarter turn counter-clockwise as often as said, then mirrored left to right; `seen` as planes."""
    differs, lean, detail = seen
    for _ in range(quarters):
        differs, detail = np.rot90(differs), np.rot90(detail)
        lean = np.rot90(lean, 1, (1, 2))
        lean = np.stack([-lean[1], lean[0]])
        at = np.stack([at[:, 1], CROP - 1 - at[:, 0]], axis=1)
        heading = heading + 90
    if mirrored:
        differs, detail, lean = differs[:, ::-1], detail[:, ::-1], lean[:, :, ::-1] * np.array([[[-1.0]], [[1.0]]])
        at = np.stack([CROP - 1 - at[:, 0], at[:, 1]], axis=1)
        heading = 180 - heading
    return planes_of(differs, lean, detail), at, heading


def shaken(planes, rng):
    """In other colours and another light, fainter, with noise."""
    faint = rng.uniform(0.4, 1.0) if rng.random() < 0.3 else 1.0
    colours = planes[:3][rng.permutation(3)] if rng.random() < 0.7 else planes[:3]
    colours = colours * rng.uniform(0.7, 1.3) * faint + rng.normal(0, 0.03, (3, 1, 1))
    if rng.random() < 0.4:
        share = rng.uniform(0, 1)  # greyer
        colours = colours * (1 - share) + colours.mean(axis=0, keepdims=True) * share
    amount = rng.uniform(0, 0.12) if rng.random() < 0.5 else 0.0
    colours = colours + rng.standard_normal(colours.shape, dtype=np.float32) * amount
    detail = planes[5:] * rng.uniform(0.6, 1.4) * faint
    detail = detail + rng.standard_normal(detail.shape, dtype=np.float32) * (rng.uniform(0, 4) * amount)
    return np.concatenate([colours, planes[3:5], detail]).astype(np.float32)


def targets(kind, at, heading):
    """(ANSWERS, n, n) answers and (n, n) where place and heading are told."""
    cells = CROP // STRIDE
    answer, told = np.zeros((ANSWERS, cells, cells), np.float32), np.zeros((cells, cells), np.float32)
    rows, cols = np.mgrid[0:cells, 0:cells]
    gap = np.full((cells, cells), np.inf)  # to the nearest piece
    for number, place, angle in zip(kind, (at + 0.5) / STRIDE - 0.5, np.radians(heading), strict=True):
        if (place < -1).any() or (place > cells).any():
            continue
        away = np.hypot(cols - place[0], rows - place[1])
        heat = np.exp(-(away**2) / (2 * SPREAD**2))
        nearest = np.unravel_index(away.argmin(), away.shape)
        heat[nearest] = 1.0
        answer[number] = np.maximum(answer[number], heat)
        near = (away < NEAR) & (away < gap)
        told[near], gap[near] = 1.0, away[near]
        answer[SHIFT][:, near] = np.stack([place[0] - cols, place[1] - rows])[:, near]
        part, times = (UPRIGHT, 4) if number < STANDING else (LYING, 1)
        answer[LYING][:, near], answer[UPRIGHT][:, near] = 0, 0
        answer[part][:, near] = np.array([[np.cos(angle * times)], [np.sin(angle * times)]])
    return answer, told


def lost(out, answer, told):
    """Loss of heat, of places, of headings."""
    p, want = torch.sigmoid(out[:, HEAT]).clamp(1e-5, 1 - 1e-5), answer[:, HEAT]
    there = (want == 1).float()
    count = there.sum().clamp(min=1)
    hit = -(there * (1 - p) ** 2 * p.log()).sum() / count
    miss = -((1 - there) * (1 - want) ** 4 * p**2 * (1 - p).log()).sum() / count
    near, cells = told[:, None], told.sum().clamp(min=1)
    place = (functional.smooth_l1_loss(out[:, SHIFT], answer[:, SHIFT], reduction="none") * near).sum() / cells
    way = torch.zeros(())
    for part in (LYING, UPRIGHT):
        known = near * (answer[:, part].abs().sum(1, keepdim=True) > 0)
        gap = functional.smooth_l1_loss(out[:, part], answer[:, part], reduction="none")
        way = way + (gap * known).sum() / cells
    return hit + miss, place, way


def figures(net, apart: list[Dense], least: float = 0.04) -> dict[str, float]:
    """Of tables kept apart: the share of pieces that have a peak of their class near, and peaks for each piece."""
    net.eval()
    found = pieces = proposed = 0
    with torch.no_grad():
        for one in apart:
            high, wide = (n // (STRIDE * 8) * STRIDE * 8 for n in one.differs.shape[:2])
            along, across = (one.lean[k] + np.arange(n) * one.lean[k + 2] for k, n in ((0, wide), (1, high)))
            lean = np.stack(np.broadcast_arrays(along[None], across[:, None])).astype(np.float32)
            planes = planes_of(one.differs[:high, :wide], lean, one.detail[: 2 * high, : 2 * wide])
            heat = torch.sigmoid(net(torch.from_numpy(planes)[None])[0, HEAT])
            top = (heat >= functional.max_pool2d(heat[None], 3, 1, 1)[0]) & (heat > least)
            kind, row, col = (v.numpy() for v in torch.nonzero(top, as_tuple=True))
            proposed += len(kind)
            for number, x, y, _ in one.pieces:
                place = (np.array([x, y]) + 0.5) / STRIDE - 0.5
                if (place < 0).any() or place[0] >= wide / STRIDE or place[1] >= high / STRIDE:
                    continue
                pieces += 1
                found += bool(((kind == number) & (np.hypot(col - place[0], row - place[1]) < 1.6)).any())
    return {
        "tables": len(apart),
        "found": round(found / max(pieces, 1), 4),
        "peaks": round(proposed / max(pieces, 1), 2),
    }


def main() -> None:
    """Train, judge on the tables kept apart, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, required=True)
    parser.add_argument("--tables", type=int, default=579, help="0: those of which the folder holds pictures")
    parser.add_argument("--apart", type=int, nargs=2, default=(450, 498), help="seeds of the tables kept apart")
    parser.add_argument("--traced", type=Path, required=True)
    parser.add_argument("--traced-apart", type=int, nargs=2, default=(500_000, 500_012))
    parser.add_argument("--traced-share", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=1500, help="of processor time")
    parser.add_argument("--start", type=Path, help="folder of weights to go on from")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=made_folder, default=WEIGHTS)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(options.seed)
    seeds = range(options.tables) if options.tables else seeds_of(options.pictures)
    drawn = loaded(options.pictures, seeds)
    traced = loaded(options.traced, seeds_of(options.traced))
    held = [drawn.pop(s) for s in range(*options.apart) if s in drawn]
    held_traced = [traced.pop(s) for s in range(*options.traced_apart) if s in traced]
    print(f"{len(drawn)} drawn and {len(traced)} traced tables", flush=True)
    net = network()
    if options.start:
        take_up(net, options.start / f"{NAME}.onnx")
    train(net, list(drawn.values()), traced, options, rng)
    told = {"drawn": figures(net, held), "traced": figures(net, held_traced)}
    print(told, flush=True)
    export(net, options.out)
    about = made_by("pyramid_proposals", tables=len(drawn), traced=len(traced), held_apart=told)
    write_about(options.out / f"{NAME}.json", {"version": 1, **about})


def train(net, drawn: list[Dense], traced: dict[int, Dense], options, rng: Rng) -> None:
    """Until the time is up; the rate falls with it. Pictures that are traced meanwhile are taken in, too."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=1e-4)
    start, step, sums = time.process_time(), 0, np.zeros(3)
    done = 0.0
    while done < 1:
        done = (time.process_time() - start) / options.seconds
        rate = options.rate * min(1.0, 20 * done + 0.1) * 0.5 * (1 + np.cos(np.pi * min(done, 1.0))) + 1e-6
        for group in optimiser.param_groups:
            group["lr"] = rate
        net.train(not options.start)  # norms that were taken into the convolutions stay as they are
        if step % RESCAN == RESCAN - 1:
            fresh = [s for s in seeds_of(options.traced) if s not in traced and s not in range(*options.traced_apart)]
            traced |= loaded(options.traced, fresh)
        kinds = drawn, list(traced.values())
        parts = [crop(pick(kinds[rng.random() < options.traced_share], rng), rng) for _ in range(BATCH)]
        x, answer, told = (torch.from_numpy(np.stack(v)) for v in zip(*parts, strict=True))
        optimiser.zero_grad()
        losses = lost(net(x), answer, told)
        (losses[0] + 0.5 * losses[1] + 1.0 * losses[2]).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        sums, step = sums + [float(v.detach()) for v in losses], step + 1
        if step % 200 == 0:
            print(step, round(done, 3), (sums / 200).round(3), flush=True)
            sums = np.zeros(3)


def pick(tables: list[Dense], rng: Rng) -> Dense:
    """One of them."""
    return tables[int(rng.integers(len(tables)))]


def loaded(folder: Path, seeds) -> dict[int, Dense]:
    """The lessons of all tables of a folder."""
    return {seed: one for seed in seeds if (one := LESSONS.kept(seed, folder)) is not None}


def export(net, out: Path) -> None:
    """As ONNX, of any size."""
    example = torch.zeros(1, PLANES, 96, 96)
    sizes = {"planes": {2: "high", 3: "wide"}, "answers": {2: "rows", 3: "cols"}}
    path = out / f"{NAME}.onnx"
    write(net, example, path, input_names=["planes"], output_names=["answers"], dynamic_axes=sizes)


if __name__ == "__main__":
    main()
