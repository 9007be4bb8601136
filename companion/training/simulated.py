"""Patches of the project's own simulated tables, as training pictures beside the path traced ones.

`python -m companion.training.simulated --seed 1 --count 50 --out /tmp/simulated`; seeds stay inside `tables.TRAINING`.
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np

from companion.pieces import Piece
from companion.simulator.tables import TRAINING, Table, khet_table, picture_of
from companion.training.labels import INDEX, SIDES
from companion.view import BoardPose, BoardShape
from companion.vision.cells import CellCutter

PAPER = 225.0  # grey level of white paper after white balance
SIZES = ((1280, 960), (1600, 1200))
SLIP_MM, SLIP_DEG = 0.5, 0.15  # how far off the board's place may be


def label_of(piece: Piece) -> int:
    """The class of a piece; the facing of what has none is left out."""
    return INDEX.get((piece.kind, piece.facing or ""), INDEX.get((piece.kind, ""), 0))


def white_gains(table: Table, picture: np.ndarray) -> np.ndarray:
    """B, G, R gains from the paper of the markers, read at their known places."""
    half = table.scene.markers.side_mm / 2 + 2.5
    places = [
        (x + dx * half, y + dy * half)
        for x, y in table.scene.markers.centres()
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if dx or dy
    ]
    at = np.rint(table.scene.camera.project(np.array(places))).astype(int)
    inside = (at >= 0).all(axis=1) & (at[:, 0] < picture.shape[1]) & (at[:, 1] < picture.shape[0])
    paper = np.median(picture[at[inside, 1], at[inside, 0]].astype(np.float64), axis=0)
    return np.clip(PAPER / paper, 0.25, 4.0)


def cut_table(seed: int) -> dict[str, np.ndarray]:
    """One table's cells as patches with classes, sides and lean."""
    table = khet_table(seed, *SIZES[seed % 2])
    picture = picture_of(table)
    rng = np.random.default_rng([seed, 23])
    if rng.random() < 0.7:
        _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(70, 97))])
        picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    board = table.scene.board
    assert board is not None
    shape = BoardShape(board.cols, board.rows, board.cell_mm, board.border_mm, board.thickness_mm)
    slip = rng.normal(0, SLIP_MM, 2)
    pose = BoardPose(board.x_mm + slip[0], board.y_mm + slip[1], board.rotation_deg + rng.normal(0, SLIP_DEG))
    cutter = CellCutter(table.scene.camera, pose, shape)
    patches = cutter.patches(cutter.flat(picture), white_gains(table, picture))
    standing = {t.cell: t.piece for t in table.scene.things if t.piece is not None and t.cell is not None}
    first, second = table.style.colours.split("-")
    sides = {"silver": first if first in SIDES else "other", "red": second if second in SIDES else "other"}
    pieces = [standing.get(cell) for cell in patches.cells]
    return {
        "pixels": patches.pixels,
        "span": np.float32(patches.size * patches.mm_per_px / patches.cell_mm),
        "lean": patches.lean,
        "label": np.array([label_of(p) if p else INDEX["empty", ""] for p in pieces], dtype=np.int64),
        "side": np.array([SIDES.index(sides[p.colour or "silver"]) if p else -1 for p in pieces], dtype=np.int64),
    }


def main() -> None:
    """Cut `count` tables from `seed` on; a table that is there already is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    start = time.monotonic()
    for seed in range(given.seed, given.seed + given.count):
        if seed not in TRAINING:
            raise SystemExit(f"seed {seed} is not for training: stay inside {TRAINING}")
        path = given.out / f"board-{seed:06d}.npz"
        if not path.exists():
            np.savez(path, **cut_table(seed))
        if time.monotonic() - start > 60 * given.minutes:
            break
    print(f"{len(list(given.out.glob('board-*.npz')))} boards in {given.out}, {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
