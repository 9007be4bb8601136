"""One SPI bus that is only written to: the Raspberry Pi's by lgpio, or one that records what it is told."""

import threading
from pathlib import Path
from typing import Any, Protocol

from hardware.errors import PinsError
from hardware.pins import are_real, as_pins_error

DEVICES = Path("/dev")


class SpiPort(Protocol):
    """Bytes go out in one burst. Every method may raise PinsError."""

    def write(self, data: bytes) -> None:
        """Send all of it."""

    def close(self) -> None:
        """Release the bus; safe to call twice."""


class PiSpi:
    """A bus of the Raspberry Pi at `hertz`, chip select 0."""

    def __init__(self, bus: int, hertz: int) -> None:
        device = DEVICES / f"spidev{bus}.0"
        if not device.exists():
            turn_on = "sudo raspi-config nonint do_spi 0" if bus == 0 else "dtoverlay=spi1-1cs in config.txt"
            raise PinsError(f"{device} is not there: switch SPI on ({turn_on}) and restart")
        with as_pins_error(f"{device} cannot be opened"):
            import lgpio

            self._lgpio: Any = lgpio
            self._handle: Any = lgpio.spi_open(bus, 0, hertz, 0)

    def write(self, data: bytes) -> None:
        """Send all of it."""
        with as_pins_error("SPI"):
            self._lgpio.spi_write(self._handle, data)

    def close(self) -> None:
        """Release the bus."""
        handle, self._handle = self._handle, None
        if handle is not None:
            with as_pins_error("SPI"):
                self._lgpio.spi_close(handle)


class MockSpi:
    """Keeps what was written, the newest last."""

    def __init__(self, bus: int = 0, hertz: int = 0, keep: int = 256) -> None:
        self.bus, self.hertz, self._keep = bus, hertz, keep
        self.written: list[bytes] = []
        self.closed = False
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        """Keep it."""
        with self._lock:
            self.written = [*self.written[-self._keep + 1 :], bytes(data)]

    def close(self) -> None:
        """Remember it."""
        self.closed = True


def make_spi(kind: str, bus: int, hertz: int) -> SpiPort:
    """An SPI bus: "real", "mock", or "auto" for a real one on a Raspberry Pi. PinsError when impossible."""
    return PiSpi(bus, hertz) if are_real(kind) else MockSpi(bus, hertz)
