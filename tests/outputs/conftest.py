"""Pins that are none."""

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.board import Board


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    pins = MockFactory(pin_class=MockPWMPin)
    yield pins
    pins.reset()


@pytest.fixture
def board(factory: MockFactory) -> Board:
    return Board(lambda: factory)
