"""Lamps on pins: a name and a brightness each."""

from typing import Any

from hardware.pins import as_pins_error, release


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
                with as_pins_error(f"lamp {name}"):
                    lamp.value = level
                self._levels[name] = level

    def close(self) -> None:
        """All dark, all pins released, even when one of them fails; safe to call twice."""
        lamps, self._lamps = self._lamps, {}
        release(*lamps.values())
