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
        return self.look.get("taught") is not None or taught_folder(self.folder, game).is_dir()

    def forget(self, game: str) -> None:
        """Remove what was learned of the set for this game; CommandRefused when that cannot be."""
        forget(taught_folder(self.folder, game))

    def open(self, game: str, corners: NDArray[np.float64] | None) -> Eye:
        """An eye with what was taught; unusable teaching is left aside."""
        look = dict(self.look)
        stored = taught_folder(self.folder, game)
        if look.get("taught") is None and stored.is_dir():
            look["taught"] = stored
        try:
            return self._eye(game, look, corners)
        except ConfigError as error:
            if look.get("taught") != stored:
                raise
            log.warning("what was taught before is left aside: %s", error)
            return self.fresh(game, corners)

    def fresh(self, game: str, corners: NDArray[np.float64] | None) -> Eye:
        """An eye as shipped."""
        return self._eye(game, {**self.look, "taught": None}, corners)

    def keep(self, game: str, eye: Eye) -> None:
        """Store what this eye has learned."""
        folder = taught_folder(self.folder, game)
        folder.mkdir(parents=True, exist_ok=True)
        if eye.reader is not None:
            eye.reader.save(folder)

    def _eye(self, game: str, look: Mapping[str, Any], corners: NDArray[np.float64] | None) -> Eye:
        options: EyeOptions = read_eye_options(
            game, self.lens(), self.markers, look.get("board"), None, look.get("taught"), self.played()
        )
        if corners is None:
            return options.eye(self.settings)
        return Eye(self.settings, options.lens, options.markers, options.shape, options.reader, None, corners)
