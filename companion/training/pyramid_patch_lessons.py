"""What simulated tables teach the network that looks at single hypotheses: patches, columns, and what is right.

Kept is what the network as it is was shown by the eye itself: all right and nearly right hypotheses of a table and
those that it does not find clearly wrong; every piece at its true place, a little off, and what could be stacked on
them; and every piece as far off as faint ones are proposed.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.headings import turn_deg
from companion.training.lesson_folder import LessonFolder
from companion.training.pyramid_lessons import Truth, picture_of, rights, table_of
from companion.training.seen_ground import ground_of
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.judge import Judge
from companion.vision.pyramids.look import DOUBT, STACKED_BESIDE, Opinion
from companion.vision.pyramids.patches import BASES, PatchSettings, patches
from companion.vision.pyramids.proposals import ProposalSettings
from companion.vision.pyramids.score import features
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.stacks import stack_features, uppers
from companion.vision.pyramids.windows import Windows

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Ints = NDArray[np.intp]

CLEARLY_WRONG = -6.0  # log-odds by the network as it is, below which few hypotheses are learned from:
OF_THE_OTHERS = 0.12  # so many of them
FAR = (9.0, 30.0)  # millimetres and degrees: farther off, nothing is told of where the piece is
SLIP, SLIPS = (0.6, 2.0), (3.0, 8.0)  # a piece at its place, and where one may be proposed


@dataclass(frozen=True, slots=True, eq=False)
class PatchLesson:
    """Of one table, one row for each hypothesis."""

    patches: Pixels  # (n, CHANNELS, SIDE_PX, SIDE_PX), SINCE channels more of a watched table
    single: Floats  # (n, k) columns of single hypotheses
    stacked: Floats  # (n, m) columns of stacked ones, zeros for others
    kind: Ints
    carried: Floats  # (n) 1.0 for stacked ones
    right: Floats  # (n) 1, 0, or -1 for nearly right
    off: Floats  # (n, 3) where the piece is, in bases along and across the heading and in degrees; nan where none is


class Recording(Judge):
    """The judge of the eye itself; what its network looks at in the windows of the first look is kept."""

    def __init__(self, settings: PyramidSettings) -> None:
        super().__init__(settings)
        self.windows: Windows | None = None
        self.looked: list[tuple[Hypotheses, Hypotheses | None, Floats]] = []

    def forget(self) -> None:
        """Keep what it looks at from now on."""
        self.windows, self.looked = None, []

    def look(
        self,
        windows: Windows,
        found: Hypotheses,
        carriers: Hypotheses | None = None,
        doubt: float = DOUBT,
        columns: Floats | None = None,
    ) -> Opinion:
        self.windows = self.windows or windows
        opinion = super().look(windows, found, carriers, doubt, columns)
        if windows is self.windows:  # what changed is looked at in others
            self.looked.append((found, carriers, opinion.odds))
        return opinion


def patch_lesson(seed: int, folder: Path) -> PatchLesson | None:
    """The lesson of a table; None when its markers are not found. Its picture is kept in the folder."""
    table = table_of(seed)
    ground = ground_of(table.scene, picture_of(table, folder))
    if ground is None:
        return None
    rng = np.random.default_rng([seed, 41])
    settings = PyramidSettings(proposals=ProposalSettings(beyond_mm=float(rng.uniform(20.0, 60.0))))
    judge = Recording(settings)
    seen = PyramidFinder(settings, judge).see(ground)
    if judge.windows is None or not len(seen.found):
        return None
    return lesson_of(judge, judge.windows, [p for p in table.truth()["pieces"] if p["kind"] == "pyramid"], rng)


def lesson_of(judge: Recording, windows: Windows, truth: Truth, rng: np.random.Generator) -> PatchLesson | None:
    """What the judge has looked at, and every piece of the truth that lies in the windows; None where nothing is."""
    settings = judge.settings
    stacked = [p for p in truth if p.get("nested_on") is not None]
    parts = [_kept(found, carriers, odds, truth, stacked, rng) for found, carriers, odds in judge.looked]
    true_ones = _laid(windows, truth, SLIP, rng)
    parts.append((true_ones, None, np.ones(len(true_ones))))
    proposed = _laid(windows, truth, SLIPS, rng)
    parts.append((proposed, None, rights(proposed, truth)))
    lower = true_ones
    for _ in range(2):
        upper, under = uppers(windows, lower, settings.search)
        carriers = lower.only(under)
        right = _stack_rights(upper, carriers, truth, stacked)
        parts.append((upper, carriers, right))
        lower = upper.only(np.flatnonzero(right == 1))
        if not len(lower):
            break
    rows = [_rows(windows, *part, truth, settings.search) for part in parts if len(part[0])]
    return joined_lessons(rows) if rows else None


def _kept(
    found: Hypotheses,
    carriers: Hypotheses | None,
    odds: Floats,
    truth: Truth,
    stacked: Truth,
    rng: np.random.Generator,
) -> tuple[Hypotheses, Hypotheses | None, Floats]:
    """Those that are right, nearly right or not clearly wrong to the network as it is, and few of the others."""
    right = rights(found, truth) if carriers is None else _stack_rights(found, carriers, truth, stacked)
    kept = np.flatnonzero((right != 0) | (odds > CLEARLY_WRONG) | (rng.random(len(found)) < OF_THE_OTHERS))
    return found.only(kept), None if carriers is None else carriers.only(kept), right[kept]


def _stack_rights(upper: Hypotheses, lower: Hypotheses, truth: Truth, stacked: Truth) -> Floats:
    """A stacked piece is right on the piece that carries it: both must be."""
    right, carrier = rights(upper, stacked), rights(lower, truth)
    return np.where((right == 0) | (carrier == 0), 0.0, np.where((right == 1) & (carrier == 1), 1.0, -1.0))


def _laid(windows: Windows, truth: Truth, slip: tuple[float, float], rng: np.random.Generator) -> Hypotheses:
    """Every piece that stands on the table, off its place by so many millimetres and degrees."""
    kinds, places, where = [], [], []
    for piece in (p for p in truth if p.get("nested_on") is None):
        at = windows.ground.fine_px(np.array([piece["x_mm"], piece["y_mm"]]))
        inside = np.flatnonzero(((at >= windows.corner) & (at < windows.corner + windows.size)).all(axis=1))
        if not len(inside):
            continue
        heading = piece["heading_deg"] if piece["pose"] == "lying" else piece["base_rotation_deg"]
        kinds.append(CLASSES.index((piece["size"], piece["pose"])))
        x, y = (piece[name] + rng.normal(0, slip[0]) for name in ("x_mm", "y_mm"))
        places.append((x, y, heading + rng.normal(0, slip[1]), 0.0))
        where.append(int(inside[0]))
    return Hypotheses(np.array(kinds, np.intp), np.array(places).reshape(-1, 4), np.array(where, np.intp))


def _rows(
    windows: Windows, found: Hypotheses, carrier: Hypotheses | None, right: Floats, truth: Truth, s: SearchSettings
) -> PatchLesson:
    single = features(windows, found, s)
    width = single.shape[1] + STACKED_BESIDE
    stacked = np.zeros((len(found), width)) if carrier is None else stack_features(windows, carrier, found, s)
    return PatchLesson(
        patches(windows, found, carrier, PatchSettings(since=windows.since is not None)),
        single.astype(np.float32),
        stacked.astype(np.float32),
        found.kind,
        np.full(len(found), float(carrier is not None)),
        right,
        _nearest(found, truth),
    )


def _nearest(found: Hypotheses, truth: Truth) -> Floats:
    """(n, 3) how far the piece of the same class near each hypothesis is off, nan where there is none."""
    off = np.full((len(found), 3), np.nan)
    for i in range(len(found)):
        pose, best = found.pose(i), FAR[0]
        for piece in (p for p in truth if (p["size"], p["pose"]) == (pose.size, pose.pose)):
            dx, dy = piece["x_mm"] - pose.x_mm, piece["y_mm"] - pose.y_mm
            heading, period = (piece["heading_deg"], 360) if pose.pose == "lying" else (piece["base_rotation_deg"], 90)
            turned = turn_deg(heading, pose.heading_deg, period)
            if math.hypot(dx, dy) < best and abs(turned) < FAR[1] and abs(piece["z_mm"] - pose.z_mm) < 6.0:
                best = math.hypot(dx, dy)
                c, sn = math.cos(math.radians(pose.heading_deg)), math.sin(math.radians(pose.heading_deg))
                base = BASES[found.kind[i]]
                off[i] = ((c * dx + sn * dy) / base, (c * dy - sn * dx) / base, turned)
    return off


def joined_lessons(parts: list[PatchLesson]) -> PatchLesson:
    return PatchLesson(*(np.concatenate([getattr(p, name) for p in parts]) for name in PatchLesson.__slots__))


PATCH_LESSONS = LessonFolder("-patches.npz", PatchLesson, patch_lesson)

if __name__ == "__main__":
    PATCH_LESSONS.main(__doc__)
