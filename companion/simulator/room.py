"""Whether there is room: which piece is in the way of one that a hand would put down."""

import cv2
import numpy as np

from companion.simulator.arrays import Floats
from companion.simulator.sets import SetLooks
from companion.simulator.solids import height_mm, standing_thing
from companion.simulator.state import Standing, TableState

PAPER_MM = 1.0  # what is thinner lies under other pieces
TOUCHING = 0.1  # of the smaller foot: pieces that were put down by eye may share so much of it


def in_the_way(state: TableState, piece: Standing, looks: SetLooks) -> Standing | None:
    """The piece that stands where `piece` would; what is carried along with it, or below it, is none."""
    carried = {piece.name, *(rider.name for rider in state.riders(piece.name)), *_below(state, piece)}
    foot = _foot(piece, looks)
    for other in state.standing:
        if other.name in carried or height_mm(other.piece, looks) < PAPER_MM or not _as_high(piece, other, looks):
            continue
        there = _foot(other, looks)
        shared = cv2.intersectConvexConvex(foot, there)[0]
        if shared > TOUCHING * min(cv2.contourArea(foot), cv2.contourArea(there)):
            return other
    return None


def _below(state: TableState, piece: Standing) -> list[str]:
    """The names of all pieces that carry one, from above downwards."""
    carriers = {standing.name: standing.nested_on for standing in state.standing}
    found: list[str] = []
    under = piece.nested_on
    while under is not None and under not in found:
        found.append(under)
        under = carriers.get(under)
    return found


def _foot(piece: Standing, looks: SetLooks) -> Floats:
    """The outline of a piece as seen from above, in millimetres."""
    corners = np.asarray(standing_thing(piece, looks).vertices)[:, :2].astype(np.float32)
    return np.asarray(cv2.convexHull(corners))


def _as_high(piece: Standing, other: Standing, looks: SetLooks) -> bool:
    """True if neither lies wholly above the other."""
    tops = (piece.z_mm + height_mm(piece.piece, looks), other.z_mm + height_mm(other.piece, looks))
    return piece.z_mm < tops[1] - PAPER_MM and other.z_mm < tops[0] - PAPER_MM
