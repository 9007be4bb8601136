"""An eye as the command line or the configuration asks for it: lens, markers, board, corners and taught looks."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lens import Lens, read_lens
from calibration.store import usable_lens
from calibration.table import TableMarkers, parse_markers
from companion.config import state_folder
from companion.errors import ConfigError
from companion.view import BoardPose, BoardShape
from companion.vision.errors import NothingTaught
from companion.vision.files import read_board, read_corners
from companion.vision.pipeline import Eye
from companion.vision.reader import CellReader, PieceFinder
from companion.vision.readers import reader_module
from companion.vision.settings import EyeSettings
from companion.vision.taught_looks import files_of


@dataclass(frozen=True, slots=True, eq=False)
class EyeOptions:
    """The options, read and checked."""

    game: str
    lens: Lens | None
    lens_from: str  # "given", "stored" or "guess"
    markers: TableMarkers
    shape: BoardShape | None
    board: BoardPose | None
    corners: NDArray[np.float64] | None
    reader: CellReader | PieceFinder
    notes: tuple[str, ...] = ()  # what was assumed

    def eye(self, settings: EyeSettings | None = None) -> Eye:
        """An eye that has seen nothing yet."""
        chosen = settings or EyeSettings()
        return Eye(chosen, self.lens, self.markers, self.shape, self.reader, self.board, self.corners)


def read_eye_options(
    game: str,
    lens: Path | None,
    markers: str | None,
    board: Path | None,
    corners: Path | None,
    taught: Path | None,
    played: BoardShape | None = None,
) -> EyeOptions:
    """Everything that the options name; ConfigError or UnreadableText say what is wrong.

    `played` is the board of the game as it was chosen: without a file of the board, it has so many cells.
    """
    module = reader_module(game)
    hexagons = module.SHAPE is not None and module.SHAPE.kind == "hex"
    shape, pose = read_board(board, "hex" if hexagons else None) if board else (module.SHAPE, None)
    if shape is not None and board is None and played is not None:
        shape = replace(shape, cols=played.cols, rows=played.rows, kind=played.kind)
    reader = module.new_reader()
    if taught is not None:
        _load(reader, taught)
    try:
        found, lens_from, amiss = _lens(lens)
        places = parse_markers(markers) if markers is not None else TableMarkers()
    except CalibrationError as error:
        raise ConfigError(str(error)) from error
    points = read_corners(corners) if corners else None
    if points is not None and shape is None:
        raise ConfigError("--corners belongs to a game with a board")
    notes: tuple[str, ...] = (f"the lens is guessed: {amiss}",) if amiss else ()
    if shape is not None and board is None and played is None and getattr(module, "MANY_SIZES", False):
        notes += (f"no --board was given: it is taken to have {shape.cols} x {shape.rows} cells",)
    return EyeOptions(game, found, lens_from, places, shape, pose, points, reader, notes)


def _lens(path: Path | None) -> tuple[Lens | None, str, str]:
    """A lens or None, where it is from, and why a stored one is of no use."""
    if path is not None:
        return read_lens(path), "given", ""
    stored, amiss = usable_lens(state_folder() / "calibration")
    return (stored.lens, "stored", "") if stored else (None, "guess", amiss)


def _load(reader: CellReader | PieceFinder, folder: Path) -> None:
    nothing = f"{folder}: nothing was taught there for this game; `companion teach --out` writes it"
    try:
        reader.load(folder)
        taught = files_of(reader)
    except NothingTaught as error:
        raise ConfigError(nothing) from error
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(f"{folder}: what was taught there cannot be used: {error}") from error
    if not any((folder / name).is_file() for name in taught):
        raise ConfigError(nothing)
