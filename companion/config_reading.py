"""Reading and writing the configuration's file: what is wrong is told by line, and the default holds in its place."""

import itertools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
import tomlkit.exceptions
from pydantic import ValidationError

from companion.config import Config
from companion.config_checks import unfit
from companion.config_lines import Path as KeyPath
from companion.config_lines import explain, line_of
from companion.errors import ConfigError
from companion.storage import write_safely

MAX_BYTES = 1_000_000  # a configuration is a page of text; anything larger is another file by mistake


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the file that cannot be used; the default holds in its place."""

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
    Any problem means safe mode: wrong settings have their defaults, and the page should show the problems.
    """
    try:
        text = _text_of(path, must_exist)
        data = tomllib.loads(text)
    except ConfigError as error:
        return Config(), (Problem(path, error.args[1], error.args[0]),)
    except tomllib.TOMLDecodeError as error:
        return Config(), (_syntax_problem(path, error),)
    except (RecursionError, ValueError) as error:  # tomllib's own limits: depth, digits of a number
        return Config(), (Problem(path, None, f"is no usable TOML: {error}"),)
    return _checked(path, text, data)


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


def _syntax_problem(path: Path, error: tomllib.TOMLDecodeError) -> Problem:
    message, _, place = str(error).partition(" (at ")
    digits = "".join(c for c in place.partition(",")[0] if c.isdigit())
    return Problem(path, int(digits) if digits else None, f"is no TOML here: {message}")


def _checked(path: Path, text: str, data: dict[str, Any]) -> tuple[Config, tuple[Problem, ...]]:
    """Take wrong keys out until the rest can be used."""
    problems: list[Problem] = []
    while True:
        try:
            config = Config.model_validate(data)
            wrong = list(itertools.islice(unfit(config, data), 1))  # without it others may go together
        except ValidationError as error:
            wrong = [explain(Config, detail) for detail in error.errors(include_url=False)]
        if not wrong:
            return config, tuple(dict.fromkeys(problems))
        problems += [Problem(path, line_of(text, key), reason) for key, reason in wrong]
        dropped: list[KeyPath] = []
        for key in (key for key, _ in wrong):
            if any(key[: len(gone)] == gone for gone in dropped):
                continue  # two mistakes in one value
            if not (found := _held(data, key)):
                return Config(), tuple(dict.fromkeys(problems))
            _drop(data, found)
            dropped.append(found)


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


# --- writing ------------------------------------------------------------------------------------------------------


def change_config(path: Path, changes: Mapping[str, Mapping[str, Any]]) -> Config:
    """Write settings ({"quiet": {"on": True}}) into the file, keeping its comments; ConfigError before any harm."""
    read_config(path)
    try:
        document = tomlkit.parse(_text_of(path))
    except tomlkit.exceptions.TOMLKitError as error:
        raise ConfigError(f"{path}: {error}") from error
    for section, settings in changes.items():
        table = document.setdefault(section, tomlkit.table())
        for name, value in settings.items():
            table[name] = value
    text = tomlkit.dumps(document)
    config, problems = _checked(path, text, tomllib.loads(text))
    if problems:
        raise ConfigError("\n".join(str(problem) for problem in problems))
    write_safely(path, text.encode())
    return config
