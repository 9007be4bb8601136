"""The strip of lights, to the last call: the bytes that lgpio is given."""

import sys
import types
from typing import Any

import pytest

from hardware import spi
from hardware.board import Board
from hardware.errors import PinsError
from hardware.spi import MockSpi, PiSpi, make_spi
from hardware.strip import AGAIN_S, APA102, DARK, LATCH_S, MOST_LIGHTS, WS2812, Strip, encode_apa102, encode_ws2812


def pulses(data: bytes) -> list[int]:
    """What a WS2812 makes of SPI bits: the length of each high pulse, in bits."""
    bits = "".join(f"{byte:08b}" for byte in data)
    return [len(pulse) for pulse in bits.split("0") if pulse]


def colours_in(data: bytes) -> list[tuple[int, int, int]]:
    """Red, green, blue of each light, as the strip understands them."""
    levels = [pulse - 1 for pulse in pulses(data)]
    numbers = [int("".join(map(str, levels[i : i + 8])), 2) for i in range(0, len(levels), 8)]
    return [(r, g, b) for g, r, b in zip(*[iter(numbers)] * 3, strict=True)]


COLOURS = [(255, 0, 1), (0, 128, 255), (85, 170, 0), DARK]


def test_ws2812_gets_its_colours_as_pulses() -> None:
    data = encode_ws2812(COLOURS)
    assert colours_in(data) == COLOURS
    assert data[0] == 0
    silence = len(data) - len(data.rstrip(b"\0"))
    assert silence * 8 / WS2812.hertz >= LATCH_S
    short, long = 1 / WS2812.hertz, 2 / WS2812.hertz
    assert 0.25e-6 < short < 0.55e-6 < 0.65e-6 < long < 0.95e-6


def test_apa102_gets_a_start_the_colours_and_clocks_to_the_end() -> None:
    data = encode_apa102(COLOURS)
    assert data[:4] == bytes(4)
    assert data[4:12] == bytes([0xFF, 1, 0, 255, 0xFF, 255, 128, 0])
    assert len(data) * 8 - 32 - 32 * len(COLOURS) >= len(COLOURS) / 2


def test_the_longest_strip_fits_into_one_burst() -> None:
    assert max(len(protocol.encode([DARK] * MOST_LIGHTS)) for protocol in (WS2812, APA102)) <= 4096


def test_a_strip_is_dark_at_first_shows_what_is_told_and_dark_at_the_end() -> None:
    bus = MockSpi()
    strip = Strip(bus, WS2812, 3)
    strip.show([(10, 20, 30)])
    strip.show([(10, 20, 30), DARK])  # the same: nothing is sent
    strip.show([(1, 1, 1)] * 5)
    strip.close()
    strip.close()
    shown = [colours_in(data) for data in bus.written]
    assert shown == [[DARK] * 3, [(10, 20, 30), DARK, DARK], [(1, 1, 1)] * 3, [DARK] * 3]
    assert bus.closed


def test_a_strip_that_lost_its_power_gets_its_picture_again_though_nothing_changed() -> None:
    bus, now = MockSpi(), [0.0]
    strip = Strip(bus, WS2812, 1, clock=lambda: now[0])
    for now[0] in (0.0, AGAIN_S / 2, AGAIN_S, AGAIN_S * 1.5):
        strip.show([(10, 20, 30)])
    assert [colours_in(data) for data in bus.written] == [[DARK], [(10, 20, 30)], [(10, 20, 30)]]


def test_brightness_is_a_share() -> None:
    bus = MockSpi()
    Strip(bus, WS2812, 1, brightness=0.2).show([(255, 100, 0)])
    assert colours_in(bus.written[-1]) == [(51, 20, 0)]


class FakeLgpio(types.ModuleType):
    """Records calls; `broken` raises what lgpio raises."""

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.calls: list[tuple[Any, ...]] = []
        self.broken = ""

    def _note(self, name: str, *args: Any) -> int:
        self.calls.append((name, *args))
        if self.broken == name:
            raise Exception("bad SPI")  # lgpio.error is a plain Exception
        return 7

    def spi_open(self, *args: Any) -> int:
        return self._note("open", *args)

    def spi_write(self, *args: Any) -> int:
        return self._note("write", *args)

    def spi_close(self, *args: Any) -> int:
        return self._note("close", *args)


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> FakeLgpio:
    fake = FakeLgpio()
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.setattr(spi, "DEVICES", tmp_path)
    (tmp_path / "spidev0.0").touch()
    return fake


def test_a_real_bus_is_opened_written_and_released(lgpio: FakeLgpio) -> None:
    board = Board(spi=lambda bus, hertz: make_spi("real", bus, hertz))
    strip = board.open_strip("apa102", 2, 0)
    strip.show([(1, 2, 3)])
    strip.close()
    names = [call[0] for call in lgpio.calls]
    assert names == ["open", "write", "write", "write", "close"]
    assert lgpio.calls[0] == ("open", 0, 0, APA102.hertz, 0)
    assert lgpio.calls[2] == ("write", 7, encode_apa102([(1, 2, 3), DARK]))


@pytest.mark.parametrize("step", ["open", "write", "close"])
def test_a_bus_that_fails_is_said_in_words(lgpio: FakeLgpio, step: str) -> None:
    lgpio.broken = step
    with pytest.raises(PinsError, match="bad SPI"):
        Board(spi=lambda bus, hertz: make_spi("real", bus, hertz)).open_strip("ws2812", 2).close()
    if step == "write":  # closing tries to darken it, and releases it all the same
        lgpio.broken = ""
        bus = PiSpi(0, 1)
        strip = Strip(bus, WS2812, 1)
        lgpio.broken = "write"
        strip._shown = None
        with pytest.raises(PinsError):
            strip.close()
        assert lgpio.calls[-1] == ("close", 7)


@pytest.mark.parametrize(("bus", "words"), [(0, "raspi-config"), (1, "dtoverlay=spi1-1cs")])
def test_a_bus_that_is_switched_off_is_told_with_the_remedy(monkeypatch, tmp_path, bus: int, words: str) -> None:
    monkeypatch.setattr(spi, "DEVICES", tmp_path)
    with pytest.raises(PinsError, match=words):
        PiSpi(bus, 1)


def test_without_lgpio_it_is_said_where_it_comes_from(monkeypatch, lgpio: FakeLgpio) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(PinsError, match="apt install python3-lgpio"):
        PiSpi(0, 1)


def test_elsewhere_than_on_a_pi_the_bus_is_a_mock() -> None:
    assert isinstance(make_spi("mock", 0, 1), MockSpi)
    assert isinstance(make_spi("auto", 1, 5), MockSpi)


class BrokenSpi:
    """A bus that opens and cannot be written to."""

    def __init__(self) -> None:
        self.closed = False

    def write(self, data: bytes) -> None:
        raise PinsError("SPI: bad write")

    def close(self) -> None:
        self.closed = True


def test_a_bus_that_cannot_be_written_to_is_given_back() -> None:
    bus = BrokenSpi()
    with pytest.raises(PinsError, match="bad write"):
        Board(spi=lambda number, hertz: bus).open_strip("ws2812", 61)
    assert bus.closed
