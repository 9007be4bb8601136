"""`companion bench pyramids`: accuracy and time of finding pyramids, on simulated tables and on a folder of samples.

The simulated tables' seeds are those of `tables.MEASURING`, which nothing is fitted on; they are read by themselves,
and once more after a picture of the bare table, as games begin. Environment: COMPANION_BENCH_CLOTH ("checked" for
tables with checked cloth, on which no other ones are), COMPANION_BENCH_TABLES (how many tables, default 30),
COMPANION_BENCH_FIRST (how many seeds are left out before them), COMPANION_BENCH_STREWN (how many small things of no
game lie about, default 0), COMPANION_SAMPLES (a folder with pieces/, kaxxt/ and
chaos/, optional), COMPANION_BENCH_OUT (where the contact sheets of errors go, default the system's temporary folder).
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.table import CameraPose, TableMarkers
from companion.bench.asked import one_of, tables
from companion.bench.loops import each
from companion.bench.pyramid_score import PyramidScore
from companion.bench.timing import one_thread
from companion.bench.vision_score import drawn, samples_folder, strewn
from companion.simulator.pyramid_tables import pyramid_picture, pyramid_table
from companion.view import Sighting
from companion.vision.files import read_json, read_truth, truth_of
from companion.vision.finders import TableFinder
from companion.vision.kaxxt_finder import new_reader
from companion.vision.picture import read_picture
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame
from hardware.pictures import frame_of

Say = Callable[[str], None]

TABLES = 30
OTHER_NOISE = 5_000_000  # no two pictures of a table have the same
SAMPLE_FOLDERS = ("pieces", "kaxxt", "chaos")


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTable:
    """A picture of a free table and what lies there."""

    name: str
    pixels: NDArray[np.uint8]
    pieces: tuple[Sighting, ...]
    lens: Lens
    markers: TableMarkers
    bare: NDArray[np.uint8] | None = None  # the same table before the pieces were laid

    def frame(self) -> Frame:
        """As a camera would deliver it."""
        return self._frame(self.pixels)

    def eye(self, finder: TableFinder) -> Eye:
        """An eye that has to find the markers by itself, and has seen the bare table where there is a picture of it."""
        eye = Eye(EyeSettings(one_table=self.bare is not None), self.lens, self.markers, None, finder)
        if self.bare is not None:
            eye.read(self._frame(self.bare))
        return eye

    def _frame(self, pixels: NDArray[np.uint8]) -> Frame:
        return frame_of(pixels, time.monotonic(), 0, self.name)


@one_thread()
def run(say: Say) -> None:
    """Measure simulated tables, then the samples where there are some."""
    folder, seeds = samples_folder(), tables(TABLES, least=0)
    if seeds:
        _simulated(say, seeds)
    if folder is not None:
        for name in SAMPLE_FOLDERS:
            _samples(say, list(samples(folder / name)), name)


def _simulated(say: Say, seeds: range) -> None:
    checked = one_of("COMPANION_BENCH_CLOTH", ("any", "checked")) == "checked"
    alone, begun = PyramidScore(), PyramidScore()
    for seed in each(seeds, "tables", say):
        table = simulated(seed, checked, strewn())
        read_into(alone, replace(table, bare=None), new_reader())
        read_into(begun, table, new_reader())
    say(f"simulated tables {seeds[0]} to {seeds[-1]}, nothing taught, one thread:")
    _tell(say, alone, "simulated")
    say("the same tables after a picture of the bare table:")
    _tell(say, begun, "simulated-begun")


def simulated(seed: int, checked: bool = False, strewn: int = 0) -> LabelledTable:
    """A simulated table by its seed, and as it was before its pyramids were laid; on every third lie two dice."""
    table = pyramid_table(seed, checked=checked, dice=0 if seed % 3 else 2, strewn=strewn)
    pieces, lens, markers = truth_of(table.truth()).free, table.scene.camera.lens, table.scene.markers.places
    others = tuple(t for t in table.scene.things if t.piece is None or t.piece.kind != "pyramid")
    bare = replace(table, seed=seed + OTHER_NOISE, scene=replace(table.scene, things=others))
    return LabelledTable(f"table {seed}", pyramid_picture(table), pieces, lens, markers, pyramid_picture(bare))


def samples(folder: Path) -> Iterator[LabelledTable]:
    """The labelled pictures of a folder, in the order of their names."""
    for image in sorted(folder.glob("*.jpg")):
        truth = read_truth(image.with_suffix(".json"))
        if truth.lens and truth.markers:
            pixels, _ = read_picture(image)
            pieces = tuple(_halfway(piece, entry) for piece, entry in zip(truth.free, _entries(image), strict=True))
            yield LabelledTable(f"{folder.name}/{image.stem}", pixels, pieces, truth.lens, truth.markers)


def _entries(image: Path) -> list[Mapping[str, Any]]:
    return [entry for entry in read_json(image.with_suffix(".json"))["pieces"] if not entry.get("cell_name")]


def _halfway(piece: Sighting, entry: Mapping[str, Any]) -> Sighting:
    """A lying piece's place is halfway between its tip and the middle of its base, where the file names both."""
    if entry.get("pose") != "lying" or "tip_mm" not in entry or "base_centre_mm" not in entry:
        return piece
    x, y = ((entry["tip_mm"][k] + entry["base_centre_mm"][k]) / 2 for k in (0, 1))
    return replace(piece, x_mm=float(x), y_mm=float(y))


def read_into(score: PyramidScore, table: LabelledTable, finder: TableFinder) -> None:
    """Read one picture and count it."""
    eye = table.eye(finder)
    view = eye.read(table.frame())
    pose = eye.last.place.pose if eye.last else None
    pieces = [in_picture(piece, pose) for piece in table.pieces] if pose else table.pieces
    score.add(table.name, view, pieces, table.pixels)


def in_picture(piece: Sighting, pose: CameraPose) -> Sighting:
    """The piece with its place in the picture, in pixels."""
    at = pose.project(np.array([[piece.x_mm or 0.0, piece.y_mm or 0.0]]))[0]
    return replace(piece, x_px=float(at[0]), y_px=float(at[1]))


def _samples(say: Say, shown: list[LabelledTable], name: str) -> None:
    if not shown:
        return
    untaught, taught = PyramidScore(), PyramidScore()
    for table in each(shown, "pictures", say):
        read_into(untaught, table, new_reader())
    say(f"{name}, nothing taught:")
    _tell(say, untaught, f"{name}-untaught")
    for lesson in each(shown, "lessons", say):
        finder = new_reader()
        lesson.eye(finder).teach_free(lesson.frame(), lesson.pieces)
        for table in shown:
            if table is not lesson:
                read_into(taught, table, finder)
    if taught.tables:
        say(f"{name}, each taught by each other picture:")
        _tell(say, taught, f"{name}-taught")


def _tell(say: Say, score: PyramidScore, name: str) -> None:
    """Figures, reliability, times, and the errors with their contact sheet."""
    for line in (*score.report(), *score.reliability(), *score.times()):
        say(line)
    for line in drawn(score.errors[:96], f"pyramid-errors-{name}"):
        say(line)
