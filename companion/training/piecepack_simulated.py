"""Simulated tables of piecepack as training arrays, in the form of `piecepack_cut`'s painted crops.

`python -m companion.training.piecepack_simulated --seed 700000 --count 200 --out /tmp/piecepack/simulated.npz`;
seeds inside `tables.TRAINING`, other ones than those the judge is fitted on. A second or two of one core a table.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.colours import balanced
from companion.pieces import COIN_THICKNESS_MM, DIE_SIDE_MM, SUITS, VALUES
from companion.simulator.arrays import Pixels
from companion.simulator.piecepack_tables import PiecepackTable, piecepack_picture, piecepack_table
from companion.training.piecepack_crop import MM_PER_PX, SIDE_PX, Crop, Label
from companion.training.piecepack_cut import Cuts
from companion.training.piecepack_pictures import TILE
from companion.training.piecepack_prints import printed_style
from companion.training.seeds import for_training
from companion.training.seen_ground import ground_of
from companion.vision.ground.foreground import Ground
from companion.vision.picture import read_picture
from companion.vision.piecepack.finder import PiecepackFinder
from companion.vision.piecepack.networks import KINDS

RISE_MM = {"coin": COIN_THICKNESS_MM, "pawn": 0.0, "die": DIE_SIDE_MM}  # of what is labelled over where it stands


def crops_of(table: PiecepackTable, picture: Pixels | None = None) -> Iterator[Crop]:
    """The table from above in windows of SIDE_PX, with its pieces as labels; drawn here when no picture is given."""
    ground = ground_of(table.scene, piecepack_picture(table) if picture is None else picture)
    if ground is None:
        return
    if abs(ground.settings.fine_mm - MM_PER_PX) > 1e-9:
        raise SystemExit("the table is drawn at another scale than the painted crops")
    seen = balanced(ground.colours, ground.gains)
    labels = list(_labels(table, ground))
    rng = np.random.default_rng([table.seed, 107])
    centre, high = ground.fine_px(ground.camera[:2]), float(ground.camera[2]) / MM_PER_PX
    left, top, right, bottom = PiecepackFinder().extent(ground)
    for x in _starts(left, right, rng):
        for y in _starts(top, bottom, rng):
            own = [
                Label(t.kind, t.x - x, t.y - y, t.heading_deg, t.front, t.suit, t.value)
                for t in labels
                if -60 < t.x - x < SIDE_PX + 60 and -60 < t.y - y < SIDE_PX + 60
            ]
            canvas = seen[y : y + SIDE_PX, x : x + SIDE_PX].copy()
            yield Crop(rng, table.style, centre - (x, y), high, own, canvas)


def _starts(first: int, last: int, rng: np.random.Generator) -> list[int]:
    """Where windows begin so that they fill the range, a little shifted."""
    room = last - first - SIDE_PX
    if room <= 0:
        return []
    count = room // SIDE_PX + 1
    return [first + int((i + rng.uniform(0, 1)) * room / count) for i in range(count)]


def _labels(table: PiecepackTable, ground: Ground) -> Iterator[Label]:
    for tile in table.tiles:
        x, y = ground.fine_px(ground.seen_at(np.array([tile.x_mm, tile.y_mm, table.thickness_mm])))
        front = int(tile.piece.face == "front")
        suit, value = (SUITS.index(str(tile.piece.suit)), VALUES.index(str(tile.piece.value))) if front else (-1, -1)
        yield Label(TILE, float(x), float(y), tile.heading_deg, front, suit, value)
    for thing in table.scene.things:
        piece = thing.piece
        if piece is None or piece.kind not in RISE_MM:
            continue
        x, y = ground.fine_px(ground.seen_at(np.array([thing.x_mm, thing.y_mm, thing.z_mm + RISE_MM[piece.kind]])))
        suit = SUITS.index(piece.suit) if piece.suit else -1
        value = VALUES.index(piece.value) if piece.value else -1
        front = int(piece.face == "suit") if piece.kind == "coin" else -1
        yield Label(KINDS.index(piece.kind), float(x), float(y), thing.heading_deg, front, suit, value)


def main() -> None:
    """Draw and cut `count` tables from `seed` on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=700_000)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--crowded", action="store_true", help="many more pieces, pawns on tiles of their own tone")
    parser.add_argument(
        "--pictures", type=Path, help="a folder of pictures that `piecepack_scenes` traced of these seeds"
    )
    parser.add_argument("--strewn", type=int, default=0, help="small things of no game on each table")
    parser.add_argument("--played", action="store_true", help="towers of which tiles were taken away")
    parser.add_argument("--printed", action="store_true", help="sets printed in the fonts of this machine")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    cuts, finder = Cuts(), PiecepackFinder()
    for seed in map(for_training, range(given.seed, given.seed + given.count)):
        picture = None if given.pictures is None else read_picture(given.pictures / f"{seed:07d}.png")[0]
        style = printed_style(seed) if given.printed else None
        for crop in crops_of(piecepack_table(seed, style, given.crowded, given.strewn, played=given.played), picture):
            cuts.add(crop, crop.rng, finder)
    cuts.save(given.out)


if __name__ == "__main__":
    main()
