"""What the groups of a board look like: its empty cells of each tone, its black and its white discs.

The judges and the network know boards, and doubt what is rare among them: black discs on cells as dark, say. On one
board the discs of a colour look nearly alike, and so do the empty cells of a tone, however rare they are. So a cell in
doubt is told by the group that it looks like. How a group looks, its other cells tell: what is known of one more is
Student's distribution (Gelman et al. 2013, chapter 3.3).
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.discs.looks import BoardLooks, Cells, halves_of
from companion.vision.discs.neighbours import Around

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Triple = tuple[float, float, float]

FLOOR = 20.0  # grey below which a hue is little but noise


@dataclass(frozen=True, slots=True)
class GroupSettings:
    """How alike the cells of one group are; measured on drawn boards that no network had learned.

    Of each three numbers the first is of grey (logarithm, the light of its place taken out), the others of hue.
    """

    spread: tuple[Triple, Triple, Triple] = ((0.06, 0.02, 0.02), (0.12, 0.02, 0.02), (0.08, 0.02, 0.02))  # of empty
    # cells, of black and of white discs about their group, ...
    known: float = 1.5  # ... as surely known as from so many cells
    wide: Triple = (0.8, 0.15, 0.15)  # of the middles of groups from board to board
    odd: float = 0.03  # share of cells that are not like their group
    weight: float = 0.6  # of a log-likelihood: grey and hues go together, and so do neighbours
    most: float = 8.0  # log-odds that a group may tell
    least: float = 1e-7  # share that is none
    rounds: int = 8
    apart: float = 0.25  # greys of discs (logarithm) that are further apart may be those of two colours, whatever was
    gain: float = 2.0  # ... thought of them, if that is so much likelier


def hues_of(cells: Cells, looks: BoardLooks) -> Singles:
    """(n, 2) red less green and both less blue within the circles, in parts of their grey."""
    k = looks.gain
    return np.asarray(cells.inside[:, 1:] * k / (cells.inside[:, :1] * k + np.float32(FLOOR)), dtype=np.float32)


def regrouped(around: Around, own: int, tones: int, s: GroupSettings) -> Around:
    """The last `own` cells around told anew, by what was thought of them and by the groups that all cells make."""
    board = _Board.of(around, own, tones, s)
    shares = around.shares.astype(np.float64)
    found, likely = board.settled(shares)
    if (halves := _two_colours(around, s)) is not None:
        rival, more = board.settled(np.concatenate([shares[:-own], halves[-own:]]))
        if more > likely + s.gain:
            found = rival
    return replace(around, shares=found.astype(np.float32))


def _two_colours(around: Around, s: GroupSettings) -> Floats | None:
    """(n, 3) shares if the darker discs are the black ones and all others white; None where all are alike."""
    discs, grey = around.shares[:, 1:].sum(axis=1), around.greys[:, 0]
    low, high = halves_of(grey, discs)
    if high - low <= s.apart:
        return None
    white = grey > (low + high) / 2
    return np.stack([around.shares[:, 0], discs * ~white, discs * white], axis=1).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Board:
    """All cells; the last `own` ones are to be told."""

    looks: Floats  # (n, 3) grey and hues
    groups: Ints  # (n, 3) number of the group in which each cell would be if it were empty, black or white
    count: int  # of groups
    before: Floats  # (own, 3) log-shares before any group was known
    own: int
    s: GroupSettings

    @classmethod
    def of(cls, around: Around, own: int, tones: int, s: GroupSettings) -> "_Board":
        looks = np.hstack([around.greys[:, :1], around.hues]).astype(np.float64)
        discs = np.broadcast_to([tones, tones + 1], (len(looks), 2))
        groups = np.hstack([around.tones[:, None], discs])
        before = np.log(np.maximum(around.shares[-own:].astype(np.float64), s.least))
        return cls(looks, groups, tones + 2, before, own, s)

    def settled(self, shares: Floats) -> tuple[Floats, float]:
        """(n, 3) shares after the groups were told by these and they by the groups, in turn; and how likely that is."""
        likely = 0.0
        for _ in range(self.s.rounds):
            told = self.s.weight * self._likelihoods(shares)
            top = told.max(axis=1, keepdims=True)
            odds = self.before + np.maximum(told - top, -self.s.most)
            whole = np.logaddexp.reduce(odds, axis=1, keepdims=True)
            shares = np.concatenate([shares[: -self.own], np.exp(odds - whole)])
            likely = float((top + whole).sum())
        return shares, likely

    def _likelihoods(self, shares: Floats) -> Floats:
        """(own, 3) logarithms: how each cell would look in the groups that the others make."""
        s, own = self.s, slice(-self.own, None)
        member = np.zeros((len(shares), self.count))
        np.put_along_axis(member, self.groups, shares, axis=1)
        size, total, squares = member.sum(axis=0), member.T @ self.looks, member.T @ self.looks**2  # (groups[, 3])
        group, looks, itself = self.groups[own], self.looks[own, None], shares[own, :, None]  # (own, 3[, 3])
        held = np.maximum(size[group][..., None] - itself, 0)
        some = np.maximum(held, 1e-6)
        middle = (total[group] - itself * looks) / some
        scatter = np.maximum(squares[group] - itself * looks**2 - held * middle**2, 0)
        freedom = s.known + held
        wide, usual = np.array(s.wide), np.array(s.spread)
        spread = (s.known * usual**2 + scatter) / freedom * (1 + 1 / some)
        spread = np.minimum(spread, 2 * wide**2)
        far = (freedom + 1) / 2 * np.log1p((looks - middle) ** 2 / (freedom * spread))
        like = -far - np.log(2 * np.pi * spread) / 2 - 0.25 / freedom  # Stirling's formula for the gamma functions
        formed = np.minimum(held, 1) * (1 - s.odd)  # a group of no cell may look like anything
        anything = np.log(1 - formed) - np.log(wide * np.sqrt(2 * np.pi))
        return np.asarray(np.logaddexp(np.log(formed + 1e-9) + like, anything).sum(axis=2), dtype=np.float64)
