"""Tunes: which event has which, when it is quiet, and a buzzer that is stuck."""

import contextlib
import datetime
import threading
import time
from dataclasses import replace
from itertools import dropwhile

import pytest
from gpiozero.pins.mock import MockFactory
from mock_pins import EVENTS, PLAY, Recorder, outputs_of, recorded, wait_for

from companion.config import Config, QuietConfig
from companion.events import Chance, GameOver, Hit, Scored, TurnBegan
from companion.games.kaxxt.attack import Annihilated
from companion.outputs import tunes
from companion.outputs.guard import Guard, unheard
from companion.outputs.outputs import Outputs
from companion.outputs.players import SoundPlayer
from companion.outputs.scene import GOOD_S
from companion.referee.happenings import TakenBack
from companion.referee.snapshot import Ruling, Snapshot
from hardware.board import Board
from hardware.errors import PinsError
from hardware.sounds import HIGHEST_HZ, LOWEST_HZ


def notes_of(tune: tunes.Tune) -> list[float | None]:
    return [hertz for hertz, _ in tune.notes]


def played(buzzer: Recorder) -> list[float | None]:
    """From the first note on."""
    return list(dropwhile(lambda note: note is None, buzzer.notes))


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
        wait_for(lambda: len(played(buzzer)) > len(tune.notes))
    assert played(buzzer)[: len(tune.notes)] == notes_of(tune)
    assert buzzer.notes[-1] is None


def test_a_refused_press_is_heard(board: Board) -> None:
    buzzer = Recorder()
    with Outputs(lambda: board.open_lights({}), lambda: buzzer) as outputs:
        outputs.refused("there is nothing to take back")
        wait_for(lambda: len(played(buzzer)) > len(tunes.REFUSED.notes))
    assert played(buzzer)[: len(tunes.REFUSED.notes)] == notes_of(tunes.REFUSED)


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
        wait_for(lambda: len(played(buzzer)) > len(tune.notes))
        time.sleep(0.2)
    assert [note for note in buzzer.notes if note] == [note for note in notes_of(tune) if note]


@pytest.mark.parametrize(
    ("failing", "tune"),
    [
        (("no camera",), tunes.ERROR),
        (("frozen", "lost"), tunes.ERROR),
        (("no camera", "frozen"), tunes.ERROR),
        (("lost",), tunes.BLIND),
        (("moved", "dark"), tunes.BLIND),
    ],
)
def test_a_camera_that_fails_on_and_on_is_heard_once_until_it_was_well_for_a_while(
    failing: tuple[str, ...], tune: tunes.Tune, board: Board
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
    assert heard == [tune]
    tell("seeing", GOOD_S / 2)
    tell("hand", GOOD_S / 2)
    tell(failing[0], 2.0)
    assert heard == [tune] * 2


def heard_of(outputs: Outputs, *told: Snapshot) -> list[tunes.Tune]:
    for snapshot in told:
        outputs.tell(snapshot)
    return outputs._sounds.mailbox.take(0.0)


def test_another_ruling_after_a_hand_is_heard_though_the_first_was_never_put_right(board: Board) -> None:
    outputs, first = Outputs(lambda: board.open_lights({}), Recorder), EVENTS["illegal"][0]
    second = replace(first, ruling=Ruling("wrong-turn", "Khet 2", "Silver turns the red pyramid on h5"))
    hand = replace(first, sight="hand")
    assert heard_of(outputs, PLAY, first) == [tunes.ILLEGAL]
    assert heard_of(outputs, hand, first) == []  # it lies there still
    assert heard_of(outputs, hand, second, replace(second, number=9)) == [tunes.ILLEGAL]
    assert heard_of(outputs, PLAY, second) == [tunes.ILLEGAL]
    assert heard_of(outputs, PLAY, hand, second) == [tunes.ILLEGAL] * 2  # told while the next hand was there already


def test_a_ruling_that_is_only_worded_otherwise_is_not_heard_without_a_hand(board: Board) -> None:
    outputs, first = Outputs(lambda: board.open_lights({}), Recorder), EVENTS["illegal"][0]
    reworded = replace(first, ruling=Ruling("two-squares", "Khet 3a", "too far, or turned as well"))
    assert heard_of(outputs, PLAY, first) == [tunes.ILLEGAL]
    assert heard_of(outputs, *(reworded, first) * 5) == []
    assert heard_of(outputs, replace(first, sight="hand"), first) == []


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
        wait_for(lambda: played(buzzer))
        outputs.tell(replace(PLAY, quiet=True))
        time.sleep(0.6)
        assert len([note for note in buzzer.notes if note]) < 3


def test_quiet_and_a_take_back_end_a_long_note_at_once(board: Board) -> None:
    buzzer, long_note = Recorder(), tunes.ANNIHILATION.notes[-1][0]
    with Outputs(lambda: board.open_lights({}), lambda: buzzer) as outputs:
        for end in (lambda: outputs.happened(TakenBack(3)), lambda: outputs.tell(replace(PLAY, quiet=True))):
            buzzer.notes.clear()
            outputs.happened(Annihilated(0, "Stack overflow", "X29"), GameOver("last", (1,), "North wins"))
            wait_for(lambda: buzzer.notes and buzzer.notes[-1] == long_note)
            end()
            wait_for(lambda: buzzer.notes[-1] is None, within_s=0.6)  # the note lasts for twice as long
            assert tunes.WIN.notes[-1][0] not in played(buzzer)[played(buzzer).index(long_note) :]


@pytest.mark.parametrize("when", ["in a long note", "before a note"])
def test_the_end_of_the_outputs_is_the_end_of_the_tune(monkeypatch, when: str) -> None:
    buzzer, player = Recorder(), None
    long = tunes.Tune("long", ((440.0, 60.0), (880.0, 60.0)))
    monkeypatch.setattr(tunes, "TUNES", (long,))

    def silent() -> bool:
        if when == "before a note":
            player.end()
        return False

    player = SoundPlayer(Guard("sounds", lambda: buzzer, (PinsError,), 1.0, unheard), silent)
    player.mailbox.put(long)
    player.start()
    if when == "in a long note":
        wait_for(lambda: 440.0 in buzzer.notes)
        player.end()
    player.join(10.0)
    assert not player.is_alive()
    assert [note for note in buzzer.notes if note] == ([440.0] if when == "in a long note" else [])


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


def test_a_buzzer_that_works_again_is_told_without_waiting_for_a_tune(board: Board) -> None:
    notices: list[tuple[str, str | None]] = []
    buzzers = [lambda: broken(), lambda: Unplugged(), Recorder]

    def broken() -> Recorder:
        raise PinsError("no such pin")

    def next_buzzer():
        return (buzzers.pop(0) if len(buzzers) > 1 else buzzers[0])()

    def told(name: str, text: str | None) -> None:
        notices.append((name, text))

    with Outputs(lambda: board.open_lights({}), next_buzzer, notice=told, retry_s=0.01):
        wait_for(lambda: ("sounds", None) in notices)
    assert notices == [("sounds", "sounds off: no such pin"), ("sounds", None)]
    assert len(buzzers) == 1  # one that opens and cannot be written to is no buzzer that works


class Unplugged(Recorder):
    """It opens, and no more."""

    def sound(self, hertz: float | None) -> None:
        raise PinsError("gone")


@pytest.mark.parametrize("hertz", [20.0, 111.0, 127.0, 440.0, 9000.0])
def test_any_note_is_played_as_near_as_the_buzzer_can(factory: MockFactory, board: Board, hertz: float) -> None:
    buzzer = board.open_buzzer("tonal", 18)
    buzzer.sound(hertz)
    assert factory.pin(18).frequency == pytest.approx(min(HIGHEST_HZ, max(LOWEST_HZ, hertz)))
    buzzer.close()


def test_without_a_buzzer_its_pin_is_free_for_something_else(board: Board) -> None:
    with contextlib.closing(board.open_buzzer("none", 18)) as buzzer:
        buzzer.sound(440.0)
        board.open_lights({"lamp": 18}).close()


def test_an_attack_is_heard_in_its_order_however_fast_the_buzzer_is(board: Board) -> None:
    buzzer, attack = Recorder(), (Chance("die", "2"), Scored(0, -3, 27), Hit(0, "a pyramid"), TurnBegan(1))
    with Outputs(lambda: board.open_lights({}), lambda: buzzer) as outputs:
        outputs.happened(*attack)
        wait_for(lambda: tunes.TURN.notes[0][0] in buzzer.notes)
    notes = [note for tune in (tunes.DIE, tunes.HIT, tunes.TURN) for note in notes_of(tune)]
    assert [note for note in buzzer.notes if note] == [note for note in notes if note]


def test_of_what_waits_only_what_came_after_the_last_take_back_is_heard() -> None:
    assert tunes.in_turn([tunes.HIT, None, tunes.TURN, None, tunes.SCORE]) == (tunes.SCORE,)
    assert tunes.in_turn([tunes.HIT, tunes.TURN]) == (tunes.HIT, tunes.TURN)
    assert tunes.in_turn([tunes.HIT, None]) == ()


def test_of_what_happened_at_once_only_what_came_after_the_last_take_back_is_shown_and_heard(
    factory: MockFactory, board: Board
) -> None:
    buzzer, pins = Recorder(), Config().pin_map()
    lamps = {lamp: pins[f"lights.{lamp}"] for lamp in ("hit", "seats.1")}
    with Outputs(lambda: board.open_lights(lamps), lambda: buzzer) as outputs:
        outputs.happened(TakenBack(4), Hit(0, "a pyramid"), TakenBack(3), TurnBegan(1))
        outputs.tell(replace(PLAY, to_move=1))
        wait_for(lambda: factory.pin(lamps["seats.1"]).state and tunes.TURN.notes[-1][0] in buzzer.notes)
    heard = [note for note in buzzer.notes if note]
    assert heard == [note for tune in (tunes.BACK, tunes.TURN) for note in notes_of(tune) if note]
    assert not any(lit for _, lit in recorded(factory, lamps["hit"]))


def test_undoing_takes_back_what_is_still_to_be_shown(factory: MockFactory, board: Board) -> None:
    pins = Config().pin_map()
    with outputs_of(board) as outputs:
        outputs.tell(PLAY)
        outputs.happened(Chance("die", "6"), Hit(0, "a pyramid"))
        wait_for(lambda: factory.pin(pins["lights.hit"]).state)
        outputs.happened(TakenBack(3))
        wait_for(lambda: not factory.pin(pins["lights.hit"]).state)
        before = len(recorded(factory, pins["lights.hit"]))
        time.sleep(0.8)  # longer than any dark stroke of a die
        assert len(recorded(factory, pins["lights.hit"])) == before
