"""A recorded game looked back at: how it stood at its end, and in one line."""

from collections.abc import Sequence
from typing import Any

from companion.events import Event
from companion.referee.happenings import Reset, Started
from companion.referee.state import State, sound
from companion.referee.words import sentence


def finished(events: Sequence[Event]) -> State:
    """The state at a recorded game's end; a reset leaves the game as it stood."""
    return sound(e for e in events if not isinstance(e, Reset))[0]


def summary(number: int, events: Sequence[Event]) -> dict[str, Any]:
    """A game in one line: id, game, title, started, plies, result."""
    state = finished(events)
    opened = next((e for e in events if isinstance(e, Started)), None)
    return {
        "id": number,
        "game": state.name or (opened.game if opened else ""),
        "title": state.game.TITLE if state.game is not None else "",
        "started": opened.at if opened else "",
        "plies": len(state.plies),
        "result": _result(state, events),
    }


def ending(state: State, events: Sequence[Event]) -> str:
    """How a game, `finished`, ended in a sentence, or why there is no end to tell of."""
    going_on = "It is still being played." if state.phase != "idle" else "It cannot be read under these rules."
    return sentence(_result(state, events)) or going_on


def _result(state: State, events: Sequence[Event]) -> str:
    reset = next((e for e in reversed(events) if isinstance(e, Reset)), None)
    return state.over.text if state.over is not None else f"no result: {reset.why}" if reset else ""
