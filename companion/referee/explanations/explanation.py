"""What was made of one view, and what it was weighed against."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from companion.games.base import Layout
from companion.referee.evidence.layout import Difference
from companion.referee.explanations.outlook import Hypothesis, Outlook

ACTIONS = ("move", "unlawful")
HARDLY = "hardly seen"
ASKING = ("choice", "between", "earlier", "idle", HARDLY)  # explanations with which a question stays open


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was made of one view.

    `kind`: nothing, cleared, move, earlier, early, unlawful; `choice` when several lawful actions fit; `step` when
    part of what was asked for is done; `idle` when probably nothing happened, too unsure to rely on; `strange` when
    nothing explains the view (with `differences`); `between` when plies that nobody saw would, mostly two of them,
    which are the `choices`; `unclear` when what would decide was not seen well enough;
    `elsewhere` when it shows another table; `hardly seen` when nothing is seen to have happened, and the `choices` may;
    `exchanged` when known pieces are there, and in the places of others (with `differences`).
    """

    kind: str
    key: Hashable
    best: Hypothesis | None = None
    choices: tuple[Hypothesis, ...] = ()
    differences: tuple[Difference, ...] = ()
    sure: float = 0.0
    rivals: tuple[Hypothesis, ...] = ()  # lawful ones that an action, on a board only a `fair` one, may have been
    as_well: tuple[Hypothesis, ...] = ()  # what was done instead, perhaps, and is to be told where nobody is asked

    @property
    def forbidden(self) -> Hypothesis | None:
        """The unlawful action that explains the view, if one does."""
        return self.best if self.kind == "unlawful" else None

    @property
    def lifted(self) -> bool:
        """True if one piece is missing and nothing else is odd: a hand holds it."""
        return lacks_one(self.differences)


@dataclass(frozen=True, slots=True)
class Earlier:
    """The table after fewer plies.

    `followed`, of the last ply on a board: the same with what followed from that ply, which hands may have left there.
    """

    ply: int
    layout: Layout
    followed: Layout | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What the view is weighed against: the table as last confirmed, the one wanted, and earlier ones."""

    standing: Layout
    outlook: Outlook
    awaiting: bool = False
    earlier: Sequence[Earlier] = ()
    refused: bool = False  # something unlawful lies there, to be put back
    stop: bool = False  # the game is over: nothing but clearing and undo
    implied: bool = False  # throws of dice may be read from what they led to
    moving: frozenset[str] = frozenset()  # cells that hands have to move one after the other: some may be bare now
    undoing: bool = False  # what is awaited is that plies are put back
    half: Sequence[Layout] = ()  # ... of the first of which hands may have done a part: the tables in between


def lacks_one(differences: Sequence[Difference]) -> bool:
    """True if a piece is missing, and nothing else differs."""
    return len(differences) == 1 and differences[0].seen.kind == "empty"


def takes_off(made: Hypothesis, standing: Layout) -> bool:
    """True for an action that itself takes a piece off: a second one that is missing is in no hand for the next."""
    at_once = not made.settled or standing.plan is not None
    return made.kind == "move" and at_once and len(made.layout.pieces) < len(standing.pieces)
