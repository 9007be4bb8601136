"""The door to the table for threads: the newest snapshot for readers, commands one after the other."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.errors import CommandRefused, RecordError
from companion.events import Event
from companion.referee.answers import Answers
from companion.referee.choices import choices, installed
from companion.referee.commands import Command
from companion.referee.game_list import GameList
from companion.referee.going_on import go_on_with, left_of
from companion.referee.happenings import Sight, Started
from companion.referee.orders import OUTSIDE, carry_out, refusing, started
from companion.referee.picture import Painter, set_up_of
from companion.referee.reading import Reading
from companion.referee.record import (
    BEFORE_ANY,
    as_exported,
    as_told,
    carries_on,
    finished,
    goes_on,
    lies_there,
)
from companion.referee.recorder import Archive
from companion.referee.settings import Settings
from companion.referee.snapshot import Snapshot
from companion.referee.state import GOING_ON, sound
from companion.referee.table import Table
from companion.referee.withheld import tells_hidden
from companion.texts import counted
from companion.view import TableView

RESUME_PHASES = (*GOING_ON, "over")
ERASE = "erase_game"


Listener = Callable[[Sequence[Event], Snapshot], None]
Export = Callable[[int, Sequence[Event], bool], str]  # a game's number, events and whether these are all, as a text
Outside = Callable[[Command], None]
Restorer = Callable[[bytes], Callable[[Archive], tuple[int, bool]]]  # checks an export; then writes it


class Desk:
    """One table, many threads. Implements `ReadModel` and `CommandPort`; the vision loop calls `observe`."""

    def __init__(
        self,
        archive: Archive,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], str] = lambda: time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        settings: Settings | None = None,
        picture: Callable[[], bytes | None] = lambda: None,
        above: Callable[[float, float], bytes | None] = lambda width_mm, height_mm: None,
        exports: Mapping[str, Export] | None = None,
        restorer: Restorer | None = None,
        draw: Callable[[], float] | None = None,
    ) -> None:
        self._archive, self._wall_clock = archive, wall_clock
        self._picture, self._above = picture, above
        self._guided: Callable[[], dict[str, Any] | None] = lambda: None
        self._taught: Callable[[str], bytes | None] = lambda name: None
        self._lock = threading.Condition(threading.RLock())
        self._looking_back = threading.Lock()  # one game is played through at a time: the eye needs its share
        self._erasing = threading.Lock()  # one game at a time, beside the table
        self._told: deque[Event] = deque()
        self._exports, self._restorer = dict(exports or {}), restorer
        self._painter = Painter()
        self._listeners: list[Listener] = []
        self._outside: dict[str, Outside] = {ERASE: self._erase_game, "go_on_with": self._go_on_with}
        self._answers = Answers()
        self._notices: dict[str, str] = {}
        self._games = GameList(archive, lambda: self.table.game_id)
        self._version = 0
        self.table = Table(archive, clock, self._told.extend, settings, draw)
        self._snapshot = self._painter.snapshot(self.table, self._all_notices())

    # --- building -----------------------------------------------------------------------------------------------

    def listen(self, listener: Listener) -> None:
        """Called with new events and the snapshot after them, in the order in which they happened; must be quick."""
        self._listeners.append(listener)

    def outside(self, name: str, carry: Outside) -> None:
        """Who carries out a command that is no matter of the table (corners, light)."""
        self._outside[name] = carry

    def guide(
        self, state: Callable[[], dict[str, Any] | None], taught: Callable[[str], bytes | None] = lambda name: None
    ) -> None:
        """Who says where the guided steps of camera and table are, and shows what was learned of the set."""
        self._guided, self._taught = state, taught

    def resume(self) -> str | None:
        """Go on with a game, or show the newest one's end; what was resumed in words, None when there is none."""
        with self._lock:
            game = lies_there(self._archive)
            events = self._archive.events(game)
            state, count = sound(events)
            known = count == len(events) and self._archive.whole(game)
            if state.game is None or state.phase not in RESUME_PHASES or (state.phase == "over" and not known):
                self.table.rest_after(game, state)
                self._refresh()
                return None
            if not known:
                game = self._go_on_anew(game, events[:count])
            self.table.restore(game, events[:count], self._archive.last_number())
            self._refresh()
            return f"{state.game.TITLE}, game {game}, after {counted(len(state.plies), 'ply', 'plies')}"

    def _go_on_anew(self, game: int, events: Sequence[Event]) -> int:
        """What can be gone on with, as a game of its own: whatever were added to the old one could not be read back."""
        anew = self._archive.next_game()
        told = f"game {game} was recorded by another version or under other rules: it goes on from event {len(events)}"
        try:
            self._archive.append(anew, events)
        except RecordError as error:
            self._notices["rules"] = f"{told}, and is not recorded: {error}"
        else:
            self._notices["rules"] = f"{told} as game {anew}"
        return anew

    def events(self) -> list[Event]:
        """What was written of the game that is on."""
        return self._archive.events(self.table.game_id)

    # --- the vision loop ----------------------------------------------------------------------------------------

    def observe(self, view: TableView) -> Reading:
        """One view; a record that cannot be written pauses the game and loses nothing."""
        with self._lock:
            return self._guarded(lambda: self.table.observe(view))

    def tick(self) -> None:
        """Once a second or so."""
        with self._lock:
            self._guarded(self._tick, looked=False)

    def _tick(self) -> Reading:
        self.table.tick()
        return Reading("nothing new")

    def set_sight(self, sight: Sight) -> None:
        """What the camera says of itself (no camera, frozen)."""
        with self._lock:
            self.table.set_sight(sight)
            self._refresh()

    def notice(self, name: str, text: str | None) -> None:
        """Show a notice under this name, or take it away."""
        with self._lock:
            if text is None:
                self._notices.pop(name, None)
            else:
                self._notices[name] = text
            self._refresh()

    def _guarded(self, act: Callable[[], Reading], looked: bool = True) -> Reading:
        """What cannot be written is said until something is, or a look has nothing to write any more."""
        before = self.table.number
        try:
            reading = act()
            if looked or self.table.number != before:
                self._notices.pop("record", None)
        except RecordError as error:
            self._notices["record"] = f"{error}. The game is paused and goes on by itself"
            reading = Reading("unclear", self._notices["record"])
        self._refresh()
        return reading

    def _refresh(self) -> None:
        """A new snapshot if anything changed; then listeners hear what happened (events may be none)."""
        events = tuple(self._told)
        self._told.clear()
        snapshot = self._painter.snapshot(self.table, self._all_notices())
        changed = snapshot != self._snapshot
        if changed:
            self._snapshot = snapshot
            self._version += 1
            self._lock.notify_all()
        if events or changed:
            for listener in self._listeners:
                listener(events, snapshot)

    def _all_notices(self) -> tuple[str, ...]:
        return (*self._archive.notices(), *self._notices.values())

    # --- CommandPort --------------------------------------------------------------------------------------------

    def submit(self, command: Command) -> Snapshot:
        """Carried out, or CommandRefused with a reason; returns the state after it."""
        with self._erasing if command.name == ERASE else self._lock:
            with self._lock:
                before = self._answers.before(command)
            if before is not None:
                return before
            if command.name in OUTSIDE:
                self._submit_outside(command)
            else:
                try:
                    carry_out(self.table, command, self._wall_clock())
                except RecordError as error:
                    self._refresh()
                    raise CommandRefused("record", f"{error}. Nothing was changed", 507) from error
                finally:
                    self._refresh()
            with self._lock:
                self._answers.keep(command, self._snapshot)
                return self._snapshot

    def _submit_outside(self, command: Command) -> None:
        carry = self._outside.get(command.name)
        if carry is None:
            raise CommandRefused("no-camera", "There is no camera that could do this", 409)
        try:
            carry(command)
        finally:
            with self._lock:
                self._refresh()

    def _erase_game(self, command: Command) -> None:
        """All of a game but the one that lies on the table, whose events would go on without their beginning.

        The table goes on while the archive writes itself anew.
        """
        number = command.arguments["number"]
        with self._lock:
            if number not in self._archive.games():
                raise CommandRefused("no-such-game", f"there is no game {number}", 404)
            if number == self.table.game_id and self.table.state.game is not None:
                raise CommandRefused("on-the-table", "this game is on the table: start another one before you erase it")
        self._archive.erase(number)
        with self._lock:
            self._games.forget(number)
            self.table.erased(number, max(self._archive.games(), default=BEFORE_ANY), self._archive.last_number())

    def _go_on_with(self, command: Command) -> None:
        with self._lock:
            go_on_with(self.table, self._archive, command.arguments["number"])

    def restore_game(self, content: bytes) -> tuple[int, bool]:
        """See `CommandPort`. A game that is not at its end is gone on with at once, as after a restart."""
        if self._restorer is None:
            raise CommandRefused("no-restoring", "games cannot be brought back here", 404)
        write = self._restorer(content)  # which plays the game through: the table goes on meanwhile
        with self._lock:
            number, now = write(self._archive)
            if now and goes_on(self._archive.events(number)):
                self.resume()
            return number, now

    # --- ReadModel ----------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The newest state."""
        with self._lock:
            return self._snapshot

    def version(self) -> int:
        """Counts every change of the snapshot, journalled or not."""
        with self._lock:
            return self._version

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """The newest state once its version is above `after`, None after the timeout."""
        with self._lock:
            self._lock.wait_for(lambda: self._version > after, timeout_s)
            return self._snapshot if self._version > after else None

    def picture(self) -> bytes | None:
        """The newest picture of the table as JPEG, None without a camera."""
        return self._picture()

    def above(self, width_mm: float, height_mm: float) -> bytes | None:
        """So much of the table around its middle, from straight above, as JPEG; None while it is not seen."""
        return self._above(width_mm, height_mm)

    def calibration(self) -> dict[str, Any] | None:
        """Where the guided steps are, the lens and the set in words; None without a camera."""
        return self._guided()

    def taught(self, name: str) -> bytes | None:
        """A picture of what was learned of the set, by its name in `calibration`, as PNG; None for any other name."""
        return self._taught(name)

    def games(self) -> list[dict[str, Any]]:
        """The games in the journal, newest first: id, game, title, started, plies, result."""
        return self._games.lines()

    def list_ahead(self, pause: Callable[[float], bool]) -> None:
        """See `GameList.ahead`."""
        self._games.ahead(pause)

    def export(self, game_id: int, form: str) -> str:
        """A recorded game in one of the forms; CommandRefused when there is no such game or form."""
        if form not in self._exports:
            raise CommandRefused("no-such-form", f"there are {', '.join(self._exports)}", 404)
        if game_id not in self._archive.games():
            raise CommandRefused("no-such-game", f"there is no game {game_id}", 404)
        with self._looking_back:
            events = as_exported(self._archive, game_id, form)
            return self._exports[form](game_id, events, self._archive.whole(game_id))

    def on_table(self, game_id: int) -> bool:
        """True while this game is on, under its own number or under the one with which it was gone on with."""
        with self._lock:
            on, number = self.table.state.phase in GOING_ON, self.table.game_id
        return on and carries_on(self._archive, game_id, number)

    def may_go_on(self, game_id: int) -> None:
        """CommandRefused with the words of `go_on_with` where it would be refused now."""
        with self._looking_back:
            left_of(self.table, self._archive, game_id)

    def withholds(self, game_id: int) -> bool:
        """True if this game is on, and its events tell of what was seen and lies hidden by now."""
        with self._looking_back:
            events = as_told(self._archive, game_id)
            return tells_hidden(finished(events), events)

    def recorded(self, game_id: int) -> Snapshot | None:
        """A recorded game as the snapshot of its end, every ply with its pieces; None if unknown."""
        if game_id not in self._archive.games():
            return None
        with self._looking_back:
            return Painter().recorded(as_told(self._archive, game_id), self._archive.whole(game_id))

    def choices(self) -> list[dict[str, Any]]:
        """The games that can be started; the one that was started last has its options as `last`."""
        found: list[dict[str, Any]] = choices(installed())
        begun = self._started_last()
        for choice in found:
            if begun is not None and choice["name"] == begun.game:
                choice["last"] = {**dict((*begun.options, *begun.table)), **self.table.state.table}
        return found

    def _started_last(self) -> Started | None:
        """How the newest game of the journal began; None where there is none, or it cannot be read."""
        with contextlib.suppress(RecordError):  # a page that offers games needs no journal
            first = next((self._archive.first(game) for game in reversed(self._archive.games())), None)
            return first if isinstance(first, Started) else None
        return None

    def sitting(self) -> dict[int, str]:
        """Who sits at the table, by seat; with no game on, who is going to sit there in the next."""
        with self._lock:
            return dict(self.table.state.players)

    def preview(self, game: str, options: dict[str, Any]) -> Snapshot:
        """The set-up that a game with these options would ask for; CommandRefused when there is none."""
        with refusing(), self._looking_back:
            return set_up_of(started({"game": game, "options": options}, ""))

    def rule(self, number: str) -> dict[str, str] | None:
        """A numbered rule in words: number, text."""
        for module in installed().values():
            for rule in module.RULES:
                if rule.number.casefold() == number.casefold():
                    return {"number": rule.number, "text": rule.text}
        return None
