"""The robot's card of Kaxxt on Ice: a rectangle of its size, and which way it looks.

A taught card is turned as its picture tells. Before, the end with more fine detail, a line of print, is its foot.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.card_rim import axes, find_rim, rectangle
from companion.vision.finders import Found
from companion.vision.foreground import Ground, Region
from companion.vision.taught_looks import TaughtLooks

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]

LOOKS = TaughtLooks("robot_card", "the robot's card", format=2)


PAPER = frozenset({"white", "clear"})  # pieces that its paper passes for
# on the colour circle, in degrees: those that its print passes for
HUES = {"red": 0, "orange": 23, "yellow": 48, "green": 136, "cyan": 186, "blue": 229, "purple": 283}


@dataclass(frozen=True, slots=True)
class RobotCardSettings:
    """How large the card is, and how well an outline has to be a rectangle of that size."""

    long_mm: float = 88.0
    short_mm: float = 63.0
    size_slack: float = 0.12  # shares of a side
    rim_mm: float = 3.0  # by which a region is wider than its thing: the edges on both sides count to it
    beside_mm: float = 44.0  # things narrower than this that touch the card are thought away
    side_share: float = 0.75  # of a side's length: what is shorter is no part of the card
    filled: float = 0.86  # least share of the rectangle that its outline covers
    picture_px: int = 64  # the long side of the picture that tells the turn
    light_px: float = 8.0  # of that picture: what changes so slowly along it is light, no print
    inset: float = 0.1  # share of the long side at the rim, which is left out when it is compared with the taught one
    strip: float = 0.22  # share of the long side at each end, in which a line of print is looked for
    far_cost: float = 0.0006  # of a mm from the table's middle, as a share of a side: other cards lie about at the rim
    about_mm: float = 120.0  # what lies further from the middle is another card
    clear_margin: float = 0.08  # difference of the two ends from which the heading is told
    clear_turn: float = 0.2  # natural logarithm of how much less one turn differs from what was taught
    burnt: float = 0.5  # of the end without print is overexposed: there may have been some ...
    unevenly: float = 0.25  # ... unless hardly less of the printed end is
    sure: float = 0.97
    sure_near: float = 0.999  # when it is plain in the middle of the table: what else is read on its paper gives way
    sure_alike: float = 0.999  # when it looks like the one that was taught ...
    noise: float = 0.002  # of the correlation of two pictures of the same
    strays_mm: float = 60.0  # its taught print is looked for so far from the middle, where its outline is not seen ...
    turn_deg: float = 6.0  # ... at every so many degrees ...
    print_alike: float = 0.6  # ... and is seen with so much correlation
    alike: float = 0.7  # ... with so much correlation
    tinted: float = 0.35  # of its levels between least and most: a pixel that has a hue ...
    printed: float = 0.3  # ... as so much of the card must, for its print to pass for a piece ...
    hue_deg: float = 30.0  # ... whose hue is as near


@dataclass(slots=True)
class RobotCardFinder:
    """The family of one card: see `companion.vision.finders.FamilyFinder`."""

    settings: RobotCardSettings = field(default_factory=RobotCardSettings)
    _taught: Singles | None = None

    def find(self, ground: Ground) -> list[Found]:
        """The region about the middle that is most like the card and nearest to it, when one is; else the plainest rim.

        Other cards lie about at the table's rim: what lies far from its middle is none of Kaxxt.
        """
        s = self.settings
        boxes = [box for region in ground.regions for box in self._boxes(ground, region)]
        boxes = [box for box in boxes if math.hypot(*box[0]) <= s.about_mm]
        nearest = min(boxes, key=lambda b: b[3] + s.far_cost * math.hypot(*b[0]), default=None)
        if nearest is not None:
            middle, heading, outline, _ = nearest
        elif (rim := find_rim(ground, s.long_mm, s.short_mm)) is not None:
            middle, heading, outline = rim.middle, rim.heading_deg, rim.corners(s.long_mm, s.short_mm)
        elif (printed := self._by_print(ground)) is not None:
            middle, heading = printed
            outline = rectangle(middle, heading, s.long_mm, s.short_mm)
        else:
            return []
        picture = self._picture(ground, middle, heading)
        lead = self._upright(picture)
        if lead < 0:
            heading += 180.0
        told = abs(lead) >= s.clear_margin and not self._burnt(ground, middle, heading + 180.0)
        sure = s.sure_near if nearest is not None else self._sure(picture if lead >= 0 else picture[::-1, ::-1])
        at = ground.pose.project(middle[None])[0]
        sighting = Sighting(
            beliefs=((Piece("robot_card"), sure),),
            x_mm=float(middle[0]),
            y_mm=float(middle[1]),
            heading_deg=heading % 360 if told else None,
            x_px=float(at[0]),
            y_px=float(at[1]),
        )
        return [Found(sighting, sure, outline, paper=PAPER | self._tints(ground, middle, heading))]

    def _tints(self, ground: Ground, middle: Floats, heading_deg: float) -> frozenset[str]:
        """The colours of pieces that its print passes for."""
        s = self.settings
        lit = np.asarray(self._seen(ground, middle, heading_deg) * ground.gains, np.float32)
        hue, saturation, _ = cv2.split(cv2.cvtColor(lit, cv2.COLOR_BGR2HSV))
        tinted = hue[saturation >= s.tinted]
        if len(tinted) < s.printed * hue.size:
            return frozenset()
        off = {name: np.abs((tinted - own + 180) % 360 - 180) for name, own in HUES.items()}
        return frozenset(name for name, apart in off.items() if np.median(apart) <= s.hue_deg)

    def _by_print(self, ground: Ground) -> tuple[Floats, float] | None:
        """Where about the middle of the table the taught print is seen, and its heading: the table may be as white.

        None where it is not seen, and while nothing has changed there.
        """
        s = self.settings
        if self._taught is None or not _looked_at(ground):
            return None
        rim, mm = round(s.inset * len(self._taught)), s.long_mm / s.picture_px
        printed = self._taught[rim:-rim, rim:-rim]
        count = round((2 * s.strays_mm + s.long_mm) / mm)
        best, found = s.print_alike, None
        for turn in np.arange(0.0, 360.0, s.turn_deg):
            up, right = (axis * mm for axis in axes(turn))
            origin = (up - right) * (count - 1) / 2
            there = self._print(_grey(_cut(ground, origin, up, right, (count, count))))
            seen = cv2.matchTemplate(there, printed, cv2.TM_CCOEFF_NORMED)
            _, alike, _, (col, row) = cv2.minMaxLoc(seen)
            if alike > best:
                high, wide = printed.shape
                middle = origin + right * (col + (wide - 1) / 2) - up * (row + (high - 1) / 2)
                best, found = alike, (middle, float(turn))
        return found

    def _burnt(self, ground: Ground, middle: Floats, heading_deg: float) -> bool:
        """True if the end where least print is seen shows none because it is overexposed; a taught card is known.

        Where the printed end is as overexposed, print shows all the same.
        """
        s = self.settings
        if self._taught is not None:
            return False
        grey = self._grey(ground, middle, heading_deg)
        rim, strip = round(0.08 * len(grey)), round(s.strip * len(grey))
        blown = grey[rim:-rim, rim:-rim] >= ground.settings.glare_level
        plain, printed = float(blown[-strip:].mean()), float(blown[:strip].mean())
        return plain > s.burnt and plain - printed > s.unevenly

    def _sure(self, picture: Singles) -> float:
        known = self._taught is not None and self._likeness(picture) >= self.settings.alike
        return self.settings.sure_alike if known else self.settings.sure

    def _likeness(self, picture: Singles) -> float:
        """Correlation with the taught print where it fits best; the table shows at a rim that lies a little askew."""
        if self._taught is None:
            return 0.0
        rim = round(self.settings.inset * len(picture))
        printed = self._taught[rim:-rim, rim:-rim]
        return float(cv2.matchTemplate(np.ascontiguousarray(picture), printed, cv2.TM_CCOEFF_NORMED).max())

    def _boxes(self, ground: Ground, region: Region) -> list[tuple[Floats, float, Floats, float]]:
        """The card that a region is; or what is left of it without the smaller things that touch it."""
        if (whole := self._box(ground, region)) is not None:
            return [whole]
        s, step = self.settings, ground.settings.fine_mm * ground.settings.coarse
        if region.area_mm2 < s.long_mm * s.short_mm * (1 - s.size_slack) ** 2:
            return []
        edge = round(s.beside_mm / step)
        mask = np.pad(region.mask.astype(np.uint8), edge)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(mask, contours, -1, 1, cv2.FILLED)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (edge | 1, edge | 1))
        count, labels = cv2.connectedComponents(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel))
        found = []
        for number in range(1, count):
            part = self._trimmed(np.asarray(labels == number), step)
            left = Region(region.x - edge, region.y - edge, part, float(part.sum()) * step**2)
            if (box := self._box(ground, left)) is not None:
                found.append(box)
        return found

    def _trimmed(self, mask: NDArray[np.bool_], step: float) -> NDArray[np.bool_]:
        """The mask without what sticks out of the card: rows across its sides that are much shorter than the card."""
        s = self.settings
        rows, cols = np.nonzero(mask)
        points = np.column_stack([cols, rows]).astype(np.float32)
        (_, (wide, _), turn) = box = cv2.minAreaRect(points)
        a = math.radians(turn if wide == max(box[1]) else turn + 90)
        keep = np.ones(len(points), bool)
        for axis, across in (((math.cos(a), math.sin(a)), s.short_mm), ((-math.sin(a), math.cos(a)), s.long_mm)):
            at = np.round(points @ np.array(axis)).astype(int)
            counts = np.bincount(at - at.min())
            full = np.flatnonzero(counts >= s.side_share * across / step) + at.min()
            if not len(full):
                return mask
            keep &= (at >= full[0]) & (at <= full[-1])
        trimmed = np.zeros_like(mask)
        trimmed[rows[keep], cols[keep]] = True
        return trimmed

    def _box(self, ground: Ground, region: Region) -> tuple[Floats, float, Floats, float] | None:
        """Middle, heading (of the long side), outline in millimetres, and how far the sides are off; None: no card."""
        s = self.settings
        step = ground.settings.fine_mm * ground.settings.coarse
        low = s.long_mm * s.short_mm * (1 - s.size_slack) ** 2
        if region.area_mm2 < low * 0.5 or min(region.size_px) * step < s.short_mm * 0.8:
            return None
        contours, _ = cv2.findContours(region.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        hull = cv2.convexHull(np.vstack(contours))
        (_, (wide, high), _) = box = cv2.minAreaRect(hull)
        wide, high = (wide + 1) * step - s.rim_mm, (high + 1) * step - s.rim_mm
        off = max(abs(max(wide, high) / s.long_mm - 1), abs(min(wide, high) / s.short_mm - 1))
        covered = sum(cv2.contourArea(c) for c in contours) / max(1.0, cv2.contourArea(cv2.boxPoints(box)))
        if off > s.size_slack or covered < s.filled:
            return None
        # opening with an even kernel has moved the region by one coarse pixel
        at = (cv2.boxPoints(box) + np.array([region.x, region.y]) - 0.5) * ground.settings.coarse - 0.5
        corners = ground.to_mm(at)
        one, other = corners[1] - corners[0], corners[2] - corners[1]
        along = one if np.hypot(*one) > np.hypot(*other) else other
        heading = math.degrees(math.atan2(float(along[1]), float(along[0])))
        return corners.mean(axis=0), heading, np.asarray(corners, np.float64), float(off)

    def _picture(self, ground: Ground, middle: Floats, heading_deg: float) -> Singles:
        """(long, short) the card's print in grey, its upper edge along the heading, mean 0 and spread 1."""
        picture = self._print(self._grey(ground, middle, heading_deg))
        return np.asarray((picture - picture.mean()) / max(1.0, float(picture.std())), np.float32)

    def _print(self, grey: Singles) -> Singles:
        """Without the light, which stays where it is when the card is turned."""
        return np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), self.settings.light_px), np.float32)

    def _grey(self, ground: Ground, middle: Floats, heading_deg: float) -> Singles:
        """(long, short) grey levels of the card, its upper edge along the heading."""
        return _grey(self._seen(ground, middle, heading_deg))

    def _seen(self, ground: Ground, middle: Floats, heading_deg: float) -> Pixels:
        """(long, short, 3) the card as it was taken, its upper edge along the heading."""
        s = self.settings
        high, wide = s.picture_px, round(s.picture_px * s.short_mm / s.long_mm)
        up, right = (axis * s.long_mm / high for axis in axes(heading_deg))
        return _cut(ground, middle - right * (wide - 1) / 2 + up * (high - 1) / 2, up, right, (wide, high))

    def _upright(self, picture: Singles) -> float:
        """Above 0 when the picture stands upright, below when it stands on its head; 1 is as sure as can be."""
        s = self.settings
        if self._taught is not None:
            unlike, turned = (1 + s.noise - self._likeness(way) for way in (picture, picture[::-1, ::-1]))
            lead = math.log(turned / unlike)
            if abs(lead) >= s.clear_turn:  # else its print may still tell
                return lead
        fine = np.abs(cv2.Sobel(picture, cv2.CV_32F, 1, 0))
        rim, strip = round(0.08 * len(picture)), round(s.strip * len(picture))
        inner = fine[rim:-rim, rim:-rim]
        top, foot = float(inner[:strip].mean()), float(inner[-strip:].mean())
        return (foot - top) / max(1e-6, foot + top)

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Keep the card's picture."""
        for sighting in sightings:
            if sighting.piece.kind == "robot_card" and sighting.x_mm is not None and sighting.heading_deg is not None:
                self._taught = self._picture(
                    ground, np.array([sighting.x_mm, sighting.y_mm], np.float64), sighting.heading_deg
                )

    def save(self, folder: Path) -> None:
        """Write robot_card.json and robot_card.npz."""
        if self._taught is None:
            return
        LOOKS.write(folder, {}, {"picture": self._taught}, {})

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; nothing there is no error."""
        if not LOOKS.there(folder):
            return
        with LOOKS.opened(folder) as (_, arrays):
            picture = np.asarray(arrays["picture"], np.float32)
            if picture.ndim != 2:
                raise ValueError("its picture is none")
        self._taught = picture


def _cut(ground: Ground, origin_mm: Floats, up: Floats, right: Floats, size: tuple[int, int]) -> Pixels:
    """(high, wide, 3) colours from a first pixel on; `size` is (wide, high)."""
    points = ground.fine_px(np.array([origin_mm, origin_mm + right, origin_mm - up]))
    matrix = np.column_stack([points[1] - points[0], points[2] - points[0], points[0]])
    flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(ground.colours, matrix, size, flags=flags), np.uint8)


def _grey(colours: Pixels) -> Singles:
    """(high, wide) grey levels."""
    return np.asarray(cv2.cvtColor(colours, cv2.COLOR_BGR2GRAY), np.float32)


def _looked_at(ground: Ground) -> bool:
    """True if the middle of the table is to be looked at."""
    if ground.zone is None:
        return True
    col, row = np.rint(ground.fine_px(np.zeros(2)) / ground.settings.coarse).astype(int)
    high, wide = ground.zone.shape
    return bool(ground.zone[np.clip(row, 0, high - 1), np.clip(col, 0, wide - 1)])
