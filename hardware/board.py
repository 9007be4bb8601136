"""Builds lamps, buzzer and buttons on real pins, or on gpiozero's mock pins where there is no Raspberry Pi.

gpiozero has no type hints and looks for pins when it is first used; both stay in here.
"""

import os
import tempfile
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from hardware.buttons import Buttons, PressRules
from hardware.errors import PinsError
from hardware.lights import Lights
from hardware.pins import are_real, as_pins_error, release
from hardware.sounds import OCTAVES, Buzzer, NoBuzzer, PlainBuzzer, TonalBuzzer
from hardware.spi import SpiPort, make_spi
from hardware.strip import PROTOCOLS, Strip

LAMP_HZ = 200  # PWM frequency: above what an eye sees
LET_GO_S = 0.5  # how long `close` waits for a factory that is just being made

_D = TypeVar("_D")


def make_factory(kind: str = "auto") -> Any:
    """gpiozero's pin factory: "real", "mock", or "auto" for real ones on a Raspberry Pi. PinsError when impossible."""
    if not are_real(kind):
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)  # the plain mock pin has no PWM
    os.environ.setdefault("LG_WD", tempfile.gettempdir())  # lgpio makes a pipe in its working directory
    with as_pins_error("the pins cannot be opened"):
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()


class Board:
    """Opens devices by their BCM pin numbers. `factory` is made at the first opening, and only once."""

    def __init__(
        self, make: Callable[[], Any] = make_factory, spi: Callable[[int, int], SpiPort] | None = None
    ) -> None:
        self._make, self._spi = make, spi or partial(make_spi, "auto")
        self._factory: Any = None
        self._making = threading.Lock()  # lamps, buzzer and buttons are opened by threads of their own

    def open_lights(self, pins: Mapping[str, int], brightness: float = 1.0) -> Lights:
        """One dimmable lamp for each name. PinsError when one cannot be opened; then none stays open."""
        import gpiozero

        def lamp(pin: int) -> Any:
            return gpiozero.PWMLED(pin, frequency=LAMP_HZ, pin_factory=self._pins())

        return Lights({name: _Dimmed(device, brightness) for name, device in self._all(pins, lamp).items()})

    def open_buzzer(self, kind: str, pin: int | None) -> Buzzer:
        """A buzzer of the kind "plain", "tonal" or "none". PinsError when it cannot be opened."""
        import gpiozero

        if kind == "none" or pin is None:
            return NoBuzzer()

        def buzzer(pin: int) -> Any:
            if kind == "plain":
                return gpiozero.Buzzer(pin, pin_factory=self._pins())
            return gpiozero.TonalBuzzer(pin, octaves=OCTAVES, pin_factory=self._pins())

        device = self._all({"buzzer": pin}, buzzer)["buzzer"]
        return PlainBuzzer(device) if kind == "plain" else TonalBuzzer(device, gpiozero.tones.Tone.from_frequency)

    def open_buttons(self, pins: Mapping[str, int], rules: PressRules, pressed: Callable[[str], None]) -> Buttons:
        """Buttons to ground with the inner pull-up. PinsError when one cannot be opened; then none stays open."""
        import gpiozero

        def button(pin: int) -> Any:
            return gpiozero.Button(pin, pull_up=True, pin_factory=self._pins())

        return Buttons(self._all(pins, button), rules, pressed)

    def open_strip(self, kind: str, lights: int, bus: int = 0, brightness: float = 1.0) -> Strip:
        """A strip of addressable lights, "ws2812" or "apa102", all dark. PinsError when the bus cannot be opened."""
        protocol = PROTOCOLS[kind]
        return Strip(self._spi(bus, protocol.hertz), protocol, lights, brightness)

    def need_pins(self) -> None:
        """PinsError where no pin at all can be used."""
        self._pins()

    def close(self) -> None:
        """Release the factory, unless a driver is stuck in its making; devices are closed by whoever opened them."""
        if not self._making.acquire(timeout=LET_GO_S):
            return
        try:
            factory, self._factory = self._factory, None
        finally:
            self._making.release()
        if factory is not None:
            release(factory)

    def _pins(self) -> Any:
        with self._making:
            if self._factory is None:
                self._factory = self._make()
            return self._factory

    def _all(self, pins: Mapping[str, int], make: Callable[[int], _D]) -> dict[str, _D]:
        opened: dict[str, _D] = {}
        try:
            for name, pin in pins.items():
                with as_pins_error(f"{name} on GPIO{pin}"):
                    opened[name] = make(pin)
        except PinsError:
            release(*opened.values())
            raise
        return opened


class _Dimmed:
    """A lamp whose full level is the configured brightness."""

    def __init__(self, device: Any, brightness: float) -> None:
        self._device, self._brightness = device, brightness

    @property
    def value(self) -> float:
        """Level from 0 to 1."""
        return float(self._device.value) / self._brightness

    @value.setter
    def value(self, level: float) -> None:
        self._device.value = level * self._brightness

    def close(self) -> None:
        """Dark, pin released."""
        self._device.close()
