"""Places where pieces of a piecepack may lie, what the networks say of them, and pieces found there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.piecepack.networks import Singles
from companion.vision.piecepack.settings import PiecepackSettings

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a piece may lie: its kind, fine pixels of its top (a pawn's foot) as seen, heading, heat."""

    kind: int
    x: float
    y: float
    heading_deg: float
    heat: float


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A spot with what the reading network says of it."""

    spot: Spot
    read: float  # probability of its kind, by the reading network alone
    sure: float  # ... by both networks
    told: dict[str, Singles]


def on_table(ground: Ground, seen: Floats, z: float) -> Floats:
    """Where a point at height z is that is seen there in the table's plane."""
    return np.asarray(ground.camera[:2] + (seen - ground.camera[:2]) * (1 - z / ground.camera[2]))


def found_piece(
    ground: Ground,
    spot: Spot,
    height: float,
    beliefs: Sequence[tuple[Piece, float]],
    sure: float,
    heading: float | None,
    outline: Floats,
    below: int | None,
    s: PiecepackSettings,
) -> Found:
    """A piece at a place, its beliefs weighed by how sure it is that one lies there."""
    told = sorted(((piece, p * sure) for piece, p in beliefs if p >= s.least_belief), key=lambda b: -b[1])
    why = None
    if told[0][1] < (max(s.sure_die, s.sure_label) if told[0][0].kind == "die" else s.sure_label):
        either = [piece_name(piece) for piece, _ in told[:2]]
        why = f"between {either[0]} and {either[1]}" if len(told) > 1 else "not clearly a piece"
    at = on_table(ground, ground.to_mm(np.array([spot.x, spot.y])), height)
    pixel = ground.pose.project(np.array([[*at, height]]))[0]
    sighting = Sighting(
        beliefs=tuple(told),
        x_mm=float(at[0]),
        y_mm=float(at[1]),
        heading_deg=heading,
        x_px=float(pixel[0]),
        y_px=float(pixel[1]),
        why=why,
    )
    return Found(sighting, sure, outline, below)


def piece_name(piece: Piece) -> str:
    """ "pawn arms", "tile front suns 2"."""
    return " ".join(w for w in (piece.kind, piece.face, piece.suit, piece.value) if w)
