"""Say in which line of a TOML file a key stands, and what would have been right there."""

import datetime
import difflib
import json
import re
import typing
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

Path = tuple[int | str, ...]

LISTED = {"tuple_type": "Should be a list in brackets"}  # where pydantic speaks of Python
_HEADER = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")


def line_of(text: str, key: Path) -> int | None:
    """The line (from 1) that sets `key`, else the line of the nearest table above it; None when none is there."""
    names = [str(part) for part in key]
    table: list[str] = []
    best: tuple[int, int] | None = None  # (parts that agree, line)
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            here = table = _parts(header[1])
        elif match := _KEY.match(line):
            here = table + _parts(match[1])
        else:
            continue
        if here == names[: len(here)] and (best is None or len(here) > best[0]):
            best = (len(here), number)
    return best[1] if best else None


def _parts(dotted: str) -> list[str]:
    return [part.strip("\"'") for part in _PART.findall(dotted)]


def explain(model: type[BaseModel], detail: ErrorDetails) -> tuple[Path, str]:
    """The key that an error is about, and a sentence: what is wrong and what is allowed."""
    key = tuple(detail["loc"])
    dotted = ".".join(str(part) for part in key)
    if detail["type"] == "extra_forbidden":
        return key, _unknown(dotted, str(key[-1]), _names(model, key[:-1]))
    if detail["type"] == "model_type":
        return key, f"{dotted} is a table: write [{dotted}] on a line of its own, and its settings below"
    if detail["type"] == "missing":
        return key[:-1], f"{'.'.join(map(str, key[:-1]))}: has too few values ({_meaning(model, key)})"
    message = LISTED.get(detail["type"], detail["msg"]).removeprefix("Value error, ")
    text = f"{dotted}: {message[:1].lower()}{message[1:]}, not {_short(detail['input'])}"
    meaning = _meaning(model, key)
    return key, f"{text} ({meaning})" if meaning else text


def _unknown(dotted: str, name: str, allowed: list[str]) -> str:
    near = difflib.get_close_matches(name, allowed, n=1)
    guess = f" Did you mean {near[0]!r}?" if near else ""
    return f"unknown key {dotted!r}.{guess} Allowed here: {', '.join(allowed)}"


def toml(value: Any) -> str:
    """A value as TOML writes it; the word "none" for nothing."""
    if value is None:
        return '"none"'
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name} = {toml(part)}' for name, part in value.items())}}}"
    if isinstance(value, datetime.date | datetime.time):
        return str(value)
    if isinstance(value, float):
        return repr(value)  # nan and inf, too
    return json.dumps(value, ensure_ascii=False)  # texts, whole numbers and truth values are spelt alike


def _short(value: Any) -> str:
    text = toml(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _model_at(model: type[BaseModel], key: Path) -> type[BaseModel] | None:
    """The model that the tables in `key` lead to."""
    here: Any = model
    for part in key:
        field = here.model_fields.get(part) if isinstance(part, str) else None
        here = field.annotation if field else None
        if not (isinstance(here, type) and issubclass(here, BaseModel)):
            return None
    return typing.cast("type[BaseModel]", here)


def _names(model: type[BaseModel], key: Path) -> list[str]:
    found = _model_at(model, key)
    return list(found.model_fields) if found else []


def _meaning(model: type[BaseModel], key: Path) -> str:
    """The description and the default of the setting that `key` leads into."""
    for length in range(len(key), 0, -1):
        owner = _model_at(model, key[: length - 1])
        field = owner.model_fields.get(str(key[length - 1])) if owner else None
        if field and field.description:
            return f"{field.description}; default {toml(field.get_default(call_default_factory=True))}"
    return ""
