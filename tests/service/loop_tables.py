"""A vision loop over a camera that is set by hand."""

import threading

import numpy as np

from calibration.lens import Lens
from calibration.table import TableMarkers
from companion.errors import ConfigError
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.readmodel import Desk
from companion.service.vision_loop import VisionLoop
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame
from hardware.pictures import frame_of

GREY = np.full((120, 160, 3), 90, np.uint8)


def frames(count: int, pixels: np.ndarray = GREY, apart_s: float = 1.0) -> list[Frame]:
    return [frame_of(pixels, apart_s * number, number) for number in range(count)]


class HandCamera:
    """Gives what it is told to give, then stops the loop."""

    def __init__(self) -> None:
        self.gives: list[Frame | Exception] = []
        self.done = threading.Event()
        self.unkillable_s = 0.0
        self.now_s = 0.0  # when the newest picture was taken

    def open(self) -> None:
        """Always there."""

    def read(self, timeout_s: float) -> Frame:
        given = self.gives.pop(0)
        if not self.gives:
            self.done.set()
        if isinstance(given, Exception):
            raise given
        self.now_s = given.taken_s
        return given

    def close(self) -> None:
        """Nothing to release."""


class CornerEyes:
    """Writes down for which corners an eye was asked, and has none."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def open(self, game: str, corners: object) -> Eye:
        self.asked.append(corners)
        raise ConfigError("no eye")

    def fresh(self, game: str, corners: object) -> Eye:
        return self.open(game, corners)


class TableEyes:
    """Real eyes for any game, with a measured lens or without."""

    def __init__(self, lens: Lens | None = None) -> None:
        self.lens = lens

    def open(self, game: str, corners: object) -> Eye:
        return Eye(EyeSettings(), self.lens, TableMarkers(600.0, 380.0, 40.0), None)


class HandLoop:
    """A loop, its camera, and the desk that it tells of one game or of none."""

    def __init__(self, game: str | None = None, eyes: object = None, camera: HandCamera | None = None, **how) -> None:
        self.camera, self.eyes = camera or HandCamera(), eyes or CornerEyes()
        self.desk = Desk(MemoryArchive(), clock=lambda: self.camera.now_s)  # however fast pictures are read
        if game is not None:
            self.new_game(game)
        self.loop = VisionLoop(self.camera, self.eyes, self.desk, **how)

    def new_game(self, game: str) -> None:
        self.desk.submit(Command("new_game", {"game": game, "options": {}}))

    def see(self, *gives: Frame | Exception) -> "HandLoop":
        """What the camera gives from now on, until it has no more."""
        self.camera.gives, self.camera.done = list(gives), threading.Event()
        self.loop.run(self.camera.done)
        return self

    @property
    def notices(self) -> tuple[str, ...]:
        return self.desk.snapshot().notices

    def tells(self, words: str) -> bool:
        return any(words in notice for notice in self.notices)
