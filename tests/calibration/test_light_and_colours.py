"""Blur, exposure, flicker, a moved camera; paper as the white of the picture."""

import cv2
import numpy as np
import pytest
from drawn_tables import SMALL, Paint, camera

from calibration.colours import White, balanced, measure_white
from calibration.light import (
    FlickerMeter,
    blur_warnings,
    camera_shift_px,
    edge_width_px,
    is_blurred,
    light_warnings,
    unusable,
)
from calibration.table import TableMarkers

POSE = camera(SMALL)
CORNERS = {n: POSE.project(c) for n, c in TableMarkers().corners_mm().items()}


@pytest.fixture(scope="module")
def picture():
    paint = Paint()
    paint.markers()
    return paint.seen_by(POSE)


def test_paper_and_ink_are_measured(picture):
    white = measure_white(picture, CORNERS)
    assert white.paper == pytest.approx([235] * 3, abs=6)
    assert white.ink == pytest.approx([18] * 3, abs=12)
    assert light_warnings(white) == ()


def test_white_balance_makes_warm_light_neutral(picture):
    warm = np.clip(picture * np.array([0.55, 0.8, 0.95]), 0, 255).astype(np.uint8)
    white = measure_white(warm, CORNERS)
    again = measure_white(balanced(warm, white.gains()), CORNERS)
    assert np.ptp(again.paper) < 4
    assert again.paper.mean() == pytest.approx(225, abs=4)


def test_a_marker_in_glare_does_not_count(picture):
    glaring = picture.copy()
    x, y = CORNERS[0].mean(axis=0).astype(int)
    cv2.circle(glaring, (int(x), int(y)), 40, (255, 255, 255), -1)
    assert measure_white(glaring, CORNERS).paper == pytest.approx([235] * 3, abs=6)


def test_paper_too_dark_to_be_brought_to_white_is_told():
    for level, enough in ((224.0, True), (57.0, True), (55.0, False)):
        white = White(np.full(3, level), np.full(3, level / 10), {})
        assert white.enough() is enough
        assert bool((white.paper * white.gains() > 224.9).all()) is enough


def test_no_marker_no_white():
    assert measure_white(np.zeros((100, 100, 3), np.uint8), CORNERS) is None
    assert measure_white(np.full((100, 100, 3), 200, np.uint8), {}) is None
    assert "no white balance" in light_warnings(None)[0]


@pytest.mark.parametrize(("factor", "word"), [(0.15, "dark"), (5.0, "overexposed")])
def test_bad_exposure_is_told(picture, factor, word):
    image = np.clip(picture.astype(float) * factor, 0, 255).astype(np.uint8)
    assert word in light_warnings(measure_white(image, CORNERS))[0]


def test_light_that_lacks_a_colour_is_told(picture):
    def warnings(*tint):
        image = np.clip(picture * np.array(tint), 0, 255).astype(np.uint8)
        return light_warnings(measure_white(image, CORNERS))

    assert warnings(0.4, 0.8, 1.0) == ()  # a warm lamp
    assert "white light" in warnings(0.2, 0.4, 1.0)[0]


def test_haze_is_told(picture):
    hazy = (picture.astype(float) * 0.08 + 180).astype(np.uint8)
    assert "hardly differ" in light_warnings(measure_white(hazy, CORNERS))[0]


def test_blur_is_measured_by_the_markers_edges(picture):
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    soft = cv2.GaussianBlur(grey, (0, 0), 4)
    assert edge_width_px(grey, CORNERS) < 2.5
    assert edge_width_px(soft, CORNERS) > 3.5
    assert not is_blurred(grey, CORNERS)
    assert is_blurred(soft, CORNERS)
    assert not is_blurred(grey, {})
    assert np.isnan(edge_width_px(grey, {}))


@pytest.mark.parametrize(("sigma", "scale", "warned"), [(0, 1, False), (0, 0.5, False), (1, 2, False), (2.5, 2, True)])
def test_a_picture_that_is_read_though_it_is_not_sharp_is_called_so(picture, sigma, scale, warned):
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    shown = cv2.GaussianBlur(grey, (0, 0), sigma) if sigma else grey
    corners = {number: (c + 0.5) * scale - 0.5 for number, c in CORNERS.items()}
    assert not is_blurred(grey, {})
    assert not is_blurred(shown, corners)
    assert any("not sharp" in warning for warning in blur_warnings(shown, corners)) == warned


@pytest.mark.parametrize("side_px", [55, 45, 40])
def test_markers_of_which_the_paper_glows_are_not_blurred(picture, side_px):
    """Overexposed paper creeps over the ink: the marker's white modules begin right beside its edge."""
    shown = side_px / float(np.median([np.hypot(*(c[1] - c[0])) for c in CORNERS.values()]))
    grey = cv2.resize(
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None, fx=shown, fy=shown, interpolation=cv2.INTER_CUBIC
    )
    glowing = np.clip(cv2.GaussianBlur(grey, (0, 0), 0.7).astype(float) * 3, 0, 255).astype(np.uint8)
    corners = {number: (c + 0.5) * shown - 0.5 for number, c in CORNERS.items()}
    assert edge_width_px(cv2.GaussianBlur(glowing, (0, 0), 0.7), corners) < 2.5
    assert not is_blurred(glowing, corners)


@pytest.mark.parametrize(("level", "why"), [(0, "dark"), (255, "bright"), (128, "blank")])
def test_pictures_of_one_tone_are_unusable(level, why):
    assert unusable(np.full((24, 32), level, np.uint8)) == why


def test_a_table_is_usable(picture):
    assert unusable(picture[..., 0]) is None
    assert unusable(np.zeros((0, 0), np.uint8)) == "blank"


def test_a_moved_camera_is_not_a_pushed_marker():
    moved = {n: c + np.array([5.0, 0]) for n, c in CORNERS.items()}
    pushed = CORNERS | {0: CORNERS[0] + (30.0, 0)}
    assert camera_shift_px(CORNERS, moved) == pytest.approx(5)
    assert camera_shift_px(CORNERS, pushed) == 0
    assert camera_shift_px(CORNERS, {0: CORNERS[0]}) == 0


def frames(levels):
    meter = FlickerMeter()
    for level in levels:
        meter.add(np.full((12, 16), level, np.uint8))
    return meter


def test_flicker_is_told_from_drift():
    assert frames([100, 104] * 6).flickers
    assert not frames(range(100, 112)).flickers or frames(range(100, 112)).share < 0.012
    assert not frames([100] * 12).flickers
    assert not frames([100, 120]).flickers


@pytest.mark.parametrize(("channel", "name"), [(0, "blue"), (1, "green"), (2, "red")])
@pytest.mark.parametrize("level", [0, 255])
def test_a_channel_that_tells_nothing_is_told(picture, channel, name, level):
    """As a camera with a broken cable, or with a wrong format, delivers it."""
    noise = np.random.default_rng(3).normal(0, 2, picture.shape)
    broken = np.clip(picture * 0.7 + noise, 0, 255).astype(np.uint8)
    broken[..., channel] = np.clip(level + noise[..., channel], 0, 255)
    (told,) = light_warnings(measure_white(broken, CORNERS))
    assert "colours of the camera look wrong" in told
    assert f"alike in {name}, " in told
    assert "check the camera's cable" in told


def test_where_paper_is_dark_in_one_colour_it_is_said_what_light_to_use(picture):
    lit = np.asarray(picture * np.array([0.09, 0.7, 0.8]), np.uint8)
    (told,) = light_warnings(measure_white(lit, CORNERS))
    assert "dark in one colour: use white light" in told


def test_the_other_colours_are_balanced_where_one_is_lost(picture):
    broken = np.asarray(picture * np.array([0.0, 0.5, 0.8]), np.uint8)
    paper = measure_white(balanced(broken, measure_white(broken, CORNERS).gains()), CORNERS).paper
    assert paper == pytest.approx([0, 225, 225], abs=4)
