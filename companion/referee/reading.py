"""What became of one view, in the words of `companion run --json`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.referee.state import Past

OF_PLAY = ("move", "step", "nothing new")  # kinds of what may have been told together with an action


@dataclass(frozen=True, slots=True)
class Reading:
    """`kind`: set-up, nothing new, move, step, take-back, unlawful, unclear.

    `decided` is False while more equal views are needed before anything may be believed.
    """

    kind: str
    text: str = ""
    moves: tuple[str, ...] = ()  # in the game's notation
    hits: tuple[str, ...] = ()  # cells
    rule: str | None = None
    decided: bool = True

    def mended(self, text: str, added: Sequence[Past]) -> "Reading":
        """The same after the record was put right, in words; actions that were `added` by it are read with the rest."""
        told = replace(self, text=f"{text} {self.text}".strip())
        if not added or self.kind not in OF_PLAY:
            return told
        moves, hits = [past.move for past in added], [cell for past in added for cell in past.hits]
        return replace(told, kind="move", moves=(*moves, *self.moves), hits=(*hits, *self.hits))
