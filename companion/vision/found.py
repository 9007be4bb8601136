"""What families of pieces find on a free table: claims, which are weighed against each other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.view import Sighting

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A piece that a family has found."""

    sighting: Sighting
    sure: float  # probability, 0 to 1, that a piece of this family lies there
    outline_mm: Floats  # (n, 2) convex, as seen in the plane of the table
    on: int | None = None  # the piece it is stacked on: its number in the family's list
    paper: frozenset[str] | None = None  # it is flat and printed: pieces of other colours than these may lie on it
    shown: Callable[[Floats], bool] | None = None  # whether its print, which was taught, is all that an outline holds
    z_mm: float = 0.0  # how high it is placed: where on another it was seen to lie
    by_change: bool = False  # what has changed since the last look has told it
    again: bool = False  # the look before saw it, too
    by_itself: bool = False  # it came where the table was bare, and nothing beside it came: it is no shadow
    nearly: bool = False  # it is faint, and no look has told it as a piece
    came: float = 0.0  # log-odds by which it is likelier, as what has changed since a look before has its outline


def foot(found: Sequence[Found], number: int) -> int:
    """The number of the claim at the bottom of a pile."""
    on = found[number].on
    return number if on is None else foot(found, on)
