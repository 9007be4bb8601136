"""Simulated boards with discs, cut into cells at their true place."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from companion.pieces import EMPTY, Piece
from companion.simulator.disc_tables import disc_picture, disc_table
from companion.simulator.tables import TESTING
from companion.vision.boards.cells import CellCutter
from companion.vision.reader import CellPatches, CellReading


@cache
def cut_board(number: int) -> tuple[CellPatches, Mapping[str, Piece]]:
    """The cells of one board of the testing range, and the discs on them."""
    table = disc_table(TESTING[number], 1200, 900)
    board = table.scene.board
    cutter = CellCutter(table.scene.camera, board.pose, board.shape)
    pieces = {t.cell: t.piece for t in table.scene.things if t.cell is not None and t.piece is not None}
    return cutter.patches(cutter.flat(disc_picture(table)), np.array([1.1, 1.1, 1.1])), pieces


def wrong(patches: CellPatches, pieces: Mapping[str, Piece], readings: list[CellReading]) -> list[str]:
    """Cells that are told and told wrong."""
    return [
        f"{cell}: {pieces.get(cell, EMPTY)} read as {reading.beliefs[:2]}"
        for cell, reading in zip(patches.cells, readings, strict=True)
        if reading.why is None and reading.beliefs[0][0] != pieces.get(cell, EMPTY)
    ]
