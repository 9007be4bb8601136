"""Cameras that misbehave on purpose. They live in a module of their own so that spawn can import them."""

import os
import time
from pathlib import Path

import numpy as np

from hardware.errors import CameraEnded, CameraError, CameraTimeout
from hardware.frames import Frame
from hardware.pictures import frame_of


class NoisyCamera:
    """Grey noise of another seed at each frame, `period_s` apart; `fault` strikes at frame `at`."""

    def __init__(self, period_s: float = 0.01, fault: str = "", at: int = 5, width: int = 64, height: int = 48) -> None:
        self._period_s, self._fault, self._at = period_s, fault, at
        self._size = (height, width, 3)
        self._number = 0

    def open(self) -> None:
        if self._fault == "absent":
            raise CameraError("no such camera: plug it in")
        if self._fault == "stumble":
            raise AttributeError("no such setting in this OpenCV")

    def read(self, timeout_s: float) -> Frame:
        time.sleep(self._period_s)
        if self._number >= self._at:
            self._misbehave(timeout_s)
        seed = 0 if self._fault == "frozen" else self._number
        pixels = np.random.default_rng(seed).integers(0, 255, self._size, dtype=np.uint8)
        self._number += 1
        return frame_of(pixels, time.monotonic(), self._number - 1)

    def _misbehave(self, timeout_s: float) -> None:
        match self._fault:
            case "hang":
                time.sleep(3600)
            case "die":
                os._exit(3)
            case "raise":
                raise RuntimeError("the sensor is on fire")
            case "silent":
                time.sleep(timeout_s)
                raise CameraTimeout("nothing")
            case "end":
                raise CameraEnded("that was all")

    def close(self) -> None:
        """Nothing to release."""


class LightCamera(NoisyCamera):
    """Settles for three frames after `measure_light`."""

    def __init__(self) -> None:
        super().__init__()
        self._settling = 0

    def measure_light(self) -> None:
        self._settling = 3

    def read(self, timeout_s: float) -> Frame:
        frame = super().read(timeout_s)
        if not self._settling:
            return frame
        self._settling -= 1
        unsettled = {"settling": True}
        return Frame(frame.pixels, frame.small, frame.taken_s, frame.number, frame.checksum, None, unsettled)


class BackCamera(NoisyCamera):
    """Absent until a file appears."""

    def __init__(self, flag: Path) -> None:
        super().__init__()
        self._flag = flag

    def open(self) -> None:
        if not self._flag.exists():
            raise CameraError("no such camera: plug it in")
