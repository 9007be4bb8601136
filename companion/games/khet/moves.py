"""A move of Khet: what a hand does in one turn, lawful or not."""

from dataclasses import dataclass

KINDS = ("step", "turn", "swap", "top", "pass", "draw")


@dataclass(frozen=True, slots=True)
class Move:
    """What a hand did.

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
