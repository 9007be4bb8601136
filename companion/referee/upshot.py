"""What an action led to, in words: what was hit, what a shield or a count of captures is by now, what the rules say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from companion.events import Scored
from companion.games.base import Card, Game, Position
from companion.games.extras import extras
from companion.pieces import EMPTY
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import CERTAIN
from companion.referee.state import Past
from companion.referee.words import Palette, piece_words, sentence


def newest(plies: Sequence[Past]) -> Sequence[Past]:
    """The last ply that somebody made, and what happened by itself after it: together they are the last action."""
    by_itself = sum(1 for _ in takewhile(lambda past: past.source == CERTAIN, reversed(plies)))
    return plies[-1 - by_itself :]


def hit_words(past: Past, colours: Palette) -> tuple[str, ...]:
    """ "silver pyramid on c7"."""
    there = cells_of(past.standing)
    return tuple(f"{piece_words(there.get(cell, EMPTY), colours)} on {cell}" for cell in past.hits)


def cards_after(game: Game, before: Position, after: Position) -> tuple[Card, ...]:
    """The game's cards, each with what was changed of its value; a card that was not there before is not changed."""
    made = extras(game).cards
    old = {card.name: card.value for card in made(before)}
    return tuple(_since(card, old.get(card.name)) for card in made(after))


def changes(game: Game, past: Past, colours: Palette) -> tuple[str, ...]:
    """ "South: 0 of 30 (−3), out", "Kaka: 16 (+5)", of every card that tells (`_counts`), and what the rules told."""
    return (*_counts(game, past, colours), *notes(past, colours))


def told(game: Game, past: Past, colours: Palette) -> str:
    """The action and all that it led to, in one line."""
    lines = [colours.text(past.text)]
    if hits := hit_words(past, colours):
        lines.append(f"Hit: {', '.join(hits)}.")
    if led := _counts(game, past, colours):
        lines.append(f"{'; '.join(led)}.")
    return " ".join([*lines, *notes(past, colours)])


def reported(plies: Sequence[Past], colours: Palette) -> list[str]:
    """Sentences on what was done, and what the rules had told of it."""
    return [line for past in plies for line in (sentence(past.text), *notes(past, colours))]


def _counts(game: Game, past: Past, colours: Palette) -> tuple[str, ...]:
    """What was changed of cards that run to a most, and of a seat that scored."""
    scored = {event.seat for event in past.events if isinstance(event, Scored)}
    cards = cards_after(game, past.before, past.after)
    return tuple(_count(card, colours) for card in cards if card.change and (card.most or card.seat in scored))


def _count(card: Card, colours: Palette) -> str:
    most = f" of {card.most}" if card.most else ""
    return f"{colours.text(card.name)}: {card.value}{most} ({_signed(card.change)}){', out' if card.out else ''}"


def notes(past: Past, colours: Palette) -> tuple[str, ...]:
    """Why nothing was captured or all is lost, what is doubtful, what may be claimed: sentences of the game's own."""
    return tuple(sentence(colours.text(event.note)) for event in past.events if event.note)


def _since(card: Card, before: int | None) -> Card:
    return card if card.value is None or before is None else replace(card, change=card.value - before)


def _signed(number: int) -> str:
    return f"{'+' if number > 0 else '−'}{abs(number)}"
