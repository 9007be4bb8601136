"""Counting what was found of pyramids on free tables: labels, places, headings, stacks; false pieces of any kind."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.bench.vision_score import Error, reliability_of, stage_times
from companion.headings import turn_deg
from companion.pieces import UNKNOWN, Piece
from companion.view import Sighting, TableView

Pixels = NDArray[np.uint8]

NEAR_MM = 12.0  # farther away, it is another piece
TURNED_DEG = 15.0  # a lying one that points elsewhere is wrong
PATCH_PX = 120
NOTHING = Piece("nothing")


@dataclass
class PyramidScore:
    """Figures over many tables."""

    tables: int = 0
    perfect: int = 0
    pieces: int = 0
    right: int = 0
    false: int = 0
    unread: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    away_mm: list[float] = field(default_factory=list)
    turned_deg: list[float] = field(default_factory=list)
    told: list[tuple[float, bool]] = field(default_factory=list)
    stages: list[Mapping[str, float]] = field(default_factory=list)
    errors: list[Error] = field(default_factory=list)

    def add(self, name: str, view: TableView, truth: Sequence[Sighting], picture: Pixels) -> None:
        """Count one table."""
        wanted = [s for s in truth if s.piece.kind == "pyramid"]
        seen = [s for s in view.pieces() if _pyramid(s)]
        self.tables += 1
        self.pieces += len(wanted)
        self.unread += not view.clear
        self.stages.append(view.stages)
        pairs = _paired(wanted, seen)
        before = self.right
        for i, want in enumerate(wanted):
            self._count(name, want, seen[pairs[i]] if i in pairs else None, picture)
        claimed = set(pairs.values())
        extra = [s for j, s in enumerate(seen) if j not in claimed]
        extra += [s for s in view.pieces() if s.beliefs and not _pyramid(s) and not _there(s, truth)]
        self.false += len(extra)
        for sighting in extra:
            self.told.append((sighting.confidence, False))
            self.errors.append(_error(name, NOTHING, sighting, sighting, picture))
        self.perfect += self.right - before == len(wanted) and not extra

    def _count(self, name: str, want: Sighting, seen: Sighting | None, picture: Pixels) -> None:
        fault = "missed" if seen is None else self._fault(want, seen)
        if seen is not None:
            self.told.append((seen.confidence, fault is None or fault == "unknown, rightly guessed"))
        if fault is None:
            self.right += 1
            return
        self.wrong[fault] += 1
        self.errors.append(_error(f"{name} {fault}", want.piece, seen, want, picture))

    def _fault(self, want: Sighting, seen: Sighting) -> str | None:
        """What is wrong with a piece that was found."""
        guess = seen.likeliest
        self.away_mm.append(want.apart_mm(seen))
        turned = 0.0
        if guess.pose == want.piece.pose == "lying":
            turned = abs(turn_deg(want.heading_deg or 0.0, seen.heading_deg or 0.0))
            self.turned_deg.append(turned)
        for fault, same in (
            ("size", guess.size == want.piece.size),
            ("pose", guess.pose == want.piece.pose),
            ("heading", turned <= TURNED_DEG),
            ("stacked", (want.nested_on is None) == (seen.nested_on is None)),
            ("colour", guess.colour == want.piece.colour),
        ):
            if not same:
                return f"unknown, {fault}" if seen.piece == UNKNOWN else fault
        return "unknown, rightly guessed" if seen.piece == UNKNOWN else None

    def report(self) -> Iterator[str]:
        """Lines for people."""
        pieces, tables = max(self.pieces, 1), max(self.tables, 1)
        yield (
            f"{self.tables} tables: {100 * self.right / pieces:.2f} % of {self.pieces} pieces right in everything, "
            f"{100 * self.perfect / tables:.1f} % of tables, {self.false} false pieces, {self.unread} tables unread"
        )
        yield "  not right: " + (", ".join(f"{what} {n}" for what, n in self.wrong.most_common()) or "none")
        if self.away_mm:
            middle, late = np.percentile(self.away_mm, (50, 95))
            yield f"  place: median {middle:.2f} mm, 95 % within {late:.2f} mm"
        if self.turned_deg:
            middle, late = np.percentile(self.turned_deg, (50, 95))
            yield f"  heading: median {middle:.2f} degrees, 95 % within {late:.2f} degrees"

    def reliability(self) -> Iterator[str]:
        """Confidence beside how often it was right."""
        return reliability_of(self.told, "pieces")

    def times(self) -> Iterator[str]:
        """Median and 95th percentile of each stage in milliseconds."""
        return stage_times(self.stages)


def _pyramid(sighting: Sighting) -> bool:
    return sighting.likeliest.kind == "pyramid"


def _there(seen: Sighting, truth: Sequence[Sighting]) -> bool:
    """True if a thing of the kind that is claimed lies there: the robot's card, a die."""
    kind = seen.likeliest.kind
    return any(one.piece.kind == kind and one.apart_mm(seen) <= NEAR_MM for one in truth)


def _paired(wanted: Sequence[Sighting], seen: Sequence[Sighting]) -> dict[int, int]:
    """Nearest first; in a stack, pieces of the same size and colour first."""
    ranked = []
    for i, want in enumerate(wanted):
        for j, one in enumerate(seen):
            away = want.apart_mm(one)
            if away <= NEAR_MM:
                guess = one.likeliest
                strange = (guess.size, guess.pose) != (want.piece.size, want.piece.pose)
                ranked.append((away + NEAR_MM * strange + 2.0 * (guess.colour != want.piece.colour), i, j))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, i, j in sorted(ranked):
        if i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
    return pairs


def _error(name: str, is_: Piece, seen: Sighting | None, where: Sighting, picture: Pixels) -> Error:
    guess = seen.likeliest if seen is not None else NOTHING
    at = seen if seen is not None else where
    patch = None
    if at.x_px is not None and at.y_px is not None:
        half = PATCH_PX // 2
        x = int(np.clip(at.x_px, half, picture.shape[1] - half))
        y = int(np.clip(at.y_px, half, picture.shape[0] - half))
        patch = np.ascontiguousarray(picture[y - half : y + half, x - half : x + half])
    place = f"{is_.size or ''} {is_.pose or ''} ? {guess.size or ''} {guess.pose or ''}"
    return Error(name, place, is_, guess, seen.confidence if seen else 0.0, seen.why if seen else None, patch)
