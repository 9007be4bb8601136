"""The robot's card of Kaxxt on Ice: a rectangle of its size, and which way it looks.

A taught card is turned as its picture tells. Before, the end with more fine detail, a line of print, is its foot.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.card.outline import outlines
from companion.vision.card.print import CardPrint
from companion.vision.card.rim import find_rim, rectangle
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground
from companion.vision.taught_looks import TaughtLooks, taught_now

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

LOOKS = TaughtLooks("robot_card", "the robot's card", format=2)
PAPER = frozenset({"white", "clear"})  # pieces that its paper passes for
# on the colour circle, in degrees: those that its print passes for
HUES = {"red": 0, "orange": 23, "yellow": 48, "green": 136, "cyan": 186, "blue": 229, "purple": 283}


@dataclass(frozen=True, slots=True)
class RobotCardSettings:
    """How sure a card is, and of which end is up."""

    far_cost: float = 0.0006  # of a mm from the table's middle, as a share of a side: other cards lie about at the rim
    about_mm: float = 120.0  # what lies further from the middle is another card
    clear_margin: float = 0.08  # difference of the two ends from which the heading is told
    burnt: float = 0.5  # of the end without print is overexposed: there may have been some ...
    unevenly: float = 0.25  # ... unless hardly less of the printed end is
    sure: float = 0.97
    sure_near: float = 0.999  # when it is plain in the middle of the table: what else is read on its paper gives way
    sure_alike: float = 0.999  # when it looks like the one that was taught ...
    alike: float = 0.7  # ... with so much correlation
    sure_bare: float = 0.9999  # when it looks so much like it that nothing can lie on it ...
    bare: float = 0.95  # ... with so much correlation
    tinted: float = 0.35  # of its levels between least and most: a pixel that has a hue ...
    printed: float = 0.3  # ... as so much of the card must, for its print to pass for a piece ...
    hue_deg: float = 60.0  # ... next to whose hue it is, no further; of a card not yet taught it surely is the print


@dataclass(frozen=True, slots=True, eq=False)
class _Placed:
    """Where the card may lie."""

    middle: Floats  # (2,) millimetres
    heading_deg: float  # of the long side; either end may be up
    corners: Floats  # (4, 2) millimetres
    plain: bool = False  # things told from the table have shown it, or edges of a tint


@dataclass(slots=True)
class RobotCardFinder:
    """The family of one card: see `companion.vision.finders.FamilyFinder`."""

    settings: RobotCardSettings = field(default_factory=RobotCardSettings)
    print: CardPrint = field(default_factory=CardPrint)
    _shown: Pixels | None = None  # the card that was taught, for people
    _taught_at: str | None = None

    def find(self, ground: Ground) -> list[Found]:
        """The card; none is looked for where nothing has changed."""
        s = self.settings
        placed = self._placed(ground) if _looked_at(ground, s.about_mm) else None
        if placed is None:
            return []
        middle, heading = placed.middle, placed.heading_deg
        lead = self.print.upright(self.print.picture(ground, middle, heading))
        if lead < 0:
            heading += 180.0
        told = abs(lead) >= s.clear_margin and not self._burnt(ground, middle, heading + 180.0)
        tints = self._tints(ground, middle, heading)
        likeness = self._likeness(ground, placed)
        sure = self._sure(likeness, placed.plain, printed=bool(tints))
        at = ground.pose.project(middle[None])[0]
        sighting = Sighting(
            beliefs=((Piece("robot_card"), sure),),
            x_mm=float(middle[0]),
            y_mm=float(middle[1]),
            heading_deg=heading % 360 if told else None,
            x_px=float(at[0]),
            y_px=float(at[1]),
        )
        shown = None
        if likeness >= s.alike:  # by its picture alone: claims are kept, and a ground knows the look before it
            shown = partial(self.print.shown, self.print.picture(ground, middle, heading), middle, heading)
        return [Found(sighting, sure, placed.corners, paper=PAPER | tints, shown=shown)]

    def _placed(self, ground: Ground) -> _Placed | None:
        """The first place that shows what was taught, else the one that is most like it; before, the first."""
        places = self._places(ground)
        if self.print.taught is None:
            return next(places, None)
        best, most = None, -1.0
        for place in (one for told in places for one in self._and_put_right(ground, told)):
            likeness = self._likeness(ground, place)
            if likeness > most:
                best, most = place, likeness
            if likeness >= self.settings.bare:
                break
        return best

    def _places(self, ground: Ground) -> Iterator[_Placed]:
        """Told by the things on the table, by the plainest rim, by the print that was taught."""
        if (outlined := self._outlined(ground)) is not None:
            yield outlined
        if (rim := find_rim(ground)) is not None:
            yield _Placed(rim.middle, rim.heading_deg, rectangle(rim.middle, rim.heading_deg), rim.tinted)
        if (printed := self.print.about_the_middle(ground)) is not None:
            middle, heading = printed
            yield _Placed(middle, heading, rectangle(middle, heading))

    def _and_put_right(self, ground: Ground, placed: _Placed) -> Iterator[_Placed]:
        yield placed
        middle, heading, _ = self.print.put_right(ground, placed.middle, placed.heading_deg)
        yield _Placed(middle, heading, rectangle(middle, heading), placed.plain)

    def _outlined(self, ground: Ground) -> _Placed | None:
        """The thing about the middle that is most like the card and nearest to it: what lies far is none of Kaxxt."""
        s = self.settings
        found = [outline for region in ground.regions for outline in outlines(ground, region)]
        found = [outline for outline in found if math.hypot(*outline.middle) <= s.about_mm]
        nearest = min(found, key=lambda o: o.off + s.far_cost * math.hypot(*o.middle), default=None)
        return None if nearest is None else _Placed(nearest.middle, nearest.heading_deg, nearest.corners, plain=True)

    def _likeness(self, ground: Ground, placed: _Placed) -> float:
        """With what was taught, whichever end is up; 0 before."""
        picture = self.print.picture(ground, placed.middle, placed.heading_deg)
        return max(self.print.likeness(way) for way in (picture, picture[::-1, ::-1]))

    def _tints(self, ground: Ground, middle: Floats, heading_deg: float) -> frozenset[str]:
        """The colours of pieces that its print passes for."""
        s = self.settings
        lit = np.asarray(self.print.seen(ground, middle, heading_deg) * ground.gains, np.float32)
        hue, saturation, _ = cv2.split(cv2.cvtColor(lit, cv2.COLOR_BGR2HSV))
        tinted = hue[saturation >= s.tinted]
        if len(tinted) < s.printed * hue.size:
            return frozenset()
        off = {name: float(np.median((own - tinted + 180) % 360 - 180)) for name, own in HUES.items()}
        before, behind = ([name for name in off if 0 <= side * off[name] <= s.hue_deg] for side in (1, -1))
        return frozenset(min(names, key=lambda name: abs(off[name])) for names in (before, behind) if names)

    def _burnt(self, ground: Ground, middle: Floats, heading_deg: float) -> bool:
        """True if the end where least print is seen shows none because it is overexposed; a taught card is known.

        Where the printed end is as overexposed, print shows all the same.
        """
        s = self.settings
        if self.print.taught is not None:
            return False
        grey = self.print.grey(ground, middle, heading_deg)
        rim, strip = round(0.08 * len(grey)), round(self.print.settings.strip * len(grey))
        blown = grey[rim:-rim, rim:-rim] >= ground.settings.glare_level
        plain, printed = float(blown[-strip:].mean()), float(blown[:strip].mean())
        return plain > s.burnt and plain - printed > s.unevenly

    def _sure(self, likeness: float, plain: bool, printed: bool) -> float:
        s = self.settings
        if likeness >= s.bare or (plain and printed and self.print.taught is None):
            return s.sure_bare
        return max(s.sure_near if plain else s.sure, s.sure_alike if likeness >= s.alike else 0.0)

    def learn(self, ground: Ground, sightings: Sequence[Sighting]) -> None:
        """Keep the card's picture; of one that is overexposed there is nothing to keep."""
        for sighting in sightings:
            if sighting.piece.kind == "robot_card" and sighting.x_mm is not None and sighting.heading_deg is not None:
                middle = np.array([sighting.x_mm, sighting.y_mm], np.float64)
                if not self.print.stands_out(ground, middle, sighting.heading_deg):
                    continue
                self.print.taught = self.print.picture(ground, middle, sighting.heading_deg)
                self._shown, self._taught_at = self.print.seen(ground, middle, sighting.heading_deg), taught_now()

    def save(self, folder: Path) -> None:
        """Write robot_card.json, its arrays and a picture of the card."""
        if self.print.taught is None:
            return
        shown = {} if self._shown is None else {"robot-card": self._shown}
        LOOKS.write(folder, {"taught": self._taught_at}, {"picture": self.print.taught}, shown)

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; nothing there is no error."""
        if not LOOKS.there(folder):
            return
        with LOOKS.opened(folder) as (about, arrays):
            picture = np.asarray(arrays["picture"], np.float32)
            if not self.print.is_one(picture):
                raise ValueError("its picture is none")
            self._taught_at, self._shown = about.get("taught"), LOOKS.pictures(folder, about).get("robot-card")
        self.print.taught = picture


def _looked_at(ground: Ground, reach_mm: float) -> bool:
    """True if anything so near the table's middle is to be looked at."""
    if ground.zone is None:
        return True
    reach = np.array([[-reach_mm, reach_mm], [reach_mm, -reach_mm]])
    (left, top), (right, foot) = np.rint(ground.coarse_px(reach)).astype(int).clip(0)
    return bool(ground.zone[top : foot + 1, left : right + 1].any())
