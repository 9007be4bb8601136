"""What a position and a move of Kaxxt on Ice are."""

from dataclasses import dataclass

from companion.games.kaxxt.pyramids import Pyramid, in_order
from companion.games.kaxxt.sides import NAMES, Side, sides
from companion.games.kaxxt.stands import Stand

FULL_SHIELD = 30  # X3
MOST_LATE = 15  # draws that are still to be told: there are no more pyramids
ACT, DRAW, ROLL, RETARGET = PHASES = ("act", "draw", "roll", "retarget")


@dataclass(frozen=True, slots=True)
class Position:
    """Shields, who is attacked, and where the fifteen pyramids are.

    `phase`: act (draw, arrange, roll), draw (a pyramid is being drawn), roll (the die is rolling), retarget.
    `areas` hold what stands before each seat, `hands` what was drawn and not played yet. The bag is a set in the
    order of the catalogue: in which order pyramids come is chance, and nothing in a position tells it.
    """

    shields: tuple[int, ...]  # by seat, 0 = out
    areas: tuple[tuple[Stand, ...], ...]
    hands: tuple[tuple[Pyramid, ...], ...]
    bag: tuple[Pyramid, ...]
    kaxxt: int = FULL_SHIELD
    turn: int = 0
    target: int = 0
    phase: str = ACT
    drawn: bool = False  # in this turn (XA24)
    wanted: int = 0  # pips felt for in the bag, 0 = any
    redirect: str = "fraction"
    destroyers: tuple[int, ...] = ()  # whose pyramids sent the last beam at Kaxxt (XA19)
    late: tuple[int, ...] = ()  # by seat, earlier turns of which a draw may still be told; () where none may be

    @property
    def seats(self) -> int:
        """Players at the start."""
        return len(self.shields)

    @property
    def names(self) -> tuple[str, ...]:
        """The seats by the sides of the table, clockwise."""
        return NAMES[self.seats]

    @property
    def sides(self) -> tuple[Side, ...]:
        """The seats' sides."""
        return sides(self.seats)

    @property
    def present(self) -> tuple[bool, ...]:
        """Who is still in."""
        return tuple(shield > 0 for shield in self.shields)

    def pyramids_of(self, seat: int) -> tuple[Pyramid, ...]:
        """All that the seat has, on the table and in hand."""
        placed = {pyramid for stand in self.areas[seat] for pyramid in stand.pyramids}
        return in_order(placed | set(self.hands[seat]))

    @property
    def draws(self) -> int:
        """How many pyramids may still be drawn in this turn, late ones with them (XA24)."""
        return int(not self.drawn) + (self.late[self.turn] if self.late else 0)

    def next_present(self, seat: int) -> int:
        """The next clockwise who is still in; the seat itself when nobody else is (X11, XA4)."""
        for step in range(1, self.seats + 1):
            other = (seat + step) % self.seats
            if self.shields[other] > 0:
                return other
        return seat


@dataclass(frozen=True, slots=True)
class Move:
    """One thing done.

    kind: draw (feel for `pips`, 0 = any), drawn (chance: `pyramid` came out), arrange (`stands` are now all that
    lies before the player on turn), roll, die (chance: `value`), face (retarget to `seat`).
    """

    kind: str
    pips: int = 0
    pyramid: Pyramid | None = None
    stands: tuple[Stand, ...] = ()
    value: int = 0
    seat: int = -1
