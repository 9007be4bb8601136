"""Markers and ChArUco boards in drawn pictures: found, and exact."""

import cv2
import numpy as np
import pytest
from drawn_tables import Paint, camera

from calibration.errors import CalibrationError
from calibration.markers import (
    CharucoFinder,
    CharucoShape,
    MarkerFinder,
    dictionary,
    marker_cells,
)
from calibration.sheets import charuco_rects
from calibration.table import TableMarkers

POSE = camera()
WANTED = range(4)
PLACES = TableMarkers()


@pytest.fixture(scope="module")
def grey():
    paint = Paint()
    paint.markers()
    return cv2.cvtColor(paint.seen_by(POSE), cv2.COLOR_BGR2GRAY)


def off(found):
    return {n: found[n] - POSE.project(corners) for n, corners in PLACES.corners_mm().items() if n in found}


def test_all_four_are_found_with_exact_corners(grey):
    errors = off(MarkerFinder().find(grey, WANTED))
    assert sorted(errors) == [0, 1, 2, 3]
    assert max(np.hypot(*e.T).max() for e in errors.values()) < 0.9  # the paint itself is that coarse
    assert max(np.abs(e.mean(axis=0)).max() for e in errors.values()) < 0.1  # the middle hardly moves


def test_windows_of_the_last_picture_give_the_same_corners(grey):
    finder = MarkerFinder()
    first = finder.find(grey, WANTED)
    again = finder.find(grey, WANTED, {n: corners + 3 for n, corners in first.items()})
    assert all(np.allclose(first[n], again[n], atol=0.05) for n in WANTED)


def test_a_marker_that_has_left_its_window_is_found_elsewhere(grey):
    finder = MarkerFinder()
    first = finder.find(grey, WANTED)
    wrong = {0: first[2], 1: first[1]}
    assert np.allclose(finder.find(grey, WANTED, wrong)[0], first[0], atol=0.05)


def test_windows_outside_the_picture_do_no_harm(grey):
    outside = {0: np.array([(-900.0, -900.0), (-860, -900), (-860, -860), (-900, -860)])}
    assert sorted(MarkerFinder().find(grey, WANTED, outside)) == [0, 1, 2, 3]


def test_a_missing_marker_is_missing():
    paint = Paint()
    paint.markers(skip=(2,))
    grey = cv2.cvtColor(paint.seen_by(POSE), cv2.COLOR_BGR2GRAY)
    assert sorted(MarkerFinder().find(grey, WANTED)) == [0, 1, 3]


@pytest.mark.parametrize("number", WANTED)
def test_a_marker_is_read_though_its_glaring_paper_spreads_over_the_ink(number):
    ink = np.kron(marker_cells(number), np.ones((10, 10), np.uint8)).astype(np.uint8)
    glared = np.where(cv2.erode(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7))) > 0, 130, 255)
    picture = np.full((400, 400), 90, np.uint8)
    picture[150:240, 150:240] = 255
    picture[165:225, 165:225] = glared
    found = MarkerFinder().find(cv2.GaussianBlur(picture, (0, 0), 0.8), WANTED)
    assert list(found) == [number]


def test_of_two_markers_with_one_id_the_larger_counts():
    paint = Paint()
    paint.markers()
    small = np.array([(-10.0, 10.0), (10, 10), (10, -10), (-10, -10)])
    paint.marker(0, small)
    grey = cv2.cvtColor(paint.seen_by(POSE), cv2.COLOR_BGR2GRAY)
    assert np.abs(off(MarkerFinder().find(grey, WANTED))[0]).max() < 1


@pytest.mark.parametrize("shape", [(1, 1), (3, 200), (200, 3), (16, 16)])
def test_tiny_pictures_hold_no_marker(shape):
    assert MarkerFinder().find(np.zeros(shape, np.uint8), WANTED) == {}


def test_marker_cells_have_a_black_border():
    cells = marker_cells(0)
    assert cells.shape == (6, 6)
    assert cells[0].all()
    assert cells[-1].all()
    assert cells[:, 0].all()
    assert not cells.all()


@pytest.mark.parametrize(("number", "name"), [(50, "DICT_4X4_50"), (-1, "DICT_4X4_50"), (0, "DICT_NONE"), (0, "Board")])
def test_unknown_markers_are_refused(number, name):
    with pytest.raises(CalibrationError):
        marker_cells(number, name)


@pytest.mark.parametrize("turn", [0, 30, 200])
def test_charuco_corners_have_no_half_pixel_shift(turn):
    shape = CharucoShape()
    paint = Paint()
    paint.charuco(shape, turn, (40.0, -30.0))
    grey = cv2.cvtColor(paint.seen_by(camera(tilt=(18.0, 9.0), height=600.0)), cv2.COLOR_BGR2GRAY)
    seen = CharucoFinder(shape).find(grey)
    assert len(seen.ids) == 24
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    size = np.array([shape.cols, shape.rows]) * shape.square_mm
    board = (seen.board_mm[:, :2] - size / 2) @ np.array([(c, s), (s, -c)]) + (40.0, -30.0)
    error = seen.pixels - camera(tilt=(18.0, 9.0), height=600.0).project(board)
    assert np.abs(error.mean(axis=0)).max() < 0.15  # half a pixel would show
    assert np.hypot(*error.T).max() < 0.35


def test_the_printed_board_is_the_board_that_is_found():
    shape = CharucoShape()
    board = cv2.aruco.CharucoBoard(
        (shape.cols, shape.rows), shape.square_mm, shape.marker_mm, dictionary(shape.dictionary)
    )
    expected = board.generateImage((shape.cols * 60, shape.rows * 60), marginSize=0, borderBits=1)
    drawn = np.full_like(expected, 255)
    for rect in charuco_rects(shape, 0, 0):
        x, y = round(rect.x * 2), round(rect.y * 2)
        tone = 0 if rect.black else 255
        drawn[y : round(2 * (rect.y + rect.height)), x : round(2 * (rect.x + rect.width))] = tone
    assert (np.abs(expected.astype(int) - drawn) > 128).mean() < 0.02  # but for rounding at the cells' edges


def test_a_picture_without_a_board_has_none():
    assert CharucoFinder().find(np.full((300, 400), 128, np.uint8)) is None
