"""What tests of lamps, tunes and buttons share: outputs on mock pins, what the pins went through, and events."""

import datetime
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from gpiozero.pins.mock import MockFactory

from companion.config import Config
from companion.events import Hit
from companion.outputs.devices import make_outputs
from companion.outputs.guard import Notice, unheard
from companion.outputs.outputs import Outputs
from companion.outputs.tunes import Tune
from companion.referee.snapshot import Result, Ruling, Snapshot
from hardware.board import Board

LOOSE_S = 0.2  # how late a busy machine may be
NOON = datetime.datetime(2026, 1, 1, 12, 0)
DEFAULTS = Config()
PLAY = Snapshot(1, phase="play", to_move=0, sight="seeing")
EVENTS = {
    "turn 0": (PLAY, None, "seats.0"),
    "turn 1": (replace(PLAY, to_move=1), None, "seats.1"),
    "seeing": (PLAY, None, "sight"),
    "hand": (replace(PLAY, sight="hand"), None, "wait"),
    "illegal": (replace(PLAY, ruling=Ruling("two-squares", "Khet 3a", "too far")), None, "stop"),
    "hit": (PLAY, Hit(1, "the red pyramid", "h5"), "hit"),
    "win": (
        replace(PLAY, phase="over", result=Result("pharaoh", (1,), "Red wins", "won", "Red wins")),
        None,
        "seats.1",
    ),
    "no camera": (replace(PLAY, sight="no camera"), None, "stop"),
    "lost": (replace(PLAY, sight="lost"), None, "sight"),
}


def wait_for(condition: Callable[[], object], within_s: float = 3.0) -> None:
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "it did not come in time"
        time.sleep(0.005)


def recorded(factory: MockFactory, gpio: int) -> list[tuple[float, bool]]:
    """What a pin went through: (seconds in the state before, on or off)."""
    return [(state.timestamp, bool(state.state)) for state in factory.pin(gpio).states[1:]]


def outputs_of(board: Board, config: Config = DEFAULTS, notice: Notice = unheard) -> Outputs:
    return make_outputs(config, board, notice, now=lambda: NOON)


def rhythm(tune: Tune) -> tuple[tuple[bool, float], ...]:
    """What a buzzer with one note makes of it: sounding or not, and for how many seconds."""
    return tuple((hertz is not None, seconds) for hertz, seconds in tune.notes)


class Recorder:
    """A buzzer that remembers."""

    def __init__(self, stuck: threading.Event | None = None) -> None:
        self.notes: list[float | None] = []
        self.stuck = stuck

    def sound(self, hertz: float | None) -> None:
        self.notes.append(hertz)
        if self.stuck is not None:
            self.stuck.wait(20)

    def close(self) -> None:
        self.notes.append(None)
