"""The referee's own events. A game is the fold of its events; these are the ones that change something."""

from dataclasses import dataclass

from companion.events import Event, Told, event

Value = str | int | bool

TABLE, CHOSEN, IMPLIED, ENTERED, ROLLED, CERTAIN = ("table", "chosen", "implied", "entered", "rolled", "certain")
BY_HAND = (TABLE, CHOSEN)  # what hands did on the table; of the others the table shows nothing yet


@event("started")
@dataclass(frozen=True)
class Started(Event):
    """A game was chosen. `options` are the game's own, `table` those of the table."""

    game: str
    options: tuple[tuple[str, Value], ...]
    table: tuple[tuple[str, Value], ...] = ()
    at: str = ""  # wall clock, for people only


@event("set-up")
@dataclass(frozen=True)
class SetUp(Event):
    """The table shows the starting position, or the host said that it does: the game begins."""

    by_host: bool = False


@event("ply")
@dataclass(frozen=True)
class Plied(Event):
    """A move became final.

    `source` is table, chosen (by a person, when two fitted), implied (by what was seen next), entered, rolled (by the
    companion) or certain.
    """

    number: int
    seat: int
    move: str
    source: str = TABLE


@event("cleared")
@dataclass(frozen=True)
class Cleared(Event):
    """Hands have done what was asked for: the table shows the position."""


@event("ruled")
@dataclass(frozen=True)
class Ruled(Event):
    """Something unlawful was seen and explained. `fault` is stable; `move` its notation where it has one."""

    fault: str
    rule: str
    text: str
    remedy: str = ""
    move: str = ""
    cells: tuple[str, ...] = ()


@event("put-back")
@dataclass(frozen=True)
class PutBack(Event):
    """What was unlawful was put back as it had been."""


@event("taken-back")
@dataclass(frozen=True)
class TakenBack(Event):
    """Undo: `ply` plies remain. `on_table`: the table shows that position already. `done`: the cells of a board on
    which hands had carried out already what the action asked for.
    """

    ply: int
    on_table: bool = False
    done: tuple[str, ...] = ()


@event("allowed")
@dataclass(frozen=True)
class Allowed(Event):
    """The host lets an unlawful action stand: play goes on from `position` (the game's JSON as text)."""

    seat: int
    move: str
    text: str
    position: str


@event("taken-up")
@dataclass(frozen=True)
class TakenUp(Event):
    """Play is taken up from what lies on the table, of which nobody can say how it came about.

    `position` is the game's JSON as text. It takes the place of what the last ply led to; `text` goes on from that
    ply's: "then the host went on from what lay there".
    """

    text: str
    position: str


@event("corrected")
@dataclass(frozen=True)
class Corrected(Event):
    """The host said what stands on a cell, or at a place of a free table (cell ""); `kind` "empty" for nothing."""

    cell: str
    kind: str
    colour: str | None = None
    facing: str | None = None
    size: str | None = None
    pose: str | None = None
    suit: str | None = None
    value: str | None = None
    face: str | None = None
    x_mm: float | None = None
    y_mm: float | None = None
    heading_deg: float | None = None  # None: as it is seen


@event("joined")
@dataclass(frozen=True)
class Joined(Event):
    """A player took a seat, in place of whoever had it, or waits for a game with such a seat."""

    seat: int
    player: str


@event("withdrew")
@dataclass(frozen=True)
class Withdrew(Event):
    """A seat is free again."""

    seat: int


@event("draw-offered")
@dataclass(frozen=True)
class DrawOffered(Event):
    """A seat offers a draw: a convenience of the table, no rule (Khet Q18)."""

    seat: int


@event("draw-accepted")
@dataclass(frozen=True)
class DrawAccepted(Event):
    """A seat accepts the offered draw; all who can still win have to."""

    seat: int


@event("draw-declined")
@dataclass(frozen=True)
class DrawDeclined(Event):
    """The offered draw was declined."""

    seat: int


@event("reset")
@dataclass(frozen=True)
class Reset(Event):
    """The game ended without a result."""

    why: str


@event("quiet")
@dataclass(frozen=True)
class QuietSet(Event):
    """Quiet mode was switched."""

    on: bool


@event("option")
@dataclass(frozen=True)
class OptionSet(Event):
    """What was chosen for the table, and not for the game, is chosen otherwise while a game is on it."""

    option: str
    value: Value


# with these it is settled what lies on the table, or is to lie there: what was said of its pieces before is out of date
CONFIRMED = (Started, SetUp, Plied, Cleared, PutBack, TakenBack, Allowed, TakenUp, Reset)

# with these play goes on, or it may be chosen now how long it rests: the hour without a move begins anew
MOVED = (SetUp, Plied, TakenBack, Allowed, TakenUp, OptionSet)

# what people agree upon beside the table, on which nothing is otherwise for it
BESIDE_THE_TABLE = (Told, Joined, Withdrew, DrawOffered, DrawAccepted, DrawDeclined, QuietSet, OptionSet)

# --- of the moment: told to listeners, never journalled ---------------------------------------------------------


@event("sight")
@dataclass(frozen=True)
class Sight(Event):
    """How well the referee sees: starting, seeing, hand, lost, dark, moved, frozen, no camera."""

    state: str
    text: str = ""


@event("asked")
@dataclass(frozen=True)
class Asked(Event):
    """A question that only people can answer."""

    text: str
