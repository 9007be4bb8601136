"""Dice that lie on the table: which of them were thrown since the table last rested, and what they show.

A game tells what dice mean by an optional `shown_by(position, faces)`: the move of chance that dice with these values
make, None when they make none.
"""

from collections import defaultdict
from dataclasses import dataclass

from companion.games.base import Game, Move, Position
from companion.games.extras import extras
from companion.view import Sighting, TableView

DIE = "die"


@dataclass(frozen=True, slots=True)
class ThrownSettings:
    """When a die was thrown, and when its face is read."""

    nudged_mm: float = 40.0  # a die with the same face that moved no further was only pushed aside
    sure: float = 0.95  # belief in one value, whatever the suit


@dataclass
class Thrown:
    """Remembers how dice lay while nobody was to throw them."""

    settings: ThrownSettings
    _lay: tuple[Sighting, ...] | None = None  # None: not known yet

    def rest(self, view: TableView) -> None:
        """Nothing is to be thrown, or what was thrown is read: so the dice lie."""
        self._lay = dice_of(view)

    def forget(self) -> None:
        """Another game, or another table."""
        self._lay = None

    def fallen(self, view: TableView) -> tuple[Sighting, ...]:
        """The dice that were thrown since."""
        if self._lay is None:
            self._lay = dice_of(view)
        return tuple(die for die in dice_of(view) if not any(self._same(was, die) for was in self._lay))

    def _same(self, was: Sighting, now: Sighting) -> bool:
        face, sure = value_of(now)
        unread = sure < self.settings.sure  # a die that cannot be read lies where it lay, as far as one can tell
        return was.apart_mm(now) <= self.settings.nudged_mm and (unread or face == value_of(was)[0])

    def move(self, game: Game, position: Position, view: TableView) -> tuple[Move | None, bool]:
        """The move of chance that the thrown dice make, and whether some were thrown that cannot be read."""
        tell = extras(game).shown_by
        fallen = self.fallen(view) if tell is not None else ()
        if tell is None or not fallen:
            return None, False
        faces = [value_of(die) for die in fallen]
        if any(sure < self.settings.sure for _, sure in faces):
            return None, True
        move = tell(position, tuple(face for face, _ in faces))
        return move, move is None


def dice_of(view: TableView) -> tuple[Sighting, ...]:
    """Every die that is seen, its face rightly read or not."""
    return tuple(s for s in view.sightings if s.x_mm is not None and not s.faint and s.likeliest.kind == DIE)


def value_of(die: Sighting) -> tuple[str, float]:
    """The likeliest value of a die and the belief in it, its suit left open."""
    values: defaultdict[str, float] = defaultdict(float)
    for piece, belief in die.beliefs:
        if piece.kind == DIE and piece.value is not None:
            values[piece.value] += belief
    return max(values.items(), key=lambda pair: pair[1], default=("", 0.0))
