"""A recorded game as text notation or as JSON; `whole`: these are all events that there are."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from companion.events import Event
from companion.games.base import Game, Position
from companion.games.options import spell
from companion.journal.database import FIRST_LINK, link, spelled
from companion.referee.endings import kind
from companion.referee.happenings import Ruled, TakenBack
from companion.referee.record import finished, summary
from companion.referee.state import Past
from companion.referee.upshot import notes
from companion.referee.withheld import as_all_know
from companion.referee.words import Palette

FORMAT = "tabletop-companion game 1"
ROUND = str.maketrans("[]", "()")  # in names: square brackets are the headers'


def as_text(number: int, events: Sequence[Event], whole: bool = True) -> str:
    """Text notation: headers, then one line for each ply with its seat, move, hits, words, and what the rules had told.

    A line 0 says how play was taken up from another table than the set-up. While the game is on, it tells no more than
    all may know.
    """
    state, line = as_all_know(finished(events), events), summary(number, events, whole)
    if state.game is None:
        return f"[game {number}]\n[unreadable under these rules]\n"
    names = state.game.seats(state.position)
    head = [f"[game {state.name} {number}]", f"[started {line['started']}]" if line["started"] else ""]
    head += [f"[{name} {spell(value)}]" for name, value in sorted(state.options.items())]
    head += [f"[changed {name} {spell(state.table[name])}]" for name in state.chosen_anew]
    head += [f"[player {names[seat]} {player.translate(ROUND)}]" for seat, player in sorted(state.players.items())]
    head += [f"[start {_shown(state.game, state.first)}]", ""]
    lines = [f"0.  ; {state.begun}"] if state.begun else []
    lines += [
        f"{i}. {names[past.seat]} {past.move}{' x ' + ' '.join(past.hits) if past.hits else ''}  ; {_words(past)}"
        for i, past in enumerate(state.plies, start=1)
    ]
    ends = [f"[end {_shown(state.game, state.position)}]", f"[result {line['result'] or 'unfinished'}]"]
    return "\n".join([h for h in head if h] + [""] + lines + ["", *ends]) + "\n"


def _words(past: Past) -> str:
    """The action, and what the rules had told of it, on the line that they share."""
    return " ".join([past.text, *notes(past, Palette())])


def as_json(number: int, events: Sequence[Event], whole: bool = True) -> str:
    """Every event as written, and the game in one line: enough to restore it.

    It keeps nothing back, also of a game that is on: who hands it out sees to it that it gets to nobody who plays.
    """
    return json.dumps(as_data(number, events, whole), ensure_ascii=False, indent=1) + "\n"


def as_data(number: int, events: Sequence[Event], whole: bool = True) -> dict[str, Any]:
    """The same as a JSON value."""
    state = finished(events)
    written = [event.to_json() for event in events]
    return {
        "format": FORMAT,
        **summary(number, events, whole),
        "start": _shown(state.game, state.first) if state.game else None,
        "end": _shown(state.game, state.position) if state.game else None,
        "moves": [past.move for past in state.plies],
        "rulings": [e.to_json() for e in events if isinstance(e, Ruled)],
        "take_backs": sum(isinstance(e, TakenBack) for e in events),
        "winners": list(state.over.winners) if state.over is not None else None,
        "ended": kind(state.module, state.over) if state.over is not None else None,
        "events": written,
        "seal": seal(written),
    }


def seal(written: Sequence[Mapping[str, Any]]) -> str:
    """The checksum of a whole game: every event's, chained to the one before as in the journal."""
    chain = FIRST_LINK
    for no, event in enumerate(written, start=1):
        chain = link(chain, no, 0, spelled(event))
    return chain


def _shown(game: Game, position: Position) -> str:
    """A position as a spectator may know it: what lies face-down is told to nobody."""
    return game.write_position(game.seen_by(position, None))
