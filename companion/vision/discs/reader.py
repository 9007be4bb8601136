"""Reads two-coloured discs on the cells of a board: Ataxx, Hexxagon, Othello and the like."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.pieces import EMPTY, Piece
from companion.view import BoardShape
from companion.vision.boards.cells import HEXAGONS, SQUARES, cell_tones
from companion.vision.chances import softmax
from companion.vision.discs.alone import (
    WHY,
    AloneSettings,
    beside_paper,
    coloured,
    dark_odds,
    paper_odds,
    white_odds,
)
from companion.vision.discs.groups import GroupSettings, hues_of, regrouped
from companion.vision.discs.judge import CLASSES, Judge, bent, shipped_judges
from companion.vision.discs.looks import (
    BoardLooks,
    Cells,
    Pool,
    board_looks,
    cell_colours,
    first_columns,
    greys_of,
    halves_of,
    pooled,
    second_columns,
    thumbnails,
)
from companion.vision.discs.neighbours import Around, near_columns, places_of
from companion.vision.discs.network import DiscSeer, looks_of, shipped
from companion.vision.discs.parting import PartingSettings, partings
from companion.vision.discs.rings import Rings, RingSettings, SmallPatches, find_rings, pooled_radius, reduced
from companion.vision.discs.sheen import SheenSettings, expected, lights_of, sheen_columns, sides, split
from companion.vision.reader import CellPatches, CellReading
from companion.vision.taught_looks import TaughtLooks, taught_now

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]

SHAPE: BoardShape | None = BoardShape(8, 8, 38.0, 10.0, 3.0)
MANY_SIZES = True  # boards are made with other numbers of cells, too
LOOKS = TaughtLooks("discs", "discs", format=3)
PIECES = (EMPTY, Piece("disc", "black"), Piece("disc", "white"))
LESSON_CELLS = 8.0  # what was taught of a class weighs as so many cells seen now


@dataclass(frozen=True, slots=True)
class DiscSettings:
    """When a cell is told and when it is not."""

    rings: RingSettings = field(default_factory=RingSettings)
    alone: AloneSettings = field(default_factory=AloneSettings)
    sheen: SheenSettings = field(default_factory=SheenSettings)
    told: float = 0.70  # a class of less than this share is not told
    glare: float = 0.4  # blown-out share of the circle's inside that hides what is there
    glare_ring: float = 0.55  # ... unless a circle of this score shows round it
    glare_told: float = 0.85  # ... or a class has this share all the same
    halves_apart: float = 0.5  # discs of two colours differ by as much (logarithm of grey), those of one do not ...
    halves_alike: float = 0.2  # ... and only those of one differ by so little, which paper tells black or white
    sides_sure: float = 6.0  # log-odds that neither the other discs nor the judge may exceed
    sides_pull: float = 6.0  # log-odds of a disc twice as far from the middle between the colours as they should lie
    parting: PartingSettings = field(default_factory=PartingSettings)
    groups: GroupSettings = field(default_factory=GroupSettings)
    seen: float = 0.8  # weight of the log-odds by which the network sees a disc, beside those of a judge
    sure: float = 5.0  # log-odds by which it surely sees one: those tell the radius of the set, circles in print do not
    other_radius: float = 0.02  # cells, by which the radius of those differs from that of all circles
    whole: float = 0.5  # so large a share of the board tells how the board looks
    stiffness: float = 0.3  # weight of staying near the shipped judge when the looks of a set are taught
    rounds: int = 300
    close: float = 0.45  # taught black and white whose greys (as logarithms) differ by less are too close
    least: float = 1e-4  # shares below it are not listed


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Cells as measured, each judged by itself."""

    cells: Cells
    rings: Rings
    looks: BoardLooks
    places: Singles
    greys: Singles
    lights: Singles
    cell_mm: float
    first: Singles
    logits: Singles
    odds: Singles  # (n) log-odds of a disc by the network; zeros without one
    dark: Singles  # (n) log-odds, at most 0, that a disc is white, by its light beside paper; zeros without paper
    parted: Floats | None  # (tones) what the whole board told of where discs and empty cells part

    def around(self, shares: Singles, before: Around | None) -> Around:
        """These cells by these shares, beside those that were seen before."""
        own = Around(self.places, self.greys, shares, self.lights, hues_of(self.cells, self.looks), self.cells.tone)
        return own if before is None else before.with_these(own)


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What is kept from the last reading of a whole board."""

    cells: int
    radius: float
    looks: BoardLooks
    pool: Pool
    around: Around
    groups: Around  # the same with the shares that were told
    parted: Floats  # (tones) see `partings`


class DiscReader:
    """A `CellReader` for boards with discs; unsupervised until it is taught."""

    in_grey = True

    def __init__(
        self,
        settings: DiscSettings | None = None,
        judges: tuple[Judge, Judge] | None = None,
        tones: int = SQUARES,
        network: DiscSeer | None = None,
    ) -> None:
        self.settings, self._tones = settings or DiscSettings(), tones
        self._first, self._second = judges or shipped_judges()
        self._network = network or shipped()
        self._known: _Known | None = None
        self._taught: Pool | None = None
        self._radius: float | None = None  # of the taught set, in cells
        self._taught_at: str | None = None
        self._pictures: dict[str, NDArray[np.uint8]] = {}

    @property
    def too_close(self) -> tuple[tuple[str, str], ...]:
        """The two colours, when the taught discs hardly differ."""
        if self._taught is None or (self._taught.counts[-2:] <= 0).any():
            return ()
        black, white = np.log(self._taught.grey + 6)
        return (("black", "white"),) if white - black < self.settings.close else ()

    def read(self, patches: CellPatches) -> list[CellReading]:
        """One reading for every patch; a few cells are judged by what the whole board showed before."""
        if not len(patches):
            return []
        shares, cells, rings, alone = self._judged(patches)
        return [self._reading(i, shares[i], cells, rings, alone) for i in range(len(patches))]

    def turned(self, patches: CellPatches) -> float:
        """Discs look the same from all sides."""
        return 0.0

    # --- judging ----------------------------------------------------------------------------------------------

    def _judged(self, patches: CellPatches) -> tuple[Singles, Cells, Rings, bool]:
        """Shares, looks, circles, and whether the ground of the board alone tells black from white."""
        s = self.settings
        known = self._known if self._known is not None and len(patches) < s.whole * self._known.cells else None
        small = reduced(patches, s.rings)
        radius = known.radius if known else self._radius
        rings = find_rings(small, s.rings, radius)
        seen = self._seen(patches, small, rings, known)
        if radius is None and (own := self._own_radius(small, seen)) is not None:
            rings = find_rings(small, s.rings, own)
            seen = self._seen(patches, small, rings, None)
        pool, around = (
            (known.pool, seen.around(self._both(seen.logits, seen), known.around)) if known else self._settled(seen)
        )
        logits = self._second.logits(self._columns(seen, pool, around))
        shares = self._both(logits, seen)
        cells = known.cells if known else len(patches)
        around = seen.around(shares, known.around if known else None)
        shares, alone = self._coloured(shares, seen, around, patches.white_known)
        groups = seen.around(shares, known.groups if known else None)
        groups = regrouped(groups, len(patches), self._tones, s.groups)
        self._known = _Known(cells, rings.radius, seen.looks, pool, around, groups, self._parted(logits, seen))
        return groups.shares[-len(patches) :], seen.cells, rings, alone

    def _coloured(self, shares: Singles, seen: _Seen, around: Around, white_known: bool) -> tuple[Singles, bool]:
        """Shares with black told from white, and whether the ground of the board alone tells it."""
        s = self.settings
        discs = around.shares[:, 1:].sum(axis=1)
        halves = halves_of(around.greys[:, 0], discs)
        apart = float(halves[1] - halves[0])
        if apart >= (s.halves_alike if white_known else s.halves_apart) or self._taught is not None:
            sheen = expected(seen.places, around, seen.cell_mm, s.sheen)
            return split(shares, sides(seen.lights, sheen, s.sheen), s.sides_sure, s.sides_pull), False
        weights = discs + np.float32(s.least)
        if white_known:
            light = float(np.average(around.lights, weights=weights))
            return beside_paper(shares, paper_odds(light, s.alone)), False
        grey = float(np.average(around.greys[:, 0], weights=weights))
        return coloured(shares, white_odds(grey, seen.looks, s.alone)), True

    def _seen(self, patches: CellPatches, small: SmallPatches, rings: Rings, known: _Known | None) -> _Seen:
        """Every cell by itself: its numbers, and what its small picture tells."""
        cells = cell_colours(small, rings, cell_tones(patches.cells, self._tones), self._tones)
        looks = known.looks if known else board_looks(cells, self._tones)
        first = first_columns(cells, rings, looks)
        logits = self._first.logits(np.hstack([first, thumbnails(small, cells, rings, looks)]))
        greys, lights = greys_of(cells, looks), lights_of(cells, looks, patches.white_known)
        places = places_of(patches)
        odds = np.zeros(len(patches), np.float32)
        if self._network is not None:
            odds = self._network.odds(looks_of(small, looks))
        dark = dark_odds(lights, self.settings.alone) if patches.white_known else np.zeros_like(odds)
        parted = known.parted if known else None
        return _Seen(cells, rings, looks, places, greys, lights, patches.cell_mm, first, logits, odds, dark, parted)

    def _own_radius(self, small: SmallPatches, seen: _Seen) -> float | None:
        """The radius of what the network surely takes for discs; None where that is the radius of all circles."""
        s, discs = self.settings, np.flatnonzero(seen.odds > self.settings.sure)
        if not len(discs):
            return None
        radius = pooled_radius(small.only(discs), s.rings)
        return radius if abs(radius - seen.rings.radius) > s.other_radius else None

    def _settled(self, seen: _Seen) -> tuple[Pool, Around]:
        """What the classes look like here, judged by what they seemed to look like at first."""
        shares = self._both(seen.logits, seen)
        pool, around = self._pooled(seen, shares), seen.around(shares, None)
        shares = self._both(self._second.logits(self._columns(seen, pool, around)), seen)
        return self._pooled(seen, shares), seen.around(shares, None)

    def _pooled(self, seen: _Seen, shares: Singles) -> Pool:
        return pooled(shares, seen.cells, seen.rings, seen.looks, self._taught)

    def _columns(self, seen: _Seen, pool: Pool, around: Around) -> Singles:
        sheen = expected(seen.places, around, seen.cell_mm, self.settings.sheen)
        near = np.hstack(
            [near_columns(seen.places, seen.greys, around), sheen_columns(seen.lights, sheen, self.settings.sheen)]
        )
        return second_columns(seen.first, seen.logits, seen.cells, seen.rings, seen.looks, pool, near)

    def _both(self, logits: Singles, seen: _Seen) -> Singles:
        """Shares by what a judge says, what the network sees, and what paper tells of their light."""
        beside = self.settings.seen * seen.odds - self._parted(logits, seen)[seen.cells.tone].astype(np.float32)
        return beside_paper(softmax(logits - np.pad(beside[:, None], [(0, 0), (0, len(CLASSES) - 1)])), seen.dark)

    def _parted(self, logits: Singles, seen: _Seen) -> Floats:
        """(tones) the log-odds above which there is a disc, by a judge and the network."""
        if seen.parted is not None:
            return seen.parted
        odds = logits[:, 1:].max(axis=1) - logits[:, 0] + self.settings.seen * seen.odds
        white = logits[:, 2] > logits[:, 1]
        return partings(odds.astype(np.float64), white, seen.cells.tone, self._tones, self.settings.parting)

    def _reading(self, i: int, shares: Singles, cells: Cells, rings: Rings, alone: bool) -> CellReading:
        s = self.settings
        order = np.argsort(-shares)
        beliefs = tuple((PIECES[k], float(shares[k])) for k in order if shares[k] >= s.least)
        why = None
        blown = cells.glare[i] > s.glare and rings.scores[i] < s.glare_ring
        if blown and shares[order[0]] < s.glare_told:
            why = "glare"
        elif shares[order[0]] < s.told and alone and shares[0] < 1 - s.told:
            why = WHY
        elif shares[order[0]] < s.told:
            why = f"between {CLASSES[order[0]]} and {CLASSES[order[1]]}"
        return CellReading(beliefs, why)

    # --- teaching ---------------------------------------------------------------------------------------------

    def learn(self, patches: CellPatches, labels: Mapping[str, Piece]) -> None:
        """Take over size and looks of the discs and of the empty cells; ValueError for what is no disc."""
        classes = np.array([_class_of(labels.get(cell, EMPTY)) for cell in patches.cells])
        small = reduced(patches, self.settings.rings)
        held = np.flatnonzero(classes > 0)
        radius = pooled_radius(small.only(held), self.settings.rings) if len(held) else self._radius
        rings = find_rings(small, self.settings.rings, radius)
        seen = self._seen(patches, small, rings, None)
        pool = self._pooled(seen, np.eye(3, dtype=np.float32)[classes])
        counts = np.minimum(pool.counts, LESSON_CELLS)
        if self._taught is not None:
            counts = np.maximum(counts, self._taught.counts)
        self._taught, self._radius = replace(pool, counts=counts, offset=np.zeros(2, np.float32)), radius
        columns = self._columns(seen, *self._settled(seen))
        self._second = bent(self._second, columns, classes, self.settings.stiffness, self.settings.rounds)
        self._taught_at = taught_now()
        for k, name in enumerate(CLASSES):
            if (classes == k).any():
                self._pictures[name] = patches.pixels[int(np.flatnonzero(classes == k)[0])].copy()
        self._known = None

    def save(self, folder: Path) -> None:
        """Write what was learned: discs.json, its arrays and a picture of each class."""
        if self._taught is None:
            raise ValueError("nothing was taught yet")
        about = {"taught": self._taught_at, "radius": self._radius, "too_close": self.too_close}
        pool = {name: getattr(self._taught, name) for name in Pool.__dataclass_fields__}
        judge = {"last": self._second.last, "last_bias": self._second.last_bias}
        LOOKS.write(folder, about, pool | judge, self._pictures)

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; ValueError that says what is wrong when it cannot be used."""
        with LOOKS.opened(folder) as (about, arrays):
            pool = Pool(**{name: arrays[name].astype(np.float32) for name in Pool.__dataclass_fields__})
            last, bias = arrays["last"].astype(np.float32), arrays["last_bias"].astype(np.float32)
            radius = None if about["radius"] is None else float(about["radius"])
            if pool.empties.shape in ((SQUARES, 3), (HEXAGONS, 3)) and len(pool.empties) != self._tones:
                raise ValueError("they were taught on cells of another shape, squares or hexagons")
            if pool.empties.shape != (self._tones, 3) or last.shape != self._second.last.shape:
                raise ValueError("they were taught to another version of this program")
        self._second = replace(self._second, last=last, last_bias=bias)
        self._taught, self._radius, self._known = pool, radius, None
        self._taught_at, self._pictures = about.get("taught"), LOOKS.pictures(folder, about)


def _class_of(piece: Piece) -> int:
    if piece.kind == "empty":
        return 0
    if piece.kind == "disc" and piece.colour in CLASSES[1:]:
        return CLASSES.index(piece.colour)
    raise ValueError(f"a {piece.colour or ''} {piece.kind} is no disc: discs are black or white")


def new_reader() -> DiscReader:
    """A reader with what the project ships."""
    return DiscReader()
