"""Where the players sit, and the table as each of them sees it."""

import math
from dataclasses import dataclass

from companion.headings import turn_deg

NAMES = {2: ("south", "north"), 3: ("south", "west", "north"), 4: ("south", "west", "north", "east")}  # clockwise
BEARINGS = {"south": 270.0, "west": 180.0, "north": 90.0, "east": 0.0}  # from Kaxxt to the player
PLAYER_MM = 260.0  # from Kaxxt to the player's edge, where beams that hit are drawn to end
REACH_MM = 130.0  # half the width of an area, where beams leave and enter it sideways
ENTRY_MM = 150.0  # how far from Kaxxt a beam from a neighbour is drawn to enter

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Side:
    """One player's side: `away` counts millimetres from Kaxxt towards him, `across` towards his right hand."""

    name: str

    @property
    def bearing_deg(self) -> float:
        """The direction from Kaxxt to the player."""
        return BEARINGS[self.name]

    def local(self, x_mm: float, y_mm: float) -> Point:
        """(across, away) of a place on the table; the player faces Kaxxt (XA2)."""
        turn = math.radians(self.bearing_deg)
        away = x_mm * math.cos(turn) + y_mm * math.sin(turn)
        across = -x_mm * math.sin(turn) + y_mm * math.cos(turn)
        return across, away

    def table(self, across: float, away: float) -> Point:
        """The place on the table of a local one, to a tenth of a millimetre."""
        turn = math.radians(self.bearing_deg)
        x = away * math.cos(turn) - across * math.sin(turn)
        y = away * math.sin(turn) + across * math.cos(turn)
        return round(x, 1) + 0.0, round(y, 1) + 0.0

    def heading(self, direction: str) -> float | None:
        """The heading of a direction as this player sees it; None for up."""
        turns = {"kaxxt": 180.0, "self": 0.0, "right": 90.0, "left": 270.0}
        return None if direction == "up" else (self.bearing_deg + turns[direction]) % 360

    def beyond_deg(self, x_mm: float, y_mm: float) -> float:
        """How far a place lies off the line to this player, as an angle seen from Kaxxt."""
        return abs(turn_deg(math.degrees(math.atan2(y_mm, x_mm)), self.bearing_deg))


def sides(seats: int) -> tuple[Side, ...]:
    """The sides of a table for 2 to 4, in clockwise order seen from above."""
    return tuple(Side(name) for name in NAMES[seats])


def side_at(seats: int, x_mm: float, y_mm: float) -> int:
    """The seat before whom a place on the table lies."""
    return min(range(seats), key=lambda seat: sides(seats)[seat].beyond_deg(x_mm, y_mm))
