"""The forms in which a recorded game leaves the house: its number, its events, and whether these are all there are."""

from collections.abc import Callable, Mapping, Sequence

from companion.events import Event
from companion.journal.export import as_json, as_text
from companion.referee.picture import Painter
from companion.web.replay_file import replay_file


def as_html(number: int, events: Sequence[Event], whole: bool) -> str:
    """One file to share: the record with a slider over the board, drawn as on the page."""
    return replay_file(Painter().recorded(events, whole))


EXPORTS: Mapping[str, Callable[[int, Sequence[Event], bool], str]] = {"text": as_text, "json": as_json, "html": as_html}
