"""A recorded game that was closed before its end is gone on with, as a game of its own: what is written stays."""

from collections.abc import Sequence

from companion.errors import CommandRefused, RecordError
from companion.events import Event, Told
from companion.referee.happenings import QuietSet, Reset
from companion.referee.record import carries_on, looked_back, not_closed
from companion.referee.recorder import Archive
from companion.referee.state import GOING_ON
from companion.referee.table import Table
from companion.texts import counted


def go_on_with(table: Table, archive: Archive, number: int) -> None:
    """The table is this game's as it was before it was closed; a game that was on is ended without a result.

    CommandRefused for a game that cannot be gone on with, before anything is written; RecordError without room.
    """
    events = left_of(table, archive, number)
    ended = table.state.phase in GOING_ON
    if ended:
        table.record(Reset("another game was gone on with"))
    anew = archive.next_game()
    try:
        last = archive.append(anew, events)
    except RecordError as error:
        told = f"{error}. The game that was on is ended without a result, and may be gone on with" if ended else error
        raise RecordError(str(told)) from error
    table.restore(anew, events, last)
    table.tell(Told(f"{table.state.module.TITLE} goes on after {counted(len(table.state.plies), 'action')}"))


def left_of(table: Table, archive: Archive, number: int) -> Sequence[Event]:
    """What of this game is to be gone on with; quiet is as it is now, until somebody says otherwise."""
    if number not in archive.games():
        raise CommandRefused("no-such-game", f"there is no game {number}", 404)
    if table.state.phase in GOING_ON and carries_on(archive, number, table.game_id):
        raise CommandRefused("on-already", f"this game is on already, as game {table.game_id}")
    if not archive.whole(number):
        words = "this game's record can be read in part only: it is damaged, or another version wrote it"
        raise CommandRefused("not-whole", f"{words}. It can be looked at, and not gone on with")
    events = archive.events(number)
    state, agreed = looked_back(events)
    if not agreed:
        words = f"the rules have changed since this game was played, and agree with it up to action {len(state.plies)}"
        raise CommandRefused("other-rules", f"{words}. It can be looked at, and not gone on with")
    if state.phase not in GOING_ON:
        raise CommandRefused("finished", "this game is over: start another one")
    quiet = table.state.quiet
    return (*not_closed(events), *([QuietSet(quiet)] if quiet != state.quiet else []))
