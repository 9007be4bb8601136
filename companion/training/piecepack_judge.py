"""Fits how sure the finder may be of a piece from what its two networks say of a place, on simulated tables.

python -m companion.training.piecepack_judge --seed 600000 --count 12

Writes `judge` into companion/vision/weights/piecepack.json: for each kind (constant, weight of the finding network's
log-odds, weight of the reading network's), by logistic regression. Seeds inside `tables.TRAINING`.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.bench.piecepack import sightings
from companion.simulator.piecepack_tables import piecepack_picture, piecepack_table
from companion.training.about import write_about
from companion.training.seeds import for_training
from companion.view import Sighting
from companion.vision.finders import TableFinder
from companion.vision.ground.foreground import Ground
from companion.vision.picture import read_picture
from companion.vision.piecepack.finder import PiecepackFinder
from companion.vision.piecepack.networks import KINDS, Floats, log_odds
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from companion.vision.weights import WEIGHTS
from hardware.pictures import frame_of

NEAR_MM = 4.0  # of a piece: its place
FAR_MM = {"tile": 42.0, "coin": 7.0, "pawn": 7.0, "die": 7.0}  # no piece's place; between, places exclude each other
STEPS, STEP = 6000, 0.05
STIFFNESS = 0.02  # of the weights, against the mean loss


class Witness(PiecepackFinder):
    """Notes what the networks say of each place instead of finding pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted: Sequence[Sighting] = ()
        self.rows: list[tuple[int, float, float, bool]] = []

    def find(self, ground: Ground) -> list:  # type: ignore[type-arg]
        """No pieces; a row for each place."""
        for spot, sure in self.rated(ground):
            seen = ground.to_mm(np.array([spot.x, spot.y]))
            rivals = [w for w in self.wanted if w.piece.kind == KINDS[spot.kind]]
            at = [ground.seen_at(np.array([w.x_mm, w.y_mm, self.settings.thickness_mm])) for w in rivals]
            far = min((float(np.hypot(*(a - seen))) for a in at), default=1e9)
            if not NEAR_MM < far < FAR_MM[KINDS[spot.kind]]:
                self.rows.append((spot.kind, spot.heat, sure, far <= NEAR_MM))
        return []


def fitted(rows: Floats) -> list[float]:
    """Constant and two weights that tell right places (n, 3: log-odds of heat and of reading, rightness)."""
    inputs = np.column_stack([np.ones(len(rows)), rows[:, :2]])
    weights = np.array([0.0, 0.7, 0.7])
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (p - rows[:, 2]) / len(rows) + STIFFNESS * (weights - (0.0, 0.7, 0.7)) * (0, 1, 1)
        weights = weights - STEP * slope
    return [round(float(w), 4) for w in weights]


def main() -> None:
    """Draw, look, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=600_000)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--pictures", type=Path, help="a folder that `piecepack_scenes` filled")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    witness = Witness()
    traced = sorted(given.pictures.glob("*.png")) if given.pictures is not None else []
    seeds = (*range(given.seed, given.seed + given.count), *(int(path.stem) for path in traced))
    for seed in map(for_training, seeds):
        table = piecepack_table(seed)
        witness.wanted = sightings(table.truth()["pieces"])
        shown = [path for path in traced if int(path.stem) == seed]
        picture = read_picture(shown[0])[0] if shown else piecepack_picture(table)
        eye = Eye(EyeSettings(), table.scene.camera.lens, table.scene.markers.places, None, TableFinder([witness]))
        eye.read(frame_of(picture, 0.0, 0, str(seed)))
    rows = np.array(witness.rows, np.float64)
    judge = {}
    for kind, name in enumerate(KINDS):
        own = rows[rows[:, 0] == kind]
        judge[name] = fitted(
            np.array([(log_odds(heat), log_odds(read), right) for _, heat, read, right in own.tolist()])
        )
        print(name, len(own), "places,", int(own[:, 3].sum()), "right:", judge[name])
    path = WEIGHTS / "piecepack.json"
    about = json.loads(path.read_text(encoding="utf-8"))
    about["judge"] = judge
    write_about(path, about)


if __name__ == "__main__":
    main()
