"""Lamps on pins: a name and a brightness each."""

from typing import Any

from hardware.errors import PinsError


class Lights:
    """Named lamps (PWM), all dark at first. Every method may raise PinsError when a pin fails."""

    def __init__(self, lamps: dict[str, Any]) -> None:
        self._lamps = lamps
        self._levels = dict.fromkeys(lamps, 0.0)

    def set(self, levels: dict[str, float]) -> None:
        """Give every lamp its brightness, 0 to 1; lamps that are not named go dark, unknown names are ignored."""
        for name, lamp in self._lamps.items():
            level = levels.get(name, 0.0)
            if level != self._levels[name]:
                _write(name, lamp, level)
                self._levels[name] = level

    def close(self) -> None:
        """All dark, all pins released, even when one of them fails; safe to call twice."""
        lamps, self._lamps = self._lamps, {}
        release(*lamps.values())


def _write(name: str, lamp: Any, level: float) -> None:
    try:
        lamp.value = level
    except Exception as error:  # lgpio's own errors share no base with gpiozero's
        raise PinsError(f"lamp {name}: {error or type(error).__name__}") from error


def release(*devices: Any) -> None:
    """Close devices, which switches them off; PinsError after all were tried when one failed."""
    failed: Exception | None = None
    for device in devices:
        try:
            device.close()
        except Exception as error:  # as above
            failed = error
    if failed is not None:
        raise PinsError(f"a pin could not be switched off: {failed or type(failed).__name__}") from failed
