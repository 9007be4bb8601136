"""Fits the judge of stacked lying pyramids of which the eye found one only, on simulated tables.

`python -m companion.training.pyramid_pairs --lessons FOLDER --full 40000 40110 --drawn 30000 30210` writes
companion/vision/weights/pyramid_pairs.npz and .json. Needs nothing but the companion
itself. With `--traced FIRST LAST` tables of path-traced pictures that lie in the folder are learned from, too.
"""

import argparse
import datetime
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.simulator.pyramid_tables import PyramidTable, pyramid_table
from companion.training.about import command_line
from companion.training.lesson_folder import LessonFolder
from companion.training.pyramid_lessons import Truth, ground_of, picture_of, rights, table_of
from companion.training.pyramids import train_judge
from companion.vision.pyramid_bands import MOST_BESIDE, band_columns
from companion.vision.pyramid_pairs import Pairs
from companion.vision.pyramid_score import WEIGHTS, Judge
from companion.vision.pyramid_settings import PyramidSettings
from companion.vision.pyramids import PyramidFinder

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

STACKING = 0.5  # of the tables that are full of stacks
PIECES = (14, 34)
MIRRORED = (2, 1, 0, 3)  # faces,
MIRRORED_TIPS = (3, 2, 1, 0)  # ... and their edges to the tip,
TIP_EDGES = (16, 18)  # of which these columns tell
NEVER = 1e9
CALLED = 1.5  # log-odds from which the figures count a pair as claimed


@dataclass(frozen=True, slots=True, eq=False)
class PairLesson:
    """Of one table, one row for each pair that the eye tries."""

    faces: Floats  # (n, 4, k)
    both: Floats  # (n, m)
    beside: Floats  # (n, 2)
    right: Floats  # (n) 1, 0, or -1 for nearly right


def full_table(seed: int) -> PyramidTable:
    """A table full of stacks."""
    count = int(np.random.default_rng([seed, 71]).integers(*PIECES))
    return pyramid_table(seed, "pieces", stacking=STACKING, count=count, same_size=1.0)


def pair_lesson(table: PyramidTable, folder: Path) -> PairLesson | None:
    """The lesson of a table; None when its markers are not found or nothing else is. Its picture is kept."""
    ground = ground_of(table, picture_of(table, folder))
    if ground is None:
        return None
    eye = PyramidFinder(PyramidSettings(paired=NEVER))
    seen = eye.see(ground)
    if not len(seen.found):
        return None
    pairs, beside = eye.pairs_beside(seen)
    faces, both = band_columns(seen.windows, pairs)
    truth = [p for p in table.truth()["pieces"] if p["kind"] == "pyramid"]
    return PairLesson(faces, both, beside, pair_rights(pairs, truth))


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


def mirrored(faces: Floats) -> Floats:
    """The faces of the same pairs as a mirror shows them."""
    other = faces[:, MIRRORED].copy()
    for column in TIP_EDGES:
        other[..., column] = faces[:, MIRRORED_TIPS][..., column]
    return other


def columns(lessons: Sequence[PairLesson], both_ways: bool) -> tuple[Singles, Singles]:
    """Columns of the judge, and what is right; nearly right ones are left out."""
    rows, right = [], []
    for one in lessons:
        own = one.right >= 0
        faces = one.faces[own]
        rest = np.concatenate([one.both[own], np.clip(one.beside[own], -MOST_BESIDE, MOST_BESIDE)], axis=1)
        for seen in (faces, mirrored(faces)) if both_ways else (faces,):
            rows.append(np.concatenate([seen.reshape(len(seen), seen.shape[1] * seen.shape[2]), rest], axis=1))
            right.append(one.right[own])
    return np.concatenate(rows).astype(np.float32), np.concatenate(right).astype(np.float32)


def figures(judge: Judge, lessons: Sequence[PairLesson]) -> dict[str, float]:
    """On tables kept apart: log loss, and what is found and right of what is claimed."""
    x, right = columns(lessons, both_ways=False)
    odds = judge.log_odds(x.astype(np.float64))
    loss = float(np.mean(np.logaddexp(0.0, odds) - right * odds))
    called = odds > CALLED
    found = float(called[right == 1].mean()) if (right == 1).any() else math.nan
    good = float(right[called].mean()) if called.any() else math.nan
    return {"rows": len(right), "log_loss": round(loss, 4), "found": round(found, 4), "right": round(good, 4)}


def main() -> None:
    """Make the lessons that are missing, fit, and write the weights beside the figures they reach."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=Path, required=True, help="folder that keeps pictures and lessons")
    parser.add_argument("--full", type=int, nargs=2, default=(40_000, 40_110), help="seeds of tables full of stacks")
    parser.add_argument("--drawn", type=int, nargs=2, default=(30_000, 30_210), help="seeds of usual tables")
    parser.add_argument("--traced", type=int, nargs=2, default=(0, 0), help="seeds of path-traced pictures")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--hidden", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf, help="stop after so much work, to go on later")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    options = parser.parse_args()
    options.lessons.mkdir(parents=True, exist_ok=True)
    traced = [seed for seed in range(*options.traced) if (options.lessons / f"{seed:07d}.png").exists()]

    def make(seed: int, folder: Path) -> PairLesson | None:
        return pair_lesson(full_table(seed) if seed in range(*options.full) else table_of(seed), folder)

    lessons = LessonFolder("-pairs.npz", PairLesson, make)
    made: list[PairLesson] = []
    for seed in (*range(*options.full), *range(*options.drawn), *traced):
        if time.process_time() > options.seconds:
            print(f"{len(made)} tables; call again to go on")
            return
        lesson = lessons.kept(seed, options.lessons)
        if lesson is not None and len(lesson.right):
            made.append(lesson)
    apart, taught = made[::10], [one for number, one in enumerate(made) if number % 10]
    x, right = columns(taught, both_ways=True)
    plan = {"hidden": options.hidden, "noise": 0.3, "decay": 1e-3}
    judge = Judge(**train_judge(x, right, options.epochs, options.seed, **plan))
    np.savez(options.out / "pyramid_pairs.npz", **{name: getattr(judge, name) for name in Judge.__slots__})
    about = {
        "version": 1,
        "made": datetime.date.today().isoformat(),
        "command": command_line("pyramid_pairs"),
        "tables": len(taught),
        "held_apart": {"tables": len(apart)} | figures(judge, apart),
    }
    (options.out / "pyramid_pairs.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(about, indent=1))


if __name__ == "__main__":
    main()
