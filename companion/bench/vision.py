"""`companion bench vision`: accuracy and time of each stage, on simulated tables and on a folder of samples.

Each table is read untaught, and again after one picture of the same set under other light has been taught. The
tables' seeds are those of `tables.MEASURING`, which nothing is fitted on. A cell that is left open counts as not right,
and its board as one with a mistake. Environment: COMPANION_BENCH_TABLES (how many tables, default 40),
COMPANION_BENCH_FIRST (from which on), COMPANION_BENCH_TAUGHT ("no": only untaught, in a third of the time),
COMPANION_SAMPLES (a folder with khet/ and games/, optional), COMPANION_BENCH_OUT (where the contact sheets of errors
go, default the system's temporary folder), COMPANION_BENCH_FAMILIES (default khet; others are pyramids, piecepack,
discs and dice, each the bench of that name; several with commas, or "all").
"""

import importlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.table import TableMarkers
from companion.bench.asked import one_of, tables
from companion.bench.loops import each, go_on
from companion.bench.timing import one_thread
from companion.bench.vision_score import Score, samples_folder, tell
from companion.errors import UnreadableText
from companion.pieces import Piece
from companion.simulator.tables import Table, khet_table, picture_of, sibling
from companion.view import BoardShape, TableView
from companion.vision.errors import ObstructedView
from companion.vision.files import read_truth
from companion.vision.khet.reader import KhetReader, new_reader
from companion.vision.picture import read_picture
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame
from hardware.pictures import frame_of

Pixels = NDArray[np.uint8]
Say = Callable[[str], None]

TABLES = 40
LESSONS, LESSON_STEP, LESSON_TRIES = 100_000, 1_000, 60  # where the seeds of taught pictures lie
SAMPLE_FOLDERS = ("khet", "games/*")
FAMILIES = ("khet", "pyramids", "piecepack", "discs", "dice")


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A picture with what it shows and what is known of how it was taken."""

    name: str
    pixels: Pixels
    cells: Mapping[str, Piece]
    lens: Lens
    markers: TableMarkers
    shape: BoardShape

    def frame(self) -> Frame:
        """As a camera would deliver it."""
        return frame_of(self.pixels, time.monotonic(), 0, self.name)

    def eye(self, reader: KhetReader) -> Eye:
        """An eye that has to find markers and board by itself."""
        return Eye(EyeSettings(), self.lens, self.markers, self.shape, reader)


def run(say: Say) -> None:
    """Measure the chosen families one after the other."""
    named = os.environ.get("COMPANION_BENCH_FAMILIES", "khet")
    families = FAMILIES if named == "all" else tuple(family.strip() for family in named.split(","))
    for family in families:
        if family not in FAMILIES:
            raise UnreadableText(f"there is no family {family!r} to measure: choose from {', '.join(FAMILIES)} or all")
    for family in families:
        go_on()
        say(f"{family}:")
        (_khet if family == "khet" else importlib.import_module(f"companion.bench.{family}").run)(say)


@one_thread()
def _khet(say: Say) -> None:
    """Measure simulated tables, then the samples where there are some."""
    folder, seeds = samples_folder(), tables(TABLES, least=0)
    if seeds:
        _simulated(say, seeds)
    if folder is not None:
        for pattern in SAMPLE_FOLDERS:
            for chosen in sorted(folder.glob(pattern)):
                _samples(say, chosen)


def _simulated(say: Say, seeds: range) -> None:
    untaught, taught = Score(), Score()
    teach = one_of("COMPANION_BENCH_TAUGHT", ("yes", "no")) == "yes"
    for seed in each(seeds, "tables", say):
        table = khet_table(seed)
        picture, reader = simulated(table), new_reader()
        read_into(untaught, picture, reader)
        if not teach:
            continue
        lesson = simulated(_lesson(table))
        try:
            lesson.eye(reader).teach(lesson.frame(), lesson.cells)
        except ObstructedView as obstacle:
            say(f"  the lesson for table {seed} cannot be used: {obstacle}")
            continue
        read_into(taught, picture, reader)
    say(f"simulated tables {seeds[0]} to {seeds[-1]}, nothing taught, one thread:")
    _tell(say, untaught, "simulated")
    if not teach:
        return
    say("the same tables, the set taught by one picture of it under other light:")
    _tell(say, taught, "simulated-taught")


def _lesson(table: Table) -> Table:
    """Another table of the same set, on which every kind stands that the table has, as in a starting position."""
    wanted = {t.piece.kind for t in table.scene.things if t.piece is not None}
    for turn in range(LESSON_TRIES):
        other = sibling(table, table.seed + LESSONS + turn * LESSON_STEP)
        if wanted <= {t.piece.kind for t in other.scene.things if t.piece is not None}:
            break
    return other


def simulated(table: Table) -> Labelled:
    """A simulated table's picture."""
    board, markers = table.scene.board, table.scene.markers.places
    assert board is not None
    cells = {t.cell: t.piece for t in table.scene.things if t.cell is not None and t.piece is not None}
    return Labelled(f"table {table.seed}", picture_of(table), cells, table.scene.camera.lens, markers, board.shape)


def samples(folder: Path) -> Iterator[Labelled]:
    """The labelled Khet pictures of a folder, in the order of their names."""
    for image in sorted(folder.glob("*.jpg")):
        truth = read_truth(image.with_suffix(".json"))
        if truth.lens and truth.markers and truth.shape and any(p.kind == "pharaoh" for p in truth.cells.values()):
            pixels, _ = read_picture(image)
            yield Labelled(f"{folder.name}/{image.stem}", pixels, truth.cells, truth.lens, truth.markers, truth.shape)


def read_into(score: Score, labelled: Labelled, reader: KhetReader) -> TableView:
    """Read one picture and count it."""
    eye = labelled.eye(reader)
    frame = labelled.frame()
    began = time.process_time()
    view = eye.read(frame)
    own_s = time.process_time() - began
    patches = eye.last.patches if eye.last else None
    pictures = dict(zip(patches.cells, patches.pixels, strict=True)) if patches else {}
    score.add(labelled.name, view, labelled.cells, pictures, own_s)
    return view


def _samples(say: Say, folder: Path) -> None:
    pictures = list(samples(folder))
    if not pictures:
        return
    untaught, taught, seconds = Score(), Score(), []
    for picture in each(pictures, "pictures", say):
        read_into(untaught, picture, new_reader())
    say(f"{folder.name}, nothing taught:")
    _tell(say, untaught, f"{folder.name}-untaught")
    for lesson in each(pictures, "lessons", say):
        reader = new_reader()
        began = time.perf_counter()
        lesson.eye(reader).teach(lesson.frame(), lesson.cells)
        seconds.append(time.perf_counter() - began)
        for picture in pictures:
            if picture is not lesson:
                read_into(taught, picture, reader)
    say(f"{folder.name}, each taught by each other picture (teaching takes {np.median(seconds):.1f} s):")
    _tell(say, taught, f"{folder.name}-taught")


def _tell(say: Say, score: Score, name: str) -> None:
    tell(say, (*score.report(), *score.reliability(), *score.times()), score.errors, f"khet-errors-{name}")
