"""The way back of an exported game: it is believed when it is whole, in its written shape, and replays as it says."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, ConfigError, UnreadableText
from companion.events import Event, GameOver
from companion.games.extras import extras
from companion.games.options import settle
from companion.journal.archive import event_of
from companion.journal.export import FORMAT, as_data, seal
from companion.referee.happenings import (
    Allowed,
    Corrected,
    Joined,
    OptionSet,
    Plied,
    Reset,
    Started,
    TakenBack,
    TakenUp,
)
from companion.referee.naming import piece_of
from companion.referee.record import goes_on, lies_there, summary
from companion.referee.recorder import Archive
from companion.referee.settings import TABLE_OPTIONS
from companion.referee.state import State, fold
from companion.referee.views.corrected import corrected_piece
from companion.storage import read_named
from companion.texts import counted, read_json, unprintable

MOST_BYTES = 32 * 1024 * 1024  # a thousand times a long game
REPLAYED = ("start", "moves", "end")  # what a file says beside its events and the rules must find again


@dataclass(frozen=True, slots=True)
class Exported:
    """A game as a file tells it; `number` is the one it had in its journal."""

    number: int
    events: tuple[Event, ...]


def read_file(path: Path) -> Exported:
    """The game in this file; ConfigError names the file and says what is wrong with it."""
    try:
        return read_game(read_named(path, MOST_BYTES))
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    except UnreadableText as error:
        raise ConfigError(f"{path}: {error}") from error


def read_game(content: bytes) -> Exported:
    """The game of an export in JSON; UnreadableText says what is wrong."""
    data = _data(content)
    written, number = data.get("events"), data.get("id")
    if not isinstance(written, list) or not written or type(number) is not int or number < 0:
        raise UnreadableText("the export is not whole: its events or its number are missing")
    events: list[Event] = []
    for at, event in enumerate(written, start=1):
        try:
            events.append(_event(event))
        except UnreadableText as error:
            raise UnreadableText(f"event {at}: {error}") from error
    if data.get("seal") != seal(written):
        raise UnreadableText("the events do not fit the file's seal: it was changed, or damaged on its way")
    _replay(events)
    again = json.loads(json.dumps(as_data(number, events)))
    for name in REPLAYED:
        if data.get(name) != again[name]:
            raise UnreadableText(f"replayed under these rules, its {name!r} is another than the file says")
    return Exported(number, tuple(events))


def restore(archive: Archive, games: Sequence[Exported]) -> list[tuple[int, bool]]:
    """Write these games beside those that there are; for each its number, and whether it was written now.

    A game that is there already, as it was exported or played on since, is not written twice. One that was erased takes
    its old place, all others come behind the newest. ConfigError when one goes on, and might be gone on with no longer;
    RecordError when there is no room.
    """
    behind = [game for game in games if _found(game, archive) is None and not _has_place(game, archive)]
    if behind and (on := resumed(archive)) is not None:
        raise ConfigError(f"game {on} is still going on: end it first")
    written = []
    for game in games:
        number = _found(game, archive)
        now = number is None
        if number is None:
            number = game.number if _has_place(game, archive) else archive.next_game()
            archive.append(number, game.events)
        written.append((number, now))
    return written


def _has_place(game: Exported, archive: Archive) -> bool:
    """True where its own number is free, and it may stand before others: what goes on has to be the newest."""
    there = archive.games()
    return 0 < game.number < max(there, default=0) and game.number not in there and not goes_on(game.events)


def restorer(content: bytes) -> Callable[[Archive], tuple[int, bool]]:
    """Checks an export, which takes a while; what it returns writes the game, as `restore` does."""
    game = read_game(content)
    return lambda archive: restore(archive, [game])[0]


def _found(game: Exported, archive: Archive) -> int | None:
    """The number of the game that begins like this one, or is it; None where there is none."""
    count, alike = len(game.events), {}
    for number in archive.games():
        if archive.first(number) == game.events[0]:  # of few games is more to be read
            events = archive.events(number)
            if tuple(events[:count]) == game.events:
                alike[number] = len(events)
    return min(alike, key=alike.__getitem__, default=None)


def resumed(archive: Archive) -> int | None:
    """The number of the game that a companion would go on with; None where there is none."""
    number = lies_there(archive)
    return number if goes_on(archive.events(number)) else None


def line_of(number: int, game: Exported) -> str:
    """A game in words: "Khet, 12 plies: Silver wins"."""
    line = summary(number, game.events)
    return f"{line['title']}, {counted(line['plies'], 'ply', 'plies')}: {line['result'] or 'unfinished'}"


def _data(content: bytes) -> Mapping[str, Any]:
    if len(content) > MOST_BYTES:
        raise UnreadableText(f"an exported game has at most {MOST_BYTES // 2**20} MiB")
    try:
        data = read_json(content.decode("utf-8"))
    except ValueError as error:
        raise UnreadableText(f"no exported game, or a torn one: {error}") from error
    if not isinstance(data, dict) or "format" not in data:
        raise UnreadableText("this is no exported game: `companion export --form json` writes them")
    if data["format"] != FORMAT:
        raise UnreadableText(f"this version reads {FORMAT!r}, not {data['format']!r}")
    return data


def _event(written: Any) -> Event:
    try:
        words = _words(written)
        json.dumps(written, allow_nan=False)
    except RecursionError as error:
        raise UnreadableText("it is nested too deep") from error
    except ValueError as error:  # 1e999
        raise UnreadableText("there are numbers in it beyond all measure") from error
    if any(unprintable(word) for word in words):
        raise UnreadableText("there are signs in it that cannot be printed")
    return event_of(written)


def _words(value: Any) -> list[str]:
    """Every text in a JSON value."""
    if isinstance(value, dict | list):
        return [word for part in (value.values() if isinstance(value, dict) else value) for word in _words(part)]
    return [value] if isinstance(value, str) else []


def _replay(events: Sequence[Event]) -> None:
    """UnreadableText names the first event that the rules, or the table, do not agree with."""
    state = State()
    for at, event in enumerate(events, start=1):
        try:
            if isinstance(event, Started) is not (at == 1) and not _is_opening(state, event):
                raise UnreadableText("a game is started once, by its first event")
            _check(state, event)
            state = state if isinstance(event, Reset) else fold(state, event)
        except CompanionError as error:
            raise UnreadableText(f"event {at} cannot have happened: {error}") from error


def _check(state: State, event: Event) -> None:
    """What the fold of a game takes for granted of events that a companion wrote itself."""
    if state.game is not None:
        seats = range(len(state.game.seats(state.position)))
        seat = getattr(event, "seat", 0)
        if isinstance(event, Joined) and state.phase == "set-up":
            seat = min(seat, 0)  # beyond the game's seats one waits for a larger game
        named = [seat, *(event.winners if isinstance(event, GameOver) else ())]
        if any(seat not in seats for seat in named):
            raise UnreadableText(f"there are the seats 0 to {len(seats) - 1}")
    check = _CHECKS.get(type(event))
    if check is not None:
        check(state, event)


def _started(state: State, event: Started) -> None:
    settle(TABLE_OPTIONS, dict(event.table))


def _option_set(state: State, event: OptionSet) -> None:
    if settle(TABLE_OPTIONS, {event.option: event.value})[event.option] != event.value:
        raise UnreadableText(f"option {event.option!r} was never set to {event.value!r}")


def _is_opening(state: State, event: Event) -> bool:
    """True where the table told, while the game was set up, what its options left open."""
    if not isinstance(event, Started) or state.phase != "set-up" or event.game != state.name:
        return False
    start = state.module.start
    return start(dict(event.options)) in [start(options) for options in extras(state.module).openings(state.options)]


def _in_play(state: State, event: Plied | Allowed) -> None:
    if state.phase != "play":
        raise UnreadableText("the game was not being played")
    if event.seat != (state.module.to_move(state.position) or 0):
        raise UnreadableText("it was another seat's turn")


def _plied(state: State, event: Plied) -> None:
    _in_play(state, event)
    if event.number != len(state.plies) + 1:
        raise UnreadableText(f"it is ply {len(state.plies) + 1}")


def _taken_back(state: State, event: TakenBack) -> None:
    if not 0 <= event.ply <= len(state.plies):
        raise UnreadableText(f"there were {len(state.plies)} plies")


def _allowed(state: State, event: Allowed) -> None:
    """No rule says where an unlawful action leads that was let stand: it must be a position of this game."""
    _in_play(state, event)
    _leads_to_a_position(state, event)


def _taken_up(state: State, event: TakenUp) -> None:
    if state.phase != "play":
        raise UnreadableText("the game was not being played")
    _leads_to_a_position(state, event)


def _leads_to_a_position(state: State, event: Allowed | TakenUp) -> None:
    if not isinstance(state.module.from_json(read_json(event.position)), type(state.position)):
        raise UnreadableText("play goes on from no position of this game")


def _corrected(state: State, event: Corrected) -> None:
    piece_of(corrected_piece(event).to_json())


_CHECKS: Mapping[type[Event], Callable[[State, Any], None]] = {
    Started: _started,
    OptionSet: _option_set,
    Plied: _plied,
    TakenBack: _taken_back,
    Allowed: _allowed,
    TakenUp: _taken_up,
    Corrected: _corrected,
}
