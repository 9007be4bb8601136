"""What simulated tables teach of pyramids: judged hypotheses, and colours beside the surface they are seen over."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.headings import turn_deg
from companion.pieces import PYRAMID_COLOURS
from companion.simulator.pyramid_tables import PyramidTable, pyramid_picture, pyramid_table
from companion.simulator.sensor import Sensor
from companion.simulator.surfaces import dull
from companion.training.folders import whole
from companion.training.lesson_folder import LessonFolder
from companion.training.seen_ground import ground_of
from companion.vision.ground.foreground import Ground
from companion.vision.picture import read_picture
from companion.vision.pyramids.colours import look_at
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.score import features
from companion.vision.pyramids.search import search
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.stacks import stack_features, uppers
from companion.vision.pyramids.windows import Windows, windows_of

Floats = NDArray[np.float64]
Truth = Sequence[Mapping[str, Any]]

NEAR, NEARLY = (3.0, 9.0), (5.0, 16.0)  # millimetres and degrees: right, and too near to count as wrong
HIGH_MM = 3.5
LOWERS = 25  # of the best hypotheses that are tried as lower ones, beside all right ones
STACKED_EVERY, STACKING = 4, 0.6  # every fourth table is full of stacks
LATE, OF_ONE_SIZE = 10_000, 0.5  # from this seed on, half of its stacks of one size are kept
FAINT = 35_000  # from this seed on, three of five pieces are clear or white
CHECKED = 36_000  # from this seed on, they lie on checked cloth, whose squares look like upright pieces
DICE = 37_000  # from this seed on, dice lie among the pieces, and white ones look like small pyramids
THROWN = 6
TREES = 48_000  # from this seed on, all are trees of one, two or three pieces, every fourth table on checked cloth
STREWN = 52_000  # from this seed on, small things of no game and dice lie among the pieces
STREWN_COUNT = 14
FAINT_COLOURS = (*PYRAMID_COLOURS, *("clear",) * 7, *("white",) * 3)
TRACED = 500_000  # from this seed on, pictures are path traced
TRACED_STACKING, SAME_SIZE = 0.25, 0.7
TRACED_FAINT = 550_000  # as FAINT
TRACED_GLASS = 560_000  # from this seed on, moreover, clear pieces are little but their pips and what they mirror
TRACED_DYED = 570_000  # from this seed on, they lie on cloth of any colour, much of it grey
TRACED_NAPPED = 580_000  # from this seed on, moreover, its grain is bold and the camera's noise, too
TRACED_POLISHED = 585_000  # from this seed on, of clear pieces only pips and some edges show, on any of CLOTHS
TRACED_EVEN = 590_000  # from this seed on, every colour is as frequent as the others, on any of CLOTHS
TRACED_STACKS = 595_000  # from this seed on, moreover, they are full of stacks
CLOTHS = ("dyed", "napped", None)


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """Of one table: columns and labels (1 right, 0 wrong) of single and of stacked hypotheses; looks and colours."""

    single: Floats
    single_right: Floats
    stacked: Floats
    stacked_right: Floats
    bodies: Floats
    terms: Floats
    colours: Floats


def drawn_table(seed: int) -> PyramidTable:
    """A table as the simulator draws it; every fourth is full of stacks."""
    if seed >= STREWN:
        return pyramid_table(seed, checked=seed % 8 == 0, dice=THROWN // 2, strewn=STREWN_COUNT)
    if seed >= TREES:
        return pyramid_table(seed, "pieces", checked=seed % 4 == 0, trees=True)
    if seed >= DICE:
        return pyramid_table(seed, ("kaxxt", "chaos", "pieces")[seed % 3], dice=THROWN)
    if seed >= CHECKED:
        return pyramid_table(seed, checked=True)
    if seed >= FAINT:
        return pyramid_table(seed, "pieces", colours=FAINT_COLOURS)
    if seed % STACKED_EVERY:
        return pyramid_table(seed)
    if seed < LATE:
        return pyramid_table(seed, "pieces", stacking=STACKING)
    return pyramid_table(seed, "pieces", stacking=STACKING, same_size=OF_ONE_SIZE)


def traced_table(seed: int) -> PyramidTable:
    """A table that `pyramid_scenes` traces: fuller than others, with more stacks of one size. Two show one set."""
    rng = np.random.default_rng([seed, 53])
    game = str(rng.choice(["pieces", "kaxxt", "chaos"], p=(0.7, 0.15, 0.15)))
    stacking, count = float(rng.choice([0.0, TRACED_STACKING])), int(rng.integers(24, 56))
    stacking = STACKING if seed >= TRACED_STACKS else stacking
    colours = FAINT_COLOURS if TRACED_FAINT <= seed < TRACED_EVEN else PYRAMID_COLOURS
    given = {"stacking": stacking, "count": count, "same_size": SAME_SIZE, "colours": colours}
    table = pyramid_table(seed, game, of_set=set_of(seed), **given)
    if seed < TRACED_DYED:
        return table
    cloth = CLOTHS[seed % len(CLOTHS)] if seed >= TRACED_POLISHED else "napped" if seed >= TRACED_NAPPED else "dyed"
    if cloth is not None:
        table = replace(table, scene=replace(table.scene, surface=dull(cloth, rng, seed)))
    noisy = cloth == "napped" and not (is_polished(seed) and set_of(seed) % 2)  # what hardly shows, half without noise
    return replace(table, sensor=_noisy(table.sensor, rng)) if noisy else table


def _noisy(sensor: Sensor, rng: np.random.Generator) -> Sensor:
    """A small camera's, in a dim room."""
    return replace(sensor, shot=float(rng.uniform(0.006, 0.03)))


def set_of(seed: int) -> int:
    """The number of the set that a traced table shows."""
    return seed // 2


def is_glass(seed: int) -> bool:
    """True if the set's clear pieces are little but their pips and what they mirror."""
    return seed >= TRACED_GLASS and (seed < TRACED_EVEN or set_of(seed) % 2 == 0)


def is_polished(seed: int) -> bool:
    """True if of the set's clear pieces hardly more than their pips and some of their edges show."""
    return TRACED_POLISHED <= seed < TRACED_EVEN


def table_of(seed: int) -> PyramidTable:
    """The table of any seed of a lesson."""
    return traced_table(seed) if seed >= TRACED else drawn_table(seed)


def seeds_of(folder: Path | None) -> list[int]:
    """Of the pictures that a folder keeps, but the last, which may not be whole yet."""
    return sorted(int(path.stem) for path in folder.glob("*[0-9].png"))[:-1] if folder else []


def lesson(seed: int, folder: Path) -> Lesson | None:
    """The lesson of a table; None when its markers are not found. Its picture is kept in the folder."""
    table = drawn_table(seed)
    ground = ground_of(table.scene, picture_of(table, folder))
    if ground is None:
        return None
    s = SearchSettings()
    truth = [p for p in table.truth()["pieces"] if p["kind"] == "pyramid"]
    regions = [r for r in ground.regions if r.area_mm2 < s.largest_mm2]
    windows = windows_of(ground, regions, s)
    found, scores = search(windows, regions, s)
    if not len(found):
        return None
    right = rights(found, truth)
    columns = features(windows, found, s)
    lower = found.only(np.union1d(np.flatnonzero(right == 1), np.argsort(-scores)[:LOWERS]))
    stacked, stacked_right = _stacks(windows, lower, truth, s)
    bodies, terms, colours = _looks(ground, windows, truth, np.random.default_rng([seed, 31]))
    told, judged = right >= 0, stacked_right >= 0
    return Lesson(columns[told], right[told], stacked[judged], stacked_right[judged], bodies, terms, colours)


def picture_of(table: PyramidTable, folder: Path) -> NDArray[np.uint8]:
    path = folder / f"{table.seed:07d}.png"
    if path.exists():
        return read_picture(path)[0]
    pixels = pyramid_picture(table)
    with whole(path) as half:
        cv2.imwrite(str(half), pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return pixels


def rights(found: Hypotheses, truth: Truth) -> Floats:
    """1 for hypotheses that lie where a piece of their class does, -1 for those that nearly do, else 0."""
    labels = np.zeros(len(found))
    for i in range(len(found)):
        pose = found.pose(i)
        for piece in (p for p in truth if (p["size"], p["pose"]) == (pose.size, pose.pose)):
            if abs(pose.z_mm - piece["z_mm"]) > HIGH_MM:
                continue
            away = math.hypot(pose.x_mm - piece["x_mm"], pose.y_mm - piece["y_mm"])
            heading, period = (piece["heading_deg"], 360) if pose.pose == "lying" else (piece["base_rotation_deg"], 90)
            turned = abs(turn_deg(pose.heading_deg, heading, period))
            if away < NEAR[0] and turned < NEAR[1]:
                labels[i] = 1
            elif away < NEARLY[0] and turned < NEARLY[1] and labels[i] == 0:
                labels[i] = -1
    return labels


def _stacks(windows: Windows, lower: Hypotheses, truth: Truth, s: SearchSettings) -> tuple[Floats, Floats]:
    columns, labels = [], []
    for _ in range(2):
        upper, under = uppers(windows, lower, s)
        if not len(upper):
            break
        columns.append(stack_features(windows, lower.only(under), upper, s))
        labels.append(rights(upper, truth))
        lower = upper.only(np.flatnonzero(labels[-1] == 1))
    return np.vstack(columns), np.concatenate(labels)


def _looks(ground: Ground, windows: Windows, truth: Truth, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    laid = laid_pieces(ground, windows, truth, rng)
    bodies, terms = look_at(windows, laid.found, laid.covers)
    return bodies, terms, laid.colours.astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """Every piece of a table at its true place, a little off, as the finder would have it."""

    found: Hypotheses
    on: tuple[int | None, ...]  # the number of the piece that carries each
    covers: Mapping[int, list[Floats]]  # outlines of what lies on each
    colours: NDArray[np.intp]


def laid_pieces(ground: Ground, windows: Windows, truth: Truth, rng: np.random.Generator) -> Laid:
    """The pieces that lie in one of the windows."""
    kinds, places, where, numbers = [], [], [], []
    for number, piece in enumerate(truth):
        at = ground.fine_px(np.array([piece["x_mm"], piece["y_mm"]]))
        inside = ((at >= windows.corner) & (at < windows.corner + windows.size)).all(axis=1)
        if not inside.any():
            continue
        heading = piece["heading_deg"] if piece["pose"] == "lying" else piece["base_rotation_deg"]
        x, y = (piece[name] + rng.normal(0, 0.4) for name in ("x_mm", "y_mm"))
        kinds.append(CLASSES.index((piece["size"], piece["pose"])))
        places.append((x, y, heading, piece["z_mm"]))
        where.append(int(np.flatnonzero(inside)[0]))
        numbers.append(number)
    found = Hypotheses(np.array(kinds, np.intp), np.array(places).reshape(-1, 4), np.array(where, np.intp))
    outlines = outlines_of(ground, found)
    row = {number: i for i, number in enumerate(numbers)}
    on = tuple(row.get(truth[number].get("nested_on", -1)) for number in numbers)
    covers: dict[int, list[Floats]] = {}
    for i, below in enumerate(on):
        while below is not None:
            covers.setdefault(below, []).append(outlines[i])
            below = on[below]
    return Laid(found, on, covers, np.array([PYRAMID_COLOURS.index(truth[n]["colour"]) for n in numbers], np.intp))


LESSONS = LessonFolder(".npz", Lesson, lesson)
