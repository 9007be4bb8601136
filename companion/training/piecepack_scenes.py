"""Simulated tables of a piecepack, path traced: tiles as blocks, printed coins and dice, pawns, the light of a room.

`python -m companion.training.piecepack_scenes --seed 900000 --count 200 --out FOLDER` writes one PNG for each table;
needs mitsuba. Layouts, prints, cameras and sensors are those of `simulator.piecepack_tables`, only the light is traced:
`piecepack_simulated --pictures FOLDER` makes lessons of them with the same truth.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulator.piecepack_tables import PiecepackTable, piecepack_table
from companion.training.folders import PICTURE, fill, made_folder
from companion.training.path_tracing import SAMPLES, Solids, solids_of, traced
from companion.training.piecepack_prints import printed_style

TRACED = 900_000  # the first seed of these tables


def traced_picture(table: PiecepackTable, samples: int = SAMPLES) -> NDArray[np.uint8]:
    """The table's picture, (height, width, 3) BGR."""
    solids: Solids = {}
    for number, thing in enumerate(table.scene.things):
        solids |= solids_of(thing, number)
    return traced(table.scene, table.sensor, solids, table.seed, samples)


def main() -> None:
    """Trace `count` tables from `seed` on; a picture that is there already is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=TRACED)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--crowded", action="store_true", help="many more pieces, pawns on tiles of their own tone")
    parser.add_argument("--played", action="store_true", help="towers of which tiles were taken away")
    parser.add_argument("--printed", action="store_true", help="sets printed in the fonts of this machine")
    parser.add_argument("--out", type=made_folder, required=True)
    given = parser.parse_args()

    def write(seed: int, path: Path) -> None:
        style = printed_style(seed) if given.printed else None
        picture = traced_picture(piecepack_table(seed, style, given.crowded, played=given.played), given.samples)
        cv2.imwrite(str(path), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])

    fill(given.out, PICTURE, range(given.seed, given.seed + given.count), write)


if __name__ == "__main__":
    main()
