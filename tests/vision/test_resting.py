"""Pictures of a table at rest are read as one, so that the noise of a dim room counts for less."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.simulator.disc_tables import disc_table
from companion.simulator.renderer import Renderer
from companion.simulator.sensor import Developer, exposed
from companion.simulator.tables import TESTING
from companion.vision.discs.reader import new_reader
from companion.vision.pipeline import Eye
from companion.vision.resting import Resting
from companion.vision.settings import EyeSettings
from hardware.pictures import frame_of

rng = np.random.default_rng(5)


def noisy(level: int) -> np.ndarray:
    return np.clip(rng.normal(level, 20, (60, 80, 3)), 0, 255).astype(np.uint8)


def noise(table: np.ndarray, spread: float) -> np.ndarray:
    return np.rint(rng.normal(0, spread, table.shape)).astype(np.int16)


def test_the_mean_of_four_pictures_has_half_the_noise_and_stays_so():
    resting = Resting()
    spread = [float(resting.add(noisy(120), 0.0).std()) for _ in range(40)]
    assert spread[0] == pytest.approx(20, rel=0.1)
    assert spread[3] == pytest.approx(10, rel=0.1)
    assert max(spread[6:]) < 9


def test_what_was_seen_before_something_moved_counts_no_more():
    resting = Resting()
    for _ in range(5):
        resting.add(noisy(60), 0.0)
    after = noisy(200)
    assert np.array_equal(resting.add(after, 1.0), after)


def test_nor_what_was_seen_from_another_place_or_in_another_size():
    resting = Resting()
    resting.add(noisy(60), 0.0)
    resting.forget()
    after = noisy(200)
    assert np.array_equal(resting.add(after, 0.0), after)
    smaller = after[:30]
    assert np.array_equal(resting.add(smaller, 0.0), smaller)


def test_a_picture_that_was_given_is_left_as_it_is():
    resting, first, second = Resting(), noisy(60), noisy(200)
    before = first.copy()
    told = resting.add(first, 0.0)
    resting.add(second, 0.0)
    assert np.array_equal(first, before)
    assert np.array_equal(told, before)


def test_a_part_that_changed_is_told_as_it_is_now_and_all_else_with_less_noise():
    resting, table = Resting(), np.full((240, 320, 3), 120, np.uint8)
    for _ in range(6):
        resting.add(cv2.add(table, noise(table, 6.0), dtype=cv2.CV_8U), 0.0)
    table[100:120, 200:220] = 30
    now = cv2.add(table, noise(table, 6.0), dtype=cv2.CV_8U)
    told = resting.add(now, 0.0)
    assert np.array_equal(told[96:124, 196:224], now[96:124, 196:224])
    assert told[:80].std() < 4


def test_noise_alone_is_no_change():
    resting, table = Resting(), np.full((240, 320, 3), 120, np.uint8)
    table[:, 160:] = 40
    for _ in range(8):
        told = resting.add(cv2.add(table, noise(table, 12.0), dtype=cv2.CV_8U), 0.0)
    assert max(told[:, :160].std(), told[:, 160:].std()) < 6


def test_of_a_disc_too_small_for_motion_that_is_taken_no_other_is_seen():
    table = disc_table(TESTING[0], kind="many")
    discs = [thing for thing in table.scene.things if thing.cell]
    taken = discs[len(discs) // 2]
    without = replace(table.scene, things=tuple(thing for thing in table.scene.things if thing is not taken))
    before, after = developed(table, table.scene, table.sensor), developed(table, without, table.sensor)
    pictures = [*map(before.picture, range(6)), *map(after.picture, range(6, 10))]
    watching = eye(table)
    views = [watching.read(frame_of(picture, 0.15 * n, n + 1)) for n, picture in enumerate(pictures)]
    assert [told(view).get(taken.cell) for view in views[5:]] == [taken.piece, None, None, None, None]


def test_a_board_that_no_picture_of_a_dark_room_shows_by_itself_is_read_once_it_rests():
    table = disc_table(TESTING[2])
    dark = replace(table.sensor, shot=8 * table.sensor.shot, read=8 * table.sensor.read)
    developer = developed(table, table.scene, dark)
    frames = [frame_of(developer.picture(number), 0.1 * number, number + 1) for number in range(6)]
    there = {thing.cell: thing.piece for thing in table.scene.things if thing.cell}
    assert not any(told(eye(table, live=False).read(frame)) == there for frame in frames)
    watching = eye(table)
    assert told([watching.read(frame) for frame in frames][-1]) == there


def developed(table, scene, sensor):
    """What a camera with this sensor, exposed for the table, takes of the scene."""
    (light, _), (whole, _) = Renderer().draw(scene), Renderer().draw(table.scene)
    lens = scene.camera.lens
    developer = Developer(exposed(sensor, whole, *table.exposure), lens.width, lens.height, table.seed)
    developer.update(light, (0, 0, lens.width, lens.height))
    return developer


def eye(table, live=True):
    scene = table.scene
    return Eye(EyeSettings(live=live), scene.camera.lens, scene.markers.places, scene.board.shape, new_reader())


def told(view):
    surest = {s.cell: max(s.beliefs, key=lambda belief: belief[1])[0] for s in view.sightings if s.beliefs}
    return {cell: piece for cell, piece in surest.items() if piece.kind != "empty"}
