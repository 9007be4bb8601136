"""The choices before a game, and the first position."""

from collections.abc import Iterator

from companion.errors import UnreadableText
from companion.games.base import Option, Options
from companion.games.kaxxt.position import FULL_SHIELD, Position
from companion.games.kaxxt.pyramids import SET
from companion.games.kaxxt.sides import NAMES
from companion.games.kaxxt.stacks import METHODS
from companion.games.options import settle

SHOWN = "shown"
TOLD, LATE = "told", "late"

OPTIONS = (
    Option("seats", (2, 3, 4), 2, "How many players sit round the table.", "X2", "Players"),
    Option(
        "first",
        (SHOWN, *NAMES[4]),
        SHOWN,
        "Whom Kaxxt attacks first: whom his card looks at, or the one named.",
        "X5",
        "Kaxxt attacks first",
        ("Whom his card looks at", *NAMES[4]),
    ),
    Option(
        "redirect",
        METHODS,
        METHODS[0],
        "A smaller pyramid turns its share of a beam (thirds), or as many points as it has pips.",
        "XA1",
        "A smaller pyramid turns",
        ("Its share of the beam", "As many points as its pips"),
    ),
    Option(
        "draws",
        (TOLD, LATE),
        TOLD,
        "A draw is told when it is made; or late, when the pyramid is placed: one for each turn that told none.",
        "XA24",
        "A draw is told",
        ("When it is made", "When the pyramid is placed"),
    ),
)
PHOTOGRAPHED = {"draws": LATE}  # a picture shows no hand


def start(options: Options) -> Position:
    """Full shields, a full bag, Kaxxt turned to the first target (X1-X3, X5)."""
    chosen = settle(OPTIONS, options)
    seats, first = int(chosen["seats"]), str(chosen["first"])
    if first == SHOWN:
        first = NAMES[seats][0]  # until his card is seen
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
        late=(0,) * seats if chosen["draws"] == LATE else (),
    )


def openings(options: Options) -> Iterator[Options]:
    """The options that name what these leave to the table: whom Kaxxt's card looks at (X5)."""
    chosen = settle(OPTIONS, options)
    if chosen["first"] == SHOWN:
        yield from ({**options, "first": name} for name in NAMES[int(chosen["seats"])])
