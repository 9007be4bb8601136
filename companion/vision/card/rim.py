"""A card by its rim, on a table as bright as itself or on a checked cloth: four straight edges of known lengths at
right angles. A card printed in colour has them between its tint and the table's; else, mostly one tone lies within
them, the paper's.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import ROBOT_CARD_MM
from companion.vision.ground.foreground import Ground

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Counts = NDArray[np.uint16]
Layer = TypeVar("Layer", Singles, Counts)

SHORT_MM, LONG_MM = ROBOT_CARD_MM


@dataclass(frozen=True, slots=True)
class RimSettings:
    """Where and how finely a rim is looked for, and how plain it has to be."""

    reach_mm: float = 80.0  # of its middle from the table's
    step_mm: float = 3.0  # of a pixel of the search
    turn_deg: float = 5.0
    share: float = 0.97  # of the card's sides: a printed frame lies within the paper's edge
    strong: float = 5.0  # edges count by their strength up to so many times the table's usual one
    strong_tint: float = 12.0  # edges between tints up to so many ...
    least_tint: float = 8.0  # ... and tell a card whose weakest side has so much
    other_tint: float = 0.15  # by so much the tint that most of it has differs from the table's; else ...
    one_tint: float = 0.75  # ... so much of it has one tint
    far_cost: float = 0.012  # of strength for a mm from the table's middle
    least: float = 3.9  # strength of the weakest side; less does where the table is not even, and the card is
    least_alone: float = 2.4  # strength of one that ...
    alone: float = 1.25  # ... is so many times as plain as any that lies ...
    elsewhere: tuple[float, float] = (20.0, 25.0)  # ... so many millimetres or degrees beside it
    inner: float = 0.94  # share of the sides within which tones are compared
    alike: float = 0.15  # one tone is within so much of the logarithm
    even_gain: float = 10.0  # strength that a card of one tone all over is worth
    least_even: float = 0.68  # share of one tone in a card that is told by it ...
    more_even: float = 0.3  # ... and how much more it must be than places usually are: gaps among pieces are even


@dataclass(frozen=True, slots=True, eq=False)
class Rim:
    """A rectangle of edges. `strength` is that of its weakest side, as a multiple of the usual edge, less what it
    lies off the middle; `even` the share of it that has one tone.
    """

    middle: Floats  # (2,) millimetres
    heading_deg: float  # of the long side
    strength: float
    even: float
    tinted: bool = False  # its edges are those of its tint


def rectangle(middle: Floats, heading_deg: float, share: float = 1.0) -> Floats:
    """(4, 2) millimetres: corners of a card whose long side lies along the heading, or of that share of its sides."""
    along, right = axes(heading_deg)
    up, right = along * LONG_MM * share / 2, right * SHORT_MM * share / 2
    return np.asarray(middle + np.array([up - right, up + right, right - up, -up - right]))


def find_rim(ground: Ground) -> Rim | None:
    """The plainest rectangle of a card's sides near the middle of the table; None when no side is plain.

    The table is turned instead of the rectangle: what is asked about its sides are then means over rows and columns.
    """
    search = _Search(ground, RimSettings())
    return _by_tint(search) or _by_tone(search)


def _by_tint(search: "_Search") -> Rim | None:
    """The plainest edges between tints, where they are much plainer than others: checks of one dye have none."""
    s = search.s
    blue, green, red = cv2.split(search.ground.log)
    for tint in (red - green, (red + green) / 2 - blue):
        strength = search.strength(search.turned(tint), s.strong_tint, one_way=True)
        seen = _Seen(search.turns, search.steps, strength, np.zeros_like(strength))
        plainest = seen.at(strength)
        plain = plainest.strength >= max(s.least_tint, s.alone * seen.strongest_elsewhere(plainest, s))
        if plain and search.of_one_tint(np.asarray(tint, np.float32), plainest):
            return replace(plainest, tinted=True)
    return None


def _by_tone(search: "_Search") -> Rim | None:
    """The edges between light and dark within which most is of one tone; or those that have no equal."""
    s = search.s
    parts = search.turned(cv2.transform(search.ground.log, np.full((1, 3), 1 / 3, np.float32)))
    seen = _Seen(search.turns, search.steps, search.strength(parts, s.strong), search.evenness(parts))
    best = seen.at(seen.strength + s.even_gain * seen.even)
    usually_even = float(np.median(np.median(seen.even, axis=(1, 2))))
    if best.strength >= s.least or best.even >= max(s.least_even, usually_even + s.more_even):
        return best
    plainest = seen.at(seen.strength)
    enough = max(s.least_alone, s.alone * seen.strongest_elsewhere(plainest, s))
    return plainest if plainest.strength >= enough else None


@dataclass(frozen=True, eq=False)
class _Search:
    """A card about every pixel of the table's middle, at every turn."""

    ground: Ground
    s: RimSettings

    @property
    def turns(self) -> Floats:
        """(t) degrees."""
        return np.arange(0.0, 180.0, self.s.turn_deg)

    @property
    def edge(self) -> int:
        """Half a card's diagonal in pixels."""
        return round(math.hypot(LONG_MM, SHORT_MM) / 2 / self.s.step_mm)

    @property
    def steps(self) -> Floats:
        """(2, n, n) millimetres of a pixel's row and column from the middle."""
        count = 2 * round(self.s.reach_mm / self.s.step_mm) + 1
        return np.asarray((np.indices((count, count)) - (count - 1) / 2) * self.s.step_mm, np.float64)

    def turned(self, layer: cv2.typing.MatLike) -> Singles:
        """(t, m, m) the table's middle, turned instead of the card: its long side then lies along the columns' axis.

        All turns are gone over as one tall picture: no pixel that is told of a card is told from across its seams.
        """
        smooth = cv2.GaussianBlur(layer, (0, 0), 0.5 * self.s.step_mm / self.ground.coarse_mm)
        flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (self._side, self._side)
        parts = (
            cv2.warpAffine(smooth, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
            for matrix in self._matrices
        )
        return np.array(list(parts), np.float32)

    @property
    def _side(self) -> int:
        """Pixels of a side of the turned middle."""
        return int(self.steps.shape[1]) + 2 * self.edge

    @cached_property
    def _matrices(self) -> list[Floats]:
        """(t, 2, 3) from the pixels of every turn to coarse ones; columns lie along the card's long side."""
        return [_to_coarse(self.ground, turn, self._side, self.s.step_mm) for turn in self.turns]

    def strength(self, parts: Singles, strong: float, one_way: bool = False) -> Singles:
        """(t, n, n) of the weakest side, less what it lies off the middle.

        `one_way`: what lies within is more at every edge, or less, as a card's tint is and gaps between pieces are not.
        """
        usual = float(np.median(np.hypot(*_gradients(parts[0])))) + 1e-6
        far = np.asarray(np.hypot(*self.steps) * self.s.far_cost, np.float32)
        long_px, short_px = self._rim_px
        across, down = (np.clip(slope / usual, -strong, strong) for slope in _gradients(_tall(parts)))
        lines = {
            way: [
                _along(across, (1, _odd(short_px)), way).reshape(parts.shape),
                _along(down, (_odd(long_px), 1), way).reshape(parts.shape),
            ]
            for way in ((1, -1) if one_way else (0,))
        }
        weakest = reduce(np.maximum, (self._weakest_side(lines[way], lines[-way]) for way in lines))
        return np.array([cv2.blur(own, (3, 3)) - far for own in weakest], np.float32)

    @property
    def _rim_px(self) -> tuple[float, float]:
        return LONG_MM * self.s.share / self.s.step_mm, SHORT_MM * self.s.share / self.s.step_mm

    def _weakest_side(self, first: Sequence[Singles], last: Sequence[Singles]) -> Singles:
        """(t, n, n) the mean slope along the weakest side, by those across and down at the first sides and the last."""
        long_px, short_px = self._rim_px
        four = []
        for side, (across, down) in ((-1, first), (1, last)):
            four.append(_inner(across, self.edge, 0, side * round(long_px / 2)))
            four.append(_inner(down, self.edge, side * round(short_px / 2), 0))
        return np.asarray(reduce(np.minimum, four), np.float32)

    def of_one_tint(self, tint: Singles, rim: Rim) -> bool:
        """True if most within has one tint, or another one than the table; a gap between pieces is as the table is."""
        s, within = self.s, np.zeros(tint.shape, np.uint8)
        corners = self.ground.coarse_px(rectangle(rim.middle, rim.heading_deg, s.inner))
        cv2.fillConvexPoly(within, np.rint(corners).astype(np.int32), 1)
        own, usual = tint[within > 0], float(np.median(self.turned(tint)[0]))
        middle = float(np.median(own))
        if abs(middle - usual) >= s.other_tint:
            return True
        return float(np.mean(np.abs(own - middle) < s.alike / 2)) >= s.one_tint

    def evenness(self, parts: Singles) -> Singles:
        """(t, n, n) how much of a rectangle has the tone that most of it has, as a card has its paper's."""
        least, alike = float(parts[0].min()), self.s.alike
        last = int(np.ceil((float(parts[0].max()) - least) / alike))
        wide, high = (_odd(side * self.s.inner / self.s.step_mm) for side in (LONG_MM, SHORT_MM))
        step = np.clip(np.floor((_tall(parts) - least) / alike), -1, last + 1).astype(np.int8)
        most: Counts = np.zeros((len(parts), *self.steps.shape[1:]), np.uint16)
        below = most
        for number in range(-1, last + 1):  # neighbouring tones overlap: each is two steps wide
            count = cv2.boxFilter((step == number).view(np.uint8), cv2.CV_16U, (wide, high), normalize=False)
            own = _inner(np.asarray(count, np.uint16).reshape(parts.shape), self.edge, 0, 0)
            np.maximum(most, below + own, out=most)
            below = own
        return np.asarray(most * (1 / (wide * high)), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What speaks for a card about every pixel of the turned table."""

    turns: Floats  # (t) degrees
    steps: Floats  # (2, n, n) millimetres of a pixel's row and column from the middle
    strength: Singles  # (t, n, n)
    even: Singles

    def at(self, worth: Singles) -> Rim:
        """The rim that is worth most."""
        turn, row, col = np.unravel_index(int(worth.argmax()), worth.shape)
        strength, even = float(self.strength[turn, row, col]), float(self.even[turn, row, col])
        return Rim(self._places(self.turns[turn])[row, col], float(self.turns[turn]), strength, even)

    def strongest_elsewhere(self, rim: Rim, s: RimSettings) -> float:
        """Strength of the plainest rim that is not about the same thing."""
        apart_mm, apart_deg = s.elsewhere
        best = 0.0
        for turn, strength in zip(self.turns, self.strength, strict=True):
            if strength.max() <= best:
                continue
            away = np.hypot(*(self._places(turn) - rim.middle).transpose(2, 0, 1))
            turned = abs((turn - rim.heading_deg + 90) % 180 - 90) > apart_deg
            best = max(best, float(strength[(away > apart_mm) | turned].max(initial=0.0)))
        return best

    def _places(self, turn: float) -> Floats:
        """(n, n, 2) millimetres of every pixel."""
        along, right = axes(turn)
        return np.asarray(along * self.steps[1, ..., None] + right * self.steps[0, ..., None])


def axes(turn_deg: float) -> tuple[Floats, Floats]:
    """Along the long side, and to the right of it."""
    a = math.radians(turn_deg)
    return np.array([math.cos(a), math.sin(a)]), np.array([math.sin(a), -math.cos(a)])


def _to_coarse(ground: Ground, turn_deg: float, count: int, step_mm: float) -> Floats:
    """(2, 3) from count x count pixels about the table's middle, columns along the long side, to the coarse ones."""
    along, right = axes(turn_deg)
    first = -(along + right) * step_mm * (count - 1) / 2
    at = ground.coarse_px(np.array([first, first + along * step_mm, first + right * step_mm]))
    return np.column_stack([at[1] - at[0], at[2] - at[0], at[0]])


def _gradients(part: Singles) -> tuple[Singles, Singles]:
    """Along the columns' axis, and along the rows'."""
    across, down = (cv2.Sobel(part, cv2.CV_32F, dx, 1 - dx, scale=0.125) for dx in (1, 0))
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _tall(parts: Singles) -> Singles:
    """(t * m, m): one below the other."""
    return parts.reshape(-1, parts.shape[2])


def _along(slope: Singles, beam: tuple[int, int], way: int) -> Singles:
    """The mean slope along a line about every pixel, of what rises if `way` is 1, falls if -1; 0: either."""
    steep = np.maximum(slope * way, 0) if way else np.abs(slope)
    beside = cv2.dilate(steep.astype(np.float32), np.ones((3, 3), np.uint8))  # a side is not quite straight
    return np.asarray(cv2.blur(beside, beam), np.float32)


def _inner(values: Layer, edge: int, down: int, right: int) -> Layer:
    """What lies so far beside every pixel that is not nearer to the border than `edge`."""
    rows, cols = values.shape[-2:]
    return values[..., edge + down : rows - edge + down, edge + right : cols - edge + right]


def _odd(length_px: float) -> int:
    """The odd number of pixels that is nearest."""
    return 2 * round((length_px - 1) / 2) + 1
