"""The settings of the configuration, one TOML file: what each may be. `config.reading` reads the file.

Every setting has a default, so an empty file (or none at all) is a complete configuration.
"""

import datetime
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    Strict,
)

from companion.config.checks import file_path, known_game, known_source, marker_measures, path_text
from companion.errors import ConfigError
from companion.games import usual
from hardware.strip import MOST_LIGHTS

APP = "companion"
FILE_NAME = "companion.toml"
USUAL_PORT = 8080


def _none_word(value: object) -> object:
    """TOML has no null: the word "none" says that nothing is connected."""
    return None if value == "none" else value


def _option_word(value: object) -> object:
    """One message instead of one for each type that would do."""
    if not isinstance(value, str | int | bool):
        raise ValueError("should be a text, a whole number, true or false")
    return value


STRIP_PINS = {0: (10, 11), 1: (20, 21)}  # data and clock of each SPI bus, BCM

Pin = Annotated[Annotated[int, Field(ge=2, le=27)] | None, BeforeValidator(_none_word)]
OptionValue = Annotated[str | int | bool, PlainValidator(_option_word)]
Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
PathText = Annotated[str, AfterValidator(path_text)]
Millimetres = Annotated[float, Field(gt=0, le=10_000)]
Many = Strict(False)  # TOML has arrays only; they become tuples


class Section(BaseModel):
    """A table of the file: unknown keys are refused, values are never guessed from another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class CameraConfig(Section):
    """`source` is picamera2, usb:NUMBER, folder:PATH, file:PATH or simulated."""

    source: Annotated[str, AfterValidator(known_source)] = Field(
        default="picamera2", description="picamera2, usb:NUMBER, folder:PATH, file:PATH or simulated"
    )
    width: int = Field(default=1600, ge=160, le=9600, description="pixels")
    height: int = Field(default=1200, ge=120, le=9600, description="pixels")
    fps: float = Field(default=10.0, ge=1, le=120, description="pictures a second that are asked for")
    distance_mm: float = Field(default=800.0, ge=50, le=5000, description="lens to table, for the manual focus")
    mains_hz: Literal[50, 60] = Field(default=50, description="mains frequency, against banding under lamps")
    settle_s: float = Field(default=2.0, ge=0, le=30, description="seconds until exposure and white balance are locked")
    hang_s: float = Field(
        default=1.0, ge=0.2, le=60, description="seconds without a picture until the camera is restarted"
    )
    frozen_frames: int = Field(
        default=10, ge=0, le=1000, description="equal pictures in a row that mean frozen; 0 = never"
    )
    lens: PathText = Field(default="", description="lens model file; empty = the stored calibration")


class TableConfig(Section):
    """`markers` are millimetres: width and height between the marker centres, and the side of one marker."""

    markers: Annotated[tuple[Millimetres, Millimetres, Millimetres], Many, AfterValidator(marker_measures)] = Field(
        default=(600.0, 380.0, 40.0),
        description="W, H between the centres of the printed markers and their SIDE, in mm",
    )


class BoardConfig(Section):
    """Where the board's own measures come from; the game's usual board when empty."""

    file: PathText = Field(default="", description="board file (JSON); empty = the usual board of the game")
    taught: PathText = Field(
        default="", description="folder that `companion teach` wrote for your set; empty = learn from the set-up"
    )


class TeachingConfig(Section):
    """What is kept to learn from. No picture leaves the box."""

    keep_corrected_mb: int = Field(
        default=50, ge=0, le=100000, description="MB of pictures of tables that the host corrected; 0 = keep none"
    )


class GameConfig(Section):
    """What is played when nobody chose on the page."""

    name: Annotated[str, AfterValidator(known_game)] = Field(
        default=usual(), description="the game that a start by button plays while none is on"
    )
    options: dict[str, OptionValue] = Field(default_factory=dict, description='such as layout = "classic-2.0"')


class LightsConfig(Section):
    """BCM numbers of the lamps' pins; "none" = not connected."""

    on: bool = Field(default=True, description="use the lamps")
    seats: Annotated[tuple[Pin, ...], Many] = Field(
        default=(17, 27),
        max_length=6,
        description="one lamp for each seat; one beyond them is told by the blinks of another",
    )
    sight: Pin = Field(default=22, description="the companion sees the table")
    wait: Pin = Field(default=23, description="it waits: a hand, or no clear view")
    stop: Pin = Field(default=24, description="put back, or an error")
    hit: Pin = Field(default=25, description="a piece was hit")
    brightness: float = Field(default=0.6, gt=0, le=1, description="share of full brightness")


class SoundsConfig(Section):
    """The buzzer: plain (active, one note), tonal (passive, melodies) or none."""

    kind: Literal["plain", "tonal", "none"] = Field(default="tonal", description='"plain", "tonal" or "none"')
    pin: Pin = Field(default=18, description="turns, hits, rulings and the end are heard")


class StripConfig(Section):
    """A strip of addressable lights on an SPI bus; its pins are those of the bus."""

    kind: Literal["none", "ws2812", "apa102"] = Field(
        default="none", description='"none", "ws2812" (one wire) or "apa102" (with a clock)'
    )
    lights: int = Field(default=61, ge=1, le=MOST_LIGHTS, description="how many; 61 for the camel-wash track")
    spi: Literal[0, 1] = Field(default=0, description="SPI bus: 0 sends on GPIO10, 1 on GPIO20")
    brightness: float = Field(default=0.2, gt=0, le=1, description="share of full brightness")


class ButtonsConfig(Section):
    """BCM numbers of the buttons' pins (to ground; the pull-up is inside); "none" = not connected."""

    on: bool = Field(default=True, description="use the buttons")
    end_turn: Pin = Field(default=5, description="my action is final")
    undo: Pin = Field(default=6, description="take the last action back")
    new_game: Pin = Field(default=13, description="start again; held for two seconds")
    bounce_s: float = Field(default=0.05, ge=0, le=1, description="a press shorter than this is none")


class PinsConfig(Section):
    """Whether lamps, buzzer and buttons are real."""

    factory: Literal["auto", "real", "mock"] = Field(
        default="auto", description="auto = real on a Raspberry Pi, else mock"
    )
    retry_s: float = Field(default=30.0, ge=0.1, le=3600, description="seconds until a failed pin is tried again")


class WebConfig(Section):
    """The page. `names` are host names, beside *.local and addresses, by which it may be called."""

    host: str = Field(default="0.0.0.0", description="address to listen on")
    port: int = Field(default=USUAL_PORT, ge=1, le=65535, description="port to listen on")
    names: Annotated[tuple[str, ...], Many] = Field(default=(), description="further host names that are allowed")


class JournalConfig(Section):
    """Where every event is written before anybody is told."""

    path: Annotated[str, AfterValidator(file_path)] = Field(
        default="journal.sqlite3", description="file; a relative path lies in the state folder"
    )


class TimeoutsConfig(Section):
    """What happens when nobody plays."""

    reset_after_min: float = Field(
        default=60.0,
        ge=0,
        le=10080,
        description="minutes without a move until a game that was begun so is reset; 0 = never",
    )


class QuietConfig(Section):
    """When no sound is made; lamps go on."""

    on: bool = Field(default=False, description="quiet mode: no sounds at all")
    hours: bool = Field(default=True, description="keep the quiet hours")
    begin: Clock = Field(default="22:00", description="start of the quiet hours, HH:MM")
    end: Clock = Field(default="08:00", description="end of the quiet hours, HH:MM")

    def silent(self, now: datetime.time) -> bool:
        """True if no sound may be made at this local time; hours may span midnight."""
        if self.on:
            return True
        begin, end = datetime.time.fromisoformat(self.begin), datetime.time.fromisoformat(self.end)
        inside = begin <= now < end if begin <= end else (now >= begin or now < end)
        return self.hours and inside


class Config(Section):
    """The whole configuration; `Config()` is the default one."""

    camera: CameraConfig = CameraConfig()
    table: TableConfig = TableConfig()
    board: BoardConfig = BoardConfig()
    teaching: TeachingConfig = TeachingConfig()
    game: GameConfig = GameConfig()
    lights: LightsConfig = LightsConfig()
    sounds: SoundsConfig = SoundsConfig()
    strip: StripConfig = StripConfig()
    buttons: ButtonsConfig = ButtonsConfig()
    pins: PinsConfig = PinsConfig()
    web: WebConfig = WebConfig()
    journal: JournalConfig = JournalConfig()
    timeouts: TimeoutsConfig = TimeoutsConfig()
    quiet: QuietConfig = QuietConfig()

    def pin_map(self) -> dict[str, int]:
        """Every connected device by its key in the file ("lights.seats.0", "sounds") and its BCM pin."""
        pins = {f"lights.seats.{i}": pin for i, pin in enumerate(self.lights.seats) if self.lights.on}
        pins |= {f"lights.{n}": getattr(self.lights, n) for n in ("sight", "wait", "stop", "hit") if self.lights.on}
        pins |= {"sounds.pin": self.sounds.pin} if self.sounds.kind != "none" else {}
        names = ("end_turn", "undo", "new_game")
        pins |= {f"buttons.{n}": getattr(self.buttons, n) for n in names if self.buttons.on}
        if self.strip.kind != "none":
            data, clock = STRIP_PINS[self.strip.spi]
            pins |= {"strip.data": data, **({"strip.clock": clock} if self.strip.kind == "apa102" else {})}
        return {name: pin for name, pin in pins.items() if pin is not None}


# --- where things lie ---------------------------------------------------------------------------------------------


def _folder(variable: str, usual: Callable[..., str]) -> Path:
    """systemd names the folder (the first of a colon-separated list); elsewhere the platform's custom holds.

    ConfigError where neither says it.
    """
    named = os.environ.get(variable, "").split(":")[0]
    if named:
        return Path(named)
    try:
        return Path(usual(APP, appauthor=False))
    except RuntimeError as error:
        raise ConfigError(f"{error}; or name the companion's folder by {variable}") from error


def state_folder() -> Path:
    """Journal, calibration, secrets. Not created here."""
    return _folder("STATE_DIRECTORY", platformdirs.user_state_dir)


def runtime_folder() -> Path:
    """Short-lived files; emptied at boot."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no XDG_RUNTIME_DIR outside a session is no news
        return _folder("RUNTIME_DIRECTORY", platformdirs.user_runtime_dir)


def config_file() -> Path:
    """The configuration's default place."""
    return _folder("CONFIGURATION_DIRECTORY", platformdirs.user_config_dir) / FILE_NAME
