"""Talismans in hand as cards, so that everybody knows who may still buy a turn (K20, K25)."""

from companion.games.base import Card
from companion.games.kdak.position import Position
from companion.games.kdak.words import seat_name
from companion.texts import counted


def cards(position: Position) -> tuple[Card, ...]:
    """What each explorer holds; none in a game without talismans."""
    if position.house.variant == "duel":
        return ()
    return tuple(
        Card(seat_name(position.house, seat), seat=seat, text=counted(held, "talisman") if held else "no talisman")
        for seat, held in enumerate(position.coins[: position.house.seats])
    )
