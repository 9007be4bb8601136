"""How well a layout fits what is seen, as a log-likelihood, whatever it lies on; what a layout shows from above."""

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from companion.games.base import Layout, Lying
from companion.pieces import EMPTY, Piece

DOUBT = "too uncertain"
Cells = dict[str, Piece]
Beliefs = tuple[tuple[Piece, float], ...]
Remembered = Mapping[str, tuple[Piece, Beliefs]]  # by cell: what is known to stand there, and how it looked


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the table does not show what it should. EMPTY stands for nothing."""

    cell: str | None
    expected: Piece
    seen: Piece
    belief: float  # in what is seen
    x_mm: float | None = None
    y_mm: float | None = None
    why: str | None = None  # why the eye cannot tell
    heading_deg: float | None = None  # of what is seen
    to_deg: float | None = None  # of a free piece that is only turned: the way it should look ...
    name: str = ""  # ... and what the game calls it


class Evidence(Protocol):
    """One view, ready to be weighed."""

    def score(self, layout: Layout) -> float:
        """Natural log-likelihood of the view if the table looked like this."""

    def best_score(self, layout: Layout) -> float:
        """The same for "like this, save for strays": every place as it seems, at a cost for each that differs.

        At least one stray is counted, so that a layout that fits everywhere scores higher than its best_score.
        """

    def differences(self, layout: Layout) -> tuple[Difference, ...]:
        """The places that look unlike the layout."""

    def saw(self, before: Layout, after: Layout, plainly: bool = False) -> bool:
        """True if every place in which the two layouts differ was seen well enough to tell; `plainly`: to be sure.

        Where a piece is that is seen nowhere (`Sighting.hidden`) may be told by what else differs, never by itself.
        """

    def unseen(self, layout: Layout) -> tuple[Difference, ...]:
        """The pieces of the layout that the eye does not itself believe to be there."""

    def faintly(self, difference: Difference) -> bool:
        """True if the eye at least half believes in what is expected there."""

    def spots(self, layout: Layout, like: Iterable[Hashable] = ()) -> dict[Hashable, Piece]:
        """What the layout shows from above, by place; a place next to one of `like` is called as that one."""

    def belief(self, spot: Hashable, piece: Piece) -> float:
        """The eye's belief that this lies there, 0 for a place of which nothing is seen."""

    def reads(self, spot: Hashable) -> bool:
        """True if anything is seen at a place."""


def place_key(lying: Lying) -> Hashable:
    """What a piece is and where: the same however it is called, and whatever else lies on the table."""
    return lying.piece, lying.cell, lying.x_mm, lying.y_mm, lying.heading_deg


def cells_of(layout: Layout) -> Cells:
    """What each occupied cell shows from above: of a stack its top."""
    carriers = {lying.nested_on for lying in layout.pieces}
    return {
        lying.cell: lying.piece
        for index, lying in enumerate(layout.pieces)
        if lying.cell is not None and index not in carriers and not lying.soft
    }


def differing(one: Cells, other: Cells) -> frozenset[str]:
    """The cells that show something else."""
    return frozenset(cell for cell in one.keys() | other.keys() if one.get(cell, EMPTY) != other.get(cell, EMPTY))


def likeness(one: Beliefs, other: Beliefs) -> float:
    """How alike two readings of a cell are, 0 to 1 (the Bhattacharyya coefficient)."""
    there = dict(other)
    return min(1.0, sum(math.sqrt(p * there.get(piece, 0.0)) for piece, p in one))


def signature(layout: Layout) -> frozenset[object]:
    """What a camera above the table can tell of a layout; equal for layouts that look alike."""
    if layout.celled:
        return frozenset(cells_of(layout).items())
    return frozenset(map(place_key, layout.pieces))


def changed(before: Layout, after: Layout) -> bool:
    """True if a camera above the table could tell the two layouts apart."""
    return signature(before) != signature(after)
