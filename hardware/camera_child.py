"""The camera's own process: opens the driver, shows life signs, hands out pictures on request.

A driver that hangs cannot be caught by an exception, only by killing the process that it hangs in.
"""

import contextlib
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory

import numpy as np

from hardware.camera_link import HEADER_BYTES, Delivered, Ended, Failed, Request, bytes_of, write_signs
from hardware.errors import CameraEnded, CameraError, CameraTimeout
from hardware.frames import Frame, FrameSource

READ_S = 0.5  # how long the driver may wait before the owner's requests are looked at
PERIOD_WEIGHT = 0.2  # of the newest interval in the measured period
PLAIN = (str, int, float, bool, list, tuple, dict, type(None))  # metadata that the owner can understand

FOR_ALL = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # a terminal and systemd send these to every process there is

log = logging.getLogger(__name__)


def serve(link: Connection, memory_name: str, make: Callable[[], FrameSource], lossless: bool, skip: int) -> None:
    """Body of the process. `lossless` waits for each request; else the newest picture is handed out.

    `skip` pictures of a recording were already handed out before a restart.
    """
    for number in FOR_ALL:
        signal.signal(number, signal.SIG_IGN)  # the owner decides: without it this process ends anyway
    threading.Thread(target=_die_with_the_owner, daemon=True).start()
    memory = SharedMemory(memory_name)
    try:
        link.send(_deliver(_Desk(link, bytes_of(memory)), make, lossless, skip))
    except (EOFError, BrokenPipeError, ConnectionError):
        log.debug("the camera's owner is gone")
    finally:
        memory.close()
        link.close()


def _die_with_the_owner() -> None:
    """Even when the driver holds the main thread."""
    owner = multiprocessing.parent_process()
    if owner is not None:
        multiprocessing.connection.wait([owner.sentinel])
        os._exit(1)


def _deliver(desk: "_Desk", make: Callable[[], FrameSource], lossless: bool, skip: int) -> Ended | Failed:
    """Open the camera and serve until something ends it; the last word says what."""
    try:
        source = make()
        with contextlib.closing(source):
            source.open()
            for _ in range(skip):
                source.read(READ_S)
            while desk.attend(source, wait=lossless):
                _one(desk, source)
        return Ended("closed")
    except CameraEnded as error:
        return Ended(str(error))
    except CameraError as error:
        return Failed(str(error))
    except (EOFError, BrokenPipeError, ConnectionError):
        raise
    except Exception as error:  # whatever a driver raises: tell the owner, who starts another process
        log.exception("the camera's driver failed")
        return Failed(f"the camera's driver failed: {type(error).__name__}: {error}")


def _one(desk: "_Desk", source: FrameSource) -> None:
    desk.start_waiting()
    try:
        frame = source.read(READ_S)
    except CameraTimeout:
        return  # no life sign: the owner counts
    desk.show_life()
    if desk.wanted and not frame.metadata.get("settling"):
        desk.hand_out(frame)


class _Desk:
    """The owner's side of the counter: requests come in, pictures go out."""

    def __init__(self, link: Connection, memory: memoryview) -> None:
        self._link, self._memory = link, memory
        self._waiting_since_s: float | None = None
        self._period_s = 0.0
        self.wanted = False

    def attend(self, source: FrameSource, wait: bool) -> bool:
        """Take all requests, waiting for a wish when `wait`; False when the owner wants an end."""
        while self._link.poll(None if wait and not self.wanted else 0):
            request = self._link.recv()
            if request is Request.CLOSE:
                return False
            if request is Request.LIGHT and hasattr(source, "measure_light"):
                source.measure_light()
            self.wanted = self.wanted or request is Request.NEXT
        return True

    def start_waiting(self) -> None:
        """The driver is asked, maybe again because it said that nothing came in time."""
        if self._waiting_since_s is None:
            self._waiting_since_s = time.monotonic()

    def show_life(self) -> None:
        """The driver delivered."""
        now = time.monotonic()
        newest = now - (self._waiting_since_s or now)
        self._waiting_since_s = None
        self._period_s += PERIOD_WEIGHT * (newest - self._period_s) if self._period_s else newest
        write_signs(self._memory, now, self._period_s)

    def hand_out(self, frame: Frame) -> None:
        """Copy the picture into the shared memory and say so."""
        needed = HEADER_BYTES + frame.pixels.size + frame.small.size
        if needed > len(self._memory):
            height, width = frame.pixels.shape[:2]
            raise CameraError(f"a picture of {width}x{height} is too large; choose a smaller size for the camera")
        offset = HEADER_BYTES
        for picture in (frame.pixels, frame.small):
            np.ndarray(picture.shape, np.uint8, self._memory, offset)[...] = picture
            offset += picture.size
        plain = {str(key): value for key, value in frame.metadata.items() if isinstance(value, PLAIN)}
        self._link.send(
            Delivered(
                frame.pixels.shape,
                frame.small.shape,
                frame.taken_s,
                frame.number,
                frame.checksum,
                frame.name,
                plain,
                time.monotonic(),
            )
        )
        self.wanted = False
