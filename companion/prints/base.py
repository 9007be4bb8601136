"""What a printable sheet is: a name, its options with their bounds, and its pages on a paper."""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from calibration.paper import Page
from companion.errors import UnreadableText
from companion.view import BoardShape

Value = str | float
Chosen = Mapping[str, Any]  # every option of a sheet with a value of its default's type


@dataclass(frozen=True, slots=True)
class SheetOption:
    """A choice for a sheet: a number within bounds when the default is one, else one of some words, else any text.

    A default of type int asks for whole numbers.
    """

    name: str
    default: Value
    meaning: str
    least: float = 0.0
    most: float = 0.0
    words: tuple[str, ...] = ()

    def allowed(self) -> str:
        """What may be chosen, as a person reads it; empty where that is any text."""
        if isinstance(self.default, str):
            return " or ".join(self.words)
        return f"{self.least:g} to {self.most:g}"

    def read(self, text: str) -> Value:
        """The value that a text names; UnreadableText says what is allowed."""
        if isinstance(self.default, str):
            if self.words and text not in self.words:
                raise UnreadableText(f"{self.name} cannot be {text!r}; it can be {', '.join(self.words)}")
            return text
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        whole = isinstance(self.default, int)
        if not self.least <= value <= self.most or (whole and not value.is_integer()):
            kind = "a whole number" if whole else "a number"
            raise UnreadableText(f"{self.name} is {kind} from {self.least:g} to {self.most:g}, not {text!r}")
        return int(value) if whole else value


@dataclass(frozen=True, slots=True)
class Sheet:
    """`pages(paper, chosen)` draws it. A board's `shape(chosen)` is written beside it, for `--board`."""

    name: str
    title: str
    pages: Callable[[str, Chosen], tuple[Page, ...]]
    options: tuple[SheetOption, ...] = ()
    shape: Callable[[Chosen], BoardShape] | None = None

    def settle(self, given: Mapping[str, str]) -> dict[str, Value]:
        """Every option with its value; UnreadableText names what is unknown or unfit."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise UnreadableText(f"{self.name} has no option {name!r}; {_allowed(name, known)}")
        return {name: o.read(given[name]) if name in given else o.default for name, o in known.items()}


def _allowed(name: str, known: Mapping[str, object]) -> str:
    if not known:
        return "it has none"
    near = difflib.get_close_matches(name, known, 1)
    return (f"did you mean {near[0]!r}? " if near else "") + f"there are {', '.join(known)}"
