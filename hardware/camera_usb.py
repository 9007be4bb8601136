"""A USB camera by OpenCV's VideoCapture."""

import time
from typing import Any

import cv2
import numpy as np

from hardware.errors import CameraError, CameraTimeout
from hardware.frames import Frame
from hardware.pictures import frame_of

ERRORS_ONLY = 2  # OpenCV's log level


def _hush_opencv() -> None:
    """An absent camera is told by us. OpenCV 5 moved the function."""
    module: Any = cv2 if hasattr(cv2, "setLogLevel") else cv2.utils.logging
    module.setLogLevel(ERRORS_ONLY)


class UsbCamera:
    """Camera number `index`; asks for a size and a rate, takes what it gets.

    USB cameras differ in what they let be set, so a refused setting is no error. `VideoCapture.read` cannot be
    interrupted: use it in a `WorkerCamera`.
    """

    def __init__(self, index: int, width: int = 1600, height: int = 1200, fps: float = 10.0) -> None:
        self._index, self._size, self._fps = index, (width, height), fps
        self._capture: cv2.VideoCapture | None = None
        self._number = 0

    def open(self) -> None:
        """CameraError when there is no such camera."""
        _hush_opencv()
        capture = cv2.VideoCapture(self._index)
        if not capture.isOpened():
            capture.release()
            raise CameraError(f"no USB camera number {self._index}: is it plugged in, and free of other programs?")
        wishes = (
            (cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG"))),  # raw frames of this size exceed USB 2
            (cv2.CAP_PROP_FRAME_WIDTH, float(self._size[0])),
            (cv2.CAP_PROP_FRAME_HEIGHT, float(self._size[1])),
            (cv2.CAP_PROP_FPS, self._fps),
            (cv2.CAP_PROP_BUFFERSIZE, 1.0),  # the newest picture, not the oldest
            (cv2.CAP_PROP_AUTOFOCUS, 0.0),  # hands must not pull the focus
        )
        for setting, value in wishes:
            capture.set(setting, value)
        self._capture, self._number = capture, 0

    def read(self, timeout_s: float) -> Frame:
        """The next picture; CameraTimeout when the driver reports none."""
        if self._capture is None:
            raise CameraError("the USB camera is not open")
        good, pixels = self._capture.read()
        if not good or pixels is None or not pixels.size:
            raise CameraTimeout(f"USB camera {self._index} delivers no picture")
        self._number += 1
        return frame_of(np.asarray(pixels, dtype=np.uint8), time.monotonic(), self._number - 1)

    def close(self) -> None:
        """Release the device; safe to call twice."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None
