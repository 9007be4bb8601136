"""What was calibrated, on disk: with version and date, written so that a cut of the power leaves the old or the new."""

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.errors import BadLens, CalibrationError
from calibration.files import write_safely
from calibration.lens import Lens, lens_from_json

VERSION = 1
LENS_FILE = "lens.json"


@dataclass(frozen=True, slots=True)
class StoredLens:
    """A measured lens, and how and when it was measured."""

    lens: Lens
    measured: str  # ISO date and time, UTC
    error_px: float  # root mean square of the board's corners
    pictures: int
    camera: str = ""


def save_lens(folder: Path, stored: StoredLens) -> Path:
    """Write the lens; the file can also be given to `--lens`. CalibrationError when it cannot be written."""
    data = {"version": VERSION, "measured": stored.measured, "camera": stored.camera}
    data |= {"error_px": round(stored.error_px, 4), "pictures": stored.pictures} | stored.lens.to_json()
    path = folder / LENS_FILE
    try:
        write_safely(path, json.dumps(data, indent=1).encode())
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def load_lens(folder: Path) -> StoredLens | None:
    """The stored lens, None when none was stored; BadLens when the file is of no use."""
    path = folder / LENS_FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadLens(f"{path}: {error}") from error
    try:
        data = json.loads(text)
        if not isinstance(data, Mapping):
            raise BadLens("no lens at all")
        return _stored(data)
    except (ValueError, RecursionError) as error:
        raise BadLens(f"{path}: {error}; calibrate anew, or remove the file") from error


def usable_lens(folder: Path) -> tuple[StoredLens | None, str]:
    """The stored lens; None where none was stored, or where it is of no use, and then why."""
    try:
        return load_lens(folder), ""
    except BadLens as error:
        return None, str(error)


def now() -> str:
    """The date and time that is stored with a calibration."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _stored(data: Mapping[str, Any]) -> StoredLens:
    if data.get("version") != VERSION:
        raise BadLens(f"version {data.get('version')!r} is not {VERSION}")
    try:
        error_px, pictures = float(data.get("error_px", 0.0)), int(data.get("pictures", 0))
    except (TypeError, OverflowError) as error:
        raise BadLens(str(error)) from error
    return StoredLens(
        lens_from_json(data), str(data.get("measured", "")), error_px, pictures, str(data.get("camera", ""))
    )
