"""A camera that cannot take the companion down with it: it lives in a process that is watched, killed, replaced."""

import contextlib
import logging
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from multiprocessing.shared_memory import SharedMemory
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from hardware.camera_child import serve
from hardware.camera_link import HEADER_BYTES, Delivered, Ended, Failed, Request, bytes_of, read_signs, write_signs
from hardware.errors import CameraEnded, CameraError, CameraFrozen, CameraStuck, CameraTimeout
from hardware.frames import Frame, FrameSource

log = logging.getLogger(__name__)

MAX_PICTURE_BYTES = 96 * 2**20  # 24 megapixels; memory that no picture touches costs nothing
STUCK = "the camera's driver does not let go of the camera: please restart the box"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a camera may be silent, and how fast it is started again; seconds."""

    hang_s: float = 1.0  # without a picture ...
    hang_periods: float = 3.0  # ... or this many times the measured period, whichever is longer
    start_s: float = 15.0  # from the start of the process to the first picture: imports, exposure, white balance
    close_s: float = 1.0  # for a polite end
    let_go_s: float = 5.0  # from the kill until the process counts as unkillable
    stale_s: float = 0.5  # a picture that nobody fetched for so long is not handed out
    good_s: float = 5.0  # a camera that delivered for so long starts the waiting times anew
    waits_s: tuple[float, ...] = (0.0, 0.25, 0.5, 1.0, 2.0)  # before the first, second ... restart in a row


class WorkerCamera:
    """A FrameSource around another one that is made by `make` (picklable) in a process started by spawn.

    `open` returns at once; `read` never waits longer than it is asked to and raises

    * CameraError once for each failure of the camera, which is then started again after a growing pause;
    * CameraStuck once when the killed process does not end; no second one is started beside it;
    * CameraFrozen after `frozen_frames` equal checksums in a row (0 = never; never asked of a recording);
    * CameraTimeout otherwise, saying what it waits for;
    * CameraEnded when a recording is at its end.

    With `lossless` (folders, films) no picture is skipped; without, `read` gives the newest one. Not for use by
    two threads at once. `Frame.number` grows across restarts.
    """

    def __init__(
        self,
        make: Callable[[], FrameSource],
        *,
        lossless: bool = False,
        frozen_frames: int = 10,
        patience: Patience = Patience(),
        max_picture_bytes: int = MAX_PICTURE_BYTES,
        measures_light: bool = True,
    ) -> None:
        self._make, self._lossless, self._patience = make, lossless, patience
        self._frozen_frames = 0 if lossless else frozen_frames
        self._max_bytes = max_picture_bytes
        self.measures_light = measures_light  # False for a camera that settles by itself, or plays a recording
        self._memory: SharedMemory | None = None
        self._process: SpawnProcess | None = None
        self._link: Connection | None = None
        self._launched_s = self._asked_s = self._killed_s = self._retry_s = 0.0
        self._wished = self._dying = self._stuck = False
        self._ended: str | None = None
        self._failures = 0  # in a row
        self._first_number = self._next_number = 0  # of this process; of the next picture
        self._same = 0  # equal checksums in a row
        self._checksum: int | None = None
        self._trouble = "the camera is starting"
        self._logged: str | None = None
        self.restarts = 0

    # --- the FrameSource ------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Start the camera's process; whether it finds a camera is said by `read`."""
        if self._memory is None:
            self._memory = SharedMemory(create=True, size=HEADER_BYTES + self._max_bytes)
            with contextlib.suppress(CameraError):  # the next `read` tells
                self._launch()

    def read(self, timeout_s: float) -> Frame:
        """The next picture, or one of the errors named above."""
        deadline = time.monotonic() + timeout_s
        late = self._wished  # a wish left over from an earlier call may hold an old picture
        while True:
            left_s = max(0.0, deadline - time.monotonic())
            frame = self._attempt(left_s, late)
            if frame is not None:
                return frame
            if time.monotonic() >= deadline:
                raise CameraTimeout(self._trouble)

    def close(self) -> None:
        """End the process, politely or not, and give the memory back; safe to call twice."""
        if self._link is not None and self._process is not None and not self._dying:
            self._say(Request.CLOSE)
            self._process.join(self._patience.close_s)
        self._kill()
        if self._process is not None:
            self._process.join(self._patience.close_s)
            self._bury()
        if self._memory is not None:
            self._memory.close()
            self._memory.unlink()
            self._memory = None

    # --- beyond the FrameSource -----------------------------------------------------------------------------------

    def measure_light(self) -> None:
        """Let the camera settle exposure and white balance again; pictures pause meanwhile."""
        if self._link is not None and not self._dying:
            self._say(Request.LIGHT)

    @property
    def unkillable_s(self) -> float:
        """Seconds since a killed process should have gone; 0.0 when all is well. Only a restart of the box helps."""
        if not self._dying:
            return 0.0
        return max(0.0, time.monotonic() - self._killed_s - self._patience.let_go_s)

    @property
    def process_id(self) -> int | None:
        """The camera's process, for diagnosis."""
        return self._process.pid if self._process is not None else None

    # --- watching -------------------------------------------------------------------------------------------------

    def _attempt(self, left_s: float, late: bool) -> Frame | None:
        if self._memory is None:
            raise CameraError("the camera is not open")
        if self._ended is not None:
            raise CameraEnded(self._ended)
        if self._dying:
            self._bury()
        if self._process is None and time.monotonic() >= self._retry_s:
            self._launch()
        if self._link is None:
            time.sleep(min(left_s, self._until_next_look()))
            return None
        if not self._wished:
            self._say(Request.NEXT)
            self._wished, self._asked_s = True, time.monotonic()
        if self._link.poll(min(left_s, self._until_next_look())):
            return self._take(late)
        self._check_life()
        return None

    def _until_next_look(self) -> float:
        return max(0.001, min(0.05, self._retry_s - time.monotonic()) if self._process is None else 0.05)

    def _take(self, late: bool) -> Frame | None:
        assert self._link is not None
        try:
            message = self._link.recv()
        except (EOFError, OSError):
            self._fail("the camera's process has died")
        if isinstance(message, Ended):
            self._ended = message.text
            raise CameraEnded(message.text)
        if isinstance(message, Failed):
            self._fail(message.text)
        assert isinstance(message, Delivered)
        return self._accept(message, late)

    def _accept(self, message: Delivered, late: bool) -> Frame | None:
        self._wished = False
        if not self._lossless and late and time.monotonic() - message.sent_s > self._patience.stale_s:
            return None
        self._check_frozen(message.checksum)
        if time.monotonic() - self._launched_s > self._patience.good_s:
            self._failures, self._logged = 0, None
        number = self._first_number + message.number
        self._next_number = number + 1
        pixels = self._copy(message.shape, HEADER_BYTES)
        small = self._copy(message.small_shape, HEADER_BYTES + pixels.size)
        return Frame(pixels, small, message.taken_s, number, message.checksum, message.name, message.metadata)

    def _copy(self, shape: tuple[int, ...], offset: int) -> NDArray[np.uint8]:
        assert self._memory is not None
        return np.ndarray(shape, np.uint8, bytes_of(self._memory), offset).copy()

    def _check_frozen(self, checksum: int) -> None:
        self._same = self._same + 1 if checksum == self._checksum else 1
        self._checksum = checksum
        if self._frozen_frames and self._same >= self._frozen_frames:
            self._fail(f"the picture is frozen: {self._frozen_frames} times exactly the same", CameraFrozen)

    def _check_life(self) -> None:
        assert self._memory is not None
        last_s, period_s = read_signs(bytes_of(self._memory))
        if not last_s:
            if time.monotonic() - self._launched_s > self._patience.start_s:
                self._fail(f"no first picture within {self._patience.start_s:g} s")
            return
        since_s = max(last_s, self._asked_s) if self._lossless else last_s
        limit_s = max(self._patience.hang_s, self._patience.hang_periods * period_s)
        if time.monotonic() - since_s > limit_s:
            self._fail(f"no picture for {limit_s:.1f} s: the camera hangs")

    # --- ending and beginning -------------------------------------------------------------------------------------

    def _say(self, request: Request) -> None:
        assert self._link is not None
        try:
            self._link.send(request)
        except OSError:  # it has died; reading from the link tells
            log.debug("the camera's process does not listen")

    def _launch(self) -> None:
        assert self._memory is not None
        write_signs(bytes_of(self._memory), 0.0, 0.0)
        skip = self._next_number if self._lossless else 0
        self._first_number = 0 if self._lossless else self._next_number
        try:
            self._process, self._link = _started(self._memory.name, self._make, self._lossless, skip)
        except OSError as error:  # no memory, or no process more
            self._fail(f"the camera's process cannot be started: {error.strerror or error}")
        self._launched_s = time.monotonic()
        self._wished = False
        self._trouble = "no picture in time"

    def _fail(self, text: str, error: type[CameraError] = CameraError) -> NoReturn:
        waits = self._patience.waits_s
        wait_s = waits[min(self._failures, len(waits) - 1)]
        self._failures += 1
        self.restarts += 1
        if error is not CameraFrozen:  # else a picture that is the same as before is frozen still
            self._same, self._checksum = 0, None
        self._retry_s = time.monotonic() + wait_s
        self._trouble = f"{text}; it is started again"
        if text != self._logged:  # a camera that is away for hours must not fill the journal
            self._logged = text
            log.warning("%s; it is started again, from now on every %.2g s at the latest", text, waits[-1])
        self._kill()
        raise error(text)

    def _kill(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
        if self._process is not None and not self._dying:
            self._process.kill()
            self._dying, self._killed_s = True, time.monotonic()

    def _bury(self) -> None:
        """Let go of a process that has ended; until then no second one is started on the same device."""
        if self._process is not None and not self._process.is_alive():
            self._process.close()
            self._process, self._dying = None, False
            self._stuck = False
        elif self.unkillable_s and not self._stuck:
            self._stuck = True
            self._trouble = STUCK
            log.error(STUCK)
            raise CameraStuck(STUCK)


def _started(
    memory: str, make: Callable[[], FrameSource], lossless: bool, skip: int
) -> tuple[SpawnProcess, Connection]:
    """The camera's process and the way to talk to it; OSError when there is none to be had."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with contextlib.closing(theirs), contextlib.ExitStack() as failed:
        failed.callback(ours.close)
        process = context.Process(
            target=serve, args=(theirs, memory, make, lossless, skip), name="companion-camera", daemon=True
        )
        with _deaf():
            process.start()
        failed.pop_all()
    return process, ours


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """What is started meanwhile hears no Ctrl-C, which is for its owner: not even while it is loaded."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
