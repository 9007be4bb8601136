"""Frames a second of the virtual table at 1600x1200, at rest and with a hand at work."""

import time
from collections.abc import Callable

from companion.games import game
from companion.simulator.design import TableDesign, furnish
from companion.simulator.script import Beat, Script, Step, frames
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable
from companion.simulator.state import TableState
from hardware.errors import CameraEnded

FPS = 10.0
THREADS = 2
REST_FRAMES = 20


def run(say: Callable[[str], None]) -> None:
    """A resting table, and hands that play the first moves of a game."""
    khet = game("khet")
    position = khet.start({"layout": "classic-2.0"})
    design = TableDesign(fps=FPS, threads=THREADS)
    moves = [khet.write_move(position, next(iter(khet.moves(position))))]
    script = Script(khet, position, [Step("move", move) for move in moves], Setting(furnish(design)))
    at_work = [beat for beat in script.beats() if not beat.still]
    for name, states in (("at rest", [script.state] * REST_FRAMES), ("a hand at work", _states(at_work))):
        first_s, rate = measure(design, states)
        say(f"  {name:16} {rate:6.1f} frames/s at {design.width}x{design.height} (first frame {first_s:.2f} s)")


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
