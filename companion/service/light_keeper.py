"""Exposure and white balance are locked for a steady picture; a light that left them far behind is measured anew."""

from collections.abc import Callable

from calibration.light import unusable
from hardware.frames import Frame

LEFT_BEHIND = ("dark", "bright")  # pictures in which nothing can be read: no game can be disturbed
LASTS_S = 5.0  # a lens that is covered for a moment is clear again sooner
AGAIN_S = 60.0  # a night stays dark, however often it is measured


class LightKeeper:
    """Asks for a measurement when the pictures were of no use for `LASTS_S`, every `AGAIN_S` at most."""

    def __init__(self, measure: Callable[[], None]) -> None:
        self._measure = measure
        self._since_s: float | None = None
        self._measured_s = float("-inf")

    def see(self, frame: Frame) -> None:
        """One more picture."""
        if unusable(frame.small) not in LEFT_BEHIND:
            self._since_s = None
            return
        now_s = frame.taken_s
        if self._since_s is None:
            self._since_s = now_s
        if now_s - self._since_s >= LASTS_S and now_s - self._measured_s >= AGAIN_S:
            self._measured_s = now_s
            self._measure()
