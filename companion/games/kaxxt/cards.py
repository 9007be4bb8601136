"""Shields, hands and the bag as cards, so that everybody sees them at any time (X3, X6)."""

from companion.games.base import Card, Token
from companion.games.kaxxt.position import FULL_SHIELD, Position
from companion.games.kaxxt.pyramids import Pyramid
from companion.games.kaxxt.sides import PLAYER_MM


def cards(position: Position) -> tuple[Card, ...]:
    """Kaxxt's shield, every player's with what he has in hand, and the bag."""
    faces = f"looks at {position.names[position.target].capitalize()}"
    kaxxt = Card("Kaxxt", value=position.kaxxt, most=FULL_SHIELD, text=faces, out=position.kaxxt <= 0)
    left = len(position.bag)
    bag = Card("Bag", tuple(_token(p, "left") for p in position.bag), text=f"{left} left" if left else "empty")
    return (kaxxt, *(_player(position, seat) for seat in range(position.seats)), bag)


def _player(position: Position, seat: int) -> Card:
    shield, hand, side = position.shields[seat], position.hands[seat], position.sides[seat]
    x, y = side.table(0.0, PLAYER_MM)
    text = "out" if not shield else "in hand" if hand else ""
    tokens = tuple(_token(pyramid, "hand") for pyramid in hand)
    name = position.names[seat].capitalize()
    return Card(name, tokens, seat, shield, FULL_SHIELD, text, out=not shield, x_mm=x, y_mm=y)


def _token(pyramid: Pyramid, state: str) -> Token:
    return Token(pyramid.colour, state, f"{pyramid.size} {pyramid.colour}", pyramid.size)
