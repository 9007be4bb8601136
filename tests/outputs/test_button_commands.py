"""What a press of a button asks for."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory
from mock_pins import Recorder, wait_for

from companion.config import Config
from companion.errors import CommandRefused
from companion.outputs import tunes
from companion.outputs.buttons import FAULTY, REFUSED, ButtonDesk
from companion.outputs.devices import make_buttons
from companion.outputs.guard import unheard
from companion.outputs.outputs import Outputs
from companion.referee.commands import Command
from hardware.board import Board
from hardware.buttons import PressRules


def press(factory: MockFactory, gpio: int, seconds: float = 0.08) -> None:
    time.sleep(0.06)  # a finger is not faster
    factory.pin(gpio).drive_low()
    time.sleep(seconds)
    factory.pin(gpio).drive_high()


def until_open(factory: MockFactory, gpio: int) -> None:
    """The button hears."""
    wait_for(lambda: factory.pin(gpio).pull == "up")
    time.sleep(0.05)


def undo_desk(board: Board, submit: Callable[[Command], None], **more: Any) -> ButtonDesk:
    """One button, which takes back."""
    return ButtonDesk(lambda go: board.open_buttons({"undo": 6}, PressRules(), go), submit, **more)


@pytest.fixture
def asked(factory: MockFactory, board: Board) -> Iterator[list[Command]]:
    commands: list[Command] = []
    desk = make_buttons(Config(), board, commands.append, unheard)
    desk.start()
    until_open(factory, 13)
    yield commands
    desk.close()


def test_a_press_is_a_command(factory: MockFactory, asked: list[Command]) -> None:
    press(factory, 5)
    press(factory, 6)
    wait_for(lambda: len(asked) == 2)
    assert [(command.name, command.by) for command in asked] == [("end_turn", "button"), ("undo", "button")]


def test_two_buttons_at_once_mean_nothing(factory: MockFactory, asked: list[Command]) -> None:
    factory.pin(5).drive_low()
    press(factory, 6)
    time.sleep(0.06)
    factory.pin(5).drive_high()
    time.sleep(0.1)
    assert asked == []
    press(factory, 6)
    wait_for(lambda: [command.name for command in asked] == ["undo"])


def test_a_new_game_needs_a_long_press_and_starts_what_is_configured(factory: MockFactory, asked: list) -> None:
    press(factory, 13, 0.2)
    press(factory, 13, 2.1)
    wait_for(lambda: asked)
    assert [(command.name, command.arguments) for command in asked] == [("new_game", {"game": "khet", "options": {}})]


def test_a_refused_press_is_told_and_the_next_one_works(factory: MockFactory, board: Board) -> None:
    refusals: list[str] = []
    done: list[str] = []
    notices: list[tuple[str, str | None]] = []

    def submit(command: Command) -> None:
        if not refusals:
            raise CommandRefused("nothing-to-undo", "there is nothing to take back")
        done.append(command.name)

    with undo_desk(board, submit, refused=refusals.append, notice=lambda *told: notices.append(told)):
        until_open(factory, 6)
        press(factory, 6)
        wait_for(lambda: refusals == ["there is nothing to take back"])
        wait_for(lambda: notices == [(REFUSED, "The button at the table: there is nothing to take back")])
        press(factory, 6)
        wait_for(lambda: done == ["undo"])
        wait_for(lambda: notices[1:] == [(REFUSED, None)])
    gpiozero.Button(6, pin_factory=factory).close()


def test_a_press_is_heard_before_anything_comes_of_it(factory: MockFactory, board: Board) -> None:
    buzzer, asked = Recorder(), threading.Event()

    def submit(command: Command) -> None:
        wait_for(lambda: tunes.PRESSED.notes[0][0] in buzzer.notes)
        asked.set()

    outputs = Outputs(lambda: board.open_lights({}), lambda: buzzer)
    with outputs, make_buttons(Config(), board, submit, unheard, outputs.pressed):
        until_open(factory, 6)
        press(factory, 6)
        assert asked.wait(3.0)


def test_why_a_press_is_refused_is_shown_for_a_while(factory: MockFactory, board: Board) -> None:
    notices: list[tuple[str, str | None]] = []

    def submit(command: Command) -> None:
        raise CommandRefused("nothing-to-undo", "there is nothing to take back")

    with undo_desk(board, submit, notice=lambda *told: notices.append(told), said_s=0.05):
        until_open(factory, 6)
        press(factory, 6)
        wait_for(lambda: len(notices) == 2)
    assert notices == [(REFUSED, "The button at the table: there is nothing to take back"), (REFUSED, None)]


def test_a_fault_that_a_press_brings_to_light_stops_no_later_press(factory: MockFactory, board: Board) -> None:
    refusals: list[str] = []
    done: list[str] = []

    def submit(command: Command) -> None:
        if not refusals:
            raise ZeroDivisionError
        done.append(command.name)

    with undo_desk(board, submit, refused=refusals.append):
        until_open(factory, 6)
        press(factory, 6)
        wait_for(lambda: refusals == [FAULTY])
        press(factory, 6)
        wait_for(lambda: done == ["undo"])
