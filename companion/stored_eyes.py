"""Eyes as they were left: with the lens that was measured, and with what was taught of each game's set."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.store import LENS_FILE
from companion.commands.eye_options import EyeOptions, read_eye_options
from companion.errors import ConfigError
from companion.lessons import forget
from companion.view import BoardShape
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from companion.vision_loop import taught_folder

log = logging.getLogger(__name__)

BY_HAND = "by-hand"  # a file in what was stored: the host taught it


@dataclass(frozen=True, slots=True)
class StoredEyes:
    """Makes eyes from the options of the command line and from what was taught before."""

    look: Mapping[str, Any]
    folder: Path
    settings: EyeSettings = field(default_factory=lambda: EyeSettings(live=True))
    played: Callable[[], BoardShape | None] = lambda: None  # the board of the game that is on, as it was chosen

    @property
    def calibration(self) -> Path:
        """Where the lens is stored that was measured for these eyes."""
        return self.folder / "calibration"

    @property
    def markers(self) -> str:
        """W,H,SIDE of the table's markers in mm, as on the command line."""
        return self.look.get("markers") or "600,380,40"

    def lens(self) -> Path | None:
        """The lens that was named, else the one that was measured; None while neither is there."""
        measured = self.calibration / LENS_FILE
        return self.look.get("lens") or (measured if measured.is_file() else None)

    def knows(self, game: str) -> bool:
        """True when something was learned of the set for this game."""
        return not self.learns(game) or taught_folder(self.folder, game).is_dir()

    def learns(self, game: str) -> bool:
        """False where a folder was named that holds looks for this game."""
        named = self.look.get("taught")
        return named is None or self._taught(game, named, None) is None

    def forget(self, game: str) -> None:
        """Remove what was learned of the set for this game; CommandRefused when that cannot be."""
        forget(taught_folder(self.folder, game))

    def open(self, game: str, corners: NDArray[np.float64] | None) -> Eye:
        """An eye with what was taught; unusable teaching is left aside."""
        stored, named = taught_folder(self.folder, game), self.look.get("taught")
        order = (stored, named) if (stored / BY_HAND).is_file() else (named, stored)
        for folder in order:
            if folder is not None and (folder != stored or stored.is_dir()):
                eye = self._taught(game, folder, corners)
                if eye is not None:
                    return eye
        return self.fresh(game, corners)

    def fresh(self, game: str, corners: NDArray[np.float64] | None) -> Eye:
        """An eye as shipped."""
        return self._eye(game, {**self.look, "taught": None}, corners)

    def keep(self, game: str, eye: Eye, by_hand: bool) -> None:
        """Store what this eye has learned; a lesson that the host gave goes before a folder that was named."""
        folder = taught_folder(self.folder, game)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / BY_HAND).unlink(missing_ok=True)
        if eye.reader is not None:
            eye.reader.save(folder)
        if by_hand:
            (folder / BY_HAND).touch()

    def _taught(self, game: str, folder: Path, corners: NDArray[np.float64] | None) -> Eye | None:
        """An eye with what a folder holds; None where that is nothing for this game, or of no use."""
        try:
            return self._eye(game, {**self.look, "taught": folder}, corners)
        except ConfigError as error:
            self.fresh(game, corners)  # what else may be wrong is told
            log.warning("what was taught is left aside: %s", error)
            return None

    def _eye(self, game: str, look: Mapping[str, Any], corners: NDArray[np.float64] | None) -> Eye:
        options: EyeOptions = read_eye_options(
            game, self.lens(), self.markers, look.get("board"), None, look.get("taught"), self.played()
        )
        if corners is None:
            return options.eye(self.settings)
        return Eye(self.settings, options.lens, options.markers, options.shape, options.reader, None, corners)
