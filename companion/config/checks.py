"""What a configuration's values have to be beyond their types, and what they have to be to one another."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config.lines import Path as KeyPath
from companion.errors import CompanionError
from companion.games import GAMES
from companion.games import game as game_named
from companion.games.base import Game
from companion.games.options import Value, settle
from companion.referee.settings import TABLE_OPTIONS

if TYPE_CHECKING:
    from companion.config import Config

BUS_PINS = {0: (7, 8, 9, 10, 11), 1: (16, 17, 18, 19, 20, 21)}  # all that the kernel gives to an SPI bus, BCM
SOURCES = ("picamera2", "usb:NUMBER", "folder:PATH", "file:PATH", "simulated")
USB_NUMBER = re.compile(r"[0-9]{1,4}")  # as `hardware.cameras` has it, which is slow to import
ALIKE = 0.4  # likeness from which a word may be a slip of another

Wrong = tuple[tuple[KeyPath, ...], str]  # what is given up, the key that is wrong first, and what is wrong with it


def known_game(value: str) -> str:
    """One of the games there are."""
    if value not in GAMES:
        raise ValueError(f"should be {_one_of(value, GAMES)}")
    return value


def known_source(value: str) -> str:
    """A camera in its written shape."""
    kind, _, place = path_text(value).partition(":")
    named = not place and value in SOURCES
    if named or (USB_NUMBER.fullmatch(place) if kind == "usb" else place and kind in ("folder", "file")):
        return value
    raise ValueError(f"should be {_one_of(value, SOURCES)}")


def path_text(value: str) -> str:
    """What may be a path, or nothing."""
    if "\0" in value:
        raise ValueError("should be a path, without the sign NUL")
    return value


def file_path(value: str) -> str:
    """What may be the path of a file."""
    if Path(path_text(value)).name in ("", ".."):
        raise ValueError("should be the path of a file")
    return value


def marker_measures(value: tuple[float, float, float]) -> tuple[float, float, float]:
    """Markers that do not overlap."""
    width, height, side = value
    if side >= min(width, height):
        raise ValueError("the markers' side should be less than what is between their centres")
    return value


def _one_of(word: str, allowed: Iterable[str]) -> str:
    *others, last = allowed
    near = difflib.get_close_matches(word, [*others, last], n=1, cutoff=ALIKE)
    return f"{', '.join(others)} or {last}{f' (perhaps {near[0]})' if near else ''}"


def unfit(config: "Config", data: Mapping[str, Any]) -> Iterator[Wrong]:
    """Values that are right by themselves and do not go together; `data` is what the file sets."""
    yield from _shared_pins(config, data)
    yield from _unknown_options(config)


def loose(key: KeyPath) -> tuple[KeyPath, object] | None:
    """The setting that leaves a device unconnected while `key` of it is wrong, for then nobody knows its wires.

    Its usual pin may be another device's here: a lamp's pin is driven, and a button would short it to ground.
    """
    match key:
        case ("lights", "seats", int()):
            return key, "none"
        case ("lights", "seats"):
            return key, []
        case ("lights", "sight" | "wait" | "stop" | "hit") | ("sounds", "pin"):
            return key, "none"
        case ("buttons", "end_turn" | "undo" | "new_game"):
            return key, "none"
        case ("lights" | "buttons" as section,) | ("lights" | "buttons" as section, "on"):
            return (section, "on"), False
        case ("sounds",) | ("sounds", "kind"):
            return ("sounds", "kind"), "none"
        case ("strip", "spi"):
            return ("strip", "kind"), "none"
        case ("pins",) | ("pins", "factory"):
            return ("pins", "factory"), "mock"
    return None


def _shared_pins(config: "Config", data: Mapping[str, Any]) -> Iterator[Wrong]:
    """One pin for two devices: told of the one that the file sets, of the later one if it sets both."""
    taken: dict[int, tuple[KeyPath, str]] = {}
    if config.strip.kind != "none":
        bus = f"SPI bus {config.strip.spi} of the strip"
        taken = dict.fromkeys(BUS_PINS[config.strip.spi], (("strip", "spi"), bus))
    for name, pin in config.pin_map().items():
        if name.startswith("strip."):
            continue  # of the bus
        key = tuple(int(part) if part.isdigit() else part for part in name.split("."))
        other, device = taken.setdefault(pin, (key, name))
        if other == key:
            continue
        both, owner = ((other, key), name) if _sets(data, other) and not _sets(data, key) else ((key, other), device)
        dotted = ".".join(str(part) for part in both[0])
        yield both, f"{dotted}: pin {pin} is already used by {owner}; every device needs its own"


def _sets(data: Mapping[str, Any], key: KeyPath) -> bool:
    section, setting = key[:2]
    return setting in data.get(str(section), {})


def _unknown_options(config: "Config") -> Iterator[Wrong]:
    """Options that the game does not have or that cannot be so; all of them if they only do not go together."""
    try:
        game = game_named(config.game.name)
    except ImportError:  # not part of this installation
        return
    given = config.game.options
    for name, value in given.items():
        if problem := _start_problem(game, {name: value}):
            yield (("game", "options", name),), f"game.options.{name}: {problem}"
    if problem := _start_problem(game, given):
        yield (("game", "options"),), f"game.options: {problem}"


def _start_problem(game: Game, options: Mapping[str, Value]) -> str:
    """Why the game does not start like this; "" when it does."""
    own = {option.name for option in TABLE_OPTIONS}
    try:
        settle(TABLE_OPTIONS, {name: value for name, value in options.items() if name in own})
        if others := {name: value for name, value in options.items() if name not in own}:
            game.start(others)
    except CompanionError as error:
        return str(error)
    return ""
