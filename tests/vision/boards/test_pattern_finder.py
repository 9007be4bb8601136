"""The hexagon is found by the sides of its cells, read, and noticed when it is pushed."""

import numpy as np
import pytest
from drawn_tables import SMALL, camera

from calibration.table import TableMarkers
from companion.pieces import EMPTY
from companion.simulator.disc_tables import disc_picture, disc_table
from companion.simulator.tables import TESTING
from companion.view import BoardPose, BoardShape
from companion.vision.boards import pattern_finder
from companion.vision.boards.cells import CellCutter, CellSettings, resized
from companion.vision.boards.pattern_finder import find_pattern, pattern_slip
from companion.vision.discs.hexagon_reader import new_reader
from companion.vision.picture import small_grey
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

TABLES = TESTING[:3]


@pytest.fixture(scope="module")
def pictures():
    tables = [disc_table(seed, 1200, 900, "hex") for seed in TABLES]
    return [(table, disc_picture(table)) for table in tables]


def test_hexagons_are_found_to_a_millimetre_and_read(pictures):
    for table, picture in pictures:
        board = table.scene.board
        eye = Eye(EyeSettings(), table.scene.camera.lens, TableMarkers(), board.shape, new_reader())
        view = eye.read(Frame(picture, small_grey(picture), 0.0, 0))
        assert view.clear, view.obstacles
        assert np.hypot(view.board.x_mm - board.x_mm, view.board.y_mm - board.y_mm) < 1.5
        assert abs(view.board.rotation_deg - board.rotation_deg) < 0.3
        there = {t.cell: t.piece for t in table.scene.things if t.cell is not None}
        told = [s for s in view.sightings if s.why is None]
        assert all(s.piece == there.get(s.cell, EMPTY) for s in told)
        assert len(told) >= 0.95 * len(view.sightings)


@pytest.mark.parametrize("slip", [0.955, 0.985, 1.03])
def test_a_hexagon_measured_wrongly_is_found_at_its_size(pictures, slip):
    for table, picture in pictures:
        board = table.scene.board
        fix = find_pattern(picture, table.scene.camera, resized(board.shape, slip), TableMarkers())
        assert np.hypot(fix.pose.x_mm - board.x_mm, fix.pose.y_mm - board.y_mm) < 1.5
        assert fix.cell_scale * slip == pytest.approx(1, abs=0.004)


def test_a_hexagon_measured_rightly_keeps_its_size(pictures):
    for table, picture in pictures:
        assert find_pattern(picture, table.scene.camera, table.scene.board.shape, TableMarkers()).cell_scale == 1


def test_a_hexagon_that_was_pushed_is_noticed(pictures):
    table, picture = pictures[0]
    board, camera = table.scene.board, table.scene.camera
    fix = find_pattern(picture, camera, board.shape, TableMarkers())
    for push, slipped in (((0.0, 0.0), False), ((4.0, 0.0), True), ((0.0, -4.0), True)):
        pose = BoardPose(fix.pose.x_mm + push[0], fix.pose.y_mm + push[1], fix.pose.rotation_deg)
        flat = CellCutter(camera, pose, board.shape).flat(picture)
        assert pattern_slip(flat, board.shape, CellSettings(), fix.score) is slipped


def test_where_no_edge_is_seen_no_board_is():
    blank = np.full((300, 400, 3), 120, np.uint8)
    assert find_pattern(blank, camera(SMALL), BoardShape(10, 8, 38.0), TableMarkers()) is None


def test_a_board_larger_than_the_table_is_not_looked_for_any_closer(pictures, monkeypatch):
    table, picture = pictures[0]
    monkeypatch.setattr(pattern_finder, "_pattern", lambda *_: pytest.fail("it finds no room anywhere"))
    large = resized(table.scene.board.shape, 10.0)  # a slip of the comma in its file
    assert find_pattern(picture, table.scene.camera, large, TableMarkers()) is None


def test_a_board_of_squares_is_no_hexagon():
    table = disc_table(TESTING[3], 1200, 900)
    shape = BoardShape(9, 9, 34.0, 8.0, 2.0, "hex")
    assert find_pattern(disc_picture(table), table.scene.camera, shape, TableMarkers()) is None
