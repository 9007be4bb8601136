"""Fits the judges of cells with discs, on simulated tables.

`python -m companion.training.discs --tables 671 --hexagons 90 --seed 1` wrote
companion/vision/weights/discs.npz: of the boards held apart (every sixth), 16 of 7054
cells of squares told wrong and 58 not told, of hexagons 1 and 9 of 915. Needs nothing but the companion itself;
seeds stay inside `tables.TRAINING`. Tables once drawn are kept in --keep.
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
from companion.view import BoardPose, BoardShape
from companion.vision.cells import CellCutter
from companion.vision.disc_looks import (
    HEXAGONS,
    SQUARES,
    WEIGHTS,
    BoardLooks,
    Cells,
    Judge,
    board_looks,
    cell_colours,
    first_columns,
    parities,
    pooled,
    second_columns,
    softmax,
    thumbnails,
)
from companion.vision.disc_rings import Rings, RingSettings, find_rings, reduced
from companion.vision.reader import CellPatches

Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Halves = NDArray[np.float16]
SIZES = ((1600, 1200), (1200, 900), (1280, 960))
MARKED = {None: 0, "black": 1, "white": 2}


@dataclass
class Board:
    """One view of a board, and the class of each of its cells."""

    patches: CellPatches
    labels: Ints
    tones: int = SQUARES


def drawn(seed: int, keep: Path, kind: str = "grid") -> Board:
    """A simulated board, cut at a place that is a little off."""
    path = keep / (f"hex-{seed}.npz" if kind == "hex" else f"{seed}.npz")
    tones = HEXAGONS if kind == "hex" else SQUARES
    if not path.exists():
        board = _draw(seed, kind)
        p = board.patches
        numbers = np.array([p.mm_per_px, p.cell_mm, p.margin_mm, p.camera_height_mm])
        np.savez_compressed(
            path, pixels=p.pixels, glare=p.glare, lean=p.lean, y=board.labels, meta=numbers, cells=np.array(p.cells)
        )
    with np.load(path) as a:
        scale, cell, margin, high = (float(v) for v in a["meta"])
        cells = tuple(str(c) for c in a["cells"])
        return Board(CellPatches(a["pixels"], cells, a["lean"], scale, cell, margin, high, a["glare"]), a["y"], tones)


def _draw(seed: int, kind: str) -> Board:
    rng = np.random.default_rng([seed, 99])
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    table = disc_table(seed, width, height, kind)
    board, camera = table.scene.board, table.scene.camera
    assert board is not None
    rough = rng.random() < 0.25
    slip, turn = rng.normal(0, 0.8 if rough else 0.3, 2), float(rng.normal(0, 0.25 if rough else 0.1))
    shape = BoardShape(board.cols, board.rows, board.cell_mm, board.border_mm, board.thickness_mm, board.kind)
    pose = BoardPose(board.x_mm + float(slip[0]), board.y_mm + float(slip[1]), board.rotation_deg + turn)
    cutter, picture = CellCutter(camera, pose, shape), disc_picture(table)
    sheets = table.scene.markers
    paper = camera.project(np.array([(x - sheets.side_mm / 2 - 2, y) for x, y in sheets.centres()])).round().astype(int)
    seen = [picture[y, x] for x, y in paper if 0 <= x < width and 0 <= y < height]
    gains = np.clip(225 / np.median(seen, axis=0), 0.25, 4.0) if seen and rng.random() < 0.7 else np.ones(3)
    patches = cutter.patches(cutter.flat(picture), gains)
    colours = {t.cell: t.piece.colour for t in table.scene.things if t.piece is not None}
    return Board(patches, np.array([MARKED[colours.get(c)] for c in patches.cells], dtype=np.int64))


def shaken(board: Board, rng: np.random.Generator) -> Board:
    """The same board in other light: brighter or darker, tinted, blurred, noisy, with spots of glare, mirrored."""
    pixels: Singles = board.patches.pixels.astype(np.float32)
    pixels = 255 * (pixels / np.float32(255)) ** float(np.exp(rng.normal(0, 0.2)))
    pixels *= np.exp(rng.normal(0, 0.15)) * np.exp(rng.normal(0, 0.06, 3)).astype(np.float32)
    if rng.random() < 0.3:
        pixels = _with_glare(pixels, rng)
    pixels += rng.normal(0, float(rng.uniform(0, 5)), pixels.shape).astype(np.float32)
    if rng.random() < 0.5:
        n, side = pixels.shape[:2]
        tall = cv2.GaussianBlur(pixels.reshape(n * side, side, 3), (0, 0), float(rng.uniform(0.4, 2.0)))
        pixels = np.asarray(tall, dtype=np.float32).reshape(n, side, side, 3)
    seen = np.clip(np.rint(pixels), 0, 255).astype(np.uint8)
    glare = seen.min(axis=3) >= 250
    if rng.random() < 0.5:
        seen, glare = seen[:, :, ::-1], glare[:, :, ::-1]
    if rng.random() < 0.5 and board.tones == SQUARES:  # a hexagon on its side is another one
        seen, glare = np.swapaxes(seen, 1, 2), np.swapaxes(glare, 1, 2)
    return Board(
        replace(board.patches, pixels=np.ascontiguousarray(seen), glare=np.ascontiguousarray(glare)),
        board.labels,
        board.tones,
    )


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
    parity: Ints
    labels: Ints
    first: Singles
    thumbs: Halves

    @property
    def inputs(self) -> Singles:
        """Of the first judge."""
        return np.hstack([self.first, self.thumbs])


def measured(board: Board, settings: RingSettings) -> Measured:
    """Circles and colours of a board."""
    small = reduced(board.patches, settings)
    rings = find_rings(small, settings)
    cells, parity = cell_colours(small, rings, board.tones), parities(board.patches.cells, board.tones)
    looks = board_looks(cells, parity, board.tones)
    thumbs = thumbnails(small, cells, rings, looks, parity).astype(np.float16)  # many of them are kept
    return Measured(cells, rings, looks, parity, board.labels, first_columns(cells, rings, looks, parity), thumbs)


def second(board: Measured, judge: Judge) -> Singles:
    """The columns of the second judge."""
    logits = judge.logits(board.inputs)
    pool = pooled(softmax(logits), board.cells, board.rings, board.parity, board.looks, None)
    return second_columns(board.first, logits, board.cells, board.rings, board.looks, board.parity, pool)


def fitted(columns: Singles, labels: Ints, seed: int, hidden: int = 48, epochs: int = 40) -> Judge:
    """One hidden layer by Adam on the log loss."""
    rng = np.random.default_rng(seed)
    mean, spread = columns.mean(axis=0), columns.std(axis=0) + 1e-3
    x = np.clip((columns - mean) / spread, -5, 5).astype(np.float32)
    sizes = [(x.shape[1], hidden), (hidden,), (hidden, 3), (3,)]
    net = [(rng.standard_normal(s) * (np.sqrt(2 / s[0]) if len(s) == 2 else 0)).astype(np.float32) for s in sizes]
    moments = [np.zeros_like(w) for w in net], [np.zeros_like(w) for w in net]
    target = np.eye(3, dtype=np.float32)[labels]
    batch = 256
    steps = epochs * (len(x) // batch + 1)
    for step, chosen in enumerate(_batches(len(x), batch, epochs, rng), 1):
        rate = 3e-3 * 0.5 * (1 + np.cos(np.pi * step / steps)) + 1e-5
        seen = x[chosen] + rng.normal(0, 0.04, (len(chosen), x.shape[1])).astype(np.float32)
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
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--shakes", type=int, default=2)
    options.add_argument("--keep", type=Path, default=Path("/tmp/discs"))
    options.add_argument("--out", type=Path, default=WEIGHTS)
    chosen = options.parse_args()
    chosen.keep.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    rng, settings = np.random.default_rng(chosen.seed), RingSettings()
    training: list[Measured] = []
    held: list[Measured] = []
    boards = [(seed, "grid") for seed in TRAINING[: chosen.tables]]
    boards += [(seed, "hex") for seed in TRAINING[: chosen.hexagons]]
    for seed, kind in boards:
        board = drawn(seed, chosen.keep, kind)
        into = held if seed % 6 == 5 else training
        into.append(measured(board, settings))
        into += [measured(shaken(board, rng), settings) for _ in range(chosen.shakes)]
    labels = np.concatenate([m.labels for m in training])
    first = fitted(np.concatenate([m.inputs for m in training]), labels, chosen.seed, hidden=64, epochs=24)
    last = fitted(np.concatenate([second(m, first) for m in training]), labels, chosen.seed + 1)
    _tell("first", first, [m.inputs for m in held], held)
    _tell("second", last, [second(m, first) for m in held], held)
    arrays = first.arrays("first") | last.arrays("second")
    with chosen.out.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def _tell(name: str, judge: Judge, columns: list[Singles], held: list[Measured]) -> None:
    shares = [softmax(judge.logits(c)) for c in columns]
    wrong = [s.argmax(axis=1) != m.labels for s, m in zip(shares, held, strict=True)]
    sure = sum(int((w & (s.max(axis=1) > 0.95)).sum()) for w, s in zip(wrong, shares, strict=True))
    cells, boards = sum(len(w) for w in wrong), sum(bool(w.any()) for w in wrong)
    count = sum(int(w.sum()) for w in wrong)
    print(f"{name}: {count} of {cells} held cells wrong ({sure} of them sure), on {boards} of {len(held)} boards")


if __name__ == "__main__":
    main()
