"""What was taught of a set, kept in a folder: name.json, its arrays and pictures that a person can check."""

import datetime
import hashlib
import io
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.files import write_safely
from companion.vision.errors import NothingTaught
from companion.vision.reader import CellReader, PieceFinder

Pixels = NDArray[np.uint8]
MEMORY = Path("/dev/shm")  # what is only to be looked at lies there, so that a full disk hides no lesson
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
        """Write all, or leave what was there: the JSON file, which names the arrays, goes last. OSError.

        Pictures go by their names without ".png".
        """
        held = io.BytesIO()
        np.savez(held, **arrays)
        packed = f"{self.name}-{hashlib.sha256(held.getvalue()).hexdigest()[:12]}.npz"
        head = {
            **about,
            "format": self.format,
            "arrays": packed,
            "pictures": sorted(f"{name}.png" for name in pictures),
        }
        before = self._named(folder)
        write_safely(folder / packed, held.getvalue())
        for name, picture in pictures.items():
            write_safely(folder / f"{name}.png", cv2.imencode(".png", picture)[1].tobytes())
        write_safely(folder / f"{self.name}.json", (json.dumps(head, indent=1) + "\n").encode())
        for name in before - {packed, *head["pictures"]}:  # a person would take them for what was learned now
            (folder / name).unlink(missing_ok=True)

    def _named(self, folder: Path) -> set[str]:
        """The files of the lesson that is there: its arrays and its pictures."""
        try:
            about = json.loads((folder / f"{self.name}.json").read_text(encoding="utf-8"))
            named = [self._arrays(about), *about["pictures"]]
            return {name for name in named if Path(name).name == name and name.endswith((".npz", ".png"))}
        except BROKEN:
            return set()

    def _arrays(self, about: Mapping[str, Any]) -> str:
        return str(about.get("arrays", f"{self.name}.npz"))  # so it was called in lessons of earlier versions

    @contextmanager
    def opened(self, folder: Path) -> Iterator[tuple[dict[str, Any], Mapping[str, NDArray[Any]]]]:
        """What is said about them, and the arrays. ValueError with what to do if they, or what is made of them, are
        not right: what is torn, of another version or lacks a part; NothingTaught if there are none.
        """
        if not self.there(folder):
            raise NothingTaught(f"{folder} holds no taught looks of {self.what}: teach the set anew")
        try:
            about = json.loads((folder / f"{self.name}.json").read_text(encoding="utf-8"))
            if about["format"] != self.format:
                raise ValueError(f"its format is {about['format']}, this program writes {self.format}")
            with (folder / Path(self._arrays(about)).name).open("rb") as file, np.load(file) as arrays:
                yield about, arrays
        except BROKEN as error:
            raise ValueError(f"{folder} holds no taught looks of {self.what} ({error}): teach the set anew") from error

    @staticmethod
    def pictures(folder: Path, about: Mapping[str, Any]) -> dict[str, Pixels]:
        """The pictures that are there still, by their names without ".png"."""
        read = {
            Path(name).stem: cv2.imread(str(folder / name))
            for name in about.get("pictures", ())
            if (folder / name).is_file()
        }
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
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        reader.save(Path(folder))
        return [path.name for path in Path(folder).iterdir()]


def taught_now() -> str:
    """The date and time at which something is taught."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
