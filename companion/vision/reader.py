"""What a reader of pieces is: of the cells of a board (`CellReader`), or of a free table (`PieceFinder`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from calibration.table import CameraPose
from companion.pieces import Piece
from companion.view import Sighting

Beliefs = tuple[tuple[Piece, float], ...]  # (piece, probability), most probable first, sum at most 1


@dataclass(frozen=True, slots=True, eq=False)
class CellPatches:
    """Every cell of a board (or some of them) as small pictures of one size, seen in the plane of the board.

    A patch is the cell with a margin around it, so that a piece that leans outward in the picture is wholly
    inside. Its columns run along the board's files (left to right), its rows from rank 8 down to rank 1, so
    "N" is up in every patch however the board lies on the table. Pixel (S - 1) / 2 is the middle of the cell.
    """

    pixels: NDArray[np.uint8]  # (n, S, S, 3) BGR, white-balanced: the paper of the markers is neutral
    cells: tuple[str, ...]  # (n) names, "a1" is the bottom left cell
    lean: NDArray[np.float32]  # (n, 2) board mm (x right, y up) that a point is shifted per mm of its height
    mm_per_px: float
    cell_mm: float
    margin_mm: float  # around the cell, on each side
    camera_height_mm: float  # above the plane of the board; exact shift of height z: lean * z / (1 - z / height)
    glare: NDArray[np.bool_]  # (n, S, S) True where the picture is blown out: no evidence there
    white_known: bool = False  # paper told how bright white is; else `pixels` are as the camera took them

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def size(self) -> int:
        """Pixels of a patch's side."""
        return int(self.pixels.shape[1])

    @property
    def blown(self) -> NDArray[np.float64]:
        """(n) the share of each cell's square, without its margin, that is blown out."""
        margin = round(self.margin_mm / self.mm_per_px)
        inner = slice(margin, self.size - margin)
        return np.asarray(self.glare[:, inner, inner].mean(axis=(1, 2)))

    def only(self, indices: Sequence[int]) -> "CellPatches":
        """The patches at these indices."""
        chosen = list(indices)
        return replace(
            self,
            pixels=self.pixels[chosen],
            cells=tuple(self.cells[i] for i in chosen),
            lean=self.lean[chosen],
            glare=self.glare[chosen],
        )

    def joined(self, others: "CellPatches") -> "CellPatches":
        """These and other cells of the same board."""
        return replace(
            self,
            pixels=np.concatenate([self.pixels, others.pixels]),
            cells=(*self.cells, *others.cells),
            lean=np.concatenate([self.lean, others.lean]),
            glare=np.concatenate([self.glare, others.glare]),
            white_known=self.white_known and others.white_known,
        )

    def named(self, names: Sequence[str]) -> "CellPatches":
        """The patches of these cells, in this order; KeyError for a cell that is not among them."""
        index = {cell: i for i, cell in enumerate(self.cells)}
        return self.only([index[name] for name in names])


@dataclass(frozen=True, slots=True)
class CellReading:
    """What one cell shows. `why` is set when it cannot be told ("glare", "between two classes" ...)."""

    beliefs: Beliefs
    why: str | None = None
    skew_deg: float = 0.0  # how far the piece stands askew, counter-clockwise


class CellReader(Protocol):
    """Reads the cells of one game's board. One instance per set and table; it may keep what it has learned."""

    def read(self, patches: CellPatches) -> list[CellReading]:
        """One reading for every patch, in the order of the patches; `EMPTY` is one of the pieces.

        May be called with some of the cells only; what is needed of the others, the reader remembers.
        """

    def learn(self, patches: CellPatches, labels: Mapping[str, Piece]) -> None:
        """Take over the looks of this set. Cells that `labels` does not name are empty."""

    def turned(self, patches: CellPatches) -> float:
        """Log-odds that the whole board is seen turned by half a turn; 0.0 when that cannot be told."""

    def save(self, folder: Path) -> None:
        """Write what was learned into the folder (which exists)."""

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; ValueError that says what is wrong when it cannot be used."""


@runtime_checkable
class TellsDoubles(Protocol):
    """A reader that knows which classes of the taught set are too much alike."""

    @property
    def too_close(self) -> tuple[tuple[str, str], ...]:
        """Pairs of classes that may be taken for each other."""


@dataclass(frozen=True, slots=True, eq=False)
class TablePicture:
    """A whole picture of a free table."""

    pixels: NDArray[np.uint8]  # (h, w, 3) BGR as taken, not balanced
    gains: NDArray[np.float64]  # (3,) of B, G, R, that make paper neutral
    pose: CameraPose | None  # None without markers: millimetres cannot be told
    covered_px: tuple[NDArray[np.float64], ...] = ()  # (N, 2) outlines of what is no piece: the markers' papers
    taken_s: float | None = None  # of a table that is watched: what has not changed need not be looked for again
    one_table: bool = False  # the pictures so far were of this table, too


class PieceFinder(Protocol):
    """Finds pieces that lie anywhere on the table."""

    def find(self, picture: TablePicture) -> list[Sighting]:
        """Every piece, in table millimetres (where there is a pose) and in pixels of this picture. ObstructedView."""

    def learn(self, picture: TablePicture, sightings: Sequence[Sighting]) -> None:
        """Take over the looks of this set from a picture in which these pieces lie."""

    def save(self, folder: Path) -> None:
        """Write what was learned into the folder (which exists)."""

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; ValueError that says what is wrong when it cannot be used."""


@runtime_checkable
class SeesAnywhere(Protocol):
    """A finder whose pieces can be told without a table: `find` is called with no pose when markers are missing."""

    @property
    def anywhere(self) -> bool:
        """True."""


@runtime_checkable
class SeesGrey(Protocol):
    """A reader that needs no colour: light from dark is enough."""

    @property
    def in_grey(self) -> bool:
        """True."""


@runtime_checkable
class TellsBare(Protocol):
    """A finder that also tells where the table is bare."""

    @property
    def covered(self) -> frozenset[tuple[int, int]] | None:
        """The squares of the last picture that are not: see `TableView.covered`."""

    @property
    def shown(self) -> frozenset[tuple[int, int]] | None:
        """Those that it shows: see `TableView.shown`."""
