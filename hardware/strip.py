"""A strip of addressable lights on an SPI bus: WS2812 (one wire) or APA102 (with a clock)."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hardware.spi import SpiPort

Colour = tuple[int, int, int]  # red, green, blue, 0 to 255
DARK: Colour = (0, 0, 0)

LATCH_S = 300e-6  # WS2812: silence after which the colours show
MOST_LIGHTS = 300  # a frame stays below the kernel's 4096 bytes
AGAIN_S = 2.0  # a strip answers nothing: one that lost power or a bit gets its picture once more after so long


@dataclass(frozen=True, slots=True)
class Protocol:
    """How colours become bytes, and how fast these have to go out."""

    hertz: int
    encode: Callable[[Sequence[Colour]], bytes]


def encode_ws2812(colours: Sequence[Colour]) -> bytes:
    """Three SPI bits for each bit of colour, 110 for one and 100 for nought, green before red before blue.

    At 2.4 MHz these are pulses of 0.83 and 0.42 us. A byte of silence before keeps the first pulse clean.
    """
    body = b"".join(_THREEFOLD[level] for red, green, blue in colours for level in (green, red, blue))
    return b"\0" + body + bytes(round(LATCH_S * WS2812.hertz / 8))


def encode_apa102(colours: Sequence[Colour]) -> bytes:
    """A frame of noughts, each light as 0xFF blue green red, and clocks for the last light to hear of it."""
    body = b"".join(bytes((0xFF, blue, green, red)) for red, green, blue in colours)
    return bytes(4) + body + bytes(4 + len(colours) // 16)


def _threefold(level: int) -> bytes:
    bits = "".join("110" if level >> (7 - i) & 1 else "100" for i in range(8))
    return int(bits, 2).to_bytes(3, "big")


_THREEFOLD = tuple(_threefold(level) for level in range(256))
WS2812 = Protocol(2_400_000, encode_ws2812)
APA102 = Protocol(4_000_000, encode_apa102)
PROTOCOLS = {"ws2812": WS2812, "apa102": APA102}


class Strip:
    """`lights` lights, all dark at first. Every method may raise PinsError when the bus fails.

    A strip that cannot even be made dark keeps no bus.
    """

    def __init__(
        self,
        spi: SpiPort,
        protocol: Protocol,
        lights: int,
        brightness: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.lights = lights
        self._spi, self._protocol, self._brightness, self._clock = spi, protocol, brightness, clock
        self._shown: tuple[Colour, ...] | None = None
        self._sent_s = clock()
        self._closed = False
        try:
            self.show(())
        except BaseException:
            spi.close()
            raise

    def show(self, colours: Sequence[Colour]) -> None:
        """One colour for each light; lights that are not named are dark, colours beyond the end are left out.

        The same picture is sent again no sooner than `AGAIN_S` after the last one.
        """
        now_s = self._clock()
        wanted = (*colours[: self.lights], *(DARK,) * (self.lights - len(colours)))
        if wanted != self._shown or now_s - self._sent_s >= AGAIN_S:
            self._spi.write(self._protocol.encode([self._dimmed(colour) for colour in wanted]))
            self._shown, self._sent_s = wanted, now_s

    def _dimmed(self, colour: Colour) -> Colour:
        red, green, blue = (round(level * self._brightness) for level in colour)
        return red, green, blue

    def close(self) -> None:
        """All dark, bus released, even when the one fails; safe to call twice."""
        if self._closed:
            return
        self._closed = True
        try:
            self.show(())
        finally:
            self._spi.close()
