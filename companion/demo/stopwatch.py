"""Time in a fast run: the frames' own for the referee, and what players wait for."""

import time
from collections.abc import Sequence

from companion.events import Event
from companion.referee.happenings import Cleared, Plied, PutBack, Ruled, TakenBack
from hardware.frames import Frame, FrameSource


class FrameClock:
    """Time as the frames have it: the referee's clock in a fast run."""

    def __init__(self, now_s: float = 100.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        """Seconds."""
        return self.now_s


class Stopwatch:
    """How long players wait after the last hand has left, and how much of it is computation."""

    def __init__(self) -> None:
        self.waits_s: list[float] = []
        self.looks_s: list[float] = []
        self._since_s: float | None = None
        self._leaving = False
        self._read_s: float | None = None

    def hands_left(self) -> None:
        """The next frame is the first without a hand."""
        self._leaving = True

    def frame(self, taken_s: float) -> None:
        """A frame was read: the eye and the referee begin with it."""
        if self._leaving:
            self._since_s, self._leaving = taken_s, False
        self._read_s = time.process_time()

    def worked(self) -> None:
        """They are done with it."""
        if self._since_s is not None and self._read_s is not None:
            self.looks_s.append(time.process_time() - self._read_s)

    def answered(self, events: Sequence[Event], now_s: float) -> None:
        """Something happened: if it was seen, this is what the players waited for."""
        told = [event for event in events if isinstance(event, Plied | Ruled | Cleared | PutBack | TakenBack)]
        seen = any(not isinstance(event, Plied) or event.source == "table" for event in told)
        if seen and self._since_s is not None:
            self.waits_s.append(now_s - self._since_s)
            self._since_s = None


class ClockedCamera:
    """A camera that sets a clock by its frames."""

    def __init__(self, inner: FrameSource, clock: FrameClock, watch: Stopwatch) -> None:
        self._inner, self._clock, self._watch = inner, clock, watch

    def open(self) -> None:
        """Start."""
        self._inner.open()

    def read(self, timeout_s: float) -> Frame:
        """The next frame."""
        self._watch.worked()
        frame = self._inner.read(timeout_s)
        self._clock.now_s = frame.taken_s
        self._watch.frame(frame.taken_s)
        return frame

    def close(self) -> None:
        """Stop."""
        self._inner.close()
