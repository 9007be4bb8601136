"""`companion bench dice`: pip dice in simulated pictures that nothing was fitted to, by themselves and among pyramids.

Seeds from `tables.MEASURING`. Environment: COMPANION_BENCH_TABLES (how many pictures, default 60),
COMPANION_BENCH_FIRST (from which on), COMPANION_BENCH_STREWN (how many small things of no game lie about, default 0),
COMPANION_BENCH_OUT (where the contact sheet of the errors goes).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.bench.asked import tables
from companion.bench.loops import each
from companion.bench.timing import one_thread
from companion.bench.vision_score import Error, Pixels, part_at, strewn, tell
from companion.pieces import UNKNOWN, Piece
from companion.simulator.dice_tables import dice_picture, dice_table
from companion.simulator.pyramid_tables import pyramid_picture, pyramid_table
from companion.simulator.scene import Thing
from companion.view import Sighting
from companion.vision.dice_finder import new_reader as dice_reader
from companion.vision.kaxxt_finder import new_reader
from companion.vision.pipeline import Eye
from companion.vision.reader import TablePicture
from companion.vision.settings import EyeSettings
from hardware.pictures import frame_of

PICTURES = 60
NEAR_PX = 22.0
PATCH_PX = 120
NOTHING = Piece("nothing")
DICE = 3  # on a table of Kaxxt
Say = Callable[[str], None]
Thrown = tuple[float, float, str]  # a die's middle in pixels of the picture, its value
ADVICE = (
    "for the next factor of two: more pixels for each die, less exposure of white dice; pips below 2.2 pixels, "
    "blown-out pips, dark dice in dim light and faces seen more than 40 degrees from the side stay hard"
)


@dataclass
class DiceScore:
    """Figures over many pictures."""

    dice: int = 0
    right: int = 0
    wrong: int = 0
    unknown: int = 0
    missed: int = 0
    false: int = 0
    seconds: list[float] = field(default_factory=list)
    errors: list[Error] = field(default_factory=list)

    def add(self, seed: int, dice: Sequence[Thrown], found: Sequence[Sighting], picture: Pixels) -> None:
        """Count one picture."""
        left = list(found)
        for x, y, value in dice:
            self.dice += 1
            here = np.array([x, y])
            best = min(left, key=lambda s: _away(s, here), default=None)
            if best is not None and _away(best, here) <= NEAR_PX:
                left.remove(best)
            else:
                best = None
            if best is not None and best.piece.value == value:
                self.right += 1
                continue
            self.missed += best is None
            self.unknown += best is not None and best.piece == UNKNOWN
            self.wrong += best is not None and best.piece != UNKNOWN
            self._note(seed, Piece("die", value=value), best, here, picture)
        for extra in left:
            if extra.piece != UNKNOWN:
                self.false += 1
                self._note(seed, NOTHING, extra, np.array([extra.x_px or 0.0, extra.y_px or 0.0]), picture)

    def _note(self, seed: int, is_: Piece, seen: Sighting | None, here: NDArray[np.float64], picture: Pixels) -> None:
        guess, sure, why = (seen.likeliest, seen.confidence, seen.why) if seen else (NOTHING, 0.0, None)
        patch = part_at(picture, float(here[0]), float(here[1]), PATCH_PX)
        self.errors.append(Error(f"{seed}", f"{here[0]:.0f},{here[1]:.0f}", is_, guess, sure, why, patch))

    def report(self) -> str:
        """A line for people."""
        answered = self.right + self.wrong
        middle = 1000 * float(np.median(self.seconds)) if self.seconds else 0.0
        return (
            f"{self.dice} dice: {self.right} right, {self.wrong} wrong, {self.unknown} unknown, {self.missed} not "
            f"found, {self.false} false; of those answered {100 * self.right / max(answered, 1):.2f} % right; "
            f"median {middle:.0f} ms a picture"
        )


@one_thread()
def run(say: Say) -> None:
    """One thread."""
    seeds = tables(PICTURES)
    _report(say, "by themselves", seeds, _by_themselves, "dice-errors")
    _report(say, "among the pyramids of Kaxxt on Ice", seeds, _among_pyramids, "loose-dice-errors")
    say(ADVICE)


def _report(say: Say, where: str, seeds: range, read: Callable[[int, DiceScore], None], name: str) -> None:
    score = DiceScore()
    for seed in each(seeds, "pictures", say):
        read(seed, score)
    say(f"simulated pictures {seeds[0]} to {seeds[-1]}, {where}, one thread:")
    tell(say, [score.report()], score.errors, name)


def _by_themselves(seed: int, score: DiceScore) -> None:
    """Near the camera, without markers."""
    table = dice_table(seed, strewn=strewn())
    pixels = dice_picture(table)
    picture, finder = TablePicture(pixels, np.ones(3), None), dice_reader()
    began = time.perf_counter()
    found = finder.find(picture)
    score.seconds.append(time.perf_counter() - began)
    score.add(seed, table.dice, found, pixels)


def _among_pyramids(seed: int, score: DiceScore) -> None:
    """From as far above as a whole table is seen, everything on it read."""
    table = pyramid_table(seed, "kaxxt", dice=DICE, strewn=strewn())
    pixels, camera = pyramid_picture(table), table.scene.camera
    dice = [t for t in table.scene.things if t.piece is not None and t.piece.kind == "die"]
    tops = np.array([(t.x_mm, t.y_mm, t.mesh.height_mm) for t in dice]).reshape(-1, 3)
    thrown = [(float(x), float(y), _value(die)) for (x, y), die in zip(camera.project(tops), dice, strict=True)]
    eye = Eye(EyeSettings(), camera.lens, table.scene.markers.places, None, new_reader())
    began = time.perf_counter()
    seen = eye.read(frame_of(pixels, time.monotonic(), seed, str(seed))).sightings
    score.seconds.append(time.perf_counter() - began)
    score.add(seed, thrown, [s for s in seen if s.likeliest.kind == "die"], pixels)


def _value(die: Thing) -> str:
    return (die.piece.value if die.piece is not None else None) or ""


def _away(sighting: Sighting, here: NDArray[np.float64]) -> float:
    return float(np.hypot((sighting.x_px or 0.0) - here[0], (sighting.y_px or 0.0) - here[1]))
