"""A card by what is printed on it: which end is up; once taught, also where it lies on a table as bright as itself."""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.card.rim import LONG_MM, SHORT_MM, axes
from companion.vision.ground.foreground import Ground

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PrintSettings:
    """How a card's picture is taken and compared."""

    picture_px: int = 64  # its long side
    light_px: float = 8.0  # what changes so slowly along it is light, no print
    inset: float = 0.1  # share of the long side at the rim, which is left out when it is compared with the taught one
    strip: float = 0.22  # share of the long side at each end, in which a line of print is looked for
    clear_turn: float = 0.2  # natural logarithm of how much less one turn differs from what was taught
    noise: float = 0.002  # of the correlation of two pictures of the same
    strays_mm: float = 60.0  # taught print is looked for so far from the middle, where no outline is seen ...
    turn_deg: float = 6.0  # ... at every so many degrees ...
    alike: float = 0.6  # ... and is seen with so much correlation
    shown: float = (
        0.5  # mean difference of parts that show the same print, in spreads of it: a piece makes 0.8 and more
    )
    least_px: int = 8  # of a part that is compared
    least_spread: float = 1.0  # grey levels of what is printed: noise has less, and so has an overexposed card
    askew_deg: tuple[float, ...] = (-6.0, -4.5, -3.0, -1.5, 0.0, 1.5, 3.0, 4.5, 6.0)  # that an outline may be off


@dataclass(slots=True)
class CardPrint:
    """The print of one card."""

    settings: PrintSettings = field(default_factory=PrintSettings)
    taught: Singles | None = None  # its picture

    def picture(self, ground: Ground, middle: Floats, heading_deg: float) -> Singles:
        """(long, short) the card's print in grey, its upper edge along the heading, mean 0 and spread 1."""
        picture = self._print(self.grey(ground, middle, heading_deg))
        return np.asarray((picture - picture.mean()) / max(1.0, float(picture.std())), np.float32)

    def grey(self, ground: Ground, middle: Floats, heading_deg: float) -> Singles:
        """(long, short) grey levels of the card, its upper edge along the heading."""
        return _grey(self.seen(ground, middle, heading_deg))

    def seen(self, ground: Ground, middle: Floats, heading_deg: float) -> Pixels:
        """(long, short, 3) the card as it was taken, its upper edge along the heading."""
        wide, high = self._size
        up, right = (axis * self._mm for axis in axes(heading_deg))
        return _cut(ground, middle - right * (wide - 1) / 2 + up * (high - 1) / 2, up, right, (wide, high))

    def stands_out(self, ground: Ground, middle: Floats, heading_deg: float) -> bool:
        """True if any print is seen within the card's rim: nothing at all is like every bare part of a table."""
        printed = self._inner(self._print(self.grey(ground, middle, heading_deg)))
        return float(printed.std()) >= self.settings.least_spread

    def is_one(self, picture: Singles) -> bool:
        """True for the picture of a card on which something is printed."""
        whole = picture.shape == self._size[::-1] and bool(np.isfinite(picture).all())
        return whole and float(self._inner(picture).std()) > 0

    def likeness(self, picture: Singles) -> float:
        """Correlation with the taught print where it fits best; the table shows at a rim that lies a little askew."""
        return 0.0 if self.taught is None else self._best_fit(picture)[0]

    def upright(self, picture: Singles) -> float:
        """Above 0 when the picture stands upright, below when it stands on its head; 1 is as sure as can be."""
        s = self.settings
        if self.taught is not None:
            unlike, turned = (1 + s.noise - self.likeness(way) for way in (picture, picture[::-1, ::-1]))
            lead = math.log(turned / unlike)
            if abs(lead) >= s.clear_turn:  # else its print may still tell
                return lead
        fine = np.abs(cv2.Sobel(picture, cv2.CV_32F, 1, 0))
        rim, strip = round(0.08 * len(picture)), round(s.strip * len(picture))
        inner = fine[rim:-rim, rim:-rim]
        top, foot = float(inner[:strip].mean()), float(inner[-strip:].mean())
        return (foot - top) / max(1e-6, foot + top)

    def put_right(self, ground: Ground, middle: Floats, heading_deg: float) -> tuple[Floats, float, float]:
        """Where the taught print fits best about there: its middle, its heading, and how well it fits."""
        best = middle, heading_deg, -1.0
        for turn in (heading_deg + way + askew for way in (0.0, 180.0) for askew in self.settings.askew_deg):
            alike, (down, over) = self._best_fit(self.picture(ground, middle, turn))
            if alike > best[2]:
                up, right = axes(turn)
                best = middle + (right * over - up * down) * self._mm, turn, alike
        return best

    def about_the_middle(self, ground: Ground) -> tuple[Floats, float] | None:
        """Where about the middle of the table the taught print is seen, and its heading; None where it is not."""
        if self.taught is None:
            return None
        s, printed = self.settings, self._inner(self.taught)
        count = round((2 * s.strays_mm + LONG_MM) / self._mm)
        best, found = s.alike, None
        for turn in np.arange(0.0, 360.0, s.turn_deg):
            up, right = (axis * self._mm for axis in axes(turn))
            origin = (up - right) * (count - 1) / 2
            there = self._print(_grey(_cut(ground, origin, up, right, (count, count))))
            alike, (down, over) = _fit(there, printed)
            if alike > best:
                best, found = alike, (right * over - up * down, float(turn))
        return found

    def shown(self, picture: Singles, middle: Floats, heading_deg: float, outline_mm: Floats) -> bool:
        """True if most of what an outline holds is the card's, and shows nothing but the print that was taught.

        `picture` is the card's, which lies there.
        """
        if self.taught is None:
            return False
        up, right = axes(heading_deg)
        _, (down, over) = self._best_fit(picture)
        high, wide = picture.shape
        shift = np.array([[1.0, 0.0, -over], [0.0, 1.0, -down]])
        off = np.abs(cv2.warpAffine(picture, shift, (wide, high), borderMode=cv2.BORDER_REPLICATE) - self.taught)
        from_first = outline_mm - (middle + (right * over - up * down) * self._mm)
        at = np.stack([from_first @ right, -(from_first @ up)], axis=1) / self._mm + (wide / 2 - 0.5, high / 2 - 0.5)
        part = cv2.fillConvexPoly(np.zeros(picture.shape, np.uint8), np.rint(at).astype(np.int32), 1) > 0
        most = max(self.settings.least_px, cv2.contourArea(at.astype(np.float32)) / 2)
        return bool(part.sum() >= most and off[part].mean() < self.settings.shown)

    @property
    def _size(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return round(self.settings.picture_px * SHORT_MM / LONG_MM), self.settings.picture_px

    @property
    def _mm(self) -> float:
        """Of a pixel of the picture."""
        return LONG_MM / self.settings.picture_px

    def _inner(self, picture: Singles) -> Singles:
        rim = round(self.settings.inset * len(picture))
        return picture[rim:-rim, rim:-rim]

    def _best_fit(self, picture: Singles) -> tuple[float, Floats]:
        assert self.taught is not None
        return _fit(picture, self._inner(self.taught))

    def _print(self, grey: Singles) -> Singles:
        """Without the light, which stays where it is when the card is turned."""
        return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), self.settings.light_px), np.float32)


def _fit(there: Singles, printed: Singles) -> tuple[float, Floats]:
    """Correlation where the print fits best, and how many pixels down and to the right of the middle that is."""
    seen = cv2.matchTemplate(np.ascontiguousarray(there), printed, cv2.TM_CCOEFF_NORMED)
    _, alike, _, (col, row) = cv2.minMaxLoc(seen)
    return float(alike), np.array([row, col]) - (np.array(seen.shape) - 1) / 2


def _cut(ground: Ground, origin_mm: Floats, up: Floats, right: Floats, size: tuple[int, int]) -> Pixels:
    """(high, wide, 3) colours from a first pixel on; `size` is (wide, high)."""
    points = ground.fine_px(np.array([origin_mm, origin_mm + right, origin_mm - up]))
    matrix = np.column_stack([points[1] - points[0], points[2] - points[0], points[0]])
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(ground.colours, matrix, size, flags=flags), np.uint8)


def _grey(colours: Pixels) -> Singles:
    """(high, wide) grey levels."""
    return np.asarray(cv2.cvtColor(colours, cv2.COLOR_BGR2GRAY), np.float32)
