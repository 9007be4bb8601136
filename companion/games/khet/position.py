"""A position and a move of Khet, and the house rules they are played by."""

from dataclasses import dataclass, field, replace

from companion.games.khet import faces
from companion.games.khet.squares import LASER_SQUARE, NUMBER, ON_BOARD, RESERVED_AGAINST, RIM_HEADING, RIM_LASER, SIZE

SETS = {
    "silver-red": ("silver", "red"),
    "silver-gold": ("silver", "gold"),  # Deflexion
    "orange-blue": ("orange", "blue"),  # Nile
    "green-purple": ("green", "purple"),  # Royal
}

KINDS = ("step", "turn", "swap", "top", "pass", "draw")  # of moves


@dataclass(frozen=True, slots=True)
class House:
    """The edition and the house rules; `colours` only names the two sides for people."""

    edition: str = "2.0"
    swap_into_reserved: bool = False  # Khet Q1
    both_pharaohs: str = "mover_loses"  # or "draw", Khet Q2
    repetition: str = "claim"  # or "automatic", Khet Q17
    colours: str = "silver-red"


@dataclass(frozen=True, slots=True)
class Position:
    """What stands where (a code of `faces` for each square of the padded board), whose turn, by which rules.

    `past` holds the arrangements since the last removal, this one included, for the repetition (Khet Q17); it is
    no part of what makes two positions equal. `drawn` is True after a claimed draw.
    """

    cells: bytes
    to_move: int = 0
    house: House = House()
    drawn: bool = False
    past: tuple[bytes, ...] = field(default=(), compare=False, repr=False)

    @property
    def arrangement(self) -> bytes:
        """What has to be the same to count as a repetition: the pieces and whose turn it is."""
        return self.cells + bytes((self.to_move,))

    @property
    def afresh(self) -> "Position":
        """The same with no arrangement before it."""
        return replace(self, past=(self.arrangement,))

    def at(self, name: str) -> int:
        """The code on a square."""
        return self.cells[NUMBER[name]]


@dataclass(frozen=True, slots=True)
class Move:
    """What a hand does in one turn, lawful or not.

    step  the piece on `origin` now stands on `target` (an unlawful one may be `turn`ed as well, or go too far)
    turn  the piece on `origin` was turned by `turn` quarters clockwise: 1, -1, or 2 (unlawful)
    swap  the pieces on `origin` and `target` changed places, the one from `origin` acting
    top   the upper obelisk of the stack on `origin` now stands on `target`
    pass  nothing was done (never lawful)
    draw  the player about to move claims the draw by repetition (Khet Q17)
    """

    kind: str
    origin: str = ""
    target: str = ""
    turn: int = 0


def board(pieces: dict[int, int]) -> bytes:
    """A padded board with these codes on these squares."""
    cells = bytearray([faces.RIM] * SIZE)
    for square in ON_BOARD:
        cells[square] = pieces.get(square, faces.EMPTY)
    return bytes(cells)


def laser(cells: bytes | bytearray, seat: int, edition: str) -> tuple[int, int]:
    """Where a side's light starts and which way it goes: its sphinx, or the laser in the rim (Khet 2.lasers)."""
    if edition == "2.0":
        square = sphinx_square(cells, seat)
        return square, "NESW".index(faces.FACING[cells[square]] or "N")
    return RIM_LASER[seat], RIM_HEADING[seat]


def sphinx_square(cells: bytes | bytearray, seat: int) -> int:
    """Where a side's sphinx stands: in its corner, unless that it left it was let stand; the corner if it is gone."""
    corner, own = LASER_SQUARE[seat], faces.SPHINX[seat]
    if cells[corner] in own:
        return corner
    return next((square for square in ON_BOARD if cells[square] in own), corner)


def reserved(square: int, seat: int) -> bool:
    """True where this seat's pieces may not go (Khet 3b.2)."""
    return square in RESERVED_AGAINST[seat]
