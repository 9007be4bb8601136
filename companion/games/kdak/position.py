"""The state of a game of K'Dak's Tower, and its moves, as frozen values."""

from dataclasses import dataclass, replace

from companion.games.kdak import tower as t
from companion.games.kdak.tower import UNTOUCHED, Place, Tile, Tower

PHASES = ("move", "reveal", "roll", "take", "discard", "coin", "over")


@dataclass(frozen=True, slots=True)
class House:
    """The options that the rules look at (see `OPTIONS`)."""

    variant: str = "duel"  # duel, talisman, solitaire, cooperative
    up_onto_face_up: bool = False
    solitaire_turn_down: bool = True
    pawns: tuple[str, ...] = ("moons", "arms")  # suits of the pawns, seat by seat

    @property
    def seats(self) -> int:
        """One player in the solitaire variant, else two."""
        return 1 if self.variant == "solitaire" else 2

    @property
    def alone(self) -> bool:
        """True where the tower crumbles from the first step and one coin is the talisman (K23, K29)."""
        return self.variant in ("solitaire", "cooperative")

    @property
    def nulls_pay(self) -> bool:
        """True where a null tile gives a talisman that buys a turn (K20, K22)."""
        return self.variant == "talisman"

    @property
    def talismans(self) -> bool:
        """True where there are talismans to hold: of null tiles, or of level 5 (K20, K25)."""
        return self.nulls_pay or self.alone


@dataclass(frozen=True, slots=True)
class Pawn:
    """Where an explorer is. `fallen`: stands where a fall, not a step, has brought them (K15)."""

    place: Place | None = None
    out: bool = False
    fallen: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A game between two moves. `phase` names the move that comes next:

    move (a pawn), reveal (the face of the tile just entered), roll (the die), take (a tile of the doomed level),
    discard (the face of the tile just taken), coin (an additional turn for a coin, or not), over.
    """

    house: House = House()
    tower: Tower = UNTOUCHED
    pawns: tuple[Pawn, ...] = (Pawn(), Pawn())
    seat: int = 0
    phase: str = "move"
    door_open: bool = False
    scores: tuple[int, ...] = (0, 0)
    coins: tuple[int, ...] = (0, 0)
    gone: tuple[str, ...] = ()  # faces of the tiles that left the game; "?" (UNSEEN) of one that was not shown
    level: int | None = None  # the level that loses a tile, in phase take
    calm: bool = False  # this turn takes no tile (K27)
    lost: bool = False

    @property
    def finished(self) -> bool:
        """True if everybody is out, or (not alone, KA22) every tile left is face-up once the door is open (K18)."""
        if all(pawn.out for pawn in self.pawns):
            return True
        if self.house.alone or not self.door_open:
            return False
        return all(tile.up for column in self.tower for tile in column)

    @property
    def pawn(self) -> Pawn:
        """The pawn of the seat on turn."""
        return self.pawns[self.seat]

    @property
    def crumbling(self) -> bool:
        """True once turns end with a roll (K9, K23)."""
        return self.door_open or self.house.alone

    def unseen(self) -> tuple[str, ...]:
        """Tiles whose face nobody has seen yet, in the order of the set."""
        seen = {*t.known(self.tower), *self.gone}
        return tuple(name for name in t.TILES if name not in seen)

    def without_face(self, *names: str) -> "Position":
        """Without knowledge of where these faces are, as far as none lies open: they were misread."""
        a, b, c, d = (
            tuple(Tile() if not tile.up and tile.name in names else tile for tile in column) for column in self.tower
        )
        gone = tuple(t.UNSEEN if name in names else name for name in self.gone)
        return replace(self, tower=(a, b, c, d), gone=gone)


@dataclass(frozen=True, slots=True)
class Move:
    """One move. `kind` is go (enter or step), stay, out, pass, tile (a face is seen), roll, take, coin or end."""

    kind: str
    place: Place | None = None
    tile: str | None = None
    level: int | None = None
