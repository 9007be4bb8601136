"""`companion bench piecepack`: how well tiles, coins, pawns and dice are read, and how fast.

The simulated tables' seeds are those of `tables.MEASURING`, which nothing is fitted on. Environment:
COMPANION_BENCH_TABLES (how many tables, default 40), COMPANION_BENCH_FIRST (which is the first, default 0),
COMPANION_BENCH_TAUGHT ("no": only untaught), COMPANION_BENCH_PLAYED ("yes": towers of which tiles were taken away),
COMPANION_BENCH_STREWN (how many small things of no game lie about, default 0), COMPANION_SAMPLES (a folder with kdak/,
optional), COMPANION_BENCH_OUT (where the contact sheets of the errors go).
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.table import CameraPose, TableMarkers
from companion.bench.asked import one_of, tables
from companion.bench.loops import each
from companion.bench.timing import one_thread
from companion.bench.vision_score import Error, part_at, samples_folder, stage_times, strewn, tell
from companion.headings import turn_deg
from companion.pieces import Piece
from companion.simulator.piecepack_tables import piecepack_picture, piecepack_table
from companion.view import Sighting, TableView
from companion.vision.files import read_truth
from companion.vision.finders import TableFinder
from companion.vision.kdak_finder import new_reader
from companion.vision.picture import read_picture
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.pictures import frame_of

Pixels = NDArray[np.uint8]
Say = Callable[[str], None]

TABLES = 40
TAUGHT = 10  # tables that are also read after a lesson
LESSON = 500_000  # by which the seeds of lessons differ
NEAR_MM = {"tile": 15.0, "coin": 8.0, "pawn": 10.0, "die": 10.0}
MARKERS = TableMarkers(740.0, 380.0, 40.0)
PATCH_PX = 120
NOTHING = Piece("nothing")


@dataclass
class PiecepackScore:
    """Counts by kind; errors in mm and degrees; tables without a mistake."""

    there: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    mm: list[float] = field(default_factory=list)
    degrees: list[float] = field(default_factory=list)
    own: list[float] = field(default_factory=list)  # seconds of the processor that each read took
    stages: list[Mapping[str, float]] = field(default_factory=list)
    errors: list[Error] = field(default_factory=list)
    tables: int = 0
    perfect: int = 0
    blank: int = 0  # dice seen as blank as they are, whose suit was not told: an undyed one's sides hardly show it
    all_but_blank: int = 0  # tables without any other mistake

    def add(
        self,
        name: str,
        wanted: Sequence[Sighting],
        view: TableView,
        picture: Pixels,
        pose: CameraPose | None,
        own_s: float,
    ) -> None:
        """Count one table; the pose tells where in the picture a piece was missed."""
        before, blank = len(self.errors), self.blank
        seen = [s for s in view.sightings if s.x_mm is not None and not s.faint]
        partner = matched(wanted, seen)
        for i, want in enumerate(wanted):
            kind = want.piece.kind
            self.there[kind] += 1
            got = seen[partner[i]] if i in partner else None
            if got is None:
                self.missed[kind] += 1
                self._note(name, want.piece, None, want, picture, pose)
                continue
            self.mm.append(want.apart_mm(got))
            if got.why is not None:
                self.unknown[kind] += 1
            self.right[kind] += got.piece == want.piece
            if got.piece != want.piece:
                self.blank += _both_blank(want.piece, got)
                self._note(name, want.piece, got, got, picture, pose)
            elif want.heading_deg is not None and got.heading_deg is not None and kind in ("tile", "coin"):
                self.degrees.append(abs(turn_deg(want.heading_deg, got.heading_deg)))
        for j, got in enumerate(seen):
            if j not in partner.values():
                self.false[got.piece.kind] += 1
                self._note(name, NOTHING, got, got, picture, pose)
        self.tables += 1
        self.own.append(own_s)
        self.stages.append(view.stages)
        self.perfect += len(self.errors) == before
        self.all_but_blank += len(self.errors) - before == self.blank - blank

    def _note(
        self, name: str, is_: Piece, seen: Sighting | None, at: Sighting, picture: Pixels, pose: CameraPose | None
    ) -> None:
        place = np.array([[at.x_mm or 0.0, at.y_mm or 0.0]])
        patch = None
        if pose is not None:
            x, y = (float(v) for v in pose.project(place)[0])
            patch = part_at(picture, x, y, PATCH_PX)
        guess, sure, why = (seen.likeliest, seen.confidence, seen.why) if seen else (NOTHING, 0.0, None)
        self.errors.append(Error(name, f"{place[0, 0]:.0f},{place[0, 1]:.0f}", is_, guess, sure, why, patch))

    def report(self) -> list[str]:
        """The figures as lines."""
        there, right = sum(self.there.values()), sum(self.right.values())
        lines = [
            f"  {right} of {there} pieces right ({right / max(1, there):.2%}), {self.perfect} of {self.tables} tables"
            f" without a mistake, {sum(self.false.values())} false pieces, {sum(self.unknown.values())} unknown"
        ]
        for kind in NEAR_MM:
            n = self.there[kind]
            lines.append(
                f"    {kind}: {self.right[kind]} of {n} right ({self.right[kind] / max(1, n):.2%}),"
                f" {self.unknown[kind]} unknown, {self.missed[kind]} missed, {self.false[kind]} false"
            )
        if self.blank:
            lines.append(
                f"    {self.blank} of the mistakes are the suits of blank dice, of which undyed ones show little:"
                f" {self.all_but_blank} tables have no other"
            )
        if self.mm:
            off = f"  off by {np.median(self.mm):.2f} mm in the median, {np.quantile(self.mm, 0.95):.2f} mm at 95 %"
            turn = f"; {np.median(self.degrees):.1f} and {np.quantile(self.degrees, 0.95):.1f} degrees"
            lines.append(off + (turn if self.degrees else ""))
        return [*lines, *stage_times(self.stages, self.own)]


def _both_blank(want: Piece, got: Sighting) -> bool:
    """True if a blank die is seen as one, of whichever suit."""
    best = got.likeliest
    return (want.kind, want.value) == ("die", "null") == (best.kind, best.value)


def matched(wanted: Sequence[Sighting], seen: Sequence[Sighting]) -> dict[int, int]:
    """Which sighting answers which piece: the nearest pairs of a kind first, unknown ones fit every kind."""
    pairs = sorted(
        (want.apart_mm(got), i, j)
        for i, want in enumerate(wanted)
        for j, got in enumerate(seen)
        if got.piece.kind in (want.piece.kind, "unknown") and want.apart_mm(got) <= NEAR_MM[want.piece.kind]
    )
    partner: dict[int, int] = {}
    for _, i, j in pairs:
        if i not in partner and j not in partner.values():
            partner[i] = j
    return partner


@one_thread()
def run(say: Say) -> None:
    """Measure simulated tables, then the samples where there are some."""
    folder, seeds = samples_folder(), tables(TABLES, least=0)
    if seeds:
        _simulated(say, seeds)
    if folder and (folder / "kdak").is_dir():
        _samples(say, folder / "kdak")


def _simulated(say: Say, seeds: range) -> None:
    score, reader = PiecepackScore(), new_reader()
    teach = one_of("COMPANION_BENCH_TAUGHT", ("yes", "no")) == "yes"
    played = one_of("COMPANION_BENCH_PLAYED", ("no", "yes")) == "yes"
    for seed in each(seeds, "tables", say):
        table = piecepack_table(seed, strewn=strewn(), played=played)
        wanted = sightings(table.truth()["pieces"])
        picture = piecepack_picture(table)
        read_into(score, f"table {seed}", picture, wanted, table.scene.camera.lens, MARKERS, reader)
    say(f"simulated tables {seeds[0]} to {seeds[-1]}, nothing taught, one thread:")
    _tell(say, score, "simulated")
    if not teach:
        return
    taught = PiecepackScore()
    for seed in each(seeds[:: max(1, len(seeds) // TAUGHT)], "lessons", say):
        table = piecepack_table(seed)
        lesson = piecepack_table(seed + LESSON, table.style)
        reader = new_reader()
        eye = Eye(EyeSettings(), lesson.scene.camera.lens, MARKERS, None, reader)
        shown = piecepack_picture(lesson)
        eye.teach_free(frame_of(shown, 0.0, 0, "lesson"), sightings(lesson.truth()["pieces"]))
        wanted = sightings(table.truth()["pieces"])
        picture = piecepack_picture(table)
        read_into(taught, f"taught table {seed}", picture, wanted, table.scene.camera.lens, MARKERS, reader)
    say(f"{taught.tables} of these tables, each after one other table of its set:")
    _tell(say, taught, "simulated-taught")


def sightings(pieces: Sequence[dict[str, Any]]) -> list[Sighting]:
    """The truth's pieces."""
    return [
        Sighting(
            ((Piece(p["kind"], suit=p.get("suit"), value=p.get("value"), face=p.get("face")), 1.0),),
            x_mm=p["x_mm"],
            y_mm=p["y_mm"],
            heading_deg=p["heading_deg"],
        )
        for p in pieces
    ]


def read_into(
    score: PiecepackScore,
    name: str,
    picture: Pixels,
    wanted: Sequence[Sighting],
    lens: Lens,
    markers: TableMarkers,
    reader: TableFinder,
) -> None:
    """Read one picture and count it; a picture that cannot be read counts all its pieces as missed."""
    eye = Eye(EyeSettings(), lens, markers, None, reader)
    frame = frame_of(picture, time.monotonic(), 0, name)
    began = time.process_time()
    view = eye.read(frame)
    own_s = time.process_time() - began
    score.add(name, wanted, view, picture, eye.last.place.pose if eye.last else None, own_s)


def _samples(say: Say, folder: Path) -> None:
    lessons = [(path, read_truth(path.with_suffix(".json"))) for path in sorted(folder.glob("*.jpg"))]
    untaught, taught = PiecepackScore(), PiecepackScore()
    for path, truth in each(lessons, "pictures", say):
        assert truth.lens is not None
        markers = truth.markers or MARKERS
        wanted = [s for s in truth.free if s.piece.kind in NEAR_MM]
        picture, _ = read_picture(path)
        read_into(untaught, path.stem, picture, _plain(wanted), truth.lens, markers, new_reader())
        for other, lesson in lessons:
            if other == path:
                continue
            reader = new_reader()
            shown, _ = read_picture(other)
            frame = frame_of(shown, time.monotonic(), 0, other.name)
            Eye(EyeSettings(), lesson.lens, lesson.markers or MARKERS, None, reader).teach_free(frame, lesson.free)
            read_into(taught, f"{path.stem} after {other.stem}", picture, _plain(wanted), truth.lens, markers, reader)
    say(f"{folder.name}, nothing taught:")
    _tell(say, untaught, f"{folder.name}-untaught")
    say(f"{folder.name}, each taught by each other picture (of another set):")
    _tell(say, taught, f"{folder.name}-taught")


def _plain(wanted: Sequence[Sighting]) -> list[Sighting]:
    """Labels without the pose, which the eye does not tell of these pieces."""
    return [
        Sighting(((Piece(p.kind, suit=p.suit, value=p.value, face=p.face), 1.0),), s.x_mm, s.y_mm, s.heading_deg)
        for s in wanted
        for p in [s.piece]
    ]


def _tell(say: Say, score: PiecepackScore, name: str) -> None:
    tell(say, score.report(), score.errors, f"piecepack-errors-{name}")
