"""Lights, sounds and buttons on mock pins: what is told is what the pins record."""

import datetime
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.config import Config, QuietConfig
from companion.errors import CommandRefused
from companion.events import GameOver, Hit, TurnBegan
from companion.outputs import patterns, tunes
from companion.outputs.devices import make_buttons, make_outputs
from companion.outputs.guard import Notice, unheard
from companion.outputs.mailbox import Mailbox
from companion.outputs.outputs import Outputs
from companion.outputs.players import END_S
from companion.outputs.scene import GOOD_S
from companion.referee.commands import Command
from companion.referee.snapshot import Result, Ruling, Snapshot
from hardware.board import LET_GO_S, Board
from hardware.errors import PinsError
from hardware.lights import Lights

LOOSE_S = 0.2  # how late a busy machine may be
NOON = datetime.datetime(2026, 1, 1, 12, 0)
DEFAULTS = Config()
PLAY = Snapshot(1, phase="play", to_move=0, sight="seeing")


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    pins = MockFactory(pin_class=MockPWMPin)
    yield pins
    pins.reset()


@pytest.fixture
def board(factory: MockFactory) -> Board:
    return Board(lambda: factory)


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


def notes_of(tune: tunes.Tune) -> list[float | None]:
    return [hertz for hertz, _ in tune.notes]


@pytest.mark.parametrize(
    ("event", "tune"),
    [
        (TurnBegan(1), tunes.TURN),
        (Hit(1, "the red pyramid"), tunes.HIT),
        (GameOver("pharaoh", (0,), "Silver wins"), tunes.WIN),
    ],
)
def test_each_event_has_its_tune(event, tune: tunes.Tune, board: Board) -> None:
    buzzer = Recorder()
    with Outputs(lambda: board.open_lights({}), lambda: buzzer) as outputs:
        outputs.happened(event)
        wait_for(lambda: len(buzzer.notes) > len(tune.notes))
    assert buzzer.notes[: len(tune.notes)] == notes_of(tune)
    assert buzzer.notes[-1] is None


@pytest.mark.parametrize(
    ("snapshot", "tune"),
    [
        (EVENTS["illegal"][0], tunes.ILLEGAL),
        (EVENTS["no camera"][0], tunes.ERROR),
        (EVENTS["lost"][0], tunes.BLIND),
    ],
)
def test_a_change_for_the_worse_is_heard_once(snapshot: Snapshot, tune: tunes.Tune, board: Board) -> None:
    buzzer = Recorder()
    with Outputs(lambda: board.open_lights({}), lambda: buzzer) as outputs:
        outputs.tell(PLAY)
        for number in range(2, 5):
            outputs.tell(replace(snapshot, number=number))
        wait_for(lambda: len(buzzer.notes) > len(tune.notes))
        time.sleep(0.2)
    assert [note for note in buzzer.notes if note] == [note for note in notes_of(tune) if note]


@pytest.mark.parametrize("failing", [("no camera",), ("frozen", "lost"), ("no camera", "frozen")])
def test_a_camera_that_fails_on_and_on_is_heard_once_until_it_was_well_for_a_while(
    failing: tuple[str, ...], board: Board
) -> None:
    now = [0.0]
    outputs = Outputs(lambda: board.open_lights({}), Recorder, clock=lambda: now[0])
    heard: list[tunes.Tune] = []

    def tell(sight: str, for_s: float) -> None:
        outputs.tell(replace(PLAY, sight=sight))
        now[0] += for_s
        heard.extend(outputs._sounds.mailbox.take(0.0))

    for _ in range(5):
        tell("seeing", 1.0)
        tell("hand", 0.5)
        for sight in failing:
            tell(sight, 2.0)
    assert heard == [tunes.ERROR]
    tell("seeing", GOOD_S / 2)
    tell("hand", GOOD_S / 2)
    tell(failing[0], 2.0)
    assert heard == [tunes.ERROR] * 2


def test_a_tonal_buzzer_plays_the_notes_on_its_pin(factory: MockFactory, board: Board) -> None:
    frequencies = []
    with outputs_of(board) as outputs:
        outputs.happened(TurnBegan(0))
        wait_for(lambda: frequencies.append(factory.pin(18).frequency) or 440.0 in frequencies)
    assert factory.pin(18).frequency is None


@pytest.mark.parametrize("quiet", [QuietConfig(on=True), QuietConfig(begin="11:00", end="13:00")])
def test_quiet_mode_and_quiet_hours_are_silent(quiet: QuietConfig, factory: MockFactory, board: Board) -> None:
    with outputs_of(board, Config(quiet=quiet)) as outputs:
        outputs.happened(GameOver("pharaoh", (0,), "Silver wins"))
        time.sleep(0.3)
        assert not any(on for _, on in recorded(factory, 18))


def test_the_hosts_quiet_switch_stops_a_tune_in_its_middle(board: Board) -> None:
    buzzer = Recorder()
    with Outputs(lambda: board.open_lights({}), lambda: buzzer) as outputs:
        outputs.happened(GameOver("pharaoh", (0,), "Silver wins"))
        wait_for(lambda: buzzer.notes)
        outputs.tell(replace(PLAY, quiet=True))
        time.sleep(0.6)
        assert len([note for note in buzzer.notes if note]) < 3


@pytest.mark.parametrize(
    ("begin", "end", "time_", "silent"),
    [
        ("22:00", "08:00", "23:30", True),
        ("22:00", "08:00", "07:59", True),
        ("22:00", "08:00", "08:00", False),
        ("22:00", "08:00", "21:59", False),
        ("13:00", "15:00", "14:00", True),
        ("13:00", "15:00", "15:00", False),
        ("09:00", "09:00", "09:00", False),
    ],
)
def test_quiet_hours_may_span_midnight(begin: str, end: str, time_: str, silent: bool) -> None:
    quiet = QuietConfig(begin=begin, end=end)
    assert quiet.silent(datetime.time.fromisoformat(time_)) is silent
    assert QuietConfig(begin=begin, end=end, hours=False).silent(datetime.time.fromisoformat(time_)) is False


def test_a_stuck_buzzer_stops_neither_lamps_nor_caller_nor_exit(factory: MockFactory, board: Board) -> None:
    release = threading.Event()
    buzzer = Recorder(stuck=release)
    outputs = Outputs(lambda: board.open_lights({"seats.0": 17}), lambda: buzzer)
    outputs.start()
    try:
        outputs.happened(TurnBegan(0))
        wait_for(lambda: buzzer.notes)
        for number in range(200):  # each returns although the buzzer never does
            outputs.happened(Hit(0, f"pyramid {number}"))
        outputs.tell(PLAY)
        wait_for(lambda: factory.pin(17).state)
        outputs.close()
        assert not release.is_set()
        assert not factory.pin(17).state
    finally:
        release.set()


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


def test_a_full_mailbox_forgets_the_oldest() -> None:
    box: Mailbox[int] = Mailbox(3)
    for number in range(10):
        box.put(number)
    assert box.take(0) == [7, 8, 9]
    assert box.dropped == 7
    assert box.take(0.01) == []
    box.close()
    assert box.take(None) == []


# --- buttons ------------------------------------------------------------------------------------------------------


def press(factory: MockFactory, gpio: int, seconds: float = 0.08) -> None:
    time.sleep(0.06)  # a finger is not faster
    factory.pin(gpio).drive_low()
    time.sleep(seconds)
    factory.pin(gpio).drive_high()


@pytest.fixture
def asked(factory: MockFactory, board: Board) -> Iterator[list[Command]]:
    commands: list[Command] = []
    desk = make_buttons(Config(), board, commands.append, unheard)
    desk.start()
    wait_for(lambda: factory.pin(13).pull == "up")
    time.sleep(0.05)
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
    from companion.outputs.buttons import ButtonDesk
    from hardware.buttons import PressRules

    refusals: list[str] = []
    done: list[str] = []

    def submit(command: Command) -> None:
        if not refusals:
            raise CommandRefused("nothing-to-undo", "there is nothing to take back")
        done.append(command.name)

    desk = ButtonDesk(lambda go: board.open_buttons({"undo": 6}, PressRules(), go), submit, refused=refusals.append)
    desk.start()
    try:
        wait_for(lambda: factory.pin(6).pull == "up")
        time.sleep(0.05)
        press(factory, 6)
        wait_for(lambda: refusals == ["there is nothing to take back"])
        press(factory, 6)
        wait_for(lambda: done == ["undo"])
    finally:
        desk.close()
    gpiozero.Button(6, pin_factory=factory).close()
