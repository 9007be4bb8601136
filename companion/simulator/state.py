"""What a virtual table shows at one instant, small and picklable: pieces, hands, the camera's bumps."""

import dataclasses
from dataclasses import dataclass

from companion.pieces import Piece


@dataclass(frozen=True, slots=True)
class Standing:
    """One piece: where, turned how, on which cell (None: beside the board, or in a hand). `count` 2 is a stack."""

    name: str
    piece: Piece
    x_mm: float
    y_mm: float
    z_mm: float
    heading_deg: float
    cell: str | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class HandPose:
    """A hand whose finger tips are at (x, y, z); `skin` and `sleeve` are numbers of `hands.SKINS` and `SLEEVES`."""

    x_mm: float
    y_mm: float
    z_mm: float
    heading_deg: float
    skin: int = 2
    sleeve: int = 0
    left: bool = False
    opened: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything that changes on a virtual table. `nudges` counts knocks against the camera."""

    standing: tuple[Standing, ...] = ()
    hands: tuple[HandPose, ...] = ()
    nudges: int = 0

    def piece(self, name: str) -> Standing:
        """The piece of that name; KeyError when there is none."""
        for standing in self.standing:
            if standing.name == name:
                return standing
        raise KeyError(name)

    def on_cell(self, cell: str) -> Standing | None:
        """The piece on a cell."""
        return next((s for s in self.standing if s.cell == cell), None)

    def with_piece(self, standing: Standing) -> "TableState":
        """The state with this piece, in place of the one of its name."""
        kept = tuple(standing if s.name == standing.name else s for s in self.standing)
        if all(s.name != standing.name for s in self.standing):
            kept = (*kept, standing)
        return dataclasses.replace(self, standing=kept)

    def without(self, name: str) -> "TableState":
        """The state without the piece of that name."""
        return dataclasses.replace(self, standing=tuple(s for s in self.standing if s.name != name))

    def with_hands(self, *hands: HandPose) -> "TableState":
        """The state with these hands and no others."""
        return dataclasses.replace(self, hands=hands)
