"""Pins whose driver fails."""

from collections.abc import Callable

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.board import Board
from hardware.errors import PinsError
from hardware.lights import Lights
from hardware.pins import release
from hardware.sounds import PlainBuzzer


class Silent:
    """A device whose driver fails without a word."""

    closed = False

    def on(self) -> None:
        raise TimeoutError

    def close(self) -> None:
        self.closed = True
        raise TimeoutError

    @property
    def value(self) -> float:
        return 0.0

    @value.setter
    def value(self, level: float) -> None:
        raise TimeoutError


def no_pins() -> MockFactory:
    raise TimeoutError


@pytest.mark.parametrize(
    ("use", "told"),
    [
        (lambda: Board(no_pins).open_lights({"wait": 23}), "wait on GPIO23: TimeoutError"),
        (lambda: Lights({"wait": Silent()}).set({"wait": 1.0}), "lamp wait: TimeoutError"),
        (lambda: PlainBuzzer(Silent()).sound(440.0), "buzzer: TimeoutError"),
        (lambda: release(Silent()), "a pin could not be switched off: TimeoutError"),
    ],
)
def test_an_error_without_words_is_told_by_its_kind(use: Callable[[], object], told: str) -> None:
    with pytest.raises(PinsError) as raised:
        use()
    assert str(raised.value) == told


def test_all_devices_are_closed_though_one_of_them_fails() -> None:
    devices = [Silent(), Silent(), Silent()]
    with pytest.raises(PinsError):
        release(*devices)
    assert all(device.closed for device in devices)


def test_when_one_lamp_cannot_be_opened_none_stays_open() -> None:
    board = Board(lambda: MockFactory(pin_class=MockPWMPin))
    with pytest.raises(PinsError, match="wait on GPIO99"):
        board.open_lights({"stop": 24, "wait": 99})
    board.open_lights({"stop": 24}).close()
