"""Fits the judges of cells with discs, on simulated tables.

`python -m companion.training.discs --tables 764 --hexagons 90 --many 96 --seed 1` writes discs.npz and discs.json to
companion/vision/weights (or `--out`). Needs nothing but the companion itself; seeds stay inside `tables.TRAINING`.
Tables once drawn are kept in --keep.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulator.disc_tables import disc_picture, disc_table
from companion.simulator.tables import TRAINING
from companion.training.about import made_by, write_about
from companion.training.folders import made_folder, whole
from companion.view import BoardPose
from companion.vision.boards.cells import HEXAGONS, SQUARES, CellCutter, cell_tones
from companion.vision.chances import softmax
from companion.vision.discs.groups import hues_of
from companion.vision.discs.judge import NAME, Judge
from companion.vision.discs.looks import (
    BoardLooks,
    Cells,
    board_looks,
    cell_colours,
    first_columns,
    greys_of,
    pooled,
    second_columns,
    thumbnails,
)
from companion.vision.discs.neighbours import Around, near_columns, places_of
from companion.vision.discs.rings import Rings, RingSettings, find_rings, reduced
from companion.vision.discs.sheen import SheenSettings, expected, lights_of, sheen_columns
from companion.vision.reader import CellPatches
from companion.vision.weights import WEIGHTS

Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Halves = NDArray[np.float16]
SIZES = ((1600, 1200), (1200, 900), (1280, 960))
UNBALANCED = 0.3  # share of the boards of which no paper tells how bright white is
DIMMED = (-0.7, 0.1)  # ... and by how much they are darker or brighter than they were drawn (logarithm)
MIRRORED = (0.02, 0.5)  # light that is mirrored, in parts of the brightest
HIDDEN, COPIES = 96, 2  # units of the first judges; judges whose mean is kept
EPOCHS = (14, 9, 24, 12)  # of the first judges, of those of half the boards, of the second at first and at last
MANY_SHAKES = 1  # boards with many cells give many lessons
HELD = 6  # every sixth board is held apart
MARKED = {None: 0, "black": 1, "white": 2}


@dataclass
class Board:
    """One view of a board, and the class of each of its cells."""

    patches: CellPatches
    labels: Ints
    tones: int = SQUARES


def drawn(seed: int, keep: Path, kind: str = "grid") -> Board:
    """A simulated board, cut at a place that is a little off."""
    path = keep / (f"{seed}.npz" if kind == "grid" else f"{kind}-{seed}.npz")
    tones = HEXAGONS if kind == "hex" else SQUARES
    if not path.exists():
        board = _draw(seed, kind)
        p = board.patches
        numbers = np.array([p.mm_per_px, p.cell_mm, p.margin_mm, p.camera_height_mm, p.white_known])
        with whole(path) as half:
            np.savez_compressed(
                half, pixels=p.pixels, glare=p.glare, lean=p.lean, y=board.labels, meta=numbers, cells=np.array(p.cells)
            )
    with np.load(path) as a:
        scale, cell, margin, high, white = (float(v) for v in a["meta"])
        cells = tuple(str(c) for c in a["cells"])
        patches = CellPatches(a["pixels"], cells, a["lean"], scale, cell, margin, high, a["glare"], bool(white))
        return Board(patches, a["y"], tones)


def _draw(seed: int, kind: str) -> Board:
    rng = np.random.default_rng([seed, 99])
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    table = disc_table(seed, width, height, kind)
    board, camera = table.scene.board, table.scene.camera
    assert board is not None
    rough = rng.random() < 0.25
    slip, turn = rng.normal(0, 0.8 if rough else 0.3, 2), float(rng.normal(0, 0.25 if rough else 0.1))
    pose = BoardPose(board.x_mm + float(slip[0]), board.y_mm + float(slip[1]), board.rotation_deg + turn)
    cutter, picture = CellCutter(camera, pose, board.shape), disc_picture(table)
    sheets = table.scene.markers
    paper = camera.project(np.array([(x - sheets.side_mm / 2 - 2, y) for x, y in sheets.centres()])).round().astype(int)
    seen = [picture[y, x] for x, y in paper if 0 <= x < width and 0 <= y < height]
    known = bool(seen) and rng.random() >= UNBALANCED
    gains = np.clip(225 / np.median(seen, axis=0), 0.25, 4.0) if known else np.ones(3)
    patches = replace(cutter.patches(cutter.flat(picture), gains), white_known=known)
    colours = {t.cell: t.piece.colour for t in table.scene.things if t.piece is not None}
    return Board(patches, np.array([MARKED[colours.get(c)] for c in patches.cells], dtype=np.int64))


def halved(board: Board) -> Board:
    """The same board at half the size, which is still more than the reader looks at."""
    p = board.patches
    n, side = len(p), p.size // 2
    pixels = cv2.resize(p.pixels.reshape(n * p.size, p.size, 3), (side, n * side), interpolation=cv2.INTER_AREA)
    small = np.asarray(pixels, np.uint8).reshape(n, side, side, 3)
    patches = replace(p, pixels=small, glare=p.glare[:, ::2, ::2], mm_per_px=p.mm_per_px * p.size / side)
    return Board(patches, board.labels, board.tones)


def shaken(board: Board, rng: np.random.Generator) -> Board:
    """The same board in other light: brighter or darker, tinted, blurred, noisy, with sheen and glare, mirrored."""
    board = halved(board)
    known = board.patches.white_known and rng.random() >= UNBALANCED
    much = 0.3 if known else 1.0  # paper beside the board tells how bright white is
    curve = 255 * np.linspace(0, 1, 256, dtype=np.float32) ** np.float32(np.exp(rng.normal(0, 0.2 * much)))
    pixels: Singles = curve[board.patches.pixels]
    dimmed = 0.0 if known else rng.uniform(*DIMMED)
    pixels *= np.exp(dimmed + rng.normal(0, 0.15 * much)) * np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    if rng.random() < 0.5:
        pixels = _with_sheen(board, pixels, rng)
    if rng.random() < 0.3:
        pixels = _with_glare(pixels, rng)
    blur, noise = float(rng.uniform(0.2, 1.0)), float(rng.uniform(0, 4))
    if rng.random() < 0.25:
        noise = float(np.exp(rng.uniform(np.log(4), np.log(40))))
    pixels += np.float32(noise) * rng.standard_normal(pixels.shape, np.float32)
    if rng.random() < 0.5 or noise > 4:
        n, side = pixels.shape[:2]
        tall = cv2.GaussianBlur(pixels.reshape(n * side, side, 3), (0, 0), blur)
        pixels = np.asarray(tall, dtype=np.float32).reshape(n, side, side, 3)
    seen = np.clip(np.rint(pixels), 0, 255).astype(np.uint8)
    glare = np.minimum(np.minimum(seen[..., 0], seen[..., 1]), seen[..., 2]) >= 250
    if rng.random() < 0.5:
        seen, glare = seen[:, :, ::-1], glare[:, :, ::-1]
    if rng.random() < 0.5 and board.tones == SQUARES:  # a hexagon on its side is another one
        seen, glare = np.swapaxes(seen, 1, 2), np.swapaxes(glare, 1, 2)
    return Board(
        replace(
            board.patches,
            pixels=np.ascontiguousarray(seen),
            glare=np.ascontiguousarray(glare),
            white_known=known,
        ),
        board.labels,
        board.tones,
    )


def _with_sheen(board: Board, pixels: Singles, rng: np.random.Generator) -> Singles:
    """Light that the discs mirror, or all of the board does: more of it near some place, added as light."""
    patches = board.patches
    rings = find_rings(reduced(patches, RingSettings()), RingSettings())
    places = places_of(patches)
    middle = places[rng.integers(len(places))] + rng.normal(0, 1.5, 2)
    wide = rng.uniform(1.0, 6.0, 2)
    strength = np.exp(rng.uniform(*np.log(MIRRORED)))
    light = strength * np.exp(-(((places - middle) / wide) ** 2).sum(axis=1) / 2) * rng.uniform(0.8, 1.2, len(places))
    side = patches.size
    cell_px = patches.cell_mm / patches.mm_per_px
    at = (np.arange(side) - (side - 1) / 2) / cell_px
    x, y = at[None, None, :] - rings.centres[:, 0, None, None], at[None, :, None] - rings.centres[:, 1, None, None]
    on_disc = np.clip((rings.radius - np.hypot(x, y)) * cell_px / 2 + 0.5, 0, 1) * (board.labels > 0)[:, None, None]
    mask = np.ones_like(on_disc) if rng.random() < 0.3 else on_disc
    linear = np.clip(pixels / 255, 0, 1) ** np.float32(2.2) + (light[:, None, None] * mask)[..., None].astype(
        np.float32
    )
    return np.asarray(255 * linear ** np.float32(1 / 2.2), dtype=np.float32)


def _with_glare(pixels: Singles, rng: np.random.Generator) -> Singles:
    """Soft bright spots on a few cells."""
    n, side = pixels.shape[:2]
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    for i in np.flatnonzero(rng.random(n) < 0.15):
        cx, cy = rng.uniform(0, side, 2)
        wide = rng.uniform(0.1, 0.7) * side
        spot = np.exp(-(((x - cx) ** 2 + (y - cy) ** 2) / wide**2)) * rng.uniform(20, 220)
        pixels[i] += spot[..., None].astype(np.float32)
    return pixels


@dataclass
class Measured:
    """Everything that the columns of one board are made of."""

    cells: Cells
    rings: Rings
    looks: BoardLooks
    labels: Ints
    first: Singles
    thumbs: Halves
    places: Singles
    lights: Singles
    cell_mm: float
    group: int  # boards of one group are of one scene

    @property
    def inputs(self) -> Singles:
        """Of the first judge."""
        return np.hstack([self.first, self.thumbs])


def measured(board: Board, settings: RingSettings, group: int) -> Measured:
    """Circles and colours of a board."""
    small = reduced(board.patches, settings)
    rings = find_rings(small, settings)
    cells = cell_colours(small, rings, cell_tones(board.patches.cells, board.tones), board.tones)
    looks = board_looks(cells, board.tones)
    thumbs = thumbnails(small, cells, rings, looks).astype(np.float16)  # many of them are kept
    first = first_columns(cells, rings, looks)
    places, lights = places_of(board.patches), lights_of(cells, looks, board.patches.white_known)
    cell_mm = board.patches.cell_mm
    return Measured(cells, rings, looks, board.labels, first, thumbs, places, lights, cell_mm, group)


def second(board: Measured, logits: Singles, shares: Singles) -> Singles:
    """The columns of the second judge: by what the first one said, and by shares that are known of all cells."""
    pool = pooled(shares, board.cells, board.rings, board.looks, None)
    greys = greys_of(board.cells, board.looks)
    hues = hues_of(board.cells, board.looks)
    around, s = Around(board.places, greys, shares, board.lights, hues, board.cells.tone), SheenSettings()
    sheen = sheen_columns(board.lights, expected(board.places, around, board.cell_mm, s), s)
    near = np.hstack([near_columns(board.places, greys, around), sheen])
    return second_columns(board.first, logits, board.cells, board.rings, board.looks, pool, near)


def several(columns: Singles, labels: Ints, seed: int, hidden: int = 48, epochs: int = 40) -> Judge:
    """One judge that says the mean of what some say that differ by chance only."""
    alike = [fitted(columns, labels, seed + number, hidden, epochs) for number in range(COPIES)]
    share = np.float32(1 / COPIES)
    return replace(
        alike[0],  # all take their columns by the same measure
        hidden=np.hstack([judge.hidden for judge in alike]),
        hidden_bias=np.concatenate([judge.hidden_bias for judge in alike]),
        last=np.vstack([judge.last for judge in alike]) * share,
        last_bias=np.mean([judge.last_bias for judge in alike], axis=0).astype(np.float32),
    )


def fitted(columns: Singles, labels: Ints, seed: int, hidden: int = 48, epochs: int = 40) -> Judge:
    """One hidden layer by Adam on the log loss."""
    rng = np.random.default_rng(seed)
    mean, spread = columns.mean(axis=0), columns.std(axis=0) + 1e-3
    x = np.clip((columns - mean) / spread, -5, 5).astype(np.float32)
    sizes = [(x.shape[1], hidden), (hidden,), (hidden, 3), (3,)]
    net = [(rng.standard_normal(s) * (np.sqrt(2 / s[0]) if len(s) == 2 else 0)).astype(np.float32) for s in sizes]
    moments = [np.zeros_like(w) for w in net], [np.zeros_like(w) for w in net]
    target = np.eye(3, dtype=np.float32)[labels]
    batch = 512
    steps = epochs * (len(x) // batch + 1)
    for step, chosen in enumerate(_batches(len(x), batch, epochs, rng), 1):
        rate = 3e-3 * 0.5 * (1 + np.cos(np.pi * step / steps)) + 1e-5
        seen = x[chosen] + np.float32(0.04) * rng.standard_normal((len(chosen), x.shape[1]), np.float32)
        one = np.maximum(seen @ net[0] + net[1], 0)
        off = (softmax(one @ net[2] + net[3]) - target[chosen] * 0.9997 - 0.0001) / len(chosen)
        back = off @ net[2].T * (one > 0)
        slopes = [seen.T @ back, back.sum(0), one.T @ off, off.sum(0)]
        for i, slope in enumerate(slopes):
            slope = slope + 5e-5 * net[i]
            moments[0][i] = 0.9 * moments[0][i] + 0.1 * slope
            moments[1][i] = 0.999 * moments[1][i] + 0.001 * slope**2
            fair = np.sqrt(moments[1][i] / (1 - 0.999**step)) + 1e-8
            net[i] = (net[i] - rate * moments[0][i] / (1 - 0.9**step) / fair).astype(np.float32)
    return Judge(mean.astype(np.float32), spread.astype(np.float32), *net)


def _batches(count: int, size: int, epochs: int, rng: np.random.Generator) -> Iterator[Ints]:
    for _ in range(epochs):
        order = rng.permutation(count)
        for start in range(0, count, size):
            yield order[start : start + size]


def main() -> None:
    """Draw, measure, fit, tell, write."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=240)
    options.add_argument("--hexagons", type=int, default=80)
    options.add_argument("--many", type=int, default=96)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--shakes", type=int, default=2)
    options.add_argument("--keep", type=made_folder, default="/tmp/discs")
    options.add_argument("--out", type=made_folder, default=WEIGHTS)
    chosen = options.parse_args()
    cv2.setNumThreads(1)
    training: list[Measured] = []
    held: list[Measured] = []
    boards = [(seed, "grid") for seed in TRAINING[: chosen.tables]]
    boards += [(seed, "hex") for seed in TRAINING[: chosen.hexagons]]
    boards += [(seed, "many") for seed in TRAINING[: chosen.many]]
    for seed, kind in boards:
        into = held if seed % HELD == HELD - 1 else training
        rng, shakes = np.random.default_rng([chosen.seed, seed]), MANY_SHAKES if kind == "many" else chosen.shakes
        into += lessons(drawn(seed, chosen.keep, kind), seed, rng, shakes)
    first, last = judges(training, chosen.seed)
    shares = [softmax(first.logits(m.inputs)) for m in held]
    _tell("first", shares, held)
    told: dict[str, int] = {}
    for _ in range(2):
        shares = [softmax(last.logits(second(m, first.logits(m.inputs), s))) for m, s in zip(held, shares, strict=True)]
        told = _tell("second", shares, held)
    arrays = first.arrays("first") | last.arrays("second")
    np.savez(chosen.out / f"{NAME}.npz", **arrays)  # type: ignore[arg-type]
    learnt = {"boards": len(training), "cells": sum(len(m.labels) for m in training)}
    write_about(chosen.out / f"{NAME}.json", made_by("discs", lessons=learnt, held_apart=told))


def lessons(board: Board, seed: int, rng: np.random.Generator, shakes: int) -> list[Measured]:
    """A board as it was drawn, and as often in other light."""
    return [measured(b, RingSettings(), seed) for b in (board, *(shaken(board, rng) for _ in range(shakes)))]


def judges(training: list[Measured], seed: int) -> tuple[Judge, Judge]:
    """The judge of a cell by itself, and of a cell beside all others.

    What the first one says of boards that it was fitted to is better than what it says of new ones: the second is
    fitted to what first judges say of boards that they were not fitted to.
    """
    labels = np.concatenate([m.labels for m in training])
    inputs = np.concatenate([m.inputs for m in training])
    first = several(inputs, labels, seed, HIDDEN, epochs=EPOCHS[0])
    board = np.concatenate([np.full(len(m.labels), m.group % 2) for m in training])
    apart = [fitted(inputs[board != half], labels[board != half], seed + half, HIDDEN, EPOCHS[1]) for half in (0, 1)]
    logits = [apart[m.group % 2].logits(m.inputs) for m in training]
    by_first = [softmax(told) for told in logits]
    columns = [second(m, told, s) for m, told, s in zip(training, logits, by_first, strict=True)]
    last = several(np.concatenate(columns), labels, seed + 10, epochs=EPOCHS[2])
    by_last = [softmax(last.logits(c)) for c in columns]
    again = [second(m, told, s) for m, told, s in zip(training, logits, by_last, strict=True)]
    last = several(np.concatenate([*columns, *again]), np.concatenate([labels, labels]), seed + 20, epochs=EPOCHS[3])
    return first, last


def _tell(name: str, shares: list[Singles], held: list[Measured]) -> dict[str, int]:
    wrong = [s.argmax(axis=1) != m.labels for s, m in zip(shares, held, strict=True)]
    sure = sum(int((w & (s.max(axis=1) > 0.95)).sum()) for w, s in zip(wrong, shares, strict=True))
    cells, boards = sum(len(w) for w in wrong), sum(bool(w.any()) for w in wrong)
    count = sum(int(w.sum()) for w in wrong)
    print(f"{name}: {count} of {cells} held cells wrong ({sure} of them sure), on {boards} of {len(held)} boards")
    return {"boards": len(held), "boards_with_mistakes": boards, "cells": cells, "wrong": count, "sure_and_wrong": sure}


if __name__ == "__main__":
    main()
