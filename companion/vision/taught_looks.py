"""What was taught of a set, kept in a folder: name.json, name.npz and pictures that a person can check."""

import datetime
import io
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.files import write_safely
from companion.vision.reader import CellReader, PieceFinder

Pixels = NDArray[np.uint8]
BROKEN = (  # what json, zipfile (RuntimeError: "encrypted", or packed in an unknown way) and what is missing give
    *(OSError, EOFError, ValueError, zipfile.BadZipFile, RuntimeError),
    *(KeyError, TypeError, AttributeError),
)


@dataclass(frozen=True, slots=True)
class TaughtLooks:
    """The files of one reader."""

    name: str
    what: str  # they are looks of, as a sentence has it: "a Khet set"
    format: int

    def there(self, folder: Path) -> bool:
        """True if something was taught."""
        return (folder / f"{self.name}.json").exists()

    def write(
        self, folder: Path, about: Mapping[str, Any], arrays: Mapping[str, Any], pictures: Mapping[str, Pixels]
    ) -> None:
        """Write all, each file whole or not at all; pictures go by their names without ".png"."""
        held = io.BytesIO()
        np.savez(held, **arrays)
        write_safely(folder / f"{self.name}.npz", held.getvalue())
        for name, picture in pictures.items():
            write_safely(folder / f"{name}.png", cv2.imencode(".png", picture)[1].tobytes())
        self._remove_others(folder, {f"{name}.png" for name in pictures})
        head = {"format": self.format, **about, "pictures": sorted(f"{name}.png" for name in pictures)}
        write_safely(folder / f"{self.name}.json", (json.dumps(head, indent=1) + "\n").encode())

    def _remove_others(self, folder: Path, kept: Set[str]) -> None:
        """Pictures of an earlier lesson, which a person would take for what was learned now."""
        try:
            named = json.loads((folder / f"{self.name}.json").read_text(encoding="utf-8"))["pictures"]
            old = {name for name in named if Path(name).name == name and name.endswith(".png")}
        except BROKEN:
            return
        for name in old - kept:
            (folder / name).unlink(missing_ok=True)

    @contextmanager
    def opened(self, folder: Path) -> Iterator[tuple[dict[str, Any], Mapping[str, NDArray[Any]]]]:
        """What is said about them, and the arrays. ValueError with what to do if they, or what is made of them, are
        not right: what is torn, of another version or lacks a part.
        """
        try:
            about = json.loads((folder / f"{self.name}.json").read_text(encoding="utf-8"))
            if about["format"] != self.format:
                raise ValueError(f"its format is {about['format']}, this program writes {self.format}")
            with (folder / f"{self.name}.npz").open("rb") as file, np.load(file) as arrays:
                yield about, arrays
        except BROKEN as error:
            raise ValueError(f"{folder} holds no taught looks of {self.what} ({error}): teach the set anew") from error

    @staticmethod
    def pictures(folder: Path, about: Mapping[str, Any]) -> dict[str, Pixels]:
        """The pictures that are there still, by their names without ".png"."""
        read = {Path(name).stem: cv2.imread(str(folder / name)) for name in about.get("pictures", ())}
        return {name: np.asarray(picture, np.uint8) for name, picture in read.items() if picture is not None}


@dataclass(frozen=True, slots=True)
class Taught:
    """What a folder says of its lessons: when the last one was, and its pictures by what they show."""

    date: str
    pictures: Mapping[str, Path]


def taught_in(folder: Path) -> Taught:
    """The lessons of all readers in a folder, for people to look at; what is torn is left out."""
    dates = [""]
    pictures: dict[str, Path] = {}
    for path in sorted(folder.glob("*.json")):
        try:
            about = json.loads(path.read_text(encoding="utf-8"))
            names = [str(name) for name in about["pictures"]]
            dates.append(str(about.get("taught") or ""))
        except BROKEN:
            continue
        shown = (folder / name for name in names if Path(name).name == name and name.endswith(".png"))
        pictures |= {picture.stem: picture for picture in shown if picture.is_file()}
    return Taught(max(dates), pictures)


def files_of(reader: CellReader | PieceFinder) -> list[str]:
    """The names under which a reader keeps what it was taught."""
    with tempfile.TemporaryDirectory() as folder:
        reader.save(Path(folder))
        return [path.name for path in Path(folder).iterdir()]


def taught_now() -> str:
    """The date and time at which something is taught."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
