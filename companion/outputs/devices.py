"""From the configuration to outputs and buttons on a board."""

import datetime
import logging
from collections.abc import Callable

from companion.config import Config
from companion.outputs.buttons import ButtonDesk
from companion.outputs.guard import Notice
from companion.outputs.outputs import Outputs
from companion.referee.commands import Command
from hardware.board import Board, make_factory
from hardware.buttons import PressRules
from hardware.errors import PinsError
from hardware.lights import Lights
from hardware.pins import are_real
from hardware.sounds import Buzzer
from hardware.spi import make_spi
from hardware.strip import Strip

log = logging.getLogger(__name__)

NEW_GAME_HOLD_S = 2.0  # nobody ends a game by brushing against a button
HELD = ", held by another program: by the companion itself while that runs"  # what lgpio calls "GPIO busy"


def pins_of(config: Config, section: str) -> dict[str, int]:
    """The connected pins of a section, by the names that the devices bear ("seats.0", "sight", "undo")."""
    start = f"{section}."
    return {name.removeprefix(start): pin for name, pin in config.pin_map().items() if name.startswith(start)}


def on_real_pins(config: Config) -> bool:
    """False where gpiozero's mock pins take the place of real ones."""
    return are_real(config.pins.factory)


def in_words(error: PinsError) -> str:
    """Why a pin cannot be used, and who may hold it."""
    return f"{error}{HELD if 'busy' in str(error) else ''}"


def make_board(config: Config) -> Board:
    """One board for all devices: pins can be taken only once."""
    kind = config.pins.factory
    return Board(lambda: make_factory(kind), lambda bus, hertz: make_spi(kind, bus, hertz))


def make_outputs(
    config: Config,
    board: Board,
    notice: Notice,
    now: Callable[[], datetime.datetime] = datetime.datetime.now,
) -> Outputs:
    """Lights and sounds as configured; they open their pins when they are started."""

    def open_lights() -> Lights:
        return board.open_lights(pins_of(config, "lights"), config.lights.brightness)

    def open_buzzer() -> Buzzer:
        return board.open_buzzer(config.sounds.kind, config.sounds.pin)

    def open_strip() -> Strip:
        c = config.strip
        return board.open_strip(c.kind, c.lights, c.spi, c.brightness)

    return Outputs(
        open_lights,
        open_buzzer,
        strip=(open_strip, config.strip.lights) if config.strip.kind != "none" else None,
        seat_lamps=tuple(name for name in pins_of(config, "lights") if name.startswith("seats.")),
        silent=lambda: config.quiet.silent(now().time()),
        notice=notice,
        retry_s=config.pins.retry_s,
    )


def make_buttons(
    config: Config,
    board: Board,
    submit: Callable[[Command], object],
    notice: Notice,
    pressed: Callable[[], None] = lambda: None,
    refused: Callable[[str], None] = log.info,
) -> ButtonDesk:
    """Buttons as configured; they open their pins when the desk is started. `refused` hears why a press is."""
    rules = PressRules(bounce_s=config.buttons.bounce_s, holds=(("new_game", NEW_GAME_HOLD_S),))
    start: dict[str, object] = {"game": config.game.name, "options": dict(config.game.options)}
    return ButtonDesk(
        lambda pressed: board.open_buttons(pins_of(config, "buttons"), rules, pressed),
        submit,
        arguments={"new_game": start},
        pressed=pressed,
        refused=refused,
        notice=notice,
        retry_s=config.pins.retry_s,
    )
