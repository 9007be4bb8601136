"""Gold and talismans as cards: who is ahead, and who may still buy a turn (K19, K20, K25)."""

from companion.games.base import Card
from companion.games.kdak.position import Position
from companion.games.kdak.words import seat_name
from companion.texts import counted


def cards(position: Position) -> tuple[Card, ...]:
    """The points of each explorer, and the talismans where there are any; of two for one purse the purse, too (K29)."""
    house, scores = position.house, position.scores
    own = tuple(
        Card(seat_name(house, seat), seat=seat, value=scores[seat], text=_held(position, seat))
        for seat in range(house.seats)
    )
    return (*own, Card("Purse", value=sum(scores))) if house.alone and house.seats > 1 else own


def _held(position: Position, seat: int) -> str:
    if not position.house.talismans:
        return ""
    held = position.coins[seat]
    return counted(held, "talisman") if held else "no talisman"
