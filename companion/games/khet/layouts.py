"""The starting layouts, by their short names (layouts.json)."""

import json
from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True)
class StartingLayout:
    """One set-up: its name for people, its position in our notation, and how well it is known."""

    name: str
    position: str
    known: str


def _load() -> dict[str, StartingLayout]:
    text = resources.files(__package__).joinpath("layouts.json").read_text(encoding="utf-8")
    return {key: StartingLayout(**value) for key, value in json.loads(text).items()}


LAYOUTS = _load()
