"""A buzzer on a pin: a passive one plays notes, an active one knows one note."""

from collections.abc import Callable
from typing import Any, Protocol

from hardware.pins import as_pins_error, release

LOWEST_HZ, HIGHEST_HZ = 110.0, 1760.0  # two octaves around A4
OCTAVES = 2


class Buzzer(Protocol):
    """Something that can be made to sound."""

    def sound(self, hertz: float | None) -> None:
        """A note, or silence for None. Raises PinsError when the pin fails."""

    def close(self) -> None:
        """Silent, pin released; safe to call twice."""


class PlainBuzzer:
    """An active buzzer: any note is its own note."""

    def __init__(self, device: Any) -> None:
        self._device = device

    def sound(self, hertz: float | None) -> None:
        """On or off."""
        with as_pins_error("buzzer"):
            self._device.off() if hertz is None else self._device.on()

    def close(self) -> None:
        """Silent, pin released."""
        release(self._device)


class TonalBuzzer:
    """A passive buzzer, driven by PWM; notes are clipped to what it can."""

    def __init__(self, device: Any, tone: Callable[[float], Any]) -> None:
        self._device, self._tone = device, tone  # `tone` of hertz: gpiozero takes a small bare number for a MIDI note

    def sound(self, hertz: float | None) -> None:
        """A note in hertz, or silence."""
        with as_pins_error("buzzer"):
            self._device.play(None if hertz is None else self._tone(min(HIGHEST_HZ, max(LOWEST_HZ, hertz))))

    def close(self) -> None:
        """Silent, pin released."""
        release(self._device)


class NoBuzzer:
    """Where no buzzer is connected."""

    def sound(self, hertz: float | None) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""
