"""Pictures of a table at rest are read as one, so that the noise of a dim room counts for less."""

from dataclasses import replace

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


def noisy(level: int, noise: float = 20.0) -> np.ndarray:
    return np.clip(rng.normal(level, noise, (60, 80, 3)), 0, 255).astype(np.uint8)


def test_the_mean_of_four_pictures_has_half_the_noise_and_stays_so():
    resting = Resting(4)
    spread = [float(resting.add(noisy(120), 0.0).std()) for _ in range(40)]
    assert spread[0] == pytest.approx(20, rel=0.1)
    assert spread[3] == pytest.approx(10, rel=0.1)
    assert max(spread[6:]) < 9


def test_what_was_seen_before_something_moved_counts_no_more():
    resting = Resting(4)
    for _ in range(5):
        resting.add(noisy(60), 0.0)
    after = noisy(200)
    assert np.array_equal(resting.add(after, 1.0), after)


def test_nor_what_was_seen_from_another_place_or_in_another_size():
    resting = Resting(4)
    resting.add(noisy(60), 0.0)
    resting.forget()
    after = noisy(200)
    assert np.array_equal(resting.add(after, 0.0), after)
    smaller = after[:30]
    assert np.array_equal(resting.add(smaller, 0.0), smaller)


def test_a_picture_that_was_given_is_left_as_it_is():
    resting, first, second = Resting(4), noisy(60), noisy(200)
    before = first.copy()
    told = resting.add(first, 0.0)
    resting.add(second, 0.0)
    assert np.array_equal(first, before)
    assert np.array_equal(told, before)


def test_a_board_that_no_picture_of_a_dark_room_shows_by_itself_is_read_once_it_rests():
    table = disc_table(TESTING[2])
    light, _ = Renderer().draw(table.scene)
    dark = replace(table.sensor, shot=8 * table.sensor.shot, read=8 * table.sensor.read)
    lens, board, markers = table.scene.camera.lens, table.scene.board, table.scene.markers.places
    developer = Developer(exposed(dark, light, *table.exposure), lens.width, lens.height, table.seed)
    developer.update(light, (0, 0, lens.width, lens.height))
    pictures = [developer.picture(number) for number in range(6)]

    frames = [frame_of(picture, 0.1 * number, number + 1) for number, picture in enumerate(pictures)]

    def eye(live):
        return Eye(EyeSettings(live=live), lens, markers, board.shape, new_reader())

    there = {thing.cell: thing.piece for thing in table.scene.things if thing.cell}

    def told(view):
        surest = {s.cell: max(s.beliefs, key=lambda belief: belief[1])[0] for s in view.sightings if s.beliefs}
        return {cell: piece for cell, piece in surest.items() if piece.kind != "empty"}

    assert not any(told(eye(live=False).read(frame)) == there for frame in frames)
    watching = eye(live=True)
    assert told([watching.read(frame) for frame in frames][-1]) == there
