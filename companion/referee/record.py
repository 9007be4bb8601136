"""A recorded game looked back at: how it stood at its end, and in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.events import Event
from companion.games.options import said
from companion.referee.happenings import Reset, Started
from companion.referee.recorder import Archive, Readable
from companion.referee.state import GOING_ON, State, sound
from companion.referee.words import palette, sentence

BEFORE_ANY = 0  # the number of what was recorded before the first game
CUT = "no result: only its beginning can be read by this version"


def goes_on(events: Sequence[Event]) -> bool:
    """True for a game that a companion would go on with."""
    return sound(events)[0].phase in GOING_ON


def lies_there(archive: Archive) -> int:
    """The game that lies on the table when the companion starts: the newest, at its end if no game goes on.

    An older one goes on where its end was taken back after another game came behind it.
    """
    newest = max(archive.games(), default=BEFORE_ANY)
    of_them = dict.fromkeys((newest, archive.last_game()))
    return next((game for game in of_them if goes_on(archive.events(game))), newest)


def finished(events: Sequence[Event]) -> State:
    """The state at a recorded game's end; a reset leaves the game as it stood."""
    return looked_back(events)[0]


def looked_back(events: Sequence[Event]) -> tuple[State, bool]:
    """The same, and whether the rules agree with all of the record."""
    past = not_closed(events)
    state, count = sound(past)
    return state, count == len(past)


def not_closed(events: Sequence[Event]) -> list[Event]:
    """A game's events as if it had not been reset."""
    return [e for e in events if not isinstance(e, Reset)]


def carries_on(games: Readable, number: int, other: int) -> bool:
    """True where `other` is that game, or what it became: it was closed, and gone on with under this number."""
    if number == other or games.first(number) != games.first(other):  # of few games is more to be read
        return number == other
    past = not_closed(games.events(number))
    return games.events(other)[: len(past)] == past


def as_told(games: Readable, number: int) -> list[Event]:
    """A game's events to look back at; one that was closed is told of as one that is on while it is gone on with."""
    events = games.events(number)
    past = not_closed(events)
    later = (other for other in games.games() if other > number) if len(past) < len(events) else ()
    on = any(carries_on(games, number, other) and goes_on(games.events(other)) for other in later)
    return past if on else events


def as_exported(games: Readable, number: int, form: str) -> list[Event]:
    """What an export is made of; one that brings the game back has everything as it was written."""
    return games.events(number) if form == "json" else as_told(games, number)


def summary(number: int, events: Sequence[Event], whole: bool = True) -> dict[str, Any]:
    """A game in one line: id, game, title, about, started, plies, result.

    `about` is what was chosen otherwise than usual, and who played. `whole`: these are all events that there are.
    """
    state, agreed = looked_back(events)
    opened = opening(events)
    return {
        "id": number,
        "game": state.name or (opened.game if opened else ""),
        "title": state.game.TITLE if state.game is not None else "",
        "about": about(state),
        "started": opened.at if opened else "",
        "plies": len(state.plies),
        "result": _result(state, events, whole and agreed),
    }


def opening(events: Sequence[Event]) -> Started | None:
    """How the game was started; None where that cannot be read."""
    return next((e for e in events if isinstance(e, Started)), None)


def about(state: State) -> str:
    """What was chosen otherwise than usual, and who played: "Set-up: Imhotep 2.0 · Ada (Silver)"."""
    return " · ".join([*_chosen(state), *_players(state)])


def _chosen(state: State) -> Iterator[str]:
    """The options that are not as usual: "Set-up: Imhotep 2.0"."""
    for option in state.game.OPTIONS if state.game is not None else ():
        value = state.options.get(option.name, option.default)
        if value != option.default and value in option.choices:
            name = option.label or option.name
            yield name if value is True else f"{name}: {said(option, value)}"


def _players(state: State) -> Iterator[str]:
    """Who played: "Ada (Silver)"."""
    colours = palette(state.options)
    seats = state.game.seats(state.position) if state.game is not None else ()
    names = [colours.text(name).capitalize() for name in seats]
    return (f"{player} ({names[seat]})" for seat, player in sorted(state.players.items()) if seat < len(names))


def ending(state: State, events: Sequence[Event], whole: bool) -> str:
    """How a game, `looked_back` at, ended in a sentence, or why there is no end to tell of."""
    if state.phase == "idle":
        return "It cannot be read under these rules."
    return sentence(_result(state, events, whole)) or "It is still being played."


def _result(state: State, events: Sequence[Event], whole: bool) -> str:
    """ "" for a game that goes on."""
    reset = next((e for e in reversed(events) if isinstance(e, Reset)), None)
    if state.over is not None:
        return state.over.text
    return f"no result: {reset.why}" if reset else "" if whole else CUT
