"""Counting what a reading got right, wrong and left open, and how well its probabilities were meant."""

import os
import tempfile
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.bench.asked import folder, whole_number
from companion.pieces import EMPTY, UNKNOWN, Piece
from companion.view import Sighting, TableView

Pixels = NDArray[np.uint8]

FACELESS = ("pharaoh", "obelisk")  # their facing means nothing
LISTED = 20  # errors that are told in words
LETTER_PX, LINE_PX = 6, 14  # of captions under pictures
EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)  # of the classes of confidence


@dataclass(frozen=True, slots=True)
class Error:
    """One cell that was not read as what it is."""

    picture: str
    cell: str
    is_: Piece
    seen: Piece
    confidence: float
    why: str | None
    patch: Pixels | None

    def __str__(self) -> str:
        why = f", {self.why}" if self.why else ""
        return f"{self.picture} {self.cell}: {words(self.is_)} seen as {words(self.seen)} ({self.confidence:.2f}{why})"


@dataclass
class Score:
    """Figures over many boards."""

    boards: int = 0
    perfect: int = 0
    no_lie: int = 0
    cells: int = 0
    wrong: int = 0
    unknown: int = 0
    unread: int = 0  # boards that gave no reading at all; each counts as all cells wrong
    errors: list[Error] = field(default_factory=list)
    stages: list[Mapping[str, float]] = field(default_factory=list)
    own: list[float] = field(default_factory=list)  # seconds of the processor that each whole read took
    told: list[tuple[float, bool]] = field(default_factory=list)  # (confidence, right) of every cell

    def add(
        self, name: str, view: TableView, truth: Mapping[str, Piece], patches: Mapping[str, Pixels], own_s: float = 0.0
    ) -> None:
        """Count one board: a view that should be clear, what stands there, and the processor time of the reading."""
        self.boards += 1
        count = sum(1 for _ in view.shape.cells()) if view.shape else 80
        self.cells += count
        if not view.clear:
            self.unread += 1
            self.wrong += count
            return
        self.stages.append(view.stages)
        self.own.append(own_s)
        wrong, unknown = self.wrong, self.unknown
        for cell, sighting in view.by_cell().items():
            self._count(name, cell, sighting, truth.get(cell, EMPTY), patches.get(cell))
        self.perfect += (wrong, unknown) == (self.wrong, self.unknown)
        self.no_lie += wrong == self.wrong

    def _count(self, name: str, cell: str, sighting: Sighting, is_: Piece, patch: Pixels | None) -> None:
        best = sighting.likeliest
        self.told.append((sighting.confidence, same(best, is_)))
        if sighting.piece == UNKNOWN:
            self.unknown += 1
        elif not same(best, is_):
            self.wrong += 1
        else:
            return
        self.errors.append(Error(name, cell, is_, best, sighting.confidence, sighting.why, patch))

    def report(self) -> Iterator[str]:
        """Lines for people."""
        cells = max(self.cells, 1)
        right = cells - self.wrong - self.unknown
        yield (
            f"{self.boards} boards: {100 * right / cells:.3f} % of {self.cells} cells right, {self.wrong} wrong, "
            f"{self.unknown} unknown; {100 * self.perfect / max(self.boards, 1):.1f} % of boards without a mistake, "
            f"{100 * self.no_lie / max(self.boards, 1):.1f} % without a wrong cell, {self.unread} not read"
        )

    def reliability(self) -> Iterator[str]:
        """Confidence beside how often it was right."""
        return reliability_of(self.told, "cells")

    def times(self) -> Iterator[str]:
        """Median and 95th percentile of each stage in milliseconds, and the stage that takes most."""
        yield from stage_times(self.stages, self.own)
        if self.stages:
            middles = {name: float(np.median([s.get(name, 0.0) for s in self.stages])) for name in self.stages[0]}
            most = max(middles, key=lambda name: middles[name])
            yield f"  most is taken by: {most}, {100 * middles[most] / sum(middles.values()):.0f} %"
            yield f"  what would halve it: {HALVED.get(most, 'a smaller picture')}"


NETWORK = "half the network's width or 8-bit arithmetic; a watched table reads only the cells that changed"
HALVED = {
    "way round": NETWORK,  # the whole board is read to tell it, once for each board that is found
    "pieces": NETWORK,
    "board": "the grid looked for on a picture of half the size; a watched table follows the board where it lay",
    "markers": "marks looked for only where they were, as a watched table does",
    "picture": "a picture that is not larger than the eye works with",
}


def samples_folder() -> Path | None:
    """The folder of labelled pictures that COMPANION_SAMPLES names, if it names one."""
    return folder("COMPANION_SAMPLES")


def strewn() -> int:
    """How many small things of no game lie on simulated tables: COMPANION_BENCH_STREWN, default 0."""
    return whole_number("COMPANION_BENCH_STREWN", 0)


def reliability_of(told: Sequence[tuple[float, bool]], things: str) -> Iterator[str]:
    """What was told with each class of confidence, and how often it was right; `told` has (confidence, right)."""
    rows = np.array(told, dtype=np.float64).reshape(-1, 2)
    for low, high in pairwise(EDGES):
        inside = (rows[:, 0] >= low) & ((rows[:, 0] < high) | (high == EDGES[-1]))
        if inside.any():
            mean, right = rows[inside].mean(axis=0)
            said = f"said {low:.3f} to {high:.3f}"
            yield f"  {said}: {int(inside.sum()):6d} {things}, mean {mean:.4f}, right {right:.4f}"


def stage_times(stages: Sequence[Mapping[str, float]], own: Sequence[float] = ()) -> Iterator[str]:
    """Median and 95th percentile in milliseconds of each stage, of whole reads, and of the processor's own time."""
    for name in dict.fromkeys(name for one in stages for name in one):
        yield "  " + _line(name, [one.get(name, 0.0) for one in stages])
    if stages:
        yield "  " + _line("whole read", [sum(one.values()) for one in stages])
    if own:
        yield "  " + _line("processor", own)


def _line(name: str, seconds: Sequence[float]) -> str:
    middle, late = np.percentile(seconds, (50, 95)) * 1000
    return f"{name:12s} median {middle:6.1f} ms, 95 % within {late:6.1f} ms"


def same(seen: Piece, is_: Piece) -> bool:
    """True if a piece was read right; the facing of a pharaoh and an obelisk does not count."""
    if (seen.kind, seen.colour) != (is_.kind, is_.colour):
        return False
    return is_.kind in FACELESS or seen.facing == is_.facing


def words(piece: Piece) -> str:
    """A piece in a few words."""
    parts = (piece.colour, piece.kind, piece.face, piece.suit, piece.value, piece.facing)
    return " ".join(part for part in parts if part)


def part_at(picture: Pixels, x: float, y: float, side: int) -> Pixels | None:
    """The part of a picture round a pixel, as a copy; None when the picture is smaller."""
    half = side // 2
    if min(picture.shape[:2]) < side:
        return None
    column, row = (int(np.clip(v, half, size - half)) for v, size in ((x, picture.shape[1]), (y, picture.shape[0])))
    return picture[row - half : row + half, column - half : column + half].copy()


def tell(say: Callable[[str], None], lines: Iterable[str], errors: list[Error], name: str) -> None:
    """Say the figures and the first errors, and draw all of these."""
    for line in chain(lines, (f"  {error}" for error in errors[:LISTED]), drawn(errors, name)):
        say(line)


def drawn(errors: list[Error], name: str) -> Iterator[str]:
    """Draw the errors as a contact sheet in COMPANION_BENCH_OUT (default: the system's temporary folder)."""
    sheet = contact_sheet(errors)
    if sheet is not None:
        out = Path(os.environ.get("COMPANION_BENCH_OUT", tempfile.gettempdir())) / f"{name}.png"
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            written = cv2.imwrite(str(out), sheet)
        except OSError:
            written = False
        yield f"  the errors as pictures: {out}" if written else f"  the errors are not drawn: cannot write {out}"


def contact_sheet(errors: list[Error], columns: int = 8, side: int = 150) -> Pixels | None:
    """The cells of all errors with what was seen written under them; None without any."""
    told = [error for error in errors if error.patch is not None]
    captions = [_caption(error, side) for error in told]
    rows = max(map(len, captions), default=0)
    tiles = [_tile(error, caption, side, rows) for error, caption in zip(told, captions, strict=True)]
    if not tiles:
        return None
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % columns)
    return np.vstack([np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)])


def _caption(error: Error, side: int) -> list[str]:
    """Where, what it is, what was seen and why that is not sure, in lines as wide as the picture."""
    said = [f"{error.picture} {error.cell}", f"is {words(error.is_)}", f"? {words(error.seen)} {error.confidence:.2f}"]
    said += [error.why] if error.why else []
    return [line for text in said for line in textwrap.wrap(text, (side - 4) // LETTER_PX)]


def _tile(error: Error, caption: Sequence[str], side: int, rows: int) -> Pixels:
    assert error.patch is not None
    tile = np.zeros((side + 2 + LINE_PX * rows, side, 3), np.uint8)
    tile[:side, :-3] = cv2.resize(error.patch, (side - 3, side))
    for number, line in enumerate(caption):
        at = (2, side + 12 + LINE_PX * number)
        cv2.putText(tile, line, at, cv2.FONT_HERSHEY_SIMPLEX, 0.36, (255, 255, 255), 1, cv2.LINE_AA)
    return tile
