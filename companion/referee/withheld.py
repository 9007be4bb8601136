"""What is told to nobody while a game is on: faces that were seen and lie hidden by now, in all that the record says.

To remember them is part of the game. The journal keeps everything, and with the game's end everything is told.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from companion.events import Event
from companion.games.base import Game
from companion.games.extras import extras
from companion.referee.happenings import Reset
from companion.referee.state import GOING_ON, Past, State, states


def is_on(state: State, events: Sequence[Event]) -> bool:
    """True while a game is played; a recorded one, looked back at, is over also once it was reset."""
    return state.phase in GOING_ON and not any(isinstance(event, Reset) for event in events)


def withheld(state: State) -> frozenset[str]:
    """The names of what lies hidden in a game that is on; what hands have still to turn over is open until they did."""
    return extras(state.module).hidden(state.position, state.standing) if state.phase in GOING_ON else frozenset()


def as_told(game: Game, past: Past, names: Collection[str]) -> Past:
    """The ply as all may know it; the same one where it names nothing of what is withheld."""
    without = extras(game).without
    before, after = without(past.before, names), without(past.after, names)
    move = game.read_move(past.before, past.move)
    told, events = extras(game).retold(move, past.events, names)
    if (before, after, told) == (past.before, past.after, move):
        return past
    return replace(
        past,
        move=game.write_move(before, told),
        text=_retold(past.text, game.describe(past.before, move), game.describe(before, told)),
        before=before,
        after=after,
        standing=game.during(before, told),
        events=events,
    )


def told_alike(one: Past, other: Past) -> bool:
    """True for two tellings of one ply that are the same."""
    return (one.before, one.after, one.move) == (other.before, other.after, other.move)


def kept_back(state: State, events: Sequence[Event]) -> tuple[str, ...]:
    """What is said of a recorded game in which something is withheld; () where all is told."""
    told = as_all_know(state, events)
    return () if told is state else ("What was seen and lies hidden by now is told when it is over.",)


def tells_hidden(state: State, events: Sequence[Event]) -> bool:
    """True if these events of a game that is on tell what lies hidden, be it with what was taken back by now."""
    names = withheld(state) if is_on(state, events) else frozenset()
    told = (as_told(state.module, past, names) is not past for past in _played(events)) if names else ()
    return bool(kept_back(state, events)) or any(told)


def _played(events: Sequence[Event]) -> Iterator[Past]:
    """Every ply of a recorded game, also those that were taken back."""
    last = None
    for state in states(events):
        newest = state.plies[-1] if state.plies else None
        if newest is not None and newest is not last:
            yield newest
        last = newest


def as_all_know(state: State, events: Sequence[Event]) -> State:
    """The state of these events with a record that tells no more than all may know; itself if nothing is withheld."""
    names = withheld(state) if is_on(state, events) else frozenset()
    plies = tuple(as_told(state.module, past, names) for past in state.plies) if names else state.plies
    first = extras(state.module).without(state.first, names) if names else state.first
    same = first == state.first and all(one is other for one, other in zip(plies, state.plies, strict=True))
    return state if same else replace(state, plies=plies, first=first)


def _retold(text: str, known: str, told: str) -> str:
    """The ply's text with the move in other words; what else was said of it is kept where it names no face."""
    known, told = known.rstrip("."), told.rstrip(".")
    return text.replace(known, told) if known in text else f"{told}."
