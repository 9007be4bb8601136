"""Reading the configuration's file: what is wrong is told by line, and the default holds in its place.

But no device is left on a pin that the file does not clearly name for it: it stays unconnected.
"""

import itertools
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from companion.config import Config
from companion.config.checks import Wrong, loose, unfit
from companion.config.lines import Path as KeyPath
from companion.config.lines import explain, line_of
from companion.errors import ConfigError

UNCONNECTED = "; meanwhile nothing is connected there"
UNREAD = "; meanwhile no pin is used"
WIRED = ("lights", "sounds", "buttons")  # by default; a strip is not
MAX_BYTES = 1_000_000  # a configuration is a page of text; anything larger is another file by mistake


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the file that cannot be used; the default holds in its place, or a device stays unconnected."""

    file: Path
    line: int | None
    text: str

    def __str__(self) -> str:
        where = f", line {self.line}" if self.line else ""
        return f"{self.file}{where}: {self.text}"


def read_config(path: Path, must_exist: bool = False) -> Config:
    """The configuration, or ConfigError that names file, line and what is allowed. No file = all defaults."""
    config, problems = load_config(path, must_exist)
    if problems:
        raise ConfigError("\n".join(str(problem) for problem in problems))
    return config


def load_config(path: Path, must_exist: bool = False) -> tuple[Config, tuple[Problem, ...]]:
    """The configuration as far as it can be used, and what is wrong with it; never raises for what a file holds.

    `must_exist` is for a file that somebody named: its absence is a problem, too.
    With any problem the companion starts all the same: wrong settings have their defaults, wires none, and the page
    should show the problems.
    """
    text = ""
    try:
        text = _text_of(path, must_exist)
        return _checked(path, text, tomllib.loads(text))
    except ConfigError as error:
        line, reason = error.args[1], error.args[0]
    except tomllib.TOMLDecodeError as error:
        line, reason = _syntax_problem(text, error)
    except (RecursionError, ValueError) as error:  # tomllib's own limits: depth, digits of a number
        line, reason = None, f"is no usable TOML: {error}"
    return _wireless(), (Problem(path, line, f"{reason}{UNREAD}"),)


def _wireless() -> Config:
    """All defaults, but for the wires: they may be others here than the usual ones."""
    data: dict[str, Any] = {}
    for section in WIRED:
        _give_up(data, (section,))
    return Config.model_validate(data)


def _text_of(path: Path, must_exist: bool = False) -> str:
    """The file's text; ConfigError(text, line) when there is none to be had."""
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= MAX_BYTES else b""
    except FileNotFoundError:
        if must_exist:
            raise ConfigError("there is no such file", None) from None
        return ""
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot be read: {getattr(error, 'strerror', None) or error}", None) from error
    if size > MAX_BYTES:
        raise ConfigError(f"is {size} bytes long; a configuration has at most {MAX_BYTES}", None)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError("holds a character that is not UTF-8; save the file as UTF-8", line) from error


def _syntax_problem(text: str, error: tomllib.TOMLDecodeError) -> tuple[int, str]:
    """Line and sentence; what was not ended is told where the text ends."""
    message, _, place = str(error).partition(" (at ")
    digits = "".join(c for c in place.partition(",")[0] if c.isdecimal())
    return int(digits) if digits else text.count("\n") + 1, f"is no TOML here: {message}"


def _checked(path: Path, text: str, data: dict[str, Any]) -> tuple[Config, tuple[Problem, ...]]:
    """Give wrong keys up until the rest can be used."""
    problems: list[Problem] = []
    while True:
        wrong: list[Wrong]
        try:
            config = Config.model_validate(data)
            wrong = list(itertools.islice(unfit(config, data), 1))  # without it others may go together
        except ValidationError as error:
            wrong = [_one_wrong(detail) for detail in error.errors(include_url=False)]
        if not wrong:
            return config, tuple(dict.fromkeys(problems))
        given_up: list[KeyPath] = []
        for keys, reason in wrong:
            told = f"{reason}{UNCONNECTED if any(map(loose, keys)) else ''}"
            problems.append(Problem(path, line_of(text, keys[0]), told))
            for key in keys:
                if any(key[: len(gone)] == gone for gone in given_up):
                    continue  # two mistakes in one value
                if not (gone := _give_up(data, key)):
                    return _wireless(), tuple(dict.fromkeys(problems))
                given_up.append(gone)


def _one_wrong(detail: ErrorDetails) -> Wrong:
    key, reason = explain(Config, detail)
    return (key,), reason


def _give_up(data: dict[str, Any], key: KeyPath) -> KeyPath:
    """Take a value out, so that its default holds or nothing is connected; as much of `key` as was given up."""
    gone, unconnected = _held(data, key), loose(key)
    if gone and (unconnected is None or gone == key):
        _drop(data, gone)
    if unconnected is None:
        return gone
    _set(data, *unconnected)
    return key


def _set(data: dict[str, Any], key: KeyPath, value: object) -> None:
    """Set a value, or one place of the list that the file holds or that there is by default."""
    section, name, *place = key
    table = data.setdefault(str(section), {})
    if place:
        usual = getattr(getattr(Config(), str(section)), str(name))
        listed = table.setdefault(name, ["none" if pin is None else pin for pin in usual])
        listed[place[0]] = value
    else:
        table[name] = value


def _held(data: dict[str, Any], key: KeyPath) -> KeyPath:
    """As much of `key` as leads to something that the file holds; () when there is nothing."""
    here: Any = data
    for length, part in enumerate(key):
        if not isinstance(here, dict) or part not in here:
            return key[:length]
        here = here[part]
    return key


def _drop(data: dict[str, Any], key: KeyPath) -> None:
    here: Any = data
    for part in key[:-1]:
        here = here[part]
    del here[key[-1]]
