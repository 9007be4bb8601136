"""What a game is: a module that offers these names, checked against `Game` by the type checker."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from companion.errors import IllegalMove
from companion.events import Event, GameOver
from companion.pieces import Piece
from companion.view import BoardShape, TableView

Position = Any  # each game's own frozen value
Move = Any  # each game's own frozen value
Options = Mapping[str, str | int | bool]


@dataclass(frozen=True, slots=True)
class Option:
    """A choice before the game: layout, variant, seats or a house rule."""

    name: str
    choices: tuple[str | int | bool, ...]
    default: str | int | bool
    meaning: str  # one sentence, shown beside the switch
    rule: str = ""
    label: str = ""  # what a page heads it with; "": its name
    said: tuple[str, ...] = ()  # the choices in a page's words, in their order; (): as they are


@dataclass(frozen=True, slots=True)
class Rule:
    """A numbered rule in our own words, and the function that enforces it."""

    number: str  # "Khet 3b.2", "Khet Q7", "K5", "C11", "X8", "A3"
    text: str
    enforced_in: str  # "companion.games.khet.actions:check_square"


def numbered(folder: str, *rows: tuple[str, str, str]) -> tuple[Rule, ...]:
    """Rules from rows of a number, a text, and "FILE:NAME" of what enforces it in the game's folder."""
    return tuple(Rule(number, text, f"{folder}.{place}") for number, text, place in rows)


@dataclass(frozen=True, slots=True)
class Turn:
    """What a move leads to: the next position and the events in the order in which they happen."""

    position: Position
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won, and why. `reason` is a stable word; no winner = a draw, or what a game's `LOST` and `ENDED` say."""

    reason: str
    winners: tuple[int, ...]
    text: str
    rule: str = ""

    def event(self) -> GameOver:
        """What is told and recorded of it."""
        return GameOver(self.reason, self.winners, self.text, self.rule)

    def refusal(self) -> IllegalMove:
        """What is said of a move after the end."""
        return IllegalMove("game-over", self.rule, f"The game is over: {self.text}", "Start a new game.")


@dataclass(frozen=True, slots=True)
class Lying:
    """A piece where the table should show it: on a cell, or free in millimetres. Open fields match anything."""

    piece: Piece
    cell: str | None = None
    x_mm: float | None = None
    y_mm: float | None = None
    heading_deg: float | None = None
    words: str = ""  # "the silver pyramid on c4"
    nested_on: int | None = None  # index in the layout of the piece that carries this one
    count: int = 1  # how many of it are stacked so that they look like one from above
    soft: bool = False  # asked for and ticked off when seen, but play does not wait for it
    sheet: str = ""  # the printed sheet on which it lies, where that may lie apart from the rest
    shown: bool = False  # seen by all for a moment, and no part of the table afterwards
    slack_mm: float = 0.0  # on a free table: so far off it may lie without that meaning anything
    slack_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Spot:
    """A named place of a plan, in the plan's own millimetres; spots of one part keep their distances."""

    cell: str
    x_mm: float
    y_mm: float
    part: str = ""


@dataclass(frozen=True, slots=True)
class Walker:
    """A piece that stands on spots, on top of what lies there, or beside the plan: on the cells "SPOT/NAME"."""

    name: str
    piece: Piece


@dataclass(frozen=True, slots=True)
class Plan:
    """Places without a board that may lie anywhere on the table, a little turned: found by what lies on them.

    One piece of kind `lies` at most lies on each spot. Walkers beside all spots are on the cell "AWAY/NAME"; while
    `shows`, the cell "AWAY/KIND" has the piece of that kind that lies beside the plan and is not among `gone`.
    """

    kind: str  # how a page draws it
    spots: tuple[Spot, ...]
    side_mm: float  # of a spot
    lies: str = "tile"
    walkers: tuple[Walker, ...] = ()
    away: str = "beside"
    shows: bool = False
    gone: tuple[Piece, ...] = ()
    spread_mm: float = 0.0  # neighbouring parts may lie this much further apart along the plan's X

    @property
    def shown_cell(self) -> str:
        """Where a piece that lies beside the plan is shown."""
        return f"{self.away}/{self.lies}"

    def cells(self) -> Iterator[str]:
        """The names of all places."""
        for spot in self.spots:
            yield spot.cell
            yield from (f"{spot.cell}/{walker.name}" for walker in self.walkers)
        yield from (f"{self.away}/{walker.name}" for walker in self.walkers)
        if self.shows:
            yield self.shown_cell


@dataclass(frozen=True, slots=True)
class Layout:
    """What the table should look like. Cells that are not named are empty; `free` layouts have no board."""

    pieces: tuple[Lying, ...]
    board: BoardShape | None = None
    marked: Mapping[str, str] = field(default_factory=dict)  # printed on the board: {"a1": "eye"}
    plan: Plan | None = None
    looks: tuple[Piece, ...] = ()  # of pieces that lie there or may come; what looks otherwise is misread, or strange
    singles: tuple[Piece, ...] = ()  # of these there is one each: what looks like a second one is none
    stacks: bool = True  # pieces may stand on one another

    @property
    def lasting(self) -> "Layout":
        """Without what is only shown for a moment."""
        kept = tuple(p for p in self.pieces if not p.shown)
        return self if len(kept) == len(self.pieces) else replace(self, pieces=kept)

    @property
    def celled(self) -> bool:
        """True if pieces lie on named cells: of a board, or of a plan."""
        return self.board is not None or self.plan is not None

    def cells(self) -> Iterator[str]:
        """The names of all cells, occupied or not."""
        return self.plan.cells() if self.plan is not None else self.board.cells() if self.board else iter(())


@dataclass(frozen=True, slots=True)
class Token:
    """One piece on a card: had, still needed, in hand ... `state` is a stable word (have, need, hand, left, out)."""

    colour: str
    state: str
    words: str
    size: str | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """What belongs to a seat, or to nobody, and lies on no table: a shield, captures, a bag. `value` of at most `most`.

    `change` is what the last ply did to the value, `due` what its seat has still to do while the game goes on; x_mm,
    y_mm is where on a free table the card belongs.
    """

    name: str
    tokens: tuple[Token, ...] = ()
    seat: int | None = None
    value: int | None = None
    most: int | None = None
    text: str = ""
    due: str = ""
    change: int = 0
    out: bool = False
    x_mm: float | None = None
    y_mm: float | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """The cells that a piece makes lawful to fill: by a new piece beside it, or by going there itself."""

    cell: str
    drops: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()


class Game(Protocol):
    """The names every game module offers. Positions and moves are frozen and hashable."""

    NAME: str
    TITLE: str

    @property
    def OPTIONS(self) -> tuple[Option, ...]:  # noqa: N802 - a module's constant, read only
        """What is chosen before the game."""

    @property
    def RULES(self) -> tuple[Rule, ...]:  # noqa: N802
        """The numbered rules."""

    def start(self, options: Options) -> Position:
        """The first position. Unknown or unfit options: UnreadableText that lists what is allowed."""

    def seats(self, position: Position) -> tuple[str, ...]:
        """The colour or name of each seat, in seat order."""

    def to_move(self, position: Position) -> int | None:
        """The seat that moves next; None when the game is over."""

    def moves(self, position: Position) -> Iterable[Move]:
        """The legal moves, where they can be listed; moves of chance are listed like others."""

    def chance(self, position: Position) -> tuple[tuple[Move, float], ...]:
        """Moves of chance with their probabilities when the next move is one; else ().

        A single one is certain (a pass that nobody may refuse): it is carried out without asking anybody.
        """

    def play(self, position: Position, move: Move) -> Turn:
        """The move carried out; IllegalMove that names the rule when it is forbidden."""

    def layout(self, position: Position) -> Layout:
        """What the table should show in this position, everything asked for being done."""

    def during(self, position: Position, move: Move) -> Layout:
        """The table right after the hand has let go: the move made, its consequences not yet carried out."""

    def candidates(self, position: Position, view: TableView) -> Iterable[Move]:
        """Moves that could explain the view, lawful or not; by default the legal moves."""

    def outcome(self, position: Position) -> Outcome | None:
        """None while the game goes on."""

    def describe(self, position: Position, move: Move) -> str:
        """The move in words: "Silver turns the pyramid on c2 to face NE."."""

    def read_move(self, position: Position, text: str) -> Move:
        """The move that a text names; UnreadableText when it names none."""

    def write_move(self, position: Position, move: Move) -> str:
        """The move's one spelling; `read_move` gives it back."""

    def read_position(self, text: str) -> Position:
        """The position that a text names; UnreadableText, or OddPosition with its reasons."""

    def write_position(self, position: Position) -> str:
        """The position's one spelling; `read_position` gives it back."""

    def to_json(self, value: Position | Move) -> dict[str, Any]:
        """A position or a move as plain JSON values."""

    def from_json(self, data: Mapping[str, Any]) -> Position | Move:
        """What `to_json` wrote; UnreadableText when it is none."""

    def draw(self, position: Position) -> str:
        """The position as text for a terminal."""

    def seen_by(self, position: Position, seat: int | None) -> Position:
        """The position without what this seat (None: a spectator) may not know."""
