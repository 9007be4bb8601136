"""What a virtual table shows at one instant, small and picklable: pieces, hands, the camera's bumps."""

import dataclasses
from dataclasses import dataclass

from companion.pieces import Piece


@dataclass(frozen=True, slots=True)
class Standing:
    """One piece: where, turned how, on which cell (None: beside the board, on a free table, or in a hand).

    `count` 2 is a stack of two that are one solid. `nested_on` names the piece that carries this one. `pitch_deg`
    tells how a hand tilts it, less than a quarter either way.
    """

    name: str
    piece: Piece
    x_mm: float
    y_mm: float
    z_mm: float
    heading_deg: float
    cell: str | None = None
    count: int = 1
    nested_on: str | None = None
    pitch_deg: float = 0.0


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

    def riders(self, name: str) -> tuple[Standing, ...]:
        """Everything that a piece carries, from below upwards."""
        found: list[Standing] = []
        carriers = {name}
        for standing in self.from_below():
            if standing.nested_on in carriers:
                found.append(standing)
                carriers.add(standing.name)
        return tuple(found)

    def from_below(self) -> tuple[Standing, ...]:
        """All pieces, each after the one that carries it."""
        due, names = list(self.standing), {s.name for s in self.standing}
        placed: dict[str, Standing] = {}
        while due:
            ready = [s for s in due if s.nested_on is None or s.nested_on in placed or s.nested_on not in names]
            placed |= {s.name: s for s in ready or due}
            due = [s for s in due if s.name not in placed]
        return tuple(placed.values())

    def with_hands(self, *hands: HandPose) -> "TableState":
        """The state with these hands and no others."""
        return dataclasses.replace(self, hands=hands)
