"""For whoever has just soldered: each output by itself, and each button when it is pressed, told which is which."""

import contextlib
import queue
import time
from collections.abc import Callable

from companion.config import Config
from companion.outputs import tunes
from companion.outputs.devices import in_words
from companion.outputs.films import Colour
from companion.outputs.wiring import Wire, wires
from hardware.board import Board
from hardware.buttons import PressRules
from hardware.errors import PinsError

PRESS_S = 20.0  # so long a press is waited for
COLOURS: dict[str, Colour] = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}
NOUNS = {"lights": "lamp", "sounds": "buzzer", "strip": "strip", "buttons": "button"}


class Trial:
    """Nothing else is on while one is tried, and everything is off at the end, whatever ends it.

    `ask(question)` is True if people say yes; `say(text)` is a line for them.
    """

    def __init__(
        self,
        config: Config,
        board: Board,
        ask: Callable[[str], bool],
        say: Callable[[str], None],
        press_s: float = PRESS_S,
    ) -> None:
        self._config, self._board, self._ask, self._say, self._press_s = config, board, ask, say, press_s
        self._wires = {section: [w for w in wires(config) if w.section == section] for section in NOUNS}

    def run(self) -> tuple[str, ...]:
        """The sections of the configuration ("lights") of which something did not do what it should."""
        connected = [section for section, found in self._wires.items() if found]
        if not connected:
            self._say("nothing is connected")
            return ()
        try:
            self._board.need_pins()
        except PinsError as error:
            self._say(in_words(error))
            return tuple(connected)
        tried = {
            "lights": [self._works(wire, self._lights) for wire in self._wires["lights"]],
            "sounds": [self._works(wire, self._sounds) for wire in self._wires["sounds"]],
            "strip": [self._works(wire, self._shows) for wire in self._wires["strip"][:1]],  # of its two, the data
            "buttons": self._are_pressed(),
        }
        return tuple(section for section in connected if not all(tried[section]))

    def _works(self, wire: Wire, trial: Callable[[Wire], bool]) -> bool:
        try:
            return trial(wire)
        except PinsError as error:
            self._say(f"{_label(wire)}: {in_words(error)}")
            return False

    def _lights(self, wire: Wire) -> bool:
        name = wire.device
        with contextlib.closing(self._board.open_lights({name: wire.gpio}, self._config.lights.brightness)) as lights:
            lights.set({name: 1.0})
            return self._ask(f"{_label(wire)}: is it lit?")

    def _sounds(self, wire: Wire) -> bool:
        with contextlib.closing(self._board.open_buzzer(self._config.sounds.kind, wire.gpio)) as buzzer:
            for hertz, seconds in tunes.ASK.notes:
                buzzer.sound(hertz)
                time.sleep(seconds)
        return self._ask(f"{_label(wire)}: did it sound?")

    def _shows(self, wire: Wire) -> bool:
        c = self._config.strip
        with contextlib.closing(self._board.open_strip(c.kind, c.lights, c.spi, c.brightness)) as strip:
            seen = []
            for name, colour in COLOURS.items():
                strip.show([colour] * c.lights)
                seen.append(self._ask(f"{_label(wire)}: are all {c.lights} lights {name}?"))
            return all(seen)

    def _are_pressed(self) -> list[bool]:
        """All are open at once: which one it was shows when wires are crossed."""
        presses: queue.SimpleQueue[str] = queue.SimpleQueue()
        rules = PressRules(bounce_s=self._config.buttons.bounce_s)
        with contextlib.ExitStack() as stack:

            def opens(wire: Wire) -> bool:
                held = self._board.open_buttons({wire.device: wire.gpio}, rules, presses.put)
                stack.enter_context(contextlib.closing(held))
                return True

            opened = {wire.device: self._works(wire, opens) for wire in self._wires["buttons"]}
            there = {wire.device: wire for wire in self._wires["buttons"] if opened[wire.device]}
            return [is_open and self._is_pressed(name, there, presses) for name, is_open in opened.items()]

    def _is_pressed(self, wanted: str, there: dict[str, Wire], presses: "queue.SimpleQueue[str]") -> bool:
        self._say(f"{_label(there[wanted])}: press it, within {self._press_s:.0f} seconds")
        until_s = time.monotonic() + self._press_s
        while True:
            try:
                pressed = presses.get(timeout=max(0.0, until_s - time.monotonic()))
            except queue.Empty:
                self._say("no press was seen")
                return False
            if pressed == wanted:
                self._say("it was pressed")
                return True
            self._say(f"that was the {_label(there[pressed])}")


def _label(wire: Wire) -> str:
    name = f" {wire.device!r}" if wire.section in ("lights", "buttons") else ""
    return f"{NOUNS[wire.section]}{name} on GPIO{wire.gpio}, pin {wire.physical} ({wire.meaning})"
