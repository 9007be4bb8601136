"""What an action led to, in words: which pieces were hit, and what a shield or a count of captures is by now."""

from __future__ import annotations

from companion.games.base import Game
from companion.games.extras import extras
from companion.pieces import EMPTY
from companion.referee.evidence import cells_of
from companion.referee.state import Past
from companion.referee.words import Palette, piece_words


def hit_words(past: Past, colours: Palette) -> tuple[str, ...]:
    """ "silver pyramid on c7"."""
    there = cells_of(past.standing)
    return tuple(f"{piece_words(there.get(cell, EMPTY), colours)} on {cell}" for cell in past.hits)


def changes(game: Game, past: Past, colours: Palette) -> tuple[str, ...]:
    """ "South 27 of 30 (−3)", of every card that runs to a most and was changed."""
    cards = extras(game).cards
    before = {card.name: card.value for card in cards(past.before)}
    now = (card for card in cards(past.after) if card.value is not None and card.most)
    by = ((card, card.value - (before.get(card.name) or 0)) for card in now if card.value is not None)
    return tuple(
        f"{colours.text(card.name)} {card.value} of {card.most} ({'+' if more > 0 else '−'}{abs(more)})"
        for card, more in by
        if more
    )


def told(game: Game, past: Past, colours: Palette) -> str:
    """The action and all that it led to, in one line."""
    hits = [f"Hit: {', '.join(words)}." for words in [hit_words(past, colours)] if words]
    led = [f"{'; '.join(words)}." for words in [changes(game, past, colours)] if words]
    return " ".join([colours.text(past.text), *hits, *led])
