"""Lamps and pins: each event in its rhythm, dark at the end, and pins that fail."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from gpiozero.pins.mock import MockFactory
from mock_pins import EVENTS, LOOSE_S, PLAY, Recorder, outputs_of, recorded, wait_for

from companion.config import Config, PinsConfig
from companion.events import Hit, TurnBegan
from companion.outputs import patterns
from companion.outputs.devices import make_buttons, on_real_pins
from companion.outputs.guard import unheard
from companion.outputs.mailbox import Mailbox
from companion.outputs.outputs import Outputs
from companion.outputs.players import END_S
from hardware.board import LET_GO_S, Board
from hardware.errors import PinsError
from hardware.lights import Lights

SHOWN = {
    "turn 0": patterns.turn(0),
    "turn 1": patterns.turn(1),
    "seeing": patterns.SEEING,
    "hand": patterns.HAND,
    "illegal": patterns.ILLEGAL,
    "hit": patterns.HIT,
    "win": patterns.win((1,)),
    "no camera": patterns.ERROR,
    "lost": patterns.BLIND,
}


@pytest.mark.parametrize("name", EVENTS)
def test_each_event_moves_its_pin_in_its_rhythm(name: str, factory: MockFactory, board: Board) -> None:
    snapshot, event, lamp = EVENTS[name]
    pin = Config().pin_map()[f"lights.{lamp}"]
    strokes = [stroke for stroke in SHOWN[name].strokes if lamp in stroke.lamps]
    first_lit_s = strokes[0].seconds
    with outputs_of(board) as outputs:
        wait_for(lambda: bool(factory.pin(22).state))  # the opening "not seeing" has begun
        outputs.tell(snapshot)
        if event is not None:
            outputs.happened(event)
        time.sleep(min(1.0, first_lit_s) + 0.15)
    switches = recorded(factory, pin)
    assert any(on for _, on in switches)
    assert factory.pin(pin).state == 0
    lit = [seconds for (seconds, on) in switches[1:-1] if not on]  # the last switch is the end of the test
    for seconds, stroke in zip(lit, strokes, strict=False):
        assert seconds == pytest.approx(stroke.seconds, abs=LOOSE_S) or stroke.seconds > 1.5


def test_every_pin_is_dark_and_free_at_the_end_even_after_an_exception(factory: MockFactory, board: Board) -> None:
    def fail_in_the_middle() -> None:
        with outputs_of(board) as outputs:
            outputs.tell(EVENTS["no camera"][0])
            outputs.happened(Hit(0, "a pyramid"))
            wait_for(lambda: factory.pin(17).state)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_in_the_middle()
    for pin in Config().pin_map().values():
        assert not factory.pin(pin).state
    board.open_lights({"again": 17}).close()


@pytest.mark.parametrize(("seat", "pin"), [(2, 17), (3, 27)])
def test_the_turn_of_a_seat_without_a_lamp_is_seen_on_the_usual_two(
    factory: MockFactory, board: Board, seat: int, pin: int
) -> None:
    with outputs_of(board) as outputs:
        outputs.tell(replace(PLAY, to_move=seat))
        wait_for(lambda: factory.pin(pin).state)


def test_threads_that_open_devices_at_once_share_one_factory(factory: MockFactory) -> None:
    made: list[MockFactory] = []

    def make() -> MockFactory:
        time.sleep(0.02)
        made.append(factory)
        return factory

    board, start = Board(make), threading.Barrier(4)

    def open_lamp(pin: int) -> Lights:
        start.wait(10)
        return board.open_lights({"lamp": pin})

    with ThreadPoolExecutor(4) as threads:
        for lights in threads.map(open_lamp, (17, 22, 23, 24)):
            lights.close()
    assert len(made) == 1  # a second one would not be released


def test_a_driver_that_is_stuck_in_its_opening_holds_no_end_up() -> None:
    release, begun = threading.Event(), threading.Event()

    def stuck(*_: object) -> None:
        begun.set()
        release.wait(60.0)
        raise PinsError("too late")

    board = Board(stuck, stuck)  # type: ignore[arg-type]
    open_strip = lambda: board.open_strip("ws2812", 5)  # noqa: E731
    outputs = Outputs(
        lambda: board.open_lights({"hit": 17}), lambda: board.open_buzzer("tonal", 18), strip=(open_strip, 5)
    )
    desk = make_buttons(Config(), board, lambda command: None, unheard)
    outputs.start()
    desk.start()
    try:
        outputs.happened(TurnBegan(0))
        wait_for(begun.is_set)
        start_s = time.monotonic()
        desk.close()
        outputs.close()
        board.close()
        assert time.monotonic() - start_s < 2 * END_S + LET_GO_S + 1.0  # systemd waits for ten seconds
    finally:
        release.set()


class Failing:
    """Lamps that fail at the n-th write."""

    def __init__(self, good: int) -> None:
        self.good, self.closed = good, False

    def set(self, levels: dict[str, float]) -> None:
        self.good -= 1
        if self.good < 0:
            raise PinsError("no such pin")

    def close(self) -> None:
        self.closed = True
        raise PinsError("not even that")


@pytest.mark.parametrize("good", [0, 1, 3])
def test_failing_lamps_are_told_once_and_tried_again(good: int) -> None:
    opened: list[Failing] = []
    notices: list[str | None] = []

    def open_lights() -> Failing:
        opened.append(Failing(good if len(opened) < 2 else 10**6))
        return opened[-1]

    with Outputs(open_lights, Recorder, notice=lambda name, text: notices.append(text), retry_s=0.3) as outputs:  # type: ignore[arg-type]
        for to_move in (0, 1) * 4:
            outputs.tell(replace(PLAY, to_move=to_move))
            time.sleep(0.02)
        wait_for(lambda: None in notices, within_s=8.0)
    assert notices[0] == "lights off: no such pin"
    assert len(opened) >= 3 or good
    assert all(text == (None if number % 2 else "lights off: no such pin") for number, text in enumerate(notices))


def test_pins_that_cannot_be_opened_leave_the_game_alone() -> None:
    notices: list[str | None] = []

    def broken() -> object:
        raise PinsError("python3-lgpio is missing")

    with outputs_of(Board(broken), notice=lambda name, text: notices.append(text)) as outputs:
        outputs.tell(PLAY)
        outputs.happened(TurnBegan(0))
        wait_for(lambda: len(notices) == 2)
        time.sleep(0.2)
    assert sorted(notices) == ["lights off: python3-lgpio is missing", "sounds off: python3-lgpio is missing"]


@pytest.mark.parametrize("factory", ["auto", "real", "mock"])
@pytest.mark.parametrize("model", ["Raspberry Pi 5 Model B Rev 1.0", "some other board"])
def test_pins_are_real_ones_on_a_pi_and_where_they_are_asked_for(monkeypatch, tmp_path, factory, model) -> None:
    (tmp_path / "model").write_text(model)
    monkeypatch.setattr("hardware.pins.MODEL_FILE", tmp_path / "model")
    on_a_pi = model.startswith("Raspberry")
    assert (
        on_real_pins(Config(pins=PinsConfig(factory=factory)))
        == {"auto": on_a_pi, "real": True, "mock": False}[factory]
    )


def test_a_full_mailbox_forgets_the_oldest() -> None:
    box: Mailbox[int] = Mailbox(3)
    for number in range(10):
        box.put(number)
    assert box.take(0) == [7, 8, 9]
    assert box.dropped == 7
    assert box.take(0.01) == []
    box.put(1, 2)
    assert box.take(0) == [1, 2]
    box.close()
    assert box.take(None) == []
