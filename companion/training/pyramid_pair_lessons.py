"""What tables teach of stacked lying pyramids of which the eye found one: pictures of every pair that it tries.

Beside them, every true pair as it lies, a little off. Tables full of stacks have many pairs that are there, usual ones
many that are not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.simulator.pyramid_tables import PyramidTable, pyramid_table
from companion.training.lesson_folder import LessonFolder
from companion.training.pyramid_lessons import Truth, picture_of, rights, table_of
from companion.training.seen_ground import ground_of
from companion.vision.ground.foreground import Ground
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.pair_look import looks_of_pairs
from companion.vision.pyramids.pairs import Pairs
from companion.vision.pyramids.proposals import region_round
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.windows import Windows, windows_of

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Pixels = NDArray[np.uint8]

FULL = range(41_000, 42_000)  # seeds of tables full of stacks
STACKING, PIECES = 0.5, (14, 34)  # of these
NEVER = 1e9
TIMES, SLIP = 2, (0.7, 2.5)  # how often a true pair is shown, off by so many millimetres and degrees


@dataclass(frozen=True, slots=True, eq=False)
class PairLesson:
    """Of one table, one row for each pair."""

    patches: Pixels  # (n, CHANNELS, side, side)
    columns: Floats  # (n, k)
    kind: Ints  # (n) of the upper one
    tried: Floats  # (n) 1.0 for what the eye tries by itself
    right: Floats  # (n) 1, 0, or -1 for nearly right


def full_table(seed: int) -> PyramidTable:
    """A table full of stacks."""
    count = int(np.random.default_rng([seed, 71]).integers(*PIECES))
    return pyramid_table(seed, "pieces", stacking=STACKING, count=count, same_size=1.0)


def pair_lesson(seed: int, folder: Path) -> PairLesson | None:
    """The lesson of a table; None when its markers are not found or no pair is tried. Its picture is kept."""
    table = full_table(seed) if seed in FULL else table_of(seed)
    ground = ground_of(table.scene, picture_of(table, folder))
    if ground is None:
        return None
    eye = PyramidFinder(PyramidSettings(paired=NEVER))
    seen = eye.see(ground)
    if not len(seen.found):
        return None
    pairs = eye.pairs_beside(seen)
    truth = [p for p in table.truth()["pieces"] if p["kind"] == "pyramid"]
    parts = []
    if len(pairs):
        right = pair_rights(pairs, truth)
        parts.append(_rows(seen.windows, pairs.lower, pairs.upper, right, True, eye.settings))
    laid = list(_laid(truth, np.random.default_rng([seed, 77])))
    if laid:
        lower, upper = (joined(side) for side in zip(*laid, strict=True))
        windows = _round(ground, np.concatenate([lower.place, upper.place]), eye.settings)
        parts.append(_rows(windows, lower, upper, np.ones(len(laid)), False, eye.settings))
    if not parts:
        return None
    return PairLesson(*(np.concatenate([getattr(p, name) for p in parts]) for name in PairLesson.__slots__))


def pair_rights(pairs: Pairs, truth: Truth) -> Floats:
    """1 where both pieces lie where one is stacked on the other, -1 where they nearly do, else 0."""
    by_number = {piece["index"]: piece for piece in truth}
    labels = np.zeros(len(pairs))
    for piece in truth:
        below = by_number.get(piece.get("nested_on", -1))
        if below is None:
            continue
        top, foot = rights(pairs.upper, [piece]), rights(pairs.lower, [below])
        labels[(top != 0) & (foot != 0) & (labels == 0)] = -1
        labels[(top == 1) & (foot == 1)] = 1
    return labels


def _laid(truth: Truth, rng: np.random.Generator) -> Iterator[tuple[Hypotheses, Hypotheses]]:
    """The lower and the upper one of lying pairs on the table, both moved and turned alike."""
    by_number = {piece["index"]: piece for piece in truth}
    for piece in truth:
        below = by_number.get(piece.get("nested_on", -1))
        if below is None or below["pose"] != "lying" or below.get("nested_on") is not None:
            continue
        for _ in range(TIMES):
            off = np.array([*rng.normal(0, SLIP[0], 2), rng.normal(0, SLIP[1]), 0.0])
            yield _there(below, off), _there(piece, off)


def _there(piece: Mapping[str, Any], off: Floats) -> Hypotheses:
    place = np.array([piece[name] for name in ("x_mm", "y_mm", "heading_deg", "z_mm")])
    kind = CLASSES.index((piece["size"], piece["pose"]))
    return Hypotheses(np.array([kind]), (place + off)[None], np.zeros(1, np.intp))


def _round(ground: Ground, places: Floats, s: PyramidSettings) -> Windows:
    return windows_of(ground, [region_round(ground, places[:, :2], s.proposals)], s.search)


def _rows(
    windows: Windows, lower: Hypotheses, upper: Hypotheses, right: Floats, tried: bool, s: PyramidSettings
) -> PairLesson:
    looks, columns = looks_of_pairs(windows, lower, upper, s)
    return PairLesson(looks, columns, upper.kind, np.full(len(upper), float(tried)), right)


PAIR_LESSONS = LessonFolder("-pairs.npz", PairLesson, pair_lesson)

if __name__ == "__main__":
    PAIR_LESSONS.main(__doc__)
