"""Reads cells, and of a table that is watched only those that look different from the last time.

Nothing is told of a cell that is not seen: beyond the picture, blown out, or under a thing that lies on the board.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import EMPTY
from companion.view import COVERED, BoardShape
from companion.vision.boards.cell_corners import hidden_cells
from companion.vision.boards.cell_memory import CellMemory
from companion.vision.boards.cells import CellCutter, cell_windows
from companion.vision.reader import CellPatches, CellReader, CellReading
from companion.vision.settings import EyeSettings

Flat = NDArray[np.uint8]
Bools = NDArray[np.bool_]
NOT_IN_VIEW, GLARE = "not in view", "glare"  # why a cell cannot be told


class CellWatch:
    """Keeps the last reading of every cell."""

    def __init__(self, settings: EyeSettings, reader: CellReader) -> None:
        self._settings, self._reader = settings, reader
        self._memory = CellMemory() if settings.live or settings.one_table else None
        self._cutter: CellCutter | None = None
        self._flat: Flat | None = None
        self._readings: list[CellReading] = []
        self._hidden = np.zeros(0, np.bool_)  # (cells) by what lies on the board
        self._all_read_s = -np.inf

    def forget(self) -> None:
        """The looks have changed: read everything anew."""
        self._flat = None
        if self._memory is not None:
            self._memory.forget()

    def read(self, cutter: CellCutter, flat: Flat, patches: CellPatches, taken_s: float) -> list[CellReading]:
        """One reading for every cell of the board."""
        changed = self._changed(cutter, flat, taken_s)
        if changed is None:
            self._readings, self._all_read_s = self._reader.read(patches), taken_s
            if self._memory is not None:
                self._readings = self._memory.together(cutter, flat, self._readings)
            self._flat = flat
        elif changed:
            for index, reading in zip(changed, self._reader.read(patches.only(changed)), strict=True):
                self._readings[index] = reading
            self._flat = flat
        if changed or changed is None:
            self._hidden = _hidden(self._readings, cutter, flat, self._settings)
        self._cutter = cutter
        return _with_unseen(self._readings, cutter, patches, self._hidden, self._settings)

    def _changed(self, cutter: CellCutter, flat: Flat, taken_s: float) -> list[int] | None:
        """Indices of the cells to read, None for all."""
        if not self._settings.live or self._flat is None or cutter is not self._cutter:
            return None
        if taken_s - self._all_read_s > self._settings.read_all_s:
            return None
        changed = changed_cells(self._flat, flat, cutter.shape, self._settings)
        return None if len(changed) > self._settings.read_all_share * len(self._readings) else changed


def _hidden(readings: Sequence[CellReading], cutter: CellCutter, flat: Flat, settings: EyeSettings) -> Bools:
    empty = np.array([r.why is not None or not r.beliefs or r.beliefs[0][0] == EMPTY for r in readings])
    shown = cutter.shown >= settings.corner_shown
    return hidden_cells(flat, cutter.shape, empty, shown, cutter.settings, settings.corners)


def _with_unseen(
    readings: Sequence[CellReading], cutter: CellCutter, patches: CellPatches, hidden: Bools, settings: EyeSettings
) -> list[CellReading]:
    """The readings, but that nothing is told of what is not seen, nor that a blown-out cell is empty."""
    told = list(readings)
    for i in np.flatnonzero(hidden).tolist():
        told[i] = CellReading((), COVERED)
    for i in np.flatnonzero(cutter.shown < settings.cell_shown).tolist():
        told[i] = CellReading((), NOT_IN_VIEW)
    for i in np.flatnonzero(patches.blown > settings.cell_blown).tolist():
        if told[i].beliefs and told[i].beliefs[0][0] == EMPTY:
            told[i] = replace(told[i], why=told[i].why or GLARE)
    return told


def changed_cells(before: Flat, now: Flat, shape: BoardShape, settings: EyeSettings) -> list[int]:
    """Indices (in the order of the cells' names) of the cells in whose patch some block differs between two boards."""
    blocks = _block_means(np.asarray(cv2.absdiff(now, before)), settings.changed_block_px)
    side = (settings.cells.cell_px + 2 * settings.cells.margin_px) // settings.changed_block_px
    row, col = (cell_windows(shape, settings.cells) // settings.changed_block_px).T
    spots = np.lib.stride_tricks.sliding_window_view(blocks, (side, side))
    row, col = np.minimum(row, len(spots) - 1), np.minimum(col, spots.shape[1] - 1)
    return [int(i) for i in np.flatnonzero(spots[row, col].max(axis=(1, 2)) > settings.changed_level)]


def _block_means(difference: Flat, size: int) -> NDArray[np.float32]:
    height, width = difference.shape[0] // size, difference.shape[1] // size
    cut = difference[: height * size, : width * size].max(axis=2)
    return np.asarray(cut.reshape(height, size, width, size).mean(axis=(1, 3)), dtype=np.float32)
