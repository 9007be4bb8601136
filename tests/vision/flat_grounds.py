"""A table without perspective, one millimetre a pixel, and tiles proposed on it."""

from types import SimpleNamespace

import numpy as np

from companion.vision.piecepack.places import Place, Spot


def flat_ground() -> SimpleNamespace:
    seen = SimpleNamespace(project=lambda points: points[:, :2])
    return SimpleNamespace(
        to_mm=lambda at: at,
        fine_px=lambda at: at,
        settings=SimpleNamespace(fine_mm=1.0),
        camera=np.array([0.0, 0.0, 900.0]),
        pose=seen,
    )


def tile_at(x: float, y: float, sure: float) -> Place:
    told = {"kind": [0.01, 0.98, 0.01], "turn": [1.0, 0, 0, 0], "suit": [0.25] * 4, "value": [1 / 6] * 6}
    return Place(Spot(0, x, y, 0.0, sure), sure, sure, {q: np.array(v, np.float32) for q, v in told.items()})
