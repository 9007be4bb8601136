"""The demonstration: hands play a scripted game on the virtual table, and the referee sees it through frames alone."""

import contextlib
import dataclasses
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.agreement import same_moves, same_position
from companion.app import House, StoredEyes, built
from companion.config import Config
from companion.errors import CommandRefused
from companion.events import Event
from companion.games import game as game_named
from companion.games.base import Game, Position
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.happenings import Cleared, Plied, PutBack, Ruled, TakenBack
from companion.referee.readmodel import Desk
from companion.referee.settings import Settings
from companion.referee.snapshot import Question, Snapshot
from companion.referee.words import sentence
from companion.simulator.carry import BRISK, SLOW
from companion.simulator.demo_page import demo_pages
from companion.simulator.design import TableDesign
from companion.simulator.designs import design_for, look_options
from companion.simulator.feed import TableServer
from companion.simulator.playbook import Playbook
from companion.simulator.script import TOGETHER, UNLAWFUL, Beat, Script, Timing
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable, elsewhere
from companion.simulator.state import TableState
from companion.simulator.table_page import table_pages
from companion.simulator.world import VirtualTable
from companion.vision_loop import VisionLoop
from companion.web.settings import ExtraPages
from hardware.cameras import CameraSettings, make_camera
from hardware.frames import Frame, FrameSource

FAST_FPS = 4.0
NUMBER = re.compile(r"-?\d+(\.\d+)?")
DRAWING_S = 5.0  # a busy machine may be so long about one frame of the virtual table: that is no camera that hangs
FAST = Timing(BRISK, still_s=2.0, ruling_s=4.0, set_up_s=3.0)
WATCHABLE = Timing(SLOW, still_s=2.5, ruling_s=6.0, set_up_s=4.0)
PATIENCE_S = 20.0  # a player waits this long for the referee to read an action, then plays on
FAST_PATIENCE_S = 4.0
GLANCE_FRAMES = 2  # however quick the referee, the table rests for so many


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee made of a script, beside what was really played.

    Where free pieces lie is measured by the eye: records and ends agree if they differ in nothing else.
    """

    played: tuple[str, ...]
    read: tuple[str, ...]
    refused: tuple[str, ...]  # the rules that were cited
    disturbances: int  # unlawful actions and wrong removals in the script
    position: str
    end: str
    taken_back: int = 0
    asked: int = 0  # questions that the players had to answer
    texts: tuple[str, ...] = ()
    same: bool = False  # moves and end
    waits_s: tuple[float, ...] = ()  # from the hand's leaving to the event, in the table's time
    looks_s: tuple[float, ...] = ()  # computation for one picture at rest, in this machine's time

    @property
    def agreed(self) -> bool:
        """True if the referee read exactly what was played and refused exactly what was unlawful."""
        return self.same and len(self.refused) == self.disturbances

    def lines(self) -> list[str]:
        """The record for people."""
        record = [f"{i}. {text}" for i, text in enumerate(self.texts, start=1)]
        refused = [f"refused: {rule}" for rule in self.refused]
        asked = [f"asked which of two actions it was: {self.asked} times"] if self.asked else []
        return [*record, *refused, *asked, f"end: {self.end}"]


def verdict(script: Script, start: Position, events: Sequence[Event], desk: Desk) -> Verdict:
    """Compare a script that was played from `start` with what the referee recorded."""
    state, game = desk.table.state, script.game
    played, read = tuple(script.record), tuple(past.move for past in state.plies)
    same = state.game is not None and same_moves(game, start, played, read)
    return Verdict(
        played=played,
        read=read,
        refused=tuple(e.rule for e in events if isinstance(e, Ruled)),
        disturbances=sum(step.what in UNLAWFUL for step in script.steps),
        position=_shown(game, script.position),
        end=_shown(game, state.position) if state.game is not None else "",
        taken_back=sum(isinstance(e, TakenBack) for e in events),
        asked=sum(isinstance(e, Plied) and e.source == "chosen" for e in events),
        texts=tuple(past.text for past in state.plies),
        same=same and same_position(game, script.position, state.position),
    )


def _shown(game: Game, position: Position) -> str:
    """The position as it is told at the end: what lies face-down is told to nobody."""
    return game.write_position(game.seen_by(position, None))


def play_fast(
    book: Playbook,
    design: TableDesign | None = None,
    timing: Timing = FAST,
    fps: float = FAST_FPS,
    seed: int = 0,
    look: Mapping[str, Any] | None = None,
    tell: Callable[[str], None] = lambda line: None,
) -> Verdict:
    """A script from its first frame to its last, as fast as frames can be drawn; time is the frames' own.

    `look` are options of the eye, beside what the host would tell it of this table.
    """
    design = dataclasses.replace(design or table_of(book), fps=fps)
    table = VirtualTable(design)
    script = Script(book.game, book.start(), book.steps, Setting(table.furniture, seed), timing, seed)
    archive = MemoryArchive()
    clock = FrameClock()
    desk = Desk(archive, clock=clock, settings=Settings())
    watch = Stopwatch()
    camera = _Clocked(ScriptedTable(design, _frames(script, desk, fps, watch), start_s=clock()), clock, watch)
    desk.submit(new_game(book))
    desk.listen(lambda events, snapshot: watch.answered(events, clock()))
    desk.listen(lambda events, snapshot: _tell_plies(events, desk, tell))
    with tempfile.TemporaryDirectory() as folder:
        told = {**look_options(design, Path(folder)), **(look or {})}
        loop = VisionLoop(camera, StoredEyes(told, Path(folder)), desk)
        loop.run()
    found = verdict(script, book.start(), archive.events(1), desk)
    return dataclasses.replace(found, waits_s=tuple(watch.waits_s), looks_s=tuple(watch.looks_s))


def table_of(book: Playbook) -> TableDesign:
    """The usual table for a script."""
    return design_for(book.game.NAME, book.game.layout(book.start()))


def _frames(script: Script, desk: Desk, fps: float, watch: "Stopwatch") -> Iterator[TableState]:
    """One state for each frame; players rest until the referee has understood, or for a while longer."""
    for beat in script.beats():
        if beat.still:
            watch.hands_left()
        yield beat.state
        if not beat.still:
            continue
        played = len(script.record)
        for count in range(round((beat.hold_s + FAST_PATIENCE_S) * fps)):
            if count >= GLANCE_FRAMES and understood(beat.what, desk.snapshot(), played):
                break
            speak(desk, script, beat, played)
            yield beat.state


def speak(desk: Desk, script: Script, beat: Beat, played: int) -> None:
    """What a player does on the page while the table rests: enter a move, answer a question."""
    if beat.entered and len(desk.snapshot().record) <= played:
        seat = script.game.to_move(script.position)
        with contextlib.suppress(CommandRefused):  # hands are still asked for something: said again a little later
            desk.submit(Command("play_move", {"move": beat.entered}, by="host" if seat is None else f"seat {seat}"))
    answer(desk, script, beat.what)


def answer(desk: Desk, script: Script, what: str) -> None:
    """A player who is asked which of two actions it was says so, as on the page."""
    question = desk.snapshot().question
    done, _, told = what.partition(" ")
    if question is None or done not in ("moved", "unlawful"):
        return
    game, position, texts = script.game, script.position, []
    moves = told.split(TOGETHER)
    for text in moves:
        move = game.read_move(position, text.strip())
        texts.append(sentence(game.describe(position, move)))
        if len(texts) < len(moves):
            position = game.play(position, move).position
    chosen = _choice_like(" ".join(texts), question)
    if chosen is not None:
        desk.submit(Command("answer", {"question": question.id, "choice": chosen}, by="host"))


def _choice_like(played: str, question: Question) -> str | None:
    """The answer that says what was played; of free pieces the millimetres may differ."""
    for words in (str, lambda text: NUMBER.sub("", text)):
        fitting = [choice.id for choice in question.choices if words(choice.text) == words(played)]
        if len(fitting) == 1:
            return fitting[0]
    return None


def understood(what: str, snapshot: Snapshot, played: int) -> bool:
    """True if the referee has read what a beat of a script shows; `played` plies were played before it."""
    steps = snapshot.waiting.steps
    if what == "set-up":
        return snapshot.phase != "set-up"
    if what.startswith(("unlawful", "took")):
        return snapshot.ruling is not None
    if what.startswith("put"):
        return snapshot.ruling is None
    if what.startswith(("moved", "offer", "roll")):
        return len(snapshot.record) > played + what.count(TOGETHER)
    if what.startswith("half cleared"):
        return any(step.done for step in steps)
    if what.startswith("forgot"):
        return bool(steps)
    if what.startswith("cleared"):
        return not steps
    return what != "taken back" or len(snapshot.record) == played


def new_game(book: Playbook) -> Command:
    """The order that starts the game; take-backs are taken without a question, dice fall as the script says."""
    options: dict[str, Any] = {**book.options, "undo": "take", "dice": "entered", **book.table}
    return Command("new_game", {"game": book.game.NAME, "options": options})


def _tell_plies(events: Sequence[Event], desk: Desk, tell: Callable[[str], None]) -> None:
    for event in events:
        if isinstance(event, Plied):
            tell(f"{event.number}. {desk.table.state.plies[event.number - 1].text}")
        elif isinstance(event, Ruled):
            tell(f"refused ({event.rule}): {event.text}")


class FrameClock:
    """Time as the frames have it: the referee's clock in a fast run."""

    def __init__(self, now_s: float = 100.0) -> None:
        self.now_s = now_s

    def __call__(self) -> float:
        """Seconds."""
        return self.now_s


class Stopwatch:
    """How long players wait after the last hand has left, and how much of it is computation."""

    def __init__(self) -> None:
        self.waits_s: list[float] = []
        self.looks_s: list[float] = []
        self._since_s: float | None = None
        self._leaving = False
        self._read_s: float | None = None

    def hands_left(self) -> None:
        """The next frame is the first without a hand."""
        self._leaving = True

    def frame(self, taken_s: float) -> None:
        """A frame was read: the eye and the referee begin with it."""
        if self._leaving:
            self._since_s, self._leaving = taken_s, False
        self._read_s = time.process_time()

    def worked(self) -> None:
        """They are done with it."""
        if self._since_s is not None and self._read_s is not None:
            self.looks_s.append(time.process_time() - self._read_s)

    def answered(self, events: Sequence[Event], now_s: float) -> None:
        """Something happened: if it was seen, this is what the players waited for."""
        told = [event for event in events if isinstance(event, Plied | Ruled | Cleared | PutBack | TakenBack)]
        seen = any(not isinstance(event, Plied) or event.source == "table" for event in told)
        if seen and self._since_s is not None:
            self.waits_s.append(now_s - self._since_s)
            self._since_s = None


class _Clocked:
    """A camera that sets a clock by its frames."""

    def __init__(self, inner: FrameSource, clock: FrameClock, watch: Stopwatch) -> None:
        self._inner, self._clock, self._watch = inner, clock, watch

    def open(self) -> None:
        """Start."""
        self._inner.open()

    def read(self, timeout_s: float) -> Frame:
        """The next frame."""
        self._watch.worked()
        frame = self._inner.read(timeout_s)
        self._clock.now_s = frame.taken_s
        self._watch.frame(frame.taken_s)
        return frame

    def close(self) -> None:
        """Stop."""
        self._inner.close()


# --- to watch -----------------------------------------------------------------------------------------------------


class Players(threading.Thread):
    """Moves the hands at watchable speed; like people, they wait for the referee before they play on."""

    def __init__(self, script: Script, table: VirtualTable, desk: Desk, fps: float) -> None:
        super().__init__(name="players", daemon=True)
        self._script, self._table, self._desk, self._fps = script, table, desk, fps
        self._stop = threading.Event()
        self.done = threading.Event()

    def run(self) -> None:
        """The whole script, then rest."""
        for beat in self._script.beats():
            self._table.show(beat.state)
            if self._stop.wait(beat.hold_s or 1.0 / self._fps):
                return
            if beat.still:
                self._wait_for_the_referee(beat)
        self.done.set()

    def stop(self) -> None:
        """Take the hands off."""
        self._stop.set()

    def _wait_for_the_referee(self, beat: Beat) -> None:
        waited, played = 0.0, len(self._script.record)
        while (
            waited < PATIENCE_S and not self._stop.is_set() and not understood(beat.what, self._desk.snapshot(), played)
        ):
            speak(self._desk, self._script, beat, played)
            self._stop.wait(0.1)
            waited += 0.1


@dataclass(slots=True)
class Watched:
    """A demonstration that runs: the house, the hands, and the table that they play on."""

    house: House
    players: Players
    table: VirtualTable
    script: Script


def watched(
    book: Playbook,
    config: Config,
    state: Path,
    port: int,
    show_code: Callable[[str], None],
    play_next: Callable[[Playbook], None] = lambda book: None,
) -> Any:
    """Context manager over a demonstration with its page; the caller runs `house.loop`.

    `play_next` hears of the script that somebody chose on the page; the loop then ends.
    """
    return _Watching(book, config, state, port, show_code, play_next)


class _Watching:
    def __init__(
        self,
        book: Playbook,
        config: Config,
        state: Path,
        port: int,
        show_code: Callable[[str], None],
        play_next: Callable[[Playbook], None],
    ) -> None:
        self._book, self._config, self._state, self._port, self._show_code = book, config, state, port, show_code
        self._play_next = play_next

    def __enter__(self) -> Watched:
        self._stack = contextlib.ExitStack()
        try:
            return self._built()
        except BaseException:
            self._stack.close()
            raise

    def _built(self) -> Watched:
        design = table_of(self._book)
        table = VirtualTable(design)
        server = TableServer(table)
        self._stack.callback(server.close)
        make = elsewhere(table, server)
        camera = make_camera("simulated", CameraSettings(fps=design.fps, hang_s=DRAWING_S), make, simulated_apart=True)
        script = Script(self._book.game, self._book.start(), self._book.steps, Setting(table.furniture), WATCHABLE)
        table.show(script.state)
        houses: list[House] = []
        pages = table_pages(table, lambda: houses[0].desk.picture() if houses else None)

        def chosen(book: Playbook) -> None:
            self._play_next(book)
            houses[0].loop.stop()

        house = self._stack.enter_context(
            built(
                self._config,
                camera,
                look_options(design, self._state),
                state=self._state,
                port=self._port,
                show_code=self._show_code,
                extra=(
                    ExtraPages(pages, changes_by="anyone", title="Virtual table"),
                    ExtraPages(demo_pages(self._book, chosen), changes_by="anyone", title="Demonstrations"),
                ),
            )
        )
        houses.append(house)
        house.desk.submit(new_game(self._book))
        players = Players(script, table, house.desk, design.fps)
        self._stack.callback(players.stop)
        return Watched(house, players, table, script)

    def __exit__(self, *details: object) -> None:
        self._stack.close()


@contextlib.contextmanager
def simulated_table(
    game: str, options: Mapping[str, Any], picture: Callable[[], bytes | None]
) -> Iterator[tuple[FrameSource, ExtraPages, Mapping[str, Any]]]:
    """A camera over a virtual table with the game's set-up, the page to drag its pieces, and options of the eye."""
    module = game_named(game)
    own = {option.name for option in module.OPTIONS}
    layout = module.layout(module.start({k: v for k, v in options.items() if k in own}))
    design = design_for(game, layout)
    table = VirtualTable(design)
    table.show(Setting(table.furniture).state(layout))
    server = TableServer(table)
    try:
        camera = make_camera(
            "simulated", CameraSettings(fps=design.fps, hang_s=DRAWING_S), elsewhere(table, server), True
        )
        pages = ExtraPages(table_pages(table, picture), changes_by="anyone", title="Virtual table")
        with tempfile.TemporaryDirectory(prefix="companion-table-") as folder:
            yield camera, pages, look_options(design, Path(folder))
    finally:
        server.close()
