"""The camera's error is nobody's fault: a place that may be lawful within it is taken for lawful (CA2, CA3).

What lies nearly flush is taken to lie flush, and what seems to stand a little in another piece to stand beside it. Of
what is measured to be unlawful, the nearest lawful place is believed when it is no further off than the camera may err;
beyond that the piece is judged as it was measured.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.chaos import geometry as g
from companion.games.chaos.geometry import Edge
from companion.games.chaos.placement import Contact, contact, lawful
from companion.games.chaos.position import Position, Standing, standing
from companion.headings import turn_deg


@dataclass(frozen=True, slots=True)
class CameraError:
    """How far a measured piece may be from where it lies: two standard errors."""

    place_mm: float = 3.0
    turn_deg: float = 6.0
    steps: int = 16  # directions in which a lawful place is looked for
    pushes: int = 4  # away from the pieces in which one seems to stand: it may touch several

    @property
    def between_mm(self) -> float:
        """How far two measured pieces may be from where they lie to each other: both may be off."""
        return 2 * self.place_mm


ERROR = CameraError()
NEARLY = 0.98  # of what is tolerated: places are recorded rounded
SEEN = 0.7  # of an attacker's turn against its edge is real: the camera's part of it would add up along a row


def believed(position: Position, piece: Standing) -> Standing:
    """Where the piece is taken to lie: flush or lawful if it may be, else as measured."""
    if piece.pose == "lying" and (flush := _flush(position, piece)) is not None:
        return flush
    piece = _beside(position, piece)
    if lawful(position, piece):
        return piece
    return next((other for other in _around(piece) if lawful(position, other)), piece)


def _beside(position: Position, piece: Standing) -> Standing:
    """The piece pushed out of those that it cannot stand in; as measured where that is no error of the camera's."""
    pushed = piece
    for _ in range(ERROR.pushes):
        deep, other = max(
            ((g.overlap_mm(pushed, other), other) for other in position.pieces),
            key=lambda pair: pair[0],
            default=(0.0, piece),
        )
        if deep <= g.TOLERANCES.overlap_mm:
            return pushed
        dx, dy = g.way_out(pushed, other)
        pushed = _at(piece, pushed.x_mm + dx, pushed.y_mm + dy)
        if math.dist((pushed.x_mm, pushed.y_mm), (piece.x_mm, piece.y_mm)) > ERROR.between_mm:
            break
    return piece


def _at(piece: Standing, x_mm: float, y_mm: float) -> Standing:
    return standing(piece.colour, piece.size, piece.pose, x_mm, y_mm, piece.heading_deg)


def _around(piece: Standing) -> Iterator[Standing]:
    for share in (0.5, 1.0):
        for step in range(ERROR.steps):
            turn, off = 2 * math.pi * step / ERROR.steps, share * ERROR.place_mm
            yield _at(piece, piece.x_mm + off * math.cos(turn), piece.y_mm + off * math.sin(turn))


def _flush(position: Position, piece: Standing) -> Standing | None:
    """The piece with its base exactly on the edge that it nearly touches, None when there is no such edge."""
    edges = (e for other in position.pieces if other.colour == piece.colour for e in g.supports(other))
    touches = sorted(((contact(piece, edge), edge) for edge in edges), key=lambda pair: _off(pair[0]))
    for touch, edge in touches:
        if _within(touch):
            pushed = _pushed(piece, edge)
            if lawful(position, pushed):
                return pushed
    return None


def _off(touch: Contact) -> float:
    return touch.gap_mm + touch.overhang_mm + touch.askew_deg / 4


def _within(touch: Contact) -> bool:
    return (
        touch.gap_mm <= g.TOLERANCES.contact_mm + ERROR.place_mm
        and touch.overhang_mm <= g.TOLERANCES.overhang_mm + ERROR.place_mm
        and touch.askew_deg <= g.TOLERANCES.perpendicular_deg + ERROR.turn_deg
    )


def _pushed(piece: Standing, edge: Edge) -> Standing:
    """Pushed against the edge, slid along it until the base is on it, and turned most of the way to where it is seen.

    Square to the edge, what the edge was measured askew would go on along a whole row.
    """
    most = NEARLY * g.TOLERANCES.perpendicular_deg
    askew = min(max(SEEN * turn_deg(piece.heading_deg, edge.normal_deg), -most), most)
    heading_deg = edge.normal_deg + askew
    length, half = edge.length, g.base_mm(piece.size) / 2 * math.cos(math.radians(askew))
    along = ((edge.end[0] - edge.start[0]) / length, (edge.end[1] - edge.start[1]) / length)
    middle = g.base_middle(piece)
    at = (middle[0] - edge.start[0]) * along[0] + (middle[1] - edge.start[1]) * along[1]
    at = length / 2 if length < 2 * half else min(max(at, half), length - half)
    dx, dy = g.direction(heading_deg)
    out = g.slant_mm(piece.size) / 2
    x, y = edge.start[0] + along[0] * at + dx * out, edge.start[1] + along[1] * at + dy * out
    return standing(piece.colour, piece.size, piece.pose, x, y, heading_deg)
