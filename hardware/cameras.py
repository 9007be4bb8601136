"""Which camera a word means: picamera2, usb:NUMBER, folder:PATH, file:PATH or simulated."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from hardware.camera_files import FilmCamera, FolderCamera, Playback
from hardware.camera_picamera2 import PiCamera, PiCameraSettings
from hardware.camera_usb import UsbCamera
from hardware.camera_worker import Patience, WorkerCamera
from hardware.errors import CameraError
from hardware.frames import FrameSource

WORDS = "picamera2, usb:NUMBER, folder:PATH, file:PATH or simulated"
USB_NUMBER = re.compile(r"[0-9]{1,4}")  # more digits no driver takes


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What a camera is asked for; each kind takes what it understands."""

    width: int = 1600
    height: int = 1200
    fps: float = 10.0
    distance_mm: float = 800.0
    mains_hz: int = 50
    settle_s: float = 2.0
    hang_s: float = 1.0
    frozen_frames: int = 10
    hold: int = 1  # frames for each picture of a folder
    period_s: float = 0.2  # between the frames of a folder
    pace: bool = False  # wait between them, instead of reading as fast as possible


def make_camera(
    spec: str,
    settings: CameraSettings = CameraSettings(),
    simulated: Callable[[], FrameSource] | None = None,
    simulated_apart: bool = False,
) -> FrameSource:
    """The camera that `spec` names, not yet opened, in a process of its own. CameraError when it names none.

    `simulated` makes the camera of that name: here, or with `simulated_apart` (it must be picklable) in a process.
    """
    kind, _, place = spec.partition(":")
    patience = Patience(hang_s=settings.hang_s)
    live = partial(WorkerCamera, frozen_frames=settings.frozen_frames, patience=patience)
    if spec == "picamera2":
        return live(partial(PiCamera, _pi_settings(settings)))
    if kind == "usb" and USB_NUMBER.fullmatch(place):
        usb = partial(UsbCamera, int(place), settings.width, settings.height, settings.fps)
        return live(usb, measures_light=False)
    if kind in ("folder", "file") and place:
        playback = Playback(settings.hold, settings.period_s, settings.pace)
        recording = FolderCamera if kind == "folder" else FilmCamera
        played = partial(recording, place, playback)
        return WorkerCamera(played, lossless=True, patience=patience, measures_light=False)
    if spec == "simulated" and simulated is not None:
        return live(simulated, measures_light=False) if simulated_apart else simulated()
    raise CameraError(f"no camera is called {spec!r}; say {WORDS}")


def _pi_settings(settings: CameraSettings) -> PiCameraSettings:
    return PiCameraSettings(
        width=settings.width,
        height=settings.height,
        fps=settings.fps,
        distance_mm=settings.distance_mm,
        mains_hz=settings.mains_hz,
        settle_s=settings.settle_s,
    )
