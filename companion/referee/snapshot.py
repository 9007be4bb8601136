"""What a phone is told: one frozen value, sent whole as JSON. Pages draw it and compute nothing."""

import dataclasses
from dataclasses import dataclass
from typing import Any

from companion.events import BeamPath
from companion.games.base import Card, Reach


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: the colour it plays (`colour` is the set's own name for it) and who sits there."""

    seat: int
    name: str  # "Silver"
    colour: str  # CSS-safe word: silver red gold orange blue green purple black white ...
    player: str | None = None
    score: int | None = None  # pieces, points or shields, as the game counts
    resigns: str = ""  # what follows when this seat gives up, in words


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece as drawn: on a cell or in millimetres. `state` is "", "missing", "wrong", "turned", "extra", "ghost"."""

    kind: str
    colour: str | None = None
    facing: str | None = None
    size: str | None = None
    pose: str | None = None
    suit: str | None = None
    value: str | None = None
    face: str | None = None
    count: int = 1
    cell: str | None = None
    x_mm: float | None = None
    y_mm: float | None = None
    heading_deg: float | None = None
    state: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board to draw. `marked` are printed signs: (cell, sign)."""

    kind: str  # grid, hex, free, or the kind of a plan (tower)
    cols: int = 0
    rows: int = 0
    marked: tuple[tuple[str, str], ...] = ()
    width_mm: float = 0.0  # of a free table
    height_mm: float = 0.0
    colours: tuple[str, ...] = ()  # of the pieces that may lie on a free table


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that hands have still to do; ticked off as the camera sees it done."""

    text: str
    done: bool = False
    cell: str | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the referee waits for, and why, always in words."""

    text: str
    why: str = ""
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """Why something was refused: the rule, its text, and how to put it right."""

    name: str
    rule: str
    text: str
    rule_text: str = ""
    remedy: str = ""
    allows: str = ""  # what the host may let stand: "action", "table", or nothing


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question, with what would lie otherwise than is drawn if it was given, and what light follows."""

    id: str
    text: str
    added: tuple[PieceView, ...] = ()
    removed: tuple[PieceView, ...] = ()
    beams: tuple[BeamPath, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """A lawful move that does not show on the table, as a button: its notation and what it does."""

    move: str
    text: str
    faces: tuple[str, ...] = ()  # what each die shows, of a throw of several


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the camera cannot decide alone."""

    kind: str  # what is in doubt: "which", "between", "hardly-seen", "undo-3"
    text: str
    choices: tuple[Choice, ...]
    id: str = ""  # another one each time it is asked: an answer names it


@dataclass(frozen=True, slots=True)
class Ply:
    """One line of the record, with the picture of the board after it for the replay slider.

    Line 0, which is nobody's, is the table before the first action.
    """

    number: int
    seat: int | None
    move: str
    text: str
    hits: tuple[str, ...] = ()  # "silver pyramid on c7"
    pieces: tuple[PieceView, ...] = ()
    beams: tuple[BeamPath, ...] = ()
    scores: tuple[int, ...] = ()  # of each seat after it
    changes: tuple[str, ...] = ()  # what it led to besides: "South: 27 of 30 (−3)"


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended. `kind` is won, drawn, lost (by all) or ended (none of it), `head` the same in a few words.

    `said`: by what players said, and by no action: to undo it takes back none.
    """

    reason: str
    winners: tuple[int, ...]
    text: str
    kind: str
    head: str
    said: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that a page shows. `number` is the last event of the journal that is in it."""

    number: int
    game: str | None = None
    game_number: int = 0  # in the journal: another one for every game, whatever was chosen for it
    title: str = ""
    options: tuple[tuple[str, str | int | bool], ...] = ()
    phase: str = "idle"  # idle, set-up, play, over
    seats: tuple[SeatView, ...] = ()
    to_move: int | None = None
    sight: str = "starting"  # starting, seeing, hand, lost, dark, moved, frozen, no camera
    sight_text: str = ""
    waiting: Waiting = Waiting("")
    board: BoardView = BoardView("free")
    pieces: tuple[PieceView, ...] = ()
    beams: tuple[BeamPath, ...] = ()
    last_text: str = ""
    last_cells: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()  # cells that no camera sees: something lies over them
    ruling: Ruling | None = None
    question: Question | None = None
    record: tuple[Ply, ...] = ()
    beginning: Ply | None = None  # line 0 of the running game, which its record begins after
    claims: tuple[str, ...] = ()  # "draw by repetition"
    reach: tuple[Reach, ...] = ()  # where the pieces of the seat on turn can go, for games that tell
    cards: tuple[Card, ...] = ()  # shields, captures, the bag: what lies on no table
    offers: tuple[Offer, ...] = ()  # for the seat on turn
    rolls: str = ""  # the dice that the companion rolls when the seat on turn asks for it
    draw_between: tuple[int, ...] = ()  # seats that may agree on a draw
    draw_offered_by: int | None = None
    draw_open: tuple[int, ...] = ()  # seats that have not answered the offer yet
    draw_text: str = ""  # the offer in words, or that it was declined
    result: Result | None = None
    ending: str = ""  # of a recorded game: how it ended, or that it goes on
    started: str = ""  # of a recorded game: when
    about: str = ""  # of a recorded game: what was chosen otherwise than usual, and who played
    notices: tuple[str, ...] = ()  # disk full, recording paused, bumped camera corrected ...
    quiet: bool = False
    chosen_anew: str = ""  # what the host chose otherwise for the table while this game is on it

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return dataclasses.asdict(self)
