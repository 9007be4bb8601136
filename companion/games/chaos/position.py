"""The state of a game of Chaos, and its moves, as frozen values."""

import math
from dataclasses import dataclass

from companion.pieces import PYRAMID_SIZES, Piece

SIZES = tuple(reversed(PYRAMID_SIZES))  # large, medium, small: the largest is always taken first (C7, C14)
DICE = 2  # and so many placements in a turn (C2, C4)
STASH = (5, 5, 5)  # large, medium, small of each colour (C2)


@dataclass(frozen=True, slots=True)
class House:
    """The options that the rules look at (see `OPTIONS`)."""

    players: int = 2
    colours: int = 10
    score_by_size: bool = False
    reach: int | None = None  # colours round the ring, to both sides, that may be attacked; None as the variant has it


@dataclass(frozen=True, slots=True)
class Standing:
    """A pyramid on the table.

    Upright (a defender): x, y is the centre of its base, the heading that of one of its edges' normals, 0 to 90.
    Lying (an attacker): x, y is halfway between tip and middle of the base, the heading the way the tip points.
    """

    colour: str
    size: str
    pose: str  # upright, lying
    x_mm: float
    y_mm: float
    heading_deg: float = 0.0

    @property
    def looks(self) -> Piece:
        """What a camera above the table can tell of it."""
        return Piece("pyramid", colour=self.colour, size=self.size, pose=self.pose)


def standing(colour: str, size: str, pose: str, x_mm: float, y_mm: float, heading_deg: float = 0.0) -> Standing:
    """A piece in tenths of a millimetre and of a degree, the precision of the record."""
    turn = 90.0 if pose == "upright" else 360.0
    heading = round(math.fmod(math.fmod(heading_deg, turn) + turn, turn), 1)
    return Standing(colour, size, pose, round(x_mm, 1) + 0.0, round(y_mm, 1) + 0.0, heading % turn)


@dataclass(frozen=True, slots=True)
class Move:
    """One move: roll (the faces of both dice), place (a piece), skip (a die that cannot be placed)."""

    kind: str
    faces: tuple[int, ...] = ()
    piece: Standing | None = None
    colour: str | None = None  # of the die that is skipped


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two moves: the pieces in play, what the array still holds, who captured what."""

    house: House = House()
    pieces: tuple[Standing, ...] = ()
    array: tuple[tuple[int, int, int], ...] = (STASH,) * 10  # per colour of the ring: large, medium, small
    captured: tuple[tuple[tuple[str, str], ...], ...] = ((), ())  # per seat: (colour, size)
    seat: int = 0
    dice: tuple[str, ...] = ()  # colours still to place
    phase: str = "roll"  # roll, place, over
    skips: int = 0  # dice skipped in this turn
    stuck: bool = False
