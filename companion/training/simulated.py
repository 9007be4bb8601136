"""Patches of the project's own simulated boards, as training pictures beside the path traced ones.

`python -m companion.training.simulated --seed 1 --count 50 --out /tmp/simulated`; seeds stay inside `tables.TRAINING`.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from companion.pieces import Piece
from companion.training.crowded import crowded, recoded
from companion.training.folders import BOARD, fill, made_folder
from companion.training.labels import INDEX
from companion.view import BoardPose
from companion.vision.boards.cells import CellCutter
from companion.vision.khet.network import SIDES

PAPER = 225.0  # grey level of white paper after white balance
SLIP_MM, SLIP_DEG = 0.5, 0.15  # how far off the board's place may be


def label_of(piece: Piece) -> int:
    """The class of a piece; the facing of what has none is left out."""
    return INDEX.get((piece.kind, piece.facing or ""), INDEX.get((piece.kind, ""), 0))


def cut_board(seed: int, pyramids: float | None = None) -> dict[str, np.ndarray]:
    """One board's cells as patches with classes, sides and lean; `pyramids` as in `crowded`."""
    drawn = crowded(seed, pyramids)
    rng = np.random.default_rng([seed, 23])
    slip = rng.normal(0, SLIP_MM, 2)
    lying = drawn.board.pose
    pose = BoardPose(lying.x_mm + slip[0], lying.y_mm + slip[1], lying.rotation_deg + rng.normal(0, SLIP_DEG))
    cutter = CellCutter(drawn.camera, pose, drawn.board.shape)
    gains = np.clip(PAPER / drawn.paper, 0.25, 4.0)
    patches = cutter.patches(cutter.flat(recoded(rng, drawn.pixels)), gains)
    first, second = drawn.colours.split("-")
    sides = {"silver": first if first in SIDES else "other", "red": second if second in SIDES else "other"}
    pieces = [drawn.pieces.get(cell) for cell in patches.cells]
    return {
        "pixels": patches.pixels,
        "span": np.float32(patches.size * patches.mm_per_px / patches.cell_mm),
        "lean": patches.lean,
        "label": np.array([label_of(p) if p else INDEX["empty", ""] for p in pieces], dtype=np.int64),
        "side": np.array([SIDES.index(sides[p.colour or "silver"]) if p else -1 for p in pieces], dtype=np.int64),
    }


def main() -> None:
    """Cut `count` boards from `seed` on; a board that is there already is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--pyramids", type=float, help="their share among the pieces of crowded boards")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--out", type=made_folder, required=True)
    given = parser.parse_args()
    cv2.setNumThreads(1)

    def write(seed: int, path: Path) -> None:
        np.savez(path, **cut_board(seed, given.pyramids))

    fill(given.out, BOARD, range(given.seed, given.seed + given.count), write, given.minutes)


if __name__ == "__main__":
    main()
