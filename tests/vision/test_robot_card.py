"""The robot's card among pyramids: its place, its heading once taught, and no card where none lies."""

import math

import numpy as np
import pytest

from calibration.table import TableMarkers
from companion.pieces import Piece
from companion.simulator.pyramid_tables import PyramidTable, pyramid_picture, pyramid_table
from companion.simulator.tables import TESTING
from companion.view import Sighting
from companion.vision.finders import TableFinder
from companion.vision.pipeline import Eye
from companion.vision.robot_card import RobotCardFinder
from companion.vision.settings import EyeSettings
from hardware.frames import Frame


def eye_for(table: PyramidTable, finder: RobotCardFinder) -> tuple[Eye, Frame]:
    sheets = table.scene.markers
    markers = TableMarkers(sheets.width_mm, sheets.height_mm, sheets.side_mm)
    picture = pyramid_picture(table)
    frame = Frame(picture, picture[::8, ::8, 1].copy(), 0.0, 0, name="table")
    return Eye(EyeSettings(), table.scene.camera.lens, markers, None, TableFinder([finder])), frame


def test_the_card_is_found_and_turned_as_taught(tmp_path):
    table = pyramid_table(TESTING[1], "kaxxt")
    assert table.card is not None
    x, y, heading = table.card
    finder = RobotCardFinder()
    eye, frame = eye_for(table, finder)
    for taught in (heading, heading + 180):  # the label decides which end is up
        eye.teach_free(frame, [Sighting(((Piece("robot_card"), 1.0),), x, y, taught)])
        finder.save(tmp_path)
        again = RobotCardFinder()
        again.load(tmp_path)
        eye, frame = eye_for(table, again)
        (seen,) = eye.read(frame).sightings
        assert math.hypot(seen.x_mm - x, seen.y_mm - y) < 3
        assert abs((seen.heading_deg - taught + 180) % 360 - 180) < 3
        finder = again


def test_a_table_without_a_card_has_none():
    eye, frame = eye_for(pyramid_table(TESTING[2], "chaos"), RobotCardFinder())
    assert eye.read(frame).sightings == ()


def test_a_look_that_fits_nothing_is_refused(tmp_path):
    (tmp_path / "robot_card.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(ValueError, match="teach it anew"):
        RobotCardFinder().load(tmp_path)


def test_print_at_one_end_is_the_foot():
    picture = np.zeros((64, 46), np.float32)
    picture[52:56, 8:38:3] = 3.0
    finder = RobotCardFinder()
    assert finder._upright(picture) > 0.5
    assert finder._upright(picture[::-1, ::-1]) < -0.5


@pytest.mark.parametrize("turned", [0, 90])
def test_what_touches_the_card_is_thought_away(turned):
    step = 1.2  # millimetres of a pixel
    wide, high = round(63 / step), round(88 / step)
    mask = np.zeros((140, 120), bool)
    mask[20 : 20 + high, 30 : 30 + wide] = True
    card = mask.copy()
    mask[20 + high : 28 + high, 45:66] = True  # the foot of a pyramid
    trimmed = RobotCardFinder()._trimmed(np.rot90(mask, turned // 90).copy(), step)
    assert (trimmed ^ np.rot90(card, turned // 90)).sum() < 0.02 * card.sum()
