"""The pyramids of one ground: where they lie, how sure that is, and what lies on what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.chances import chance_of
from companion.vision.pyramids.choice import exclude
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.placed import feet_of, outlines_of
from companion.vision.pyramids.proposals import region_round
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES, outline
from companion.vision.pyramids.windows import Windows, windows_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Pieces of one ground: hypotheses, log-odds of each, the alternatives at its spot, and what carries it."""

    windows: Windows
    found: Hypotheses
    odds: Floats  # (n) log-odds
    rivals: tuple[dict[int, float], ...]  # class number -> probability, at the same spot
    on: tuple[int | None, ...]
    outlines: tuple[Floats, ...]
    by_change: frozenset[int] = frozenset()  # numbers of those that the change since the last look has told
    before: Mapping[int, Floats] = field(default_factory=dict)  # shares of the colours, seen before it was covered
    told: Mapping[int, Floats] = field(default_factory=dict)  # shares of the colours, as the last look told them
    came: Floats = field(default_factory=lambda: np.zeros(0))  # (n) log-odds by which the last looks speak for each

    def hidden(self) -> dict[int, list[Floats]]:
        """What covers each piece of a stack."""
        covers: dict[int, list[Floats]] = {}
        for i, below in enumerate(self.on):
            while below is not None:
                covers.setdefault(below, []).append(self.outlines[i])
                below = self.on[below]
        return covers

    def chain(self, i: int) -> list[int]:
        """The piece and all below it, the lowest first."""
        below = self.on[i]
        return [i] if below is None else [*self.chain(below), i]

    def middle(self, i: int) -> tuple[float, float]:
        """Millimetres. Upright pieces of a stack have one axis: it is where the lowest one was seen to stand."""
        below = self.on[i]
        if below is not None and CLASSES[self.found.kind[i]][1] == "upright":
            return self.middle(below)
        x, y = self.found.place[i, :2]
        return float(x), float(y)

    def with_more(
        self, added: Hypotheses, odds: Floats, rivals: Sequence[dict[int, float]], on: Sequence[int | None]
    ) -> "Seen":
        """These, and more."""
        return replace(
            self,
            found=joined([self.found, added]),
            odds=np.concatenate([self.odds, odds]),
            rivals=(*self.rivals, *rivals),
            on=(*self.on, *on),
            outlines=(*self.outlines, *outlines_of(self.windows.ground, added)),
        )

    def with_upper(self, added: Hypotheses, odds: float, below: int | None) -> "Seen":
        """These, and one more on one of them."""
        sure = {int(added.kind[0]): chance_of(odds)}
        return self.with_more(added, np.array([odds]), [sure], [below])

    def with_pair(self, piece: int, own: Hypotheses, added: Hypotheses, odds: float, above: bool) -> "Seen":
        """These, with another one above or under a piece, which itself lies as `own` says."""
        more = self.with_upper(added, odds, piece if above else None)
        place, on, outlines = more.found.place.copy(), list(more.on), list(more.outlines)
        place[piece], outlines[piece] = own.place[0], outlines_of(self.windows.ground, own)[0]
        if not above:
            on[piece] = len(self.found)
        return replace(more, found=more.found.moved(place), on=tuple(on), outlines=tuple(outlines))

    def with_between(self, piece: int, own: Hypotheses, added: Hypotheses, odds: float) -> "Seen":
        """These, with another one between a piece, which itself lies as `own` says, and what carries it."""
        more = self.with_pair(piece, own, added, odds, above=False)
        return replace(more, on=(*more.on[:-1], self.on[piece]))

    def in_one_window(self, s: PyramidSettings) -> "Seen":
        """These in a window round all of them: they come of several looks for pieces, each in its own windows."""
        ground = self.windows.ground
        whole = region_round(ground, self.found.place[:, :2], s.proposals)
        found = replace(self.found, window=np.zeros(len(self.found), np.intp))
        return replace(self, windows=windows_of(ground, [whole], s.search), found=found)

    def in_the_way(self, added: Hypotheses, piece: int, s: PyramidSettings) -> bool:
        """True if one more on or under a piece could not be there because of other pieces."""
        own, foot = outlines_of(self.windows.ground, added)[0], outline(added.corners()[0, :, :2])
        feet = feet_of(self.found)
        others = [i for i in range(len(self.found)) if i not in self._tree(piece)]
        return any(exclude(own, self.outlines[i], foot, feet[i], s) for i in others)

    def _tree(self, piece: int) -> set[int]:
        """All pieces of the stack that one belongs to."""
        tree, grown = {piece}, True
        while grown:
            more = {i for i, below in enumerate(self.on) if below in tree} | {self.on[i] for i in tree}
            grown = not more - {None} <= tree
            tree |= {i for i in more if i is not None}
        return tree
