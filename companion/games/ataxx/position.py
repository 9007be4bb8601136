"""What a position and a move of Ataxx are."""

from dataclasses import dataclass

from companion.games.ataxx.board import Board

SIDES = ("x", "o")  # seat 0 begins (AA1)
COLOURS = ("black", "white")
OFFER_AFTER = 100  # half-moves without a drop, 50 for each side (AA6)


@dataclass(frozen=True, slots=True)
class Move:
    """One action. Cells by name; a drop needs no origin (AA3).

    kind: drop, jump, pass; offer and accept concern the draw that endless games may end with (AA6). What only hands
    do, and no rule allows: `shows` is the side that lies up where it is not the mover's, `turned` are discs turned
    over that stay as they were, the kind "turn" turns them and nothing else.
    """

    kind: str
    to: str = ""
    origin: str = ""
    shows: str = ""  # "x" or "o"
    turned: tuple[str, ...] = ()


PASS = Move("pass")
OFFER = Move("offer")
ACCEPT = Move("accept")


@dataclass(frozen=True, slots=True)
class Position:
    """Who holds which cells, whose turn it is, and how long nobody has dropped a piece.

    `without_drop` is the house rule for endless games; `offered_by` the seat whose draw offer stands.
    """

    board: Board
    x: int
    o: int
    blocked: int = 0
    turn: int = 0
    half_moves: int = 0  # since the last drop
    full_moves: int = 1
    without_drop: str = "offer"  # or "nothing", "draw"
    offered_by: int | None = None
    agreed: bool = False

    @property
    def own(self) -> int:
        """The cells of the side to move."""
        return self.o if self.turn else self.x

    @property
    def theirs(self) -> int:
        """The cells of the other side."""
        return self.x if self.turn else self.o

    @property
    def empty(self) -> int:
        """Open cells with nothing on them."""
        return self.board.cells & ~(self.x | self.o | self.blocked)

    def can_act(self, pieces: int) -> bool:
        """True if one of these pieces has a cell to drop next to or to jump to (A5, A6, A12)."""
        return bool((self.board.around(pieces) | self.board.beyond(pieces)) & self.empty)
