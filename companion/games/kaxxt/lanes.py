"""From placements to lanes: which pyramids are on the line, which share a row or column, and where they point."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.kaxxt.sides import Side
from companion.games.kaxxt.stands import Stand, covered
from companion.headings import turn_deg

ASK = "ask"
DIRECTIONS = ("kaxxt", "self", "left", "right")
POINTING = {
    "kaxxt": "pointing at Kaxxt",
    "self": "pointing away from Kaxxt",
    "left": "pointing left",
    "right": "pointing right",
    "up": "upright",
    ASK: "pointing askew",
}


@dataclass(frozen=True, slots=True)
class Tolerances:
    """How exactly pyramids must stand."""

    line_mm: float = 14.0  # footprint to the line between Kaxxt and player: one small base (XA10)
    lane_mm: float = 12.0  # centres this close share a row or a column: less than two small ones side by side
    direction_deg: float = 30.0  # off one of the four directions (XA11)


TOLERANCES = Tolerances()


@dataclass(frozen=True, slots=True)
class Slot:
    """A stand as beams meet it: row 0 is the nearest to Kaxxt, column 0 the line to Kaxxt, right is positive."""

    stand: Stand
    row: int
    col: int
    points: str  # kaxxt self left right up, or ask when it is diagonal
    across: float
    away: float


def lanes(stands: Sequence[Stand], side: Side, tolerances: Tolerances = TOLERANCES) -> tuple[Slot, ...]:
    """The slots of one area, in the order of its stands (XA9-XA11). A pure function of placements and tolerances."""
    places = [side.local(stand.x_mm, stand.y_mm) for stand in stands]
    rows = grouped([away for _, away in places], tolerances.lane_mm)
    columns = _columns(stands, side, places, tolerances)
    return tuple(
        Slot(stand, row, col, direction(stand.heading_deg, side, tolerances), *place)
        for stand, row, col, place in zip(stands, rows, columns, places, strict=True)
    )


def _columns(
    stands: Sequence[Stand], side: Side, places: list[tuple[float, float]], tolerances: Tolerances
) -> list[int]:
    columns = [0] * len(stands)
    off_line = [at for at, stand in enumerate(stands) if line_gap_mm(stand, side) > tolerances.line_mm]
    for sign in (-1, 1):
        beside = [at for at in off_line if math.copysign(1, places[at][0]) == sign]
        groups = grouped([abs(places[at][0]) for at in beside], tolerances.lane_mm)
        for at, group in zip(beside, groups, strict=True):
            columns[at] = sign * (group + 1)
    return columns


def grouped(values: list[float], width: float) -> list[int]:
    """Numbers groups of values from 0 upwards; a group reaches `width` from its smallest value."""
    groups, start, number = [0] * len(values), -math.inf, -1
    for at in sorted(range(len(values)), key=values.__getitem__):
        if values[at] - start > width:
            start, number = values[at], number + 1
        groups[at] = number
    return groups


def line_gap_mm(stand: Stand, side: Side) -> float:
    """From the footprint of the bottom pyramid to the line between Kaxxt and player; 0 when it touches (XA10)."""
    offsets = [side.local(x, y)[0] for x, y in corners(stand)]
    if min(offsets) <= 0 <= max(offsets):
        return 0.0
    return min(abs(offset) for offset in offsets)


def corners(stand: Stand) -> tuple[tuple[float, float], ...]:
    """The corners of what the bottom pyramid covers: of a triangle when it lies, else of its base, unturned."""
    around = covered(stand.bottom, stand.x_mm, stand.y_mm, stand.heading_deg).exterior.coords
    return tuple((float(x), float(y)) for x, y in around[:-1])


def direction(heading_deg: float | None, side: Side, tolerances: Tolerances = TOLERANCES) -> str:
    """Where a heading points, as the player sees it (X14-X19); ASK when it is too far from all four (XA11)."""
    if heading_deg is None:
        return "up"
    nearest = min(DIRECTIONS, key=lambda word: off_deg(heading_deg, side, word))
    return nearest if off_deg(heading_deg, side, nearest) <= tolerances.direction_deg else ASK


def off_deg(heading_deg: float, side: Side, word: str) -> float:
    """The angle between a heading and one of the four directions."""
    exact = side.heading(word)
    assert exact is not None
    return abs(turn_deg(heading_deg, exact))
