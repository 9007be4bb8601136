"""Which way round a Khet board lies: by the printed signs and by the pieces that stand at its ends."""

from collections.abc import Mapping

import numpy as np

from companion.pieces import EMPTY, Piece
from companion.vision.reader import CellPatches, CellReading

RED_SIGNS = (*(f"a{rank}" for rank in range(1, 9)), "i1", "i8")
SILVER_SIGNS = (*(f"j{rank}" for rank in range(1, 9)), "b1", "b8")
INK_STEP = 0.35  # log(red / green) above the cell's own ground that makes a pixel red ink
INK_AREA = 0.02  # share of red pixels that a printed eye has at least
SIGN_WEIGHT = 6.0  # log-odds of one such share more red on the one side than on the other
MOST_BY_SIGNS = 8.0
CORNER_WEIGHT = 4.0  # log-odds of a sphinx seen for certain in the corner of the other side
RANK_WEIGHT = 0.5  # ... of a piece on the other side's first rank
CERTAIN_EMPTY = 0.8
SPAN = 0.4  # of a cell, to both sides of its middle


def tells(cell: str) -> bool:
    """True for the cells that are looked at: the reserved ones, and the first and the last rank."""
    return cell in RED_SIGNS or cell in SILVER_SIGNS or cell[1:] in ("1", "8")


def by_signs(patches: CellPatches, readings: Mapping[str, CellReading]) -> float:
    """Log-odds from red ink on empty reserved squares."""
    empty = {cell for cell, reading in readings.items() if dict(reading.beliefs).get(EMPTY, 0.0) > CERTAIN_EMPTY}
    index = {cell: i for i, cell in enumerate(patches.cells)}
    ink = [[_red_ink(patches, index[c]) for c in cells if c in empty] for cells in (RED_SIGNS, SILVER_SIGNS)]
    if not ink[0] or not ink[1]:
        return 0.0
    surplus = (np.mean(ink[1]) - np.mean(ink[0])) / INK_AREA
    return float(np.clip(SIGN_WEIGHT * surplus, -MOST_BY_SIGNS, MOST_BY_SIGNS))


def _red_ink(patches: CellPatches, i: int) -> float:
    """Share of the middle of a cell that is redder than its ground."""
    reach = round(SPAN * patches.cell_mm / patches.mm_per_px)
    middle = patches.size // 2
    cut = patches.pixels[i, middle - reach : middle + reach, middle - reach : middle + reach].astype(np.float64)
    redness = np.log((cut[..., 2] + 8) / (cut[..., 1] + 8))
    return float((redness > np.median(redness) + INK_STEP).mean())


def by_pieces(readings: Mapping[str, CellReading]) -> float:
    """Log-odds from sphinxes in the corners (silver j1, red a8) and from the sides on ranks 1 and 8."""
    total = 0.0
    for cell, own, foreign in (("j1", "silver", "red"), ("a8", "red", "silver")):
        beliefs = readings[cell].beliefs
        total += CORNER_WEIGHT * (_share(beliefs, "sphinx", foreign) - _share(beliefs, "sphinx", own))
    for cell, reading in readings.items():
        if cell[1:] in ("1", "8"):
            silver, red = (_share(reading.beliefs, None, colour) for colour in ("silver", "red"))
            total += RANK_WEIGHT * ((silver - red) if cell[1:] == "8" else (red - silver))
    return total


def _share(beliefs: tuple[tuple[Piece, float], ...], kind: str | None, colour: str) -> float:
    return sum(p for piece, p in beliefs if piece.colour == colour and kind in (None, piece.kind))
