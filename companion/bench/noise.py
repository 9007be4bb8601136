"""`companion bench noise`: what a dark room costs, in one picture and at a table that rests before a camera.

Boards of discs and tables of pyramids, with the noise of their cameras and so many times that. A table at rest is read
from the mean of its pictures (`companion.vision.resting`). Seeds from `tables.MEASURING`. Environment:
COMPANION_BENCH_TABLES (how many of each, default 20), COMPANION_BENCH_FIRST (from which on).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.bench.asked import tables
from companion.bench.loops import each
from companion.bench.pyramid_score import PyramidScore
from companion.bench.pyramids import in_picture
from companion.bench.timing import one_thread
from companion.bench.vision_score import Score
from companion.simulator.disc_tables import disc_picture, disc_table
from companion.simulator.pyramid_tables import pyramid_picture, pyramid_table
from companion.simulator.sensor import Sensor
from companion.vision.discs.reader import new_reader as disc_reader
from companion.vision.files import truth_of
from companion.vision.kaxxt_finder import new_reader as pyramid_finder
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame
from hardware.pictures import frame_of

TABLES = 20
TIMES = (1, 3, 6)  # the usual noise
PICTURES, APART_S = 4, 0.15  # by the last of which a table has rested for long enough


@one_thread()
def run(say: Callable[[str], None]) -> None:
    """Each table is read from its first picture, and by an eye that is shown all of them, one after the other."""
    seeds = tables(TABLES)
    for what, read in (("boards of discs", _discs), ("tables of pyramids", _pyramids)):
        for times in TIMES:
            for how, figures in zip(("one picture", "at rest"), read(seeds, times, say), strict=True):
                say(f"{what} {seeds[0]} to {seeds[-1]}, noise x {times}, {how}: {figures}")


def _discs(seeds: Sequence[int], times: int, say: Callable[[str], None]) -> list[str]:
    scores = Score(), Score()
    for seed in each(seeds, "boards", say):
        table = disc_table(seed)
        noisy, scene = replace(table, sensor=_noisier(table.sensor, times)), table.scene
        assert scene.board is not None
        frames = [_frame(disc_picture(noisy, number), number) for number in range(PICTURES)]
        cells = {t.cell: t.piece for t in scene.things if t.cell is not None and t.piece is not None}
        for score, live in zip(scores, (False, True), strict=True):
            eye = Eye(EyeSettings(live=live), scene.camera.lens, scene.markers.places, scene.board.shape, disc_reader())
            score.add(str(seed), [eye.read(frame) for frame in _shown(frames, live)][-1], cells, {})
    return [next(iter(score.report())) for score in scores]


def _pyramids(seeds: Sequence[int], times: int, say: Callable[[str], None]) -> list[str]:
    scores = PyramidScore(), PyramidScore()
    for seed in each(seeds, "tables", say):
        table = pyramid_table(seed)
        noisy, scene = replace(table, sensor=_noisier(table.sensor, times)), table.scene
        frames = [_frame(pyramid_picture(noisy, number=number), number) for number in range(PICTURES)]
        for score, live in zip(scores, (False, True), strict=True):
            eye = Eye(EyeSettings(live=live), scene.camera.lens, scene.markers.places, None, pyramid_finder())
            view = [eye.read(frame) for frame in _shown(frames, live)][-1]
            pieces = truth_of(table.truth()).free
            pose = eye.last.place.pose if eye.last else None
            score.add(str(seed), view, [in_picture(p, pose) for p in pieces] if pose else pieces, frames[0].pixels)
    return [next(iter(score.report())) for score in scores]


def _shown(frames: Sequence[Frame], live: bool) -> Sequence[Frame]:
    return frames if live else frames[:1]


def _frame(pixels: NDArray[np.uint8], number: int) -> Frame:
    return frame_of(pixels, APART_S * number, number + 1)


def _noisier(sensor: Sensor, times: int) -> Sensor:
    return replace(sensor, shot=sensor.shot * times, read=sensor.read * times)
