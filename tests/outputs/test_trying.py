"""`companion wiring --try`: one output at a time, off at the end whatever ends it, and each press told by its name."""

import signal
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from gpiozero.pins.mock import MockFactory, MockPWMPin
from mock_pins import recorded, rhythm

from companion.cli import group
from companion.config import ButtonsConfig, Config, LightsConfig, SoundsConfig, StripConfig
from companion.outputs import devices, tunes, wiring
from companion.outputs.trying import COLOURS, Trial
from hardware.board import Board
from hardware.errors import PinsError
from hardware.spi import MockSpi

BUTTONS = ButtonsConfig(bounce_s=0.0)
LAMPS = {name: pin for name, pin in Config().pin_map().items() if name.startswith("lights.")}


def press(factory: MockFactory, gpio: int) -> None:
    factory.pin(gpio).drive_low()
    factory.pin(gpio).drive_high()


def presser(factory: MockFactory, *gpios: int) -> tuple[list[str], Callable[[str], None]]:
    """What is said; at each "press it" the next of these is pressed."""
    said, left = [], list(gpios)

    def say(text: str) -> None:
        said.append(text)
        if "press it" in text and left:
            press(factory, left.pop(0))

    return said, say


def lit(factory: MockFactory) -> list[int]:
    return [pin for pin in LAMPS.values() if factory.pin(pin).state]


def test_each_lamp_is_lit_alone_while_its_own_name_and_pin_are_asked_about(factory: MockFactory, board: Board) -> None:
    asked: list[tuple[str, list[int]]] = []

    def ask(question: str) -> bool:
        asked.append((question, lit(factory)))
        return True

    said, say = presser(factory, 5, 6, 13)
    assert Trial(Config(buttons=BUTTONS), board, ask, say).run() == ()
    assert [pins for _, pins in asked] == [*([pin] for pin in LAMPS.values()), []]
    assert asked[0][0] == "lamp 'seats.0' on GPIO17, pin 11 (whose turn: seat 1): is it lit?"
    assert asked[-1][0].startswith("buzzer on GPIO18, pin 12 (")
    assert asked[-1][0].endswith("did it sound?")
    assert lit(factory) == []
    assert said[:2] == [
        "button 'end_turn' on GPIO5, pin 29 (my action is final): press it, within 20 seconds",
        "it was pressed",
    ]
    assert len(said) == 6


def test_the_buzzer_plays_a_tune_and_is_silent_while_it_is_asked_about(factory: MockFactory, board: Board) -> None:
    config = Config(lights=LightsConfig(on=False), sounds=SoundsConfig(kind="plain"), buttons=ButtonsConfig(on=False))
    silent: list[bool] = []
    assert Trial(config, board, lambda question: silent.append(not factory.pin(18).state) or True, print).run() == ()
    assert silent == [True]
    assert sum(on for _, on in recorded(factory, 18)) == sum(on for on, _ in rhythm(tunes.ASK))


def test_a_strip_shows_each_colour_on_all_its_lights() -> None:
    bus = MockSpi()
    board = Board(lambda: MockFactory(pin_class=MockPWMPin), lambda number, hertz: bus)
    nothing = {
        "lights": LightsConfig(on=False),
        "sounds": SoundsConfig(kind="none"),
        "buttons": ButtonsConfig(on=False),
    }
    config = Config(strip=StripConfig(kind="apa102", lights=3, brightness=1.0), **nothing)
    shown: dict[str, bytes] = {}

    def ask(question: str) -> bool:
        assert question.split()[-1].rstrip("?") not in shown  # once, and not for each of the strip's two wires
        shown[question.split()[-1].rstrip("?")] = bus.written[-1]
        return "green" not in question

    assert Trial(config, board, ask, print).run() == ("strip",)
    for name, (red, green, blue) in COLOURS.items():
        assert shown[name][4:16] == bytes((0xFF, blue, green, red)) * 3
    assert bus.written[-1][4:16] == bytes((0xFF, 0, 0, 0)) * 3
    assert bus.closed


@pytest.mark.parametrize("ended_by", [KeyboardInterrupt, PinsError])
def test_whatever_ends_it_nothing_stays_on_and_every_pin_is_free(factory: MockFactory, board: Board, ended_by) -> None:
    def ask(question: str) -> bool:
        assert len(lit(factory)) == 1
        raise ended_by("in the middle")

    trial = Trial(Config(buttons=ButtonsConfig(on=False), sounds=SoundsConfig(kind="none")), board, ask, print)
    if ended_by is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            trial.run()
    else:
        assert trial.run() == ("lights",)
    assert lit(factory) == []
    board.open_lights(LAMPS).close()


def test_another_button_than_the_one_asked_for_is_named(factory: MockFactory, board: Board) -> None:
    config = Config(lights=LightsConfig(on=False), sounds=SoundsConfig(kind="none"), buttons=BUTTONS)
    said, say = presser(factory, 6, 6)
    assert Trial(config, board, lambda question: True, say, press_s=0.05).run() == ("buttons",)
    undo = "button 'undo' on GPIO6, pin 31 (take the last action back)"
    assert said[1:3] == [f"that was the {undo}", "no press was seen"]
    assert said[3:5] == [f"{undo}: press it, within 0 seconds", "it was pressed"]
    assert said[-1] == "no press was seen"


class Taken(MockFactory):
    """Some pins are somebody else's."""

    def pin(self, name: int) -> object:
        if name in (23, 6):
            raise RuntimeError("GPIO busy")
        return super().pin(name)


def test_a_busy_pin_is_told_and_all_others_are_tried() -> None:
    factory = Taken(pin_class=MockPWMPin)
    asked: list[str] = []
    said, say = presser(factory, 5, 13)
    config = Config(buttons=BUTTONS, sounds=SoundsConfig(kind="none"))
    failed = Trial(config, Board(lambda: factory), lambda question: asked.append(question) or True, say).run()
    assert failed == ("lights", "buttons")
    assert len(asked) == len(LAMPS) - 1
    held = "GPIO busy, held by another program: by the companion itself while that runs"
    assert [text for text in said if "busy" in text] == [
        f"lamp 'wait' on GPIO23, pin 16 (it waits: a hand, or no clear view): wait on GPIO23: {held}",
        f"button 'undo' on GPIO6, pin 31 (take the last action back): undo on GPIO6: {held}",
    ]
    assert said.count("it was pressed") == 2
    factory.reset()


def test_a_missing_library_is_told_once() -> None:
    def missing() -> object:
        raise PinsError("No module named 'lgpio': sudo apt install python3-lgpio")

    said: list[str] = []
    assert Trial(Config(), Board(missing), lambda question: True, said.append).run() == ("lights", "sounds", "buttons")
    assert said == ["No module named 'lgpio': sudo apt install python3-lgpio"]


@pytest.fixture
def pins(tmp_path, monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    """The pins of the command, with two lamps and nothing else."""
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    none = "\n".join(f'{name} = "none"' for name in ("sight", "wait", "stop", "hit"))
    text = f'[lights]\n{none}\n[sounds]\nkind = "none"\n[buttons]\non = false\n'
    (tmp_path / "companion.toml").write_text(text)
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(devices, "make_factory", lambda kind: factory)
    return factory


@pytest.mark.parametrize(("answers", "code", "notes"), [("y\n\n", 0, 0), ("\nn\n", 1, 1), ("y\n", 1, 0)])
def test_the_command_asks_and_says_how_to_connect_what_did_not_work(pins, answers: str, code: int, notes: int) -> None:
    lamps = [pins.pin(17), pins.pin(27)]
    done = CliRunner().invoke(group, ["wiring", "--try"], input=answers)
    assert done.exit_code == code, done.output
    assert "lamp 'seats.1' on GPIO27, pin 13 (whose turn: seat 2): is it lit? [Y/n]" in done.output
    assert done.output.count(wiring.NOTES["lights"]) == notes
    assert "these are mock pins" in done.output
    assert not any(lamp.state for lamp in lamps)
    assert ("Aborted!" in done.output) == (answers == "y\n")  # no answer came: as Ctrl-C


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_the_middle_leaves_no_lamp_lit(pins, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    at_start = signal.getsignal(number)  # what begins in a shell's background ignores Ctrl-C
    before = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    signal.signal(number, before)
    lamp, seen = pins.pin(17), list[bool]()

    def confirm(question: str, default: bool) -> bool:
        seen.append(bool(lamp.state))
        signal.raise_signal(number)
        return default

    monkeypatch.setattr("click.confirm", confirm)
    try:
        done = CliRunner().invoke(group, ["wiring", "--try"], catch_exceptions=False)
        after = signal.getsignal(number)
    finally:
        signal.signal(number, at_start)
    assert done.exit_code == (1 if number == signal.SIGINT else 128 + number)
    assert (seen, bool(lamp.state)) == ([True], False)
    assert after is before
