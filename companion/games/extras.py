"""What a game may offer besides the names of `Game`; where one is not there, the usual answer stands in for it."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from types import ModuleType
from typing import cast

from companion.events import Event
from companion.games.base import Card, Game, Layout, Move, Options, Position, Reach, Turn
from companion.pieces import Piece
from companion.view import TableView

Shown = Mapping[str, Piece] | TableView  # what lies on each cell; where pieces lie free, the view


@dataclass(frozen=True, slots=True)
class Extras:
    """The optional names of one game. None: the game has no opinion, and who asks knows what to do without."""

    scores: Callable[[Position], tuple[int, ...]] = lambda position: ()
    """What each seat has; () in a game that does not count."""
    seat_colours: Callable[[Position], tuple[str, ...]] | None = None
    """The colour of each seat's own pieces, where seats are not named for it."""
    cards: Callable[[Position], tuple[Card, ...]] = lambda position: ()
    """What is counted beside the board."""
    asks: Callable[[Position], str] = lambda position: ""
    """What is asked of the seat on turn, in words; "" where "to move" says it."""
    dice: Callable[[Position], str] | None = None
    """What is thrown now, in words; "" when the next move is none of chance, or is shown by the table itself."""
    shown_by: Callable[[Position, tuple[str, ...]], Move | None] | None = None
    """The throw that these faces show, for a game whose dice the camera reads."""
    faces: Callable[[Position, Move], tuple[str, ...]] = lambda position, move: ()
    """What each die shows in a throw of several, in words."""
    rivals: Callable[[Position, int], tuple[int, ...]] | None = None
    """Who wins when a seat gives up, if not all others."""
    claims: Callable[[Position], tuple[Move, ...]] = lambda position: ()
    """What the player about to move may claim."""
    plausible: Callable[[Position, TableView], Iterable[Move]] | None = None
    """The lawful moves worth weighing for a view, where listing all would be too slow."""
    sequences: Callable[[Position, TableView], Iterable[tuple[Move, ...]]] = lambda position, view: ()
    """Several moves that one view may show at once."""
    unordered: Callable[[Position, tuple[Move, ...]], str] = lambda position, moves: ""
    """What one view leaves open of the order of several moves that it shows at once, in words."""
    midway: Callable[[Position], bool] | None = None
    """True in the middle of a turn, which hands seldom leave so: of several moves that one view shows at once."""
    oddity: Callable[[Position, Move], float] = lambda position, move: 0.0
    """How unlikely an unlawful action is beside others, in nats."""
    cleared_cost: Callable[[Position, Move], float] | None = None
    """How unlikely it is, in nats, that hands did all that follows before anybody looked."""
    reach: Callable[[Position], tuple[Reach, ...]] = lambda position: ()
    """Where each piece on turn can go."""
    work: Callable[[Position, Move, bool], str] = lambda position, move, taken: ""
    """What hands have to do for a move, begun on the table if `taken`; "" where place by place says it."""
    work_back: Callable[[Position, Move, Position | None], tuple[str, tuple[str, ...]]] | None = None
    """How such a move is undone by hands, given what the next one led to, and the places that this concerns."""
    carry_out: Callable[[Position, Move], Turn] | None = None
    """An unlawful action played all the same; IllegalMove where nobody could play on from it."""
    taken_up: Callable[[Position, Shown, int], Position] | None = None
    """The position that a table shows, with that seat to move."""
    turn_of: Callable[[Position, Shown], int] | None = None
    """Whose turn it is on a table that is taken up, where neither pieces nor the next action tell."""
    under_way: Callable[[Position, Move], Iterable[tuple[Layout, str]]] | None = None
    """The tables that hands may leave between an action and all that follows from it, each with the way back."""
    on_sheet: Callable[[str, float, float], str] = lambda sheet, x_mm, y_mm: ""
    """Where on a printed sheet a piece lies, in words."""
    in_force: Callable[[Position], Options] = lambda position: {}
    """Options as a game's first position has them, where what was not chosen hangs on what was."""
    openings: Callable[[Options], Iterable[Options]] = lambda options: ()
    """Choices that the players make on the table instead of on the page."""
    hidden: Callable[[Position, Layout | None], frozenset[str]] = lambda position, standing: frozenset()
    """The names of what lies hidden; `standing`: the last confirmed table, on which some of it may still lie open."""
    without: Callable[[Position, Collection[str]], Position] = lambda position, names: position
    """A position in which nobody can tell what bears these names, lie it open or not."""
    retold: Callable[[Move, Sequence[Event], Collection[str]], tuple[Move, tuple[Event, ...]]] = (
        lambda move, events, names: (move, tuple(events))
    )
    """A move and what happened by it, with nothing that tells where these names are."""
    LOST: Collection[str] = ()
    """Reasons of ends without a winner that are lost by all."""
    ENDED: Mapping[str, str] = field(default_factory=dict)
    """Reasons of ends that nobody won, lost or drew, each with the end in a few words."""
    PHOTOGRAPHED: Options = field(default_factory=dict)
    """Options for a folder of photographs, where nobody tells what no picture shows."""
    DOUBTS: Collection[str] = ()
    """Rules under which it tells that hands and camera cannot be exact enough to say."""
    TABLE_RULES: Mapping[str, str] = field(default_factory=dict)
    """Its own numbers for rules that every table knows."""


def extras(game: Game) -> Extras:
    """What this game offers."""
    return _of_module(cast(Hashable, game))


@lru_cache(maxsize=64)
def _of_module(game: Hashable) -> Extras:
    offered = {f.name: getattr(game, f.name) for f in fields(Extras) if hasattr(game, f.name)}
    # a file of the game's package is an attribute of it, too, whatever it is named
    return Extras(**{name: value for name, value in offered.items() if not isinstance(value, ModuleType)})
