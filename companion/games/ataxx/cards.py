"""How many pieces each side has, as cards (A13)."""

from companion.games.ataxx.position import COLOURS, Position
from companion.games.base import Card


def scores(position: Position) -> tuple[int, int]:
    """The pieces of each side (A13)."""
    return position.x.bit_count(), position.o.bit_count()


def cards(position: Position) -> tuple[Card, ...]:
    """How many pieces each side has (A13)."""
    return tuple(
        Card(f"{colour.capitalize()} pieces", seat=seat, value=count)
        for seat, (colour, count) in enumerate(zip(COLOURS, scores(position), strict=True))
    )
