"""`companion bench discs`: discs on boards of 3 to 12 and of 13 to 26 cells and on hexagons, from picture to cells.

On simulated tables that nothing was fitted to.

Seeds from `tables.MEASURING`. Environment: COMPANION_BENCH_TABLES (how many boards, default 60), COMPANION_BENCH_FIRST
(from which on), COMPANION_BENCH_OUT (where the contact sheets of the errors go).
"""

import time
from collections.abc import Callable

from companion.bench.asked import tables
from companion.bench.loops import each
from companion.bench.timing import one_thread
from companion.bench.vision_score import Score, tell
from companion.simulator.disc_tables import DiscTable, disc_picture, disc_table
from companion.vision.discs.hexagon_reader import new_reader as hexagon_reader
from companion.vision.discs.reader import new_reader
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.pictures import frame_of

BOARDS = 60
OTHERS_IN = 4  # one hexagon, and one board of many cells, for so many square boards
ADVICE = (
    "for the next factor of two: more lessons in dim light and with circles printed on the cells; more light; a taught "
    "set. Black discs on black cells in dim light stay hard"
)


@one_thread()
def run(say: Callable[[str], None]) -> None:
    """Markers and board are found, then every cell is read; nothing is taught."""
    seeds = tables(BOARDS)
    few = seeds[: -(-len(seeds) // OTHERS_IN)]
    _report(say, "grid", seeds, "simulated boards", ", nothing taught, one thread")
    _report(say, "many", few, "boards of 13 to 26 cells a side")
    _report(say, "hex", few, "hexagons")
    say(ADVICE)


def _report(say: Callable[[str], None], kind: str, seeds: range, words: str, how: str = "") -> None:
    score = Score()
    for seed in each(seeds, "boards", say):
        read_into(score, disc_table(seed, kind=kind))
    say(f"{words} {seeds[0]} to {seeds[-1]}{how}:")
    tell(say, (*score.report(), *score.reliability(), *score.times()), score.errors, f"disc-errors-{kind}")


def read_into(score: Score, table: DiscTable) -> None:
    """Read one board and count it."""
    board = table.scene.board
    assert board is not None
    reader = hexagon_reader() if board.kind == "hex" else new_reader()
    eye = Eye(EyeSettings(), table.scene.camera.lens, table.scene.markers.places, board.shape, reader)
    pixels = disc_picture(table)
    name = f"board {table.seed}"
    frame = frame_of(pixels, time.monotonic(), 0, name)
    began = time.process_time()
    view = eye.read(frame)
    own_s = time.process_time() - began
    patches = eye.last.patches if eye.last else None
    pictures = dict(zip(patches.cells, patches.pixels, strict=True)) if patches else {}
    cells = {t.cell: t.piece for t in table.scene.things if t.cell is not None and t.piece is not None}
    score.add(name, view, cells, pictures, own_s)
