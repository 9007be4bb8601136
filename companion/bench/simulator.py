"""Frames a second of each game's virtual table at 1600x1200, at rest and with hands at work."""

import time
from collections.abc import Callable
from itertools import islice

from companion.games import GAMES
from companion.simulator.design import TableDesign, furnish
from companion.simulator.designs import design_for
from companion.simulator.playbook import load
from companion.simulator.script import Beat, Script, frames
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable
from companion.simulator.state import TableState
from hardware.errors import CameraEnded

FPS = 10.0
THREADS = 2
REST_FRAMES = 20
HAND_FRAMES = 60


def run(say: Callable[[str], None]) -> None:
    """A resting table, and hands that play the first moves of each game's first script."""
    for game in GAMES:
        book = load(game)
        design = design_for(game, book.game.layout(book.start()), fps=FPS, threads=THREADS)
        script = Script(book.game, book.start(), book.steps, Setting(furnish(design)))
        at_work = list(islice((beat for beat in script.beats() if not beat.still), HAND_FRAMES))
        first = [Script(book.game, book.start(), (), Setting(furnish(design))).state] * REST_FRAMES
        for name, states in (("at rest", first), ("a hand at work", _states(at_work))):
            first_s, rate = measure(design, states)
            size = f"{design.width}x{design.height}"
            say(f"  {game:9} {name:15} {rate:6.1f} frames/s at {size} (first frame {first_s:.2f} s)")


def measure(design: TableDesign, states: list[TableState]) -> tuple[float, float]:
    """Seconds until the first frame, and frames a second of the rest."""
    began = time.perf_counter()
    table = ScriptedTable(design, states)
    table.open()
    table.read(1.0)
    first = time.perf_counter()
    count = 0
    try:
        while True:
            table.read(1.0)
            count += 1
    except CameraEnded:
        return first - began, count / (time.perf_counter() - first)


def _states(beats: list[Beat]) -> list[TableState]:
    return list(frames(iter(beats), FPS))
