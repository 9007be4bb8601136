"""The lens from views of the board."""

import cv2
import numpy as np
import pytest
from drawn_tables import LENS, camera, samples

from calibration.errors import CalibrationError
from calibration.lens import read_lens
from calibration.markers import BoardCorners, CharucoFinder
from calibration.measure_lens import measure_lens
from calibration.table import TableMarkers, fix_table

GRID = np.array([(x * 30.0, y * 30.0, 0.0) for y in range(1, 5) for x in range(1, 7)])


def view(seed, tilted=True, noise=0.05):
    rng = np.random.default_rng(seed)
    tilt = rng.uniform(-35, 35, 3) if tilted else np.array([0.0, 0.0, rng.uniform(-90, 90)])
    turn = cv2.Rodrigues(np.deg2rad(tilt))[0]
    middle = np.array([rng.uniform(-150, 150), rng.uniform(-110, 110), rng.uniform(350, 600)])
    shift = middle - turn @ GRID.mean(axis=0)
    pixels, _ = cv2.projectPoints(GRID, cv2.Rodrigues(turn)[0], shift, LENS.matrix, LENS.distortion)
    pixels = pixels.reshape(-1, 2) + rng.normal(0, noise, (len(GRID), 2))
    return BoardCorners(np.arange(len(GRID), dtype=np.int32), pixels, GRID)


def off_on_table_mm(lens):
    true = camera()
    corners = {n: true.project(c) for n, c in TableMarkers().corners_mm().items()}
    pose = fix_table(corners, lens, TableMarkers()).pose
    table = np.array([(x, y) for x in np.linspace(-280, 280, 9) for y in np.linspace(-180, 180, 7)])
    return np.hypot(*(pose.to_table(true.project(table)) - table).T).max()


def test_the_lens_is_measured_to_a_fraction_of_a_millimetre_on_the_table():
    measured = measure_lens([view(seed) for seed in range(12)], 1600, 1200)
    assert measured.error_px < 0.1
    assert measured.used == tuple(range(12))
    assert off_on_table_mm(measured.lens) < 0.25
    assert measured.warnings == ()


def test_a_picture_that_fits_no_other_is_left_out():
    bad = view(3, noise=4.0)
    measured = measure_lens([view(seed) for seed in range(10)] + [bad], 1600, 1200)
    assert 10 not in measured.used
    assert measured.error_px < 0.1


def test_too_few_pictures_say_what_to_do():
    with pytest.raises(CalibrationError, match="seen well in 2 of the pictures; at least 4"):
        measure_lens([view(0), view(1), None, None], 1600, 1200)


def test_a_lens_that_could_not_be_read_again_is_none(monkeypatch):
    calibrate = cv2.calibrateCamera

    def beside(*arguments, **more):
        error, matrix, *others = calibrate(*arguments, **more)
        matrix[0, 2] = -300.0  # the lens's middle, outside the picture
        return error, matrix, *others

    monkeypatch.setattr(cv2, "calibrateCamera", beside)
    with pytest.raises(CalibrationError, match=r"cx and cy are the lens's middle.*take new ones"):
        measure_lens([view(seed) for seed in range(6)], 1600, 1200)


def test_a_board_held_flat_is_told():
    measured = measure_lens([view(seed, tilted=False) for seed in range(5)], 1600, 1200)
    assert any("hardly tilted" in warning for warning in measured.warnings)
    assert any("only 5 pictures" in warning for warning in measured.warnings)


def test_the_sample_camera_is_measured_to_a_tenth_of_a_millimetre():
    folder = samples("calib")
    finder = CharucoFinder()
    views = [finder.find(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)) for path in sorted(folder.glob("*.jpg"))]
    measured = measure_lens(views, 1600, 1200).lens
    true = read_lens(folder / "000.json")
    pose = camera(true)
    corners = {n: pose.project(c) for n, c in TableMarkers().corners_mm().items()}
    table = np.array([(x, y) for x in np.linspace(-280, 280, 9) for y in np.linspace(-180, 180, 7)])
    seen = fix_table(corners, measured, TableMarkers()).pose.to_table(pose.project(table))
    assert np.hypot(*(seen - table).T).max() < 0.15
