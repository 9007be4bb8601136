"""Eyes as they were left: with the lens that was measured, and with what was taught of each game's set."""

import contextlib
import logging
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.store import LENS_FILE, usable_lens
from companion.errors import ConfigError
from companion.eye_options import EyeOptions, read_eye_options
from companion.service.vision_loop import taught_folder
from companion.sets.lessons import forget
from companion.view import BoardShape
from companion.vision.errors import UnusableWeights
from companion.vision.pipeline import Eye
from companion.vision.readers import reader_module
from companion.vision.settings import EyeSettings
from companion.vision.taught_looks import Taught, files_of, taught_in

log = logging.getLogger(__name__)

BY_HAND = "by-hand"  # a file beside what was taught on purpose, by the host or by `companion teach`


@dataclass(frozen=True, slots=True)
class StoredEyes:
    """Makes eyes from the options of the command line and from what was taught before."""

    look: Mapping[str, Any]
    folder: Path
    settings: EyeSettings = field(default_factory=lambda: EyeSettings(live=True))
    played: Callable[[], BoardShape | None] = lambda: None  # the board of the game that is on, as it was chosen
    _amiss: dict[tuple[str, Path, int], str] = field(default_factory=dict)  # with each lesson; "" with one of use
    _guard: threading.RLock = field(default_factory=threading.RLock)  # no page looks at half a lesson

    @property
    def calibration(self) -> Path:
        """Where the lens is stored that was measured for these eyes."""
        return self.folder / "calibration"

    @property
    def markers(self) -> str:
        """W,H,SIDE of the table's markers in mm, as on the command line."""
        return self.look.get("markers") or "600,380,40"

    def lens(self) -> Path | None:
        """The lens that was named, else the one that was measured; None while neither is there and of use."""
        if self.look.get("lens"):
            return Path(self.look["lens"])
        measured, amiss = usable_lens(self.calibration)
        if amiss:
            log.warning("the lens is guessed: %s", amiss)
        return self.calibration / LENS_FILE if measured is not None else None

    def knows(self, game: str) -> bool:
        """True when something was learned of the set for this game."""
        return self._used(game) is not None

    def taught(self, game: str) -> Taught:
        """What was learned of the set for this game, for people to look at."""
        folder = self._used(game)
        with self._guard:
            return Taught("", {}) if folder is None else taught_in(folder)

    def left_aside(self, game: str) -> str:
        """Why what was stored of the set for this game is of no use; empty while something is, or nothing is stored."""
        folder = taught_folder(self.folder, game)
        if self.knows(game) or not self.stores(game):
            return ""
        with self._guard:
            return self._why_not(game, folder)

    def stores(self, game: str) -> bool:
        """True if there is something to forget, be it of use or not."""
        return bool(_written_ns(taught_folder(self.folder, game)))

    def learns(self, game: str) -> bool:
        """False where this game's looks were taught on purpose: in a folder that was named, or by hand."""
        used, stored = self._used(game), taught_folder(self.folder, game)
        return used is None or (used == stored and not (stored / BY_HAND).is_file())

    @contextlib.contextmanager
    def lesson(self, game: str) -> Iterator[Path | None]:
        """The folder that an eye is taught from, None without one; nobody changes it meanwhile."""
        with self._guard:
            yield self._used(game)

    def amiss(self, game: str, folder: Path) -> str:
        """What is amiss with the looks in a folder, for this game; empty where they are of use."""
        with self._guard:
            return self._why_not(game, folder)

    def adopt(self, game: str, looks: Path) -> None:
        """What was taught is from now on what this folder holds, as if it were taught by hand. OSError."""
        folder = taught_folder(self.folder, game)
        with self._guard:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as half:
                shutil.copytree(looks, Path(half) / game)
                (Path(half) / game / BY_HAND).touch()
                if folder.exists():
                    folder.rename(Path(half) / "before")
                (Path(half) / game).rename(folder)

    def forget(self, game: str) -> None:
        """Remove what was learned of the set for this game; CommandRefused when that cannot be."""
        with self._guard:
            forget(taught_folder(self.folder, game))

    def open(self, game: str, corners: NDArray[np.float64] | None) -> Eye:
        """An eye with what was taught; unusable teaching is left aside."""
        return self._eye(game, {**self.look, "taught": self._used(game)}, corners)

    def fresh(self, game: str, corners: NDArray[np.float64] | None) -> Eye:
        """An eye as shipped."""
        return self._eye(game, {**self.look, "taught": None}, corners)

    def keep(self, game: str, eye: Eye, by_hand: bool) -> None:
        """Store what this eye has learned, if anything; by hand it goes before a folder that was named, and stays."""
        if eye.reader is None or not files_of(eye.reader) or not (by_hand or self.learns(game)):
            return
        folder = taught_folder(self.folder, game)
        with self._guard:
            folder.mkdir(parents=True, exist_ok=True)
            if not by_hand:  # what bore the mark was of no use
                (folder / BY_HAND).unlink(missing_ok=True)
            eye.reader.save(folder)
            if by_hand:
                (folder / BY_HAND).touch()

    def _used(self, game: str) -> Path | None:
        """The folder that an eye is taught from: one that was named, but for what the host taught by hand."""
        stored, named = taught_folder(self.folder, game), self.look.get("taught")
        with self._guard:
            order = (stored, named) if (stored / BY_HAND).is_file() else (named, stored)
            folders = (folder for folder in order if folder is not None and (folder != stored or stored.is_dir()))
            return next((folder for folder in folders if self._holds(game, folder)), None)

    def _holds(self, game: str, folder: Path) -> bool:
        """True where a folder holds looks for this game that are of use."""
        return not self._why_not(game, folder)

    def _why_not(self, game: str, folder: Path) -> str:
        """What is amiss with the looks in a folder, empty where they are of use; asked once for each lesson."""
        lesson = game, folder, _written_ns(folder)
        if lesson not in self._amiss:
            try:
                self._eye(game, {**self.look, "taught": folder}, None)
            except UnusableWeights:  # no fault of the lesson: who opens an eye is told
                return ""
            except ConfigError as error:
                self.fresh(game, None)  # what else may be wrong is told
                log.warning("what was taught is left aside: %s", error)
                self._amiss[lesson] = str(error.__cause__ or error)
            else:
                self._amiss[lesson] = ""
        return self._amiss[lesson]

    def _eye(self, game: str, look: Mapping[str, Any], corners: NDArray[np.float64] | None) -> Eye:
        named = look.get("corners") if reader_module(game).SHAPE is not None else None  # a free table has none
        options: EyeOptions = read_eye_options(
            game, self.lens(), self.markers, look.get("board"), named, look.get("taught"), self.played()
        )
        if corners is None:
            return options.eye(self.settings)
        return Eye(self.settings, options.lens, options.markers, options.shape, options.reader, None, corners)


def _written_ns(folder: Path) -> int:
    """When the newest lesson in a folder was written; 0 where there is none, or one that is being removed."""
    try:
        return max((path.stat().st_mtime_ns for path in folder.glob("*.json")), default=0)
    except FileNotFoundError:
        return 0
