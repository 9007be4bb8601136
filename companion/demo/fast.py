"""A script from its first frame to its last, as fast as frames can be drawn."""

import dataclasses
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.demo.players import new_game, speak, understood
from companion.demo.stopwatch import ClockedCamera, FrameClock, Stopwatch
from companion.demo.table import table_of
from companion.demo.verdict import Verdict, verdict
from companion.events import Event
from companion.journal.archive import MemoryArchive
from companion.referee.happenings import Plied, Ruled
from companion.referee.readmodel import Desk
from companion.referee.settings import Settings
from companion.service.vision_loop import VisionLoop
from companion.sets.stored_eyes import StoredEyes
from companion.simulator.carry import BRISK
from companion.simulator.design import TableDesign
from companion.simulator.designs import look_options
from companion.simulator.playbook import Playbook
from companion.simulator.script import Beat, Script, Timing
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable
from companion.simulator.state import TableState
from companion.simulator.world import VirtualTable

FAST_FPS = 4.0
FAST = Timing(BRISK, still_s=2.0, ruling_s=4.0, set_up_s=3.0)
FAST_PATIENCE_S = 4.0
GIVE_UP_BEATS = 24  # so many in a row of which nothing was understood, and no move recorded
GLANCE_FRAMES = 2  # however quick the referee, the table rests for so many


Ends = Callable[[Beat, Script, Desk], bool]  # asked after a beat at rest: is the game at its end?


def to_the_end(beat: Beat, script: Script, desk: Desk) -> bool:
    """Never: the whole script is played."""
    return False


def play_fast(
    book: Playbook,
    design: TableDesign | None = None,
    timing: Timing = FAST,
    fps: float = FAST_FPS,
    seed: int = 0,
    look: Mapping[str, Any] | None = None,
    tell: Callable[[str], None] = lambda line: None,
    ends: Ends = to_the_end,
) -> Verdict:
    """A script from its first frame to its last, as fast as frames can be drawn; time is the frames' own.

    `look` are options of the eye, beside what the host would tell it of this table. `ends` is asked once the referee
    has had its time for a beat. CompanionError when there is no eye for this game.
    """
    design = dataclasses.replace(design or table_of(book), fps=fps)
    table = VirtualTable(design)
    script = Script(book.game, book.start(), book.steps, Setting(table.furniture, seed), timing, seed)
    archive = MemoryArchive()
    clock = FrameClock()
    desk = Desk(archive, clock=clock, settings=Settings())
    watch = Stopwatch()
    camera = ClockedCamera(
        ScriptedTable(design, _frames(script, desk, fps, watch, ends), start_s=clock()), clock, watch
    )
    desk.submit(new_game(book))
    desk.listen(lambda events, snapshot: watch.answered(events, clock()))
    desk.listen(lambda events, snapshot: _tell_plies(events, desk, tell))
    with tempfile.TemporaryDirectory() as folder:
        told = {**look_options(design, Path(folder)), **(look or {})}
        eyes = StoredEyes(told, Path(folder))
        eyes.open(book.game.NAME, None)  # the loop would tell why there is none on a page, and here is none
        VisionLoop(camera, eyes, desk).run()
    found = verdict(script, book.start(), archive.events(1), desk)
    return dataclasses.replace(found, waits_s=tuple(watch.waits_s), looks_s=tuple(watch.looks_s))


def _frames(script: Script, desk: Desk, fps: float, watch: Stopwatch, ends: Ends = to_the_end) -> Iterator[TableState]:
    """One state for each frame; players rest until the referee has understood, or for a while longer.

    They give up a game of which the referee understands nothing any more.
    """
    recorded, lost = 0, 0
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
        told = desk.snapshot()
        moved, recorded = len(told.record) != recorded, len(told.record)
        lost = 0 if moved or understood(beat.what, told, played) else lost + 1
        if lost == GIVE_UP_BEATS or ends(beat, script, desk):
            return


def _tell_plies(events: Sequence[Event], desk: Desk, tell: Callable[[str], None]) -> None:
    for event in events:
        if isinstance(event, Plied):
            tell(f"{event.number}. {desk.table.state.plies[event.number - 1].text}")
        elif isinstance(event, Ruled):
            tell(f"refused ({event.rule}): {event.text}")
