"""How bright a disc is beside the discs near it: a window's sheen or a shadow changes slowly over a board.

A black disc that mirrors a window may be brighter than a white one in the shadow, but hardly than the white one
beside it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.reader import CellPatches

Singles = NDArray[np.float32]
Ints = NDArray[np.int64]

REACHES = (1.2, 3.0)  # cells: how far "near" reaches, as the spread of a bell
NEXT = 1.9  # cells: the discs next to a cell lie nearer
LEAN = 0.2  # of a disc: how much the looks near a cell lean on those of the whole board
OWN = 1e-3  # cells nearer than this are the cell itself


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """What was seen on the cells of a board: where they are, how bright, and shares of empty, black and white."""

    places: Singles  # (n, 2) cells
    greys: Singles  # (n, kinds of grey) logarithms
    shares: Singles  # (n, 3)
    lights: Singles  # (n) in parts of that of white paper
    hues: Singles  # (n, 2) in parts of their grey
    tones: Ints  # (n) of the cells

    def with_these(self, other: "Around") -> "Around":
        """The same board after some of its cells were seen anew."""
        far = np.hypot(*np.moveaxis(self.places[:, None] - other.places[None], 2, 0))
        old = far.min(axis=1) > NEXT / 4
        both = ((getattr(self, name)[old], getattr(other, name)) for name in Around.__slots__)
        return Around(*(np.concatenate(pair) for pair in both))


def places_of(patches: CellPatches) -> Singles:
    """(n, 2) where the cells lie, in cells."""
    return np.asarray(patches.lean * patches.camera_height_mm / patches.cell_mm, dtype=np.float32)


def near_columns(places: Singles, greys: Singles, around: Around) -> Singles:
    """(n, columns) the greys (n, kinds) of cells beside those of black, white and any discs near them."""
    far = np.hypot(*np.moveaxis(places[:, None] - around.places[None], 2, 0))
    other = (far > OWN).astype(np.float32)
    discs = around.shares[:, 1:]
    whole = discs.sum(axis=0)[:, None]
    usual = (discs.T @ around.greys + LEAN * around.greys.mean(axis=0)) / (whole + LEAN)  # (2, kinds)
    columns: list[Singles] = []
    for reach in REACHES:
        bell = np.exp(-((far / reach) ** 2) / 2) * other
        for colour in (0, 1):
            weight = bell * discs[:, colour]
            held = weight.sum(axis=1, keepdims=True)
            near = (weight @ around.greys + LEAN * usual[colour]) / (held + LEAN)
            columns += [*(greys - near).T, np.log1p(held[:, 0])]
    beside = (far < NEXT) * other * (discs.sum(axis=1) > 0.5) > 0
    some = beside.any(axis=1)
    for kind in range(greys.shape[1]):
        there = np.broadcast_to(around.greys[:, kind], far.shape)
        for lowest, of in ((np.inf, np.min), (-np.inf, np.max)):
            edge = of(np.where(beside, there, lowest), axis=1)
            columns.append(np.where(some, greys[:, kind] - np.where(some, edge, 0), 0))
    columns.append(some)
    return np.stack(columns, axis=1).astype(np.float32)
