"""The camera's place from the markers."""

import json

import cv2
import numpy as np
import pytest
from drawn_tables import LENS, Paint, camera, samples
from hypothesis import given
from hypothesis import strategies as st

from calibration.errors import CalibrationError, MarkersMissing
from calibration.lens import Lens, lens_from_json, read_lens
from calibration.markers import MarkerFinder
from calibration.table import CameraPose, TableMarkers, fix_table, guess_lens, parse_markers, pose_of_square

POSE = camera(tilt=(9.0, -5.0))
PLACES = TableMarkers()
SPREAD = np.array([(x, y, z) for z in (0.0, 30.0) for x in (-200.0, 0, 200) for y in (-150.0, 0, 150)])


@pytest.fixture(scope="module")
def corners():
    paint = Paint()
    paint.markers()
    return MarkerFinder().find(cv2.cvtColor(paint.seen_by(POSE), cv2.COLOR_BGR2GRAY), range(4))


def off_mm(pose, true=POSE):
    pixels = true.project(SPREAD)
    high = SPREAD[:, 2] > 0
    return max(
        np.hypot(*(pose.to_table(pixels[rows], z) - SPREAD[rows, :2]).T).max()
        for rows, z in ((~high, 0.0), (high, 30.0))
    )


def test_the_pose_is_exact_to_a_tenth_of_a_millimetre(corners):
    fix = fix_table(corners, LENS, PLACES)
    assert off_mm(fix.pose) < 0.1
    assert fix.error_mm < 0.2
    assert fix.used == (0, 1, 2, 3)
    assert fix.warnings == ()


def test_three_markers_do_and_are_told(corners):
    fix = fix_table({n: corners[n] for n in (0, 1, 3)}, LENS, PLACES)
    assert off_mm(fix.pose) < 0.4
    assert "marker 2 (bottom right) not seen" in fix.warnings[0]


def test_fewer_name_what_is_missing(corners):
    with pytest.raises(MarkersMissing, match=r"1 \(top right\), 2 \(bottom right\)") as error:
        fix_table({n: corners[n] for n in (0, 3)}, LENS, PLACES)
    assert error.value.missing == (1, 2)


def test_a_marker_out_of_its_place_is_named_and_left_out():
    paint = Paint()
    paint.markers(skip=(1,))
    paint.marker(1, PLACES.corners_mm()[1] + (25.0, 0.0))
    corners = MarkerFinder().find(cv2.cvtColor(paint.seen_by(POSE), cv2.COLOR_BGR2GRAY), range(4))
    fix = fix_table(corners, LENS, PLACES)
    assert fix.used == (0, 2, 3)
    assert fix.warnings == ("marker 1 lies 25 mm from its place; going on with the other three",)
    assert off_mm(fix.pose) < 0.5


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_marker_is_told_as_turned(corners, quarters):
    fix = fix_table({**corners, 2: np.roll(corners[2], quarters, axis=0)}, LENS, PLACES)
    assert fix.used == (0, 1, 3)
    assert fix.warnings[0].startswith("marker 2 is turned")
    assert off_mm(fix.pose) < 0.5


@pytest.mark.parametrize("bleed_px", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("given", [(500, 380), (600, 420), (640, 420), (400, 300), (900, 500)])
def test_wrong_distances_are_told_and_those_taken_that_the_sides_tell(given, bleed_px):
    def bled(square):
        return square - bleed_px * np.sign(square - square.mean(axis=0))

    corners = {number: bled(POSE.project(place)) for number, place in PLACES.corners_mm().items()}
    fix = fix_table(corners, LENS, TableMarkers(*given, 40))
    assert f"about 600 x 380 mm apart, not {given[0]} x {given[1]} mm" in fix.warnings[-1]
    assert off_mm(fix.pose) < 0.1


def test_markers_that_fit_no_size_are_told(corners):
    skewed = {number: square + np.array([0.0, 30.0 * (number % 2)]) for number, square in corners.items()}
    fix = fix_table(skewed, LENS, PLACES)
    assert "check their places and which way up they lie, the sizes given and the lens" in fix.warnings[-1]


def test_white_that_bleeds_over_black_moves_nothing(corners):
    def shrunk(square):
        middle = square.mean(axis=0)
        return middle + (square - middle) * 0.97

    fix = fix_table({n: shrunk(c) for n, c in corners.items()}, LENS, PLACES)
    assert fix.bleed_px > 0.5
    assert off_mm(fix.pose) < 0.15


def test_an_unknown_lens_is_guessed_well_enough(corners):
    lens = guess_lens(1600, 1200, corners, PLACES.corners_mm())
    fix = fix_table(corners, lens, PLACES)
    table = SPREAD[SPREAD[:, 2] == 0]
    seen = fix.pose.to_table(POSE.project(table))
    assert np.hypot(*(seen - table[:, :2]).T).max() < 2.5


def test_perspective_tells_the_focal_length():
    long = Lens(1600, 1200, 2100.0, 2100.0, 799.5, 599.5)
    pose = camera(long, height=1100.0, tilt=(28.0, 10.0))
    corners = {n: pose.project(c) for n, c in PLACES.corners_mm().items()}
    assert guess_lens(1600, 1200, corners, PLACES.corners_mm()).fx == pytest.approx(2100, rel=0.05)


def test_without_anything_seen_the_usual_lens_is_taken():
    assert guess_lens(1000, 750, {}, {}).fx == pytest.approx(820)


def test_four_corners_of_a_field_give_a_pose():
    field = np.array([(-190.0, 152.0), (190, 152), (190, -152), (-190, -152)])
    pose = pose_of_square(POSE.project(field), field, LENS)
    assert np.allclose(pose.position_mm, POSE.position_mm, atol=0.5)


def test_no_points_are_no_points():
    assert POSE.to_table(np.zeros((0, 2))).shape == (0, 2)
    assert POSE.project(np.zeros((0, 3))).shape == (0, 2)


def test_pixels_and_millimetres_are_inverse():
    pixels = POSE.project(SPREAD[:9])
    assert np.allclose(POSE.to_table(pixels), SPREAD[:9, :2], atol=1e-3)


@pytest.mark.parametrize(("text", "sizes"), [("600,380,40", (600, 380, 40)), ("560, 400", (560, 400, 40))])
def test_sizes_are_read(text, sizes):
    read = parse_markers(text)
    assert (read.width_mm, read.height_mm, read.side_mm) == sizes


@pytest.mark.parametrize("text", ["", "600", "a,b", "600,380,40,1", "nan,380", "-600,380", "600,380,400", "inf,inf"])
def test_bad_sizes_are_refused(text):
    with pytest.raises(CalibrationError):
        parse_markers(text)


@given(st.text(max_size=20))
def test_any_text_is_sizes_or_refused(text):
    try:
        assert parse_markers(text).side_mm > 0
    except CalibrationError as error:
        assert str(error)


def test_marker_poses_on_sample_pictures():
    for path in sorted(samples("khet").glob("*.jpg")):
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        scene = truth["camera"]
        lens = read_lens(path.with_suffix(".json"))
        assert lens == lens_from_json(scene)
        true = CameraPose(lens, np.array(scene["R"]), np.array(scene["t"]))
        corners = MarkerFinder().find(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), range(4))
        assert off_mm(fix_table(corners, lens, PLACES).pose, true) < 0.15
