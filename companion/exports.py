"""The forms in which a recorded game leaves the house."""

from collections.abc import Callable, Mapping, Sequence

from companion.events import Event
from companion.journal.export import as_json, as_text, recorded
from companion.referee.record import summary
from companion.web.replay_file import replay_file


def as_html(number: int, events: Sequence[Event]) -> str:
    """One file to share: the record with a slider over the board, drawn as on the page."""
    return replay_file(recorded(events), summary(number, events))


EXPORTS: Mapping[str, Callable[[int, Sequence[Event]], str]] = {"text": as_text, "json": as_json, "html": as_html}
