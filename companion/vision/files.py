"""The small JSON files that describe a board, a field's corners or what lies on a table."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.files import read_named
from calibration.lens import Lens, lens_from_json
from calibration.table import TableMarkers
from companion.errors import ConfigError
from companion.pieces import KHET_FACINGS, KINDS, PIECE_FIELDS, Piece
from companion.view import BoardPose, BoardShape, Sighting
from companion.vision.boards.finder import wrapped
from companion.vision.table_watch import checked_corners

MOST_BYTES = 20_000_000  # of a JSON file
MOST_CELLS = 26  # files are named by letters
LEAST_CELL_MM = 5  # in what is smaller no piece can be told


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What a labelled picture shows, and how it was taken, as far as the file says."""

    cells: Mapping[str, Piece]
    free: tuple[Sighting, ...]
    lens: Lens | None
    markers: TableMarkers | None
    shape: BoardShape | None
    board: BoardPose | None


def read_json(path: Path) -> Mapping[str, Any]:
    """A JSON object; ConfigError names the file."""
    try:
        data = json.loads(read_named(path, MOST_BYTES).decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: a JSON file is needed: {error}") from error
    if not isinstance(data, Mapping):
        raise ConfigError(f"{path}: a JSON object is needed, like {{...}}")
    return data


def read_board(path: Path, kind: str | None = None) -> tuple[BoardShape, BoardPose | None]:
    """The board of a file with cols, rows, cell_mm and so on; its pose where it has one. ConfigError.

    `kind` is that of the game's cells, where it is known: most files do not say it.
    """
    data = read_json(path)
    if kind is not None:
        data = {**data, "kind": kind}
    try:
        return board_shape(data), board_pose(data)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error


def read_corners(path: Path) -> NDArray[np.float64]:
    """(4, 2) pixels from a file with corners_px. ConfigError."""
    data = read_json(path)
    try:
        return checked_corners(np.array([[float(x) for x in point] for point in data["corners_px"]]))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        hint = "corners_px needs four points [x, y]: top-left, top-right, bottom-right, bottom-left"
        raise ConfigError(f"{path}: {error if isinstance(error, CalibrationError) else hint}") from error


def read_truth(path: Path) -> Truth:
    """A labelled picture's file, in the format that `companion look` writes. ConfigError."""
    data = read_json(path)
    try:
        return truth_of(data)
    except (ConfigError, CalibrationError) as error:
        raise ConfigError(f"{path}: {error}") from error
    except KeyError as error:
        raise ConfigError(f"{path}: this does not say what lies on the table: {error.args[0]} is missing") from error
    except (TypeError, ValueError, OverflowError) as error:
        raise ConfigError(f"{path}: this does not say what lies on the table: {error}") from error


def board_shape(data: Mapping[str, Any]) -> BoardShape:
    """A board's cells and sizes; ConfigError says which number is wrong."""
    cols, rows = (_number(data, name, 1, MOST_CELLS) for name in ("cols", "rows"))
    if cols != int(cols) or rows != int(rows):
        raise ConfigError("cols and rows have to be whole numbers")
    kind = data.get("kind", "grid")
    if kind not in ("grid", "hex") or (kind == "hex" and (cols != rows or cols % 2 == 0)):
        wanted = '"grid", or "hex" with cols and rows the same odd number'
        raise ConfigError(f"kind has to be {wanted}; not {kind!r} with {cols:g}x{rows:g}")
    return BoardShape(
        int(cols),
        int(rows),
        _number(data, "cell_mm", LEAST_CELL_MM, 1000),
        _number(data, "border_mm", 0, 1000, 0.0),
        _number(data, "thickness_mm", 0, 500, 0.0),
        str(kind),
    )


def board_pose(data: Mapping[str, Any]) -> BoardPose | None:
    """Where the board lies; None unless x_mm, y_mm and rotation_deg are all there."""
    names = ("x_mm", "y_mm", "rotation_deg")
    if any(data.get(name) is None for name in names):
        return None
    x_mm, y_mm, rotation_deg = (_number(data, name, -100_000, 100_000) for name in names)
    return BoardPose(x_mm, y_mm, wrapped(rotation_deg))


def _number(data: Mapping[str, Any], name: str, least: float, most: float, default: float | None = None) -> float:
    value = data.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ConfigError(f"{name} has to be a number, not {value!r}")
    if not least <= value <= most:
        raise ConfigError(f"{name} has to lie between {least:g} and {most:g}, not {value:g}")
    return float(value)


def truth_of(data: Mapping[str, Any]) -> Truth:
    """What such a file's content says; KeyError, TypeError, ValueError or a ConfigError when it says nothing."""
    pieces = data["pieces"]
    if not isinstance(pieces, Sequence) or not all(isinstance(piece, Mapping) for piece in pieces):
        raise ConfigError("pieces has to be a list of objects")
    camera, board = data.get("camera"), data.get("board")
    lens = lens_from_json(camera) if isinstance(camera, Mapping) and "width" in camera else None
    shape = board_shape(board) if isinstance(board, Mapping) and "cols" in board else None
    return Truth(
        cells={p["cell_name"]: _piece(p) for p in pieces if p.get("cell_name")},
        free=tuple(_sighting(p) for p in pieces if not p.get("cell_name")),
        lens=lens,
        markers=_markers(data.get("markers")),
        shape=shape,
        board=board_pose(board) if isinstance(board, Mapping) else None,
    )


def _markers(data: Any) -> TableMarkers | None:
    if not isinstance(data, Mapping) or "W_mm" not in data:
        return None
    return TableMarkers(float(data["W_mm"]), float(data["H_mm"]), float(data.get("side_mm", TableMarkers().side_mm)))


def _piece(data: Mapping[str, Any]) -> Piece:
    """The fields that say what a piece is; the pose and value of a piece that has none are left out."""
    named = {name: data[name] for name in PIECE_FIELDS if data.get(name) is not None}
    for name, word in named.items():
        if not isinstance(word, str):
            raise ConfigError(f"{name} of a piece has to be a word in quotes, not {word!r}")
    if named["kind"] not in KINDS:
        raise ConfigError(f"no piece is called {named['kind']!r}; there are {', '.join(KINDS)}")
    if named["kind"] in KHET_FACINGS and "cell_name" in data:
        named.pop("pose", None)
    return Piece(**named)


def _sighting(data: Mapping[str, Any]) -> Sighting:
    def number(name: str) -> float | None:
        return None if data.get(name) is None else _number(data, name, -100_000, 100_000)

    if all(None in (number(x), number(y)) for x, y in (("x_mm", "y_mm"), ("x_px", "y_px"))):
        raise ConfigError(f"where the {data.get('kind')} lies is not said: x_mm and y_mm")
    nested = data.get("nested_on")
    return Sighting(
        beliefs=((_piece(data), 1.0),),
        x_mm=number("x_mm"),
        y_mm=number("y_mm"),
        heading_deg=number("heading_deg"),
        x_px=number("x_px"),
        y_px=number("y_px"),
        nested_on=None if nested is None else int(nested),
    )
