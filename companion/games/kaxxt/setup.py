"""The choices before a game, and the first position."""

from companion.errors import UnreadableText
from companion.games.base import Option, Options
from companion.games.kaxxt.position import FULL_SHIELD, Position
from companion.games.kaxxt.pyramids import SET
from companion.games.kaxxt.sides import NAMES
from companion.games.kaxxt.stacks import METHODS
from companion.games.options import settle

OPTIONS = (
    Option("seats", (2, 3, 4), 2, "How many players sit round the table.", "X2"),
    Option("first", NAMES[4], NAMES[4][0], "Whom Kaxxt attacks first; the oldest is a good choice.", "X5"),
    Option(
        "redirect",
        METHODS,
        METHODS[0],
        "A smaller pyramid turns its share of a beam (thirds), or as many points as it has pips.",
        "XA1",
    ),
)


def start(options: Options) -> Position:
    """Full shields, a full bag, Kaxxt turned to the first target (X1-X3, X5)."""
    chosen = settle(OPTIONS, options)
    seats, first = int(chosen["seats"]), str(chosen["first"])
    if first not in NAMES[seats]:
        raise UnreadableText(f"nobody sits {first} at a table for {seats}; there are {', '.join(NAMES[seats])}")
    seat = NAMES[seats].index(first)
    return Position(
        shields=(FULL_SHIELD,) * seats,
        areas=((),) * seats,
        hands=((),) * seats,
        bag=SET,
        turn=seat,
        target=seat,
        redirect=str(chosen["redirect"]),
    )
