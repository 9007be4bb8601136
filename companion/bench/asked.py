"""What the environment asks of a bench; what cannot be is refused in words."""

import math
import os
from collections.abc import Sequence
from pathlib import Path

from companion.errors import UnreadableText
from companion.simulator.tables import MEASURING


def whole_number(name: str, usual: int, least: int = 0) -> int:
    """A whole number; UnreadableText for anything else, and for less than the least."""
    text = os.environ.get(name, "").strip() or str(usual)
    try:
        told = int(text)
    except ValueError:
        raise UnreadableText(f"{name} is {text!r}, and no whole number") from None
    if told < least:
        raise UnreadableText(f"{name} is {told}, and has to be at least {least}")
    return told


def figure(name: str, usual: float) -> float:
    """A number above zero; UnreadableText for anything else."""
    text = os.environ.get(name, "").strip() or str(usual)
    try:
        told = float(text)
    except ValueError:
        raise UnreadableText(f"{name} is {text!r}, and no number") from None
    if math.isnan(told) or told <= 0.0:
        raise UnreadableText(f"{name} is {text}, and has to be above 0")
    return told


def one_of(name: str, choices: Sequence[str]) -> str:
    """One of the choices, the first of them when nothing is said; UnreadableText lists them."""
    text = os.environ.get(name, "").strip() or choices[0]
    if text not in choices:
        raise UnreadableText(f"{name} is {text!r}: choose from {', '.join(choices)}")
    return text


def tables(usual: int, least: int = 1) -> range:
    """The seeds of COMPANION_BENCH_TABLES tables that nothing is fitted on, from COMPANION_BENCH_FIRST on."""
    first, count = whole_number("COMPANION_BENCH_FIRST", 0), whole_number("COMPANION_BENCH_TABLES", usual, least)
    if first + count > len(MEASURING):
        raise UnreadableText(f"there are {len(MEASURING)} tables; COMPANION_BENCH_FIRST and _TABLES ask for more")
    return MEASURING[first : first + count]


def folder(name: str) -> Path | None:
    """A folder that is there, if one is named; UnreadableText for one that is not."""
    text = os.environ.get(name)
    if not text:
        return None
    if not Path(text).is_dir():
        raise UnreadableText(f"{name} is {text!r}, and there is no such folder")
    return Path(text)
