"""The fifteen pyramids of one Treehouse set (X1), by the field's short codes: r3 is the large red one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from companion.errors import UnreadableText
from companion.pieces import PYRAMID_BASE_MM, PYRAMID_SIZES, PYRAMID_SLANT_MM
from companion.texts import join

COLOURS = {"r": "red", "b": "blue", "g": "green", "y": "yellow", "k": "black"}
LETTERS = {colour: letter for letter, colour in COLOURS.items()}
BLACK = "black"
_CODES = re.compile(r"(?:[rbgyk][123])*")


@dataclass(frozen=True, slots=True)
class Pyramid:
    """One pyramid of the set; there is one of each colour and size."""

    colour: str
    pips: int  # 1 small, 2 medium, 3 large

    @property
    def code(self) -> str:
        """Letter of the colour and pips: `k2` is the medium black one."""
        return f"{LETTERS[self.colour]}{self.pips}"

    @property
    def size(self) -> str:
        """The name of the size."""
        return PYRAMID_SIZES[self.pips - 1]

    @property
    def base_mm(self) -> float:
        """Side of the base."""
        return PYRAMID_BASE_MM[self.size]

    @property
    def slant_mm(self) -> float:
        """From the tip to the middle of a base edge: its length when it lies."""
        return PYRAMID_SLANT_MM[self.size]

    @property
    def words(self) -> str:
        """As people say it."""
        return f"the {self.size} {self.colour} pyramid"


SET = tuple(Pyramid(colour, pips) for colour in COLOURS.values() for pips in (1, 2, 3))


def named(pyramids: Iterable[Pyramid]) -> str:
    """As people list them: the small red, the large red and the medium blue pyramid."""
    return f"{join([f'the {pyramid.size} {pyramid.colour}' for pyramid in pyramids])} pyramid"


def in_order(pyramids: tuple[Pyramid, ...] | set[Pyramid]) -> tuple[Pyramid, ...]:
    """Sorted as the set is listed, so that equal contents are equal values."""
    return tuple(sorted(pyramids, key=SET.index))


def read_codes(text: str) -> tuple[Pyramid, ...]:
    """Pyramids from their codes written together: `r3b1`."""
    if not _CODES.fullmatch(text):
        raise UnreadableText(f"{text!r} names no pyramids; write a letter of r b g y k and 1, 2 or 3 pips, like r3b1")
    return tuple(Pyramid(COLOURS[text[at]], int(text[at + 1])) for at in range(0, len(text), 2))


def write_codes(pyramids: tuple[Pyramid, ...]) -> str:
    """The codes written together."""
    return "".join(pyramid.code for pyramid in pyramids)
