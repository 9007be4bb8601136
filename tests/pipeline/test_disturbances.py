"""Whatever happens to the light, the camera or the view while nobody moves a piece: nothing is taken for a move."""

import random
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from random_games import design, measured

from companion.demo.stopwatch import FrameClock
from companion.games import game
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.happenings import Plied, Ruled
from companion.referee.readmodel import Desk
from companion.service.vision_loop import VisionLoop
from companion.sets.stored_eyes import StoredEyes
from companion.simulator.script import Script, Timing
from companion.simulator.setting import Setting
from companion.simulator.source import ScriptedTable
from companion.simulator.world import VirtualTable
from companion.vision.picture import small_grey
from hardware.errors import CameraEnded
from hardware.frames import Frame

FPS = 4.0
REST = 6  # frames in which the table looks as ever, between two disturbances
SIGMA = 2.0  # of the sensor's noise, beside that of the picture itself
SKINS = ((219, 228, 246), (139, 166, 214), (69, 92, 141), (26, 36, 60))
SLEEVES = ((30, 30, 30), (245, 245, 245), (140, 60, 30), (40, 40, 170), (60, 120, 60))


def bumped(picture, rng):
    """The camera is pushed by up to 100 pixels and turned by up to half a circle, and stays so for a while."""
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.choice((0.5, 2, 5, 20, 90, 180)) * rng.random(), 1.0)
    turn[:, 2] += rng.uniform(-100, 100), rng.uniform(-100, 100)
    moved = cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REFLECT)
    return [moved] * rng.randint(2, 8)


def out(picture, rng):
    """The lamp goes out, wholly or nearly."""
    return [cv2.convertScaleAbs(picture, alpha=rng.choice((0.0, 0.03, 0.1)))] * rng.randint(1, 6)


def stepped(picture, rng):
    """Somebody switches lamps: 30 per cent brighter or darker, again and again."""
    return [cv2.convertScaleAbs(picture, alpha=rng.uniform(0.7, 1.3)) for _ in range(3) for _ in range(2)]


def banded(picture, rng):
    """A lamp on the mains and a rolling shutter: bands that wander."""
    rows = np.arange(picture.shape[0])[:, None, None]
    period, depth = rng.uniform(60, 400), rng.uniform(0.03, 0.12)
    waves = [1 + depth * np.sin(2 * np.pi * (rows / period + rng.random())) for _ in range(6)]
    return [np.clip(picture * wave, 0, 255).astype(np.uint8) for wave in waves]


def sunny(picture, rng):
    """A spot of sun wanders over the table, and stays where it is for a while."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    at, way = np.array((rng.uniform(0, width), rng.uniform(0, height))), np.array((rng.uniform(-60, 60), 20))
    frames, size = [], rng.uniform(60, 250)
    for i in (0, 1, 2, 3, 3, 3, 3):
        centre = at + i * way
        spot = np.exp(-(((x - centre[0]) / size) ** 2) - ((y - centre[1]) / (size * 0.6)) ** 2)[..., None]
        frames.append(np.clip(picture * (1 + spot * rng.uniform(1.0, 1.02)), 0, 255).astype(np.uint8))
    return frames


def reached(picture, rng):
    """An arm comes in from a side, rests, and goes."""
    height, width = picture.shape[:2]
    skin, sleeve, thick = rng.choice(SKINS), rng.choice(SLEEVES), rng.randint(70, 200)
    edge = rng.choice(((rng.randrange(width), height), (rng.randrange(width), 0), (0, rng.randrange(height))))
    tip = np.array((rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height))
    frames = []
    for share in (0.4, 1.0, 1.0, 1.0, 1.0, 0.5):
        frame, end = picture.copy(), np.array(edge) + share * (tip - np.array(edge))
        elbow = np.array(edge) + 0.6 * (end - np.array(edge))
        cv2.line(frame, np.int32(edge).tolist(), np.int32(elbow).tolist(), sleeve, thick)
        cv2.line(frame, np.int32(elbow).tolist(), np.int32(end).tolist(), skin, thick * 2 // 3)
        frames.append(frame)
    return frames


DISTURBANCES = (bumped, out, stepped, banded, sunny, reached)


class Disturbed:
    """A camera over a table that nobody touches; sets the referee's clock by its frames."""

    def __init__(self, picture, clock, rng, count):
        self._picture, self._clock, self._rng = picture, clock, rng
        noise = np.random.default_rng(rng.randrange(2**32))
        self._noise = [noise.normal(0, SIGMA, picture.shape).astype(np.int16) for _ in range(3)]
        self._pictures = self._all(count)
        self._number = 0
        self.happened = ""

    def _all(self, count) -> Iterator[np.ndarray]:
        yield from [self._picture] * 2 * REST
        for number in range(count):
            how = DISTURBANCES[number % len(DISTURBANCES)]
            self.happened = f"{number}: {how.__name__}"
            yield from how(self._picture, self._rng)
            yield from [self._picture] * REST

    def open(self):
        pass

    def close(self):
        pass

    def read(self, timeout_s):
        picture = next(self._pictures, None)
        if picture is None:
            raise CameraEnded("that was all")
        self._number += 1
        self._clock.now_s += 1 / FPS
        noisy = np.clip(picture + self._noise[self._number % 3], 0, 255).astype(np.uint8)
        return Frame(noisy, small_grey(noisy), self._clock.now_s, self._number, self._number)


def sit_through(seed, count, folder):
    """So many disturbances at a table that shows a set-up; what was committed or ruled, and the sight at the end."""
    rng, khet, table = random.Random(seed), game("khet"), VirtualTable(replace(design(seed), width=1200, height=900))
    position = khet.start({"layout": "classic-2.0"})
    first = next(iter(Script(khet, position, (), Setting(table.furniture, seed), Timing(), seed).beats())).state
    film = ScriptedTable(table.design, [first])
    film.open()
    picture = film.read(1.0).pixels
    clock = FrameClock()
    desk = Desk(MemoryArchive(), clock=clock)
    camera = Disturbed(picture, clock, rng, count)
    wrong, seen = [], []
    desk.listen(lambda events, _: wrong.extend((camera.happened, e) for e in events if isinstance(e, Plied | Ruled)))
    desk.listen(lambda events, snapshot: seen.append(snapshot.sight))
    desk.submit(Command("new_game", {"game": "khet", "options": {"layout": "classic-2.0"}}))
    VisionLoop(camera, StoredEyes(measured(table.design, folder), folder), desk).run()
    assert desk.table.state.phase == "play", desk.snapshot().waiting
    return wrong, seen


def check(seed, count, folder):
    wrong, seen = sit_through(seed, count, folder)
    assert wrong == []
    assert {"hand", "dark", "seeing"} <= set(seen)
    assert seen[-2:] == ["seeing", "no camera"]  # all is well at the end of the film


def test_nothing_that_happens_to_an_untouched_table_is_a_move(tmp_path):
    check(3, len(DISTURBANCES), tmp_path)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(4, 8))
def test_many_disturbances_are_no_moves(seed, tmp_path):
    check(seed, 20, tmp_path)
