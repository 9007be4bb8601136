"""Buttons on pins, and what counts as a press: one button, alone, down for long enough and then released."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hardware.pins import release


@dataclass(frozen=True, slots=True)
class PressRules:
    """Seconds. A button in `holds` must be held that long; nothing counts after `stuck_s` (a thing lies on it)."""

    bounce_s: float = 0.05
    stuck_s: float = 10.0
    holds: tuple[tuple[str, float], ...] = ()


class Presses:
    """Turns edges into presses. Two buttons down at the same time cancel each other: nobody meant both.

    One that has been down for longer than a finger stays is no second one: a thing lies on it.
    """

    def __init__(self, rules: PressRules) -> None:
        self._rules = rules
        self._holds = dict(rules.holds)
        self._down: dict[str, float] = {}
        self._up: dict[str, float] = {}
        self._begun: dict[str, float] = {}  # when a press that ended as chatter had begun
        self._spoiled: set[str] = set()

    def down(self, name: str, now_s: float) -> None:
        """The contact closed. Chatter of a closing contact goes on as one press, of an opening one is none."""
        if name in self._down:
            return
        chatters = now_s - self._up.get(name, -1e9) < self._rules.bounce_s
        self._down[name] = self._begun.get(name, now_s) if chatters else now_s
        if chatters and name not in self._begun:
            self._spoiled.add(name)
        pressed = {other for other, since_s in self._down.items() if now_s - since_s <= self._rules.stuck_s}
        if len(pressed) > 1:
            self._spoiled |= pressed

    def up(self, name: str, now_s: float) -> bool:
        """The contact opened; True when that completes a press."""
        if name not in self._down:
            return False
        begun_s = self._down.pop(name)
        held_s = now_s - begun_s
        spoiled = name in self._spoiled
        self._spoiled.discard(name)
        self._up[name] = now_s
        self._begun.pop(name, None)
        if held_s < self._rules.bounce_s and not spoiled:
            self._begun[name] = begun_s
        least_s = max(self._rules.bounce_s, self._holds.get(name, 0.0))
        return not spoiled and least_s <= held_s <= self._rules.stuck_s


class Buttons:
    """Named buttons; `pressed(name)` is called from gpiozero's thread."""

    def __init__(
        self,
        devices: dict[str, Any],
        rules: PressRules,
        pressed: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._devices, self._presses, self._pressed, self._clock = devices, Presses(rules), pressed, clock
        for name, device in devices.items():
            device.when_pressed = self._when_down(name)
            device.when_released = self._when_up(name)

    def _when_down(self, name: str) -> Callable[[], None]:
        return lambda: self._presses.down(name, self._clock())

    def _when_up(self, name: str) -> Callable[[], None]:
        def went_up() -> None:
            if self._presses.up(name, self._clock()):
                self._pressed(name)

        return went_up

    def close(self) -> None:
        """Pins released; safe to call twice."""
        devices, self._devices = self._devices, {}
        release(*devices.values())
