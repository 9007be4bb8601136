"""A device that may fail at any time without stopping anything: told once, tried again after a while."""

import logging
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

log = logging.getLogger(__name__)

Notice = Callable[[str, str | None], None]


def unheard(name: str, text: str | None) -> None:
    """For those who have nobody to tell; the log has it anyway."""


class Closable(Protocol):
    """Whatever can be closed."""

    def close(self) -> None:
        """Off, released."""


_D = TypeVar("_D", bound=Closable)


class Guard(Generic[_D]):
    """Opens a device when it is first used.

    `notice(name, text)` hears "lights off: ..." once, and None instead of the text when the device works again.
    """

    def __init__(
        self,
        name: str,
        open_device: Callable[[], _D],
        failures: tuple[type[Exception], ...],
        retry_s: float,
        notice: Notice,
    ) -> None:
        self._name, self._open, self._failures = name, open_device, failures
        self._retry_s, self._notice = retry_s, notice
        self._device: _D | None = None
        self._told = False
        self._next_s = float("-inf")

    def use(self, action: Callable[[_D], None], now_s: float) -> bool:
        """Do something with the device; False when it is out of order."""
        if self._device is None and now_s < self._next_s:
            return False
        try:
            if self._device is None:
                self._device = self._open()
            action(self._device)
        except self._failures as error:
            self._give_up(error, now_s)
            return False
        if self._told:
            self._told = False
            self._notice(self._name, None)
        return True

    def next_try_s(self, now_s: float) -> float | None:
        """Seconds until another opening is worth while; None when the device works."""
        return None if self._device is not None else max(0.0, self._next_s - now_s)

    def close(self) -> None:
        """Switch off and release; a device that fails even at that is left alone."""
        device, self._device = self._device, None
        if device is not None:
            try:
                device.close()
            except self._failures as error:
                log.warning("%s: %s", self._name, error)

    def _give_up(self, error: Exception, now_s: float) -> None:
        self.close()
        self._next_s = now_s + self._retry_s
        if not self._told:
            self._told = True
            log.warning("%s off: %s", self._name, error)
            self._notice(self._name, f"{self._name} off: {error}")
