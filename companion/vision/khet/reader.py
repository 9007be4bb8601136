"""Reads the cells of a Khet board: kind, facing and side of what stands there, or that it cannot be told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.pieces import EMPTY, KHET_COLOURS, KHET_KINDS, UNKNOWN, Piece
from companion.view import ASKEW, BoardShape
from companion.vision.chances import softmax
from companion.vision.khet import lying
from companion.vision.khet.census import CensusSettings, census
from companion.vision.khet.colours import ColourSettings, SetColours, SideColours, chroma
from companion.vision.khet.empty import EmptyCells, shipped_empty
from companion.vision.khet.judge import Judge, Witnesses, WitnessSettings, shipped_judge
from companion.vision.khet.looks import Lesson, LooksSettings, bend, close_pairs
from companion.vision.khet.network import (
    CLASSES,
    FIRST,
    KINDS,
    PERIOD,
    Head,
    Shipped,
    mirrored_class,
    shipped,
    turned_class,
)
from companion.vision.khet.shades import ShadeSettings
from companion.vision.khet.together import Together, shipped_together
from companion.vision.khet.views import AS_IT_IS, VIEWS, View
from companion.vision.khet.windows import BrightnessSettings, board_gain, windows
from companion.vision.reader import CellPatches, CellReading
from companion.vision.taught_looks import TaughtLooks, taught_now

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]

SHAPE: BoardShape | None = BoardShape(10, 8, cell_mm=38.0, border_mm=10.0, thickness_mm=3.0)
LOOKS = TaughtLooks("khet", "a Khet set", format=1)
NO_FACING = ("pharaoh", "obelisk")  # the rules know no facing: what is seen of it is told, but never doubted
# as what each class is seen in each view
AS_SEEN = {
    view: [turned_class(mirrored_class(c) if view.mirrored else c, view.quarters) for c in range(len(CLASSES))]
    for view in VIEWS
}


@dataclass(frozen=True, slots=True)
class KhetSettings:
    """When a cell counts as told, and how taught cells are varied."""

    sure: float = 0.5  # a best answer that is less than likely is "between two classes"
    glare_share: float = 0.35  # of the middle of a cell blown out: an unsure answer is blamed on glare
    least_belief: float = 1e-4  # smaller beliefs are left out
    shake_mm: float = 0.9  # taught cells are shown shifted by so much, too
    taught_views: tuple[tuple[float, bool], ...] = (
        (0.85, False),
        (1.0, False),
        (1.2, True),
    )  # in other light; mirrored?
    second_look_below: float = 0.97  # a surer answer is not looked at again
    second_looks: int = 5  # cells at most: four turns of them and of their mirror images are a batch
    second_gains: tuple[float, float] = (1.1, 0.95)  # as they are, and mirrored
    askew_deg: tuple[float, ...] = (-45.0, -36.0, -27.0, 27.0, 36.0, 45.0)  # by which what cannot be told may be turned
    askew_sure: float = 0.9  # of what it then is
    most_askew: int = 8  # cells; where more cannot be told, it is for another reason
    brightness: BrightnessSettings = field(default_factory=BrightnessSettings)
    colours: ColourSettings = field(default_factory=ColourSettings)
    looks: LooksSettings = field(default_factory=LooksSettings)
    census: CensusSettings = field(default_factory=CensusSettings)
    witnesses: WitnessSettings = field(default_factory=WitnessSettings)
    shades: ShadeSettings = field(default_factory=ShadeSettings)


class KhetReader:
    """The reader of one set on one table; it keeps what it was taught."""

    def __init__(
        self,
        tools: Shipped,
        settings: KhetSettings | None = None,
        judge: Judge | None = None,
        together: Together | None = None,
        empty: EmptyCells | None = None,
    ) -> None:
        self.settings, self._empty = settings or KhetSettings(), empty
        self._witnesses = Witnesses(judge, together, self.settings.witnesses, self.settings.shades)
        self._tools = tools
        self._head, self._gain = tools.what, 1.0
        self._last: tuple[NDArray[np.uint8], Singles, Floats] | None = None
        self._colours = SideColours(self.settings.colours)
        self._board: dict[str, Floats] = {}  # cell -> what was last seen there
        self._lessons: list[Lesson] = []
        self._pictures: dict[str, NDArray[np.uint8]] = {}
        self._close: list[tuple[str, str]] = []
        self._taught_at: str | None = None

    @property
    def too_close(self) -> tuple[tuple[str, str], ...]:
        """Pairs of classes of the taught set that look so alike that they may be mixed up."""
        return tuple(self._close)

    # --- reading ----------------------------------------------------------------------------------------------

    def read(self, patches: CellPatches) -> list[CellReading]:
        """One reading for every patch."""
        if not len(patches):
            return []
        shares = self._shares(patches, twice=True)
        return self._with_skew(patches, [self._reading(patches, i, shares[i]) for i in range(len(patches))])

    def looks(self, patches: CellPatches, twice: bool = True) -> tuple[Floats, Floats]:
        """(n, classes) and (n, 2 sides) probabilities of each cell by itself; `twice`: doubtful ones seen again."""
        embeddings, colours = self._seen(patches)
        logits = self._head.logits(embeddings)
        what = softmax(self._second_look(patches, logits) if twice else logits).astype(np.float64)
        return what, self._sides(patches, embeddings, colours, what)

    def _shares(self, patches: CellPatches, twice: bool) -> Floats:
        """(n, classes, 2 sides) probabilities in the light of the whole board."""
        what, sides = self.looks(patches, twice)
        if twice:
            whole = len(patches) >= self.settings.brightness.whole_board
            what = self._witnesses.judged(patches, what, sides, whole, self._gain)
        return self._counted(patches, what[:, :, None] * sides[:, None, :])

    def _counted(self, patches: CellPatches, joint: Floats) -> Floats:
        """Weighed by what the rest of the board shows: a part of a board by what was seen of the rest before."""
        if len(patches) >= self.settings.brightness.whole_board:
            self._board = {}
        elsewhere = [shares for cell, shares in self._board.items() if cell not in patches.cells]
        rest = np.array(elsewhere).reshape(-1, *joint.shape[1:])
        counted = census(joint, rest, self.settings.census)
        self._board |= dict(zip(patches.cells, counted, strict=True))
        return counted

    def _seen(self, patches: CellPatches) -> tuple[Singles, Floats]:
        """What the cells look like, and their colours; kept, because the same board is often looked at twice."""
        if self._last is not None and np.array_equal(self._last[0], patches.pixels):
            return self._last[1:]
        bright = self.settings.brightness
        if len(patches) >= bright.whole_board:
            self._gain = board_gain(patches, bright)
        embeddings = self._embedded(*self._cut(patches))
        self._last = patches.pixels, embeddings, chroma(patches, self.settings.colours)
        return self._last[1:]

    def _cut(
        self,
        patches: CellPatches,
        gain: float = 1.0,
        view: View = AS_IT_IS,
        shift_mm: tuple[float, float] = (0.0, 0.0),
        turn_deg: float = 0.0,
    ) -> tuple[Singles, Singles]:
        """What the embedder is shown, in so many times the light of the board."""
        eyes = self._tools.embedder
        return windows(patches, eyes.window_px, eyes.window_cells, self._gain * gain, view, shift_mm, turn_deg)

    def _logits_of(self, cuts: Sequence[tuple[Singles, Singles]]) -> Singles:
        """(cuts, n, classes) of cells that are cut in several ways."""
        cells, leans = (np.concatenate(parts) for parts in zip(*cuts, strict=True))
        embeddings = self._tools.embedder.embed(cells, leans)
        return self._head.logits(embeddings).reshape(len(cuts), -1, len(CLASSES))

    def _embedded(self, cut: Singles, lean: Singles) -> Singles:
        """(n, E) embeddings of windows; of the cells that are surely empty, one is looked at for all."""
        if self._empty is None:
            return self._tools.embedder.embed(cut, lean)
        looked, back = np.unique(self._empty.looked_at(cut), return_inverse=True)
        return self._tools.embedder.embed(cut[looked], lean[looked])[back]

    def _second_look(self, patches: CellPatches, logits: Singles) -> Singles:
        """The least sure cells are looked at again, turned, mirrored, shifted, in other light; logits are averaged."""
        s = self.settings
        sure = softmax(logits).max(axis=1)
        doubtful = [int(i) for i in np.argsort(sure)[: s.second_looks] if sure[i] < s.second_look_below]
        if not doubtful:
            return logits
        again, step = patches.only(doubtful), s.shake_mm
        shifts = ((step, step), (-step, step), (-step, -step), (step, -step))
        cuts = [self._cut(again, s.second_gains[view.mirrored], view, shifts[view.quarters]) for view in AS_SEEN]
        looks = [seen[:, back] for seen, back in zip(self._logits_of(cuts), AS_SEEN.values(), strict=True)]
        averaged = logits.copy()
        averaged[doubtful] = np.mean([logits[doubtful], *looks], axis=0)
        return averaged

    def _sides(self, patches: CellPatches, embeddings: Singles, colours: Floats, what: Floats) -> Floats:
        """(n, 2) probabilities of silver and red."""
        weight = 1 - what[:, FIRST["empty"]] - what[:, FIRST["other"]]
        hint = np.zeros((len(patches), 2))
        if self._tools.side is not None:
            hint = np.log(softmax(self._tools.side.logits(embeddings))[:, :2].astype(np.float64) + 1e-3)
        whole = len(patches) >= self.settings.brightness.whole_board
        return self._colours.sides(colours, weight, hint, whole)

    def _reading(self, patches: CellPatches, i: int, joint: Floats) -> CellReading:
        kept = _beliefs(joint, self.settings.least_belief)
        why = None
        if not kept or kept[0][1] < self.settings.sure:
            why = self._doubt(patches, i, float(joint[FIRST["other"]].sum()), kept)
        return CellReading(kept, why)

    def _doubt(self, patches: CellPatches, i: int, other: float, beliefs: tuple[tuple[Piece, float], ...]) -> str:
        """Why a cell cannot be told."""
        edge = patches.size // 4
        if patches.glare[i, edge:-edge, edge:-edge].mean() > self.settings.glare_share:
            return "glare"
        if other >= max((p for _, p in beliefs), default=0.0):
            return "no piece that is known"
        return "between two classes"

    def _with_skew(self, patches: CellPatches, readings: list[CellReading]) -> list[CellReading]:
        """What cannot be told, but could if it were turned by some degrees, is a piece that stands askew (Khet Q21)."""
        s = self.settings
        untold = [i for i, reading in enumerate(readings) if reading.why not in (None, "glare")]
        if not untold or len(untold) > s.most_askew:
            return readings
        again = patches.only(untold)
        shares = softmax(self._logits_of([self._cut(again, turn_deg=-skew) for skew in s.askew_deg]))
        shares[:, :, [FIRST["empty"], FIRST["other"]]] = 0.0
        sure = shares.max(axis=2)
        told = list(readings)
        for i, at in zip(untold, sure.T, strict=True):
            if at.max() > s.askew_sure:
                told[i] = replace(readings[i], why=ASKEW, skew_deg=s.askew_deg[int(at.argmax())])
        return told

    # --- learning ---------------------------------------------------------------------------------------------

    def learn(self, patches: CellPatches, labels: Mapping[str, Piece]) -> None:
        """Take over the looks of this set; ValueError for another game's. Cells that it does not name are empty."""
        pieces = [labels.get(cell, EMPTY) for cell in patches.cells]
        if strange := next((p.kind for p in pieces if p.kind not in (*KHET_KINDS, EMPTY.kind, UNKNOWN.kind)), None):
            raise ValueError(f"a {strange} is no piece of Khet: this picture is labelled for another game")
        classes = self._classes(patches, pieces)
        usable = np.flatnonzero(classes >= 0).tolist()
        if not usable:
            raise ValueError("no cell of this picture is labelled with a piece of Khet: nothing to learn from")
        patches, pieces, classes = patches.only(usable), [pieces[i] for i in usable], classes[usable]
        standing = [i for i, piece in enumerate(pieces) if piece.colour in KHET_COLOURS]
        colours = chroma(patches.only(standing), self.settings.colours)
        sides = np.array([KHET_COLOURS.index(str(pieces[i].colour)) for i in standing], dtype=np.int64)
        lesson = Lesson(*self._shaken(patches, classes), colours, sides)
        self._lessons = [*self._lessons, lesson][-self.settings.looks.lessons :]
        self._bend()
        self._keep_pictures(patches, pieces)
        self._taught_at = taught_now()

    def _classes(self, patches: CellPatches, pieces: list[Piece]) -> NDArray[np.int64]:
        """The class of each labelled piece; where the label names no facing, the one that is seen."""
        classes = np.array([_class_of(piece) for piece in pieces], dtype=np.int64)
        open_ = [i for i, piece in enumerate(pieces) if classes[i] < 0 and piece.kind in FIRST and piece.facing is None]
        if open_:
            logits = self._head.logits(self._seen(patches)[0])[open_]
            for i, row in zip(open_, logits, strict=True):
                first = FIRST[pieces[i].kind]
                classes[i] = first + int(row[first : first + PERIOD[pieces[i].kind]].argmax())
        return classes

    def _shaken(self, patches: CellPatches, classes: NDArray[np.int64]) -> tuple[Singles, NDArray[np.int64]]:
        """Embeddings and classes of the cells in all four directions, a little shifted, brighter and darker."""
        s = self.settings
        if len(patches) >= s.brightness.whole_board:
            self._gain = board_gain(patches, s.brightness)
        seen, labels = [], []
        for quarters in range(4):
            for number, (gain, mirrored) in enumerate(s.taught_views):
                side = s.shake_mm if (quarters + number) % 2 else -s.shake_mm
                shift = (0.0, 0.0) if number == 1 else (side, side if quarters < 2 else -side)
                view = View(quarters, mirrored)
                seen.append(self._tools.embedder.embed(*self._cut(patches, gain, view, shift)))
                labels.append([AS_SEEN[view][c] for c in classes])
        return np.concatenate(seen), np.concatenate(labels).astype(np.int64)

    def _bend(self) -> None:
        """Fit the head and the colours to all lessons; name what is too close to tell apart."""
        s = self.settings.looks
        embeddings = np.concatenate([lesson.embeddings for lesson in self._lessons])
        names = np.concatenate([lesson.labels for lesson in self._lessons])
        stiffness = s.stiffness if self._tools.side is not None else s.loose_stiffness
        self._head = bend(self._tools.what, embeddings, names, stiffness, s)
        sides = np.concatenate([lesson.sides for lesson in self._lessons])
        if len(sides):
            colours = np.concatenate([lesson.colours for lesson in self._lessons])
            self._colours.learn(colours, [KHET_COLOURS[side] for side in sides])
        what = softmax(self._head.logits(embeddings)).astype(np.float64)
        shares = np.stack([what[:, FIRST[k] : FIRST[k] + PERIOD[k]].sum(axis=1) for k in KINDS], axis=1)
        kinds = np.array([KINDS.index(CLASSES[c][0]) for c in names])
        self._close = close_pairs(shares, kinds, KINDS, s.close)
        if self._colours.taught and self._colours.separation() < s.close_colours:
            self._close.append(KHET_COLOURS)

    def _keep_pictures(self, patches: CellPatches, pieces: list[Piece]) -> None:
        """One picture of every kind of either side as the last lesson shows it, facing north, for people to check."""
        for pixels, piece in zip(patches.pixels, pieces, strict=True):
            name = "-".join(part for part in (piece.colour, piece.kind) if part)
            index = _class_of(piece)
            quarters = -(index - FIRST[CLASSES[index][0]]) % 4
            self._pictures[name] = np.ascontiguousarray(np.rot90(pixels, quarters))

    def turned(self, patches: CellPatches) -> float:
        """Log-odds that the whole board is seen turned by half a turn; 0.0 when that cannot be told.

        The signs on the reserved squares tell it (red eyes on file a, i1 and i8; Khet 3b), and so do the sphinxes
        in their corners and the sides that the pieces of the first and the last rank belong to.
        """
        if not {"a1", "a8", "j1", "j8"} <= set(patches.cells):
            return 0.0
        shares = self._shares(patches, twice=False)
        telling = {cell: i for i, cell in enumerate(patches.cells) if lying.tells(cell)}
        readings = {cell: CellReading(_beliefs(shares[i], self.settings.least_belief)) for cell, i in telling.items()}
        return lying.by_signs(patches, readings) + lying.by_pieces(readings)

    # --- taught looks on disk ---------------------------------------------------------------------------------

    def save(self, folder: Path) -> None:
        """Write what was learned: khet.json, its arrays and a picture of each class."""
        taught = self._colours.taught
        about = {
            "taught": self._taught_at,
            "eyes": self._tools.name,
            "colours": taught.means if taught else None,
            "lessons": len(self._lessons),
            "too_close": self._close,
        }
        arrays: dict[str, NDArray[np.generic]] = {"weight": self._head.weight, "bias": self._head.bias}
        arrays["temperature"] = np.array(self._head.temperature)
        for number, lesson in enumerate(self._lessons):
            arrays |= {f"{name}_{number}": array for name, array in lesson.arrays().items()}
        LOOKS.write(folder, about, arrays, self._pictures)

    def load(self, folder: Path) -> None:
        """Take back what `save` wrote; ValueError that says what is wrong when it cannot be used."""
        with LOOKS.opened(folder) as (about, arrays):
            head = Head(arrays["weight"], arrays["bias"], float(arrays["temperature"]))
            lessons = [Lesson.read(arrays, number) for number in range(int(about["lessons"]))]
            close = [(str(a), str(b)) for a, b in about.get("too_close", ())]
            colours = _set_colours(about["colours"])
            if about["eyes"] != self._tools.name or head.weight.shape != self._tools.what.weight.shape:
                raise ValueError(f"they were taught to {about['eyes']}, this program has {self._tools.name}")
        self._head, self._lessons, self._close = head, lessons, close
        self._taught_at, self._pictures = about.get("taught"), LOOKS.pictures(folder, about)
        self._colours.taught = colours or self._colours.taught


def _set_colours(means: Sequence[Sequence[float]] | None) -> SetColours | None:
    """The colours of a set as they are stored."""
    if means is None:
        return None
    (a, b), (c, d) = means
    return SetColours("taught", ((float(a), float(b)), (float(c), float(d))), 1.0)


def _class_of(piece: Piece) -> int:
    """The class of a labelled piece; -1 when its label does not say enough to learn from."""
    if piece.kind not in FIRST:
        return -1
    names = [f for k, f in CLASSES if k == piece.kind]
    if len(names) == 1:
        return FIRST[piece.kind]
    return FIRST[piece.kind] + names.index(piece.facing) if piece.facing in names else -1


def _beliefs(joint: Floats, least: float) -> tuple[tuple[Piece, float], ...]:
    """Probabilities (classes, 2 sides) of pieces, most probable first, without those below `least` and strangers."""
    shares = joint.copy()
    for kind in NO_FACING:  # the whole share of such a kind goes to the facing that is seen
        own = shares[FIRST[kind] : FIRST[kind] + PERIOD[kind]]
        best, totals = int(own.sum(axis=1).argmax()), own.sum(axis=0)
        own[:] = 0.0
        own[best] = totals
    shares[[FIRST["empty"], FIRST["other"]]] = 0.0
    beliefs = [(_PIECES[c][side], float(shares[c, side])) for c, side in np.argwhere(shares >= least)]
    empty = float(joint[FIRST["empty"]].sum())
    if empty >= least:
        beliefs.append((EMPTY, empty))
    return tuple(sorted(beliefs, key=lambda pair: -pair[1]))


# the pieces of either side that a class stands for
_PIECES = tuple(
    tuple(Piece(kind, colour, facing=facing or None) for colour in KHET_COLOURS)
    if kind not in ("empty", "other")
    else ()
    for kind, facing in CLASSES
)


def new_reader() -> KhetReader:
    """A reader with what the project ships."""
    return KhetReader(shipped(), judge=shipped_judge(), together=shipped_together(), empty=shipped_empty())
