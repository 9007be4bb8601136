"""What the eye hands to the referee: sightings in millimetres, how sure, and whether the view is clear."""

import cmath
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.pieces import EMPTY, LOOK_LIKE, ROBOT_CARD_MM, UNKNOWN, Piece

ASKEW = "it stands askew"  # why a cell cannot be told whose piece is turned too far off any facing
COVERED = "covered"  # ... or over which something lies


@dataclass(frozen=True, slots=True)
class Sighting:
    """One piece, or one cell of a board, as seen.

    `beliefs` are (piece, probability) pairs that sum to at most 1; what is missing to 1 is "cannot tell".
    A board yields one sighting for every cell, `EMPTY` among its beliefs; a free table one for each piece.
    Millimetres lie in the table's plane: origin in the middle of the markers, X right, Y up as seen from above,
    headings counter-clockwise from +X.
    """

    beliefs: tuple[tuple[Piece, float], ...]
    x_mm: float | None = None
    y_mm: float | None = None
    heading_deg: float | None = None
    cell: str | None = None
    x_px: float | None = None
    y_px: float | None = None
    nested_on: int | None = None  # index in the view of the piece that carries this one
    skew_deg: float = 0.0  # how far a piece on a board stands askew of its facing
    base_deg: float | None = None  # of an upright pyramid: the way an edge of its base faces, 0 to 90
    why: str | None = None  # why it is unknown: "glare", "hand", "between two classes", ASKEW, COVERED ...
    hidden: bool = False  # a piece of the game that is seen nowhere may stand here: nothing is said for it or against
    faint: bool = False  # too unlikely to be called a piece; says that the place is not surely empty either
    misread: tuple[tuple[Piece, float], ...] | None = None  # what the eye itself believes, where the host said a piece

    @property
    def piece(self) -> Piece:
        """The most probable piece; UNKNOWN when no belief is named or when `why` says that it cannot be told."""
        return UNKNOWN if self.why is not None else self.likeliest

    @property
    def likeliest(self) -> Piece:
        """The most probable piece, surely told or not; UNKNOWN when no belief is named."""
        return max(self.beliefs, key=lambda pair: pair[1])[0] if self.beliefs else UNKNOWN

    @property
    def confidence(self) -> float:
        """The probability of the most probable piece."""
        return max((p for _, p in self.beliefs), default=0.0)

    @property
    def told(self) -> float:
        """The probability that any piece is there."""
        return sum(p for _, p in self.beliefs)

    @property
    def unnamed(self) -> "Sighting":
        """The same as the eye itself sees it, whatever the host said; no beliefs where it sees nothing."""
        return self if self.misread is None else replace(self, beliefs=self.misread, misread=None)

    def apart_mm(self, other: "Sighting") -> float:
        """Millimetres between this and another; both have places, as on free tables."""
        assert self.x_mm is not None
        assert self.y_mm is not None
        assert other.x_mm is not None
        assert other.y_mm is not None
        return math.hypot(self.x_mm - other.x_mm, self.y_mm - other.y_mm)

    def belief(self, piece: Piece) -> float:
        """The probability that `piece` (with its unnamed fields left open) stands here, or what looks just like it."""
        if piece.colour in LOOK_LIKE:
            likes = [replace(piece, colour=colour) for colour in LOOK_LIKE[piece.colour]]
            return sum(p for seen, p in self.beliefs if any(like.fits(seen) for like in (piece, *likes)))
        return sum(p for seen, p in self.beliefs if piece.fits(seen))


@dataclass(frozen=True, slots=True)
class BoardShape:
    """The board as it was made: cells, and millimetres of one cell, of the rim and of its thickness."""

    cols: int
    rows: int
    cell_mm: float
    border_mm: float = 0.0
    thickness_mm: float = 0.0
    kind: str = "grid"  # or "hex": rows of a hexhex board of side (rows + 1) / 2

    def cells(self) -> Iterator[str]:
        """Cell names, a1 (bottom left) first, row by row.

        Grid: letter of the file, number of the rank. Hex: letter of the row, number of the diagonal (as Abalone has).
        """
        side = (self.rows + 1) // 2
        for row in range(self.rows):
            for col in range(self.cols):
                if self.kind != "hex":
                    yield f"{chr(ord('a') + col)}{row + 1}"
                elif abs(row - col) < side:
                    yield f"{chr(ord('a') + row)}{col + 1}"


@dataclass(frozen=True, slots=True)
class BoardPose:
    """Where the board lies: the centre of its outline in table millimetres, turned counter-clockwise."""

    x_mm: float
    y_mm: float
    rotation_deg: float


COVERED_MM = 6.0  # side of the squares in which a free table is said to be bare or not
SURE_CARD = 0.97  # from which a card is where it is seen ...
REACH_MM = 30.0  # ... and no piece reaches from its middle: a large one that lies is 46 mm long


@dataclass(frozen=True, slots=True)
class TableView:
    """One reading of one picture.

    `obstacles` name why the table cannot be read now ("hand", "dark", "blurred", "markers", "board", "moved",
    "frozen" ...); a view with obstacles is no evidence for anything. `warnings` are for people.
    """

    taken_s: float  # monotonic seconds
    sightings: tuple[Sighting, ...] = ()
    obstacles: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    markers_found: int = 0
    shape: BoardShape | None = None
    board: BoardPose | None = None
    stages: Mapping[str, float] = field(default_factory=dict)  # seconds of each stage
    image: str | None = None  # name of the picture, when it has one
    covered: frozenset[tuple[int, int]] | None = None  # squares of a free table that are not bare; None = not told
    shown: frozenset[tuple[int, int]] | None = None  # squares of it that the picture shows; None = all

    @property
    def clear(self) -> bool:
        """True if nothing stands in the way of reading this view."""
        return not self.obstacles

    def bare(self, x_mm: float, y_mm: float) -> bool:
        """True if the table is surely seen to be bare there: no piece, known or not, nor anything but a card alone."""
        square = square_at(x_mm, y_mm)
        if self.covered is None or (self.shown is not None and square not in self.shown):
            return False
        return square not in self.covered or self._only_card(x_mm, y_mm)

    def _only_card(self, x_mm: float, y_mm: float) -> bool:
        """True if Kaxxt's card is surely seen there, and nothing else that may reach so far."""
        card = next((s for s in self.sightings if s.piece.kind == "robot_card"), None)
        if card is None or card.confidence < SURE_CARD or not _on_card(card, x_mm, y_mm):
            return False
        others = (s for s in self.sightings if s is not card and s.x_mm is not None and s.y_mm is not None)
        return all(math.hypot((s.x_mm or 0.0) - x_mm, (s.y_mm or 0.0) - y_mm) > REACH_MM for s in others)

    def by_cell(self) -> dict[str, Sighting]:
        """Sightings on board cells by cell name."""
        return {s.cell: s for s in self.sightings if s.cell is not None}

    def hidden_cells(self) -> list[str]:
        """The cells over which something lies."""
        return [cell for cell, sighting in self.by_cell().items() if sighting.why == COVERED]

    def pieces(self) -> tuple[Sighting, ...]:
        """Everything that is not an empty cell."""
        return tuple(s for s in self.sightings if s.piece != EMPTY and not s.faint)


def _on_card(card: Sighting, x_mm: float, y_mm: float) -> bool:
    """True for a place on Kaxxt's card, which way it lies being told."""
    if card.x_mm is None or card.y_mm is None or card.heading_deg is None:
        return False
    turned = cmath.rect(1.0, -math.radians(card.heading_deg)) * complex(x_mm - card.x_mm, y_mm - card.y_mm)
    width, height = ROBOT_CARD_MM
    return abs(turned.real) <= height / 2 and abs(turned.imag) <= width / 2


def square_at(x_mm: float, y_mm: float) -> tuple[int, int]:
    """The square of a free table that holds a place: columns and rows of COVERED_MM from the middle."""
    return math.floor(x_mm / COVERED_MM), math.floor(y_mm / COVERED_MM)
