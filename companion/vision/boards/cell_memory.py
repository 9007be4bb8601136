"""What a cell showed before counts where it looks as it did: one odd reading of what nobody touched is no news.

Most cells stay as they are from one look to the next, so what the noise and the fit of the board change is known from
all of them: a cell has changed where it differs by far more than they do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import Piece
from companion.vision.boards.cells import CellCutter, cell_windows
from companion.vision.reader import CellReading

Flat = NDArray[np.uint8]
Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class MemorySettings:
    """What counts as looking as before. Grey levels are differences, in pixels of the flat board."""

    blur_px: float = 2.0
    beside_px: int = 1  # the board is fitted anew for each picture: what is on it lies a little beside itself
    part_px: int = 6  # a change is as wide
    rim_px: int = 4  # of a cell, in which the lines are
    above_usual: float = 3.5  # times what cells usually differ by: a change (in 16 traced games 6.6 or more) ...
    above: float = 14.0  # ... or so many grey levels more than that: in much noise, a change is fewer times as much
    least: float = 4.0  # grey levels that are no change in any case
    most_usual: float = 16.0  # where cells usually differ by more, camera, board or lamp were moved
    looks: int = 3  # earlier ones that count as much as this one


class CellMemory:
    """The last readings of each cell since it changed. Camera and board may be found a little elsewhere each time."""

    def __init__(self, settings: MemorySettings | None = None) -> None:
        self._settings = settings or MemorySettings()
        self._flat: Flat | None = None
        self._looks: list[tuple[CellReading, ...]] = []

    def forget(self) -> None:
        """Pieces will be told otherwise from now on."""
        self._flat = None

    def together(self, cutter: CellCutter, flat: Flat, readings: Sequence[CellReading]) -> list[CellReading]:
        """The readings, each with those before it since the cell changed."""
        same = self._same(cutter, flat)
        if same is None:
            self._looks = [()] * len(readings)
        else:
            self._looks = [looks if as_before else () for looks, as_before in zip(self._looks, same, strict=True)]
        told = [_mean(looks, now) for looks, now in zip(self._looks, readings, strict=True)]
        most = self._settings.looks
        self._looks = [(*looks, now)[-most:] for looks, now in zip(self._looks, readings, strict=True)]
        self._flat = flat
        return told

    def _same(self, cutter: CellCutter, flat: Flat) -> list[bool] | None:
        """Which cells look as they did; None where that cannot be told of any."""
        s = self._settings
        windows = cell_windows(cutter.shape, cutter.settings)
        if self._flat is None or self._flat.shape != flat.shape or len(self._looks) != len(windows):
            return None
        change = _change(self._flat, flat, s)
        inner = slice(first := cutter.settings.margin_px + s.rim_px, first + cutter.settings.cell_px - 2 * s.rim_px)
        side = cutter.settings.cell_px + 2 * cutter.settings.margin_px
        levels = np.array([change[row : row + side, col : col + side][inner, inner].max() for row, col in windows])
        usual = float(np.median(levels))
        if usual > s.most_usual:
            return None
        return [bool(same) for same in levels < max(s.least, min(s.above_usual * usual, usual + s.above))]


def _change(before: Flat, now: Flat, s: MemorySettings) -> Singles:
    """By how much a part round each pixel differs from all that was near there."""
    one, other = (cv2.GaussianBlur(flat, (0, 0), s.blur_px) for flat in (before, now))
    near = np.ones((2 * s.beside_px + 1,) * 2, np.uint8)
    off = cv2.max(cv2.subtract(other, cv2.dilate(one, near)), cv2.subtract(cv2.erode(one, near), other))
    most = np.asarray(off).max(axis=2).astype(np.float32)
    return np.asarray(cv2.blur(most, (s.part_px, s.part_px)), dtype=np.float32)


def _mean(before: Sequence[CellReading], now: CellReading) -> CellReading:
    """What several looks at one cell say together; it cannot be told where most of them could not."""
    if not before:
        return now
    looks = (*before, now)
    shares: dict[Piece, float] = {}
    for piece, p in (belief for look in looks for belief in look.beliefs):
        shares[piece] = shares.get(piece, 0.0) + p / len(looks)
    doubts = [look.why for look in looks if look.why is not None]
    why = doubts[-1] if 2 * len(doubts) > len(looks) else None
    beliefs = tuple(sorted(shares.items(), key=lambda belief: -belief[1]))
    return CellReading(beliefs, why, now.skew_deg)
