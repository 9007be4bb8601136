"""Captures, the colours still needed, and the array as cards (C1, C3, C14)."""

from companion.games.base import Card, Token
from companion.games.chaos.colours import RINGS, UNSEEN
from companion.games.chaos.placement import largest, pose_due
from companion.games.chaos.position import SIZES, Position


def cards(position: Position) -> tuple[Card, ...]:
    """Every player's ring of colours, and what the array holds."""
    return (*(_player(position, seat) for seat in range(position.house.players)), _array(position))


def _player(position: Position, seat: int) -> Card:
    ring, had = RINGS[position.house.colours], dict(position.captured[seat])
    tokens = tuple(
        Token(colour, "have", f"{had[colour]} {colour}", had[colour])
        if colour in had
        else Token(colour, "need", f"{colour} still needed")
        for colour in ring
    )
    due = _to_place(position) if seat == position.seat and position.phase == "place" else ""
    return Card(f"Player {seat + 1}", tokens, seat, len(had), len(ring), due=due)


def _to_place(position: Position) -> str:
    first, *others = position.dice
    if first in others and first == UNSEEN:
        return "to place: what the dice show"
    if first in others:
        return f"to place: {_wanted(position, first)}; then {first} again"
    return "to place: " + " and ".join(_wanted(position, colour) for colour in position.dice)


def _wanted(position: Position, colour: str) -> str:
    if colour == UNSEEN:
        return "what the other die shows"
    size = largest(position, colour)
    if size is None:
        return f"no {colour} is left"
    return f"{size} {colour}, {'standing' if pose_due(position, colour) == 'upright' else 'lying'}"


def _array(position: Position) -> Card:
    tokens = []
    for colour, counts in zip(RINGS[position.house.colours], position.array, strict=True):
        left = ", ".join(f"{count} {size}" for size, count in zip(SIZES, counts, strict=True))
        size = largest(position, colour)
        tokens.append(Token(colour, "left" if size else "out", f"{colour}: {left}", size, sum(counts)))
    return Card("Array", tuple(tokens), text=f"{sum(map(sum, position.array))} pieces")
