"""Cameras that read what was photographed or filmed before: a folder of pictures, or a video file."""

import math
import time
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.errors import CameraEnded, CameraError
from hardware.frames import Frame
from hardware.pictures import PICTURES, frame_of, pictures_in

BLANK = (1, 1, 3)  # shape of the picture that stands for one that cannot be read


@dataclass(frozen=True, slots=True)
class Playback:
    """`hold` equal frames for each picture, `period_s` apart; `pace` waits as a camera would, else at once."""

    hold: int = 1
    period_s: float = 0.2
    pace: bool = False


class _FileCamera:
    """Numbers and times the frames of a recording: `taken_s` advances by the period, however fast it is read."""

    def __init__(self, playback: Playback) -> None:
        self._playback = playback
        self._number = 0
        self._start_s = time.monotonic()

    def _stamp(self, period_s: float) -> tuple[float, int]:
        taken_s, number = self._start_s + self._number * period_s, self._number
        if self._playback.pace:
            time.sleep(max(0.0, taken_s - time.monotonic()))
        self._number += 1
        return taken_s, number


class FolderCamera(_FileCamera):
    """The pictures of a folder in the order of their names; each stands for `hold` equal frames.

    A picture that cannot be decoded comes as a black one of 1x1 with `metadata["unusable"]`, so that it keeps
    its turn and its name.
    """

    def __init__(self, folder: Path | str, playback: Playback = Playback()) -> None:
        super().__init__(playback)
        self._folder = Path(folder)
        self._paths: list[Path] = []
        self._held: tuple[int, Frame] | None = None

    def open(self) -> None:
        """CameraError when the folder is none or holds no picture."""
        try:
            found = pictures_in(self._folder)
        except OSError as error:
            raise CameraError(f"no folder of pictures: {self._folder}: {error.strerror}") from error
        if not found:
            raise CameraError(f"no picture ({', '.join(sorted(PICTURES))}) in {self._folder}")
        self._paths, self._number, self._start_s, self._held = found, 0, time.monotonic(), None

    def read(self, timeout_s: float) -> Frame:
        """The next frame; CameraEnded after the last."""
        index = self._number // self._playback.hold
        if index >= len(self._paths):
            raise CameraEnded(f"all {len(self._paths)} pictures of {self._folder} were read")
        taken_s, number = self._stamp(self._playback.period_s)
        if self._held is None or self._held[0] != index:
            self._held = (index, _picture(self._paths[index], taken_s, number))
        return replace(self._held[1], taken_s=taken_s, number=number)

    def close(self) -> None:
        """Nothing stays open."""
        self._paths, self._held = [], None


def _picture(path: Path, taken_s: float, number: int) -> Frame:
    try:
        pixels = _decode(path.read_bytes())
    except OSError as error:
        return _unusable(path, taken_s, number, error.strerror or str(error))
    if pixels is None:
        return _unusable(path, taken_s, number, "it cannot be decoded")
    return frame_of(pixels, taken_s, number, path.name)


def _decode(data: bytes) -> NDArray[np.uint8] | None:
    if not data:
        return None
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:  # a header that promises more pixels than OpenCV accepts
        return None
    return None if pixels is None or not pixels.size else np.asarray(pixels, dtype=np.uint8)


def _unusable(path: Path, taken_s: float, number: int, why: str) -> Frame:
    text = f"the picture {path.name} is unusable: {why}"
    return frame_of(np.zeros(BLANK, np.uint8), taken_s, number, path.name, {"unusable": text})


class FilmCamera(_FileCamera):
    """The pictures of a video file, one after the other, at the film's own period."""

    def __init__(self, path: Path | str, playback: Playback = Playback()) -> None:
        super().__init__(playback)
        self._path = Path(path)
        self._capture: cv2.VideoCapture | None = None
        self._period_s = playback.period_s

    def open(self) -> None:
        """CameraError when there is no such film or it cannot be decoded."""
        if not self._path.is_file():
            raise CameraError(f"no film at {self._path}")
        capture = cv2.VideoCapture(str(self._path))
        if not capture.isOpened():
            capture.release()
            raise CameraError(f"{self._path} is no film that can be decoded")
        fps = capture.get(cv2.CAP_PROP_FPS)
        self._period_s = 1.0 / fps if math.isfinite(fps) and fps > 0 else self._playback.period_s
        self._capture, self._number, self._start_s = capture, 0, time.monotonic()

    def read(self, timeout_s: float) -> Frame:
        """The next frame; CameraEnded after the last."""
        if self._capture is None:
            raise CameraError("the film is not open")
        good, pixels = self._capture.read()
        if not good:
            raise CameraEnded(f"the film {self._path.name} ended after {self._number} pictures")
        taken_s, number = self._stamp(self._period_s)
        return frame_of(np.asarray(pixels, dtype=np.uint8), taken_s, number, f"{self._path.name}#{number}")

    def close(self) -> None:
        """Release the decoder; safe to call twice."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None
