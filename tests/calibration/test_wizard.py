"""The guided steps, from the first picture to the stored lens."""

import numpy as np
import pytest
from drawn_tables import SMALL, Paint, camera, lens_boards

from calibration.errors import CalibrationError
from calibration.measure_lens import MeasureSettings
from calibration.store import load_lens
from calibration.wizard import Wizard


@pytest.fixture(scope="module")
def board_views():
    return lens_boards(6)


def test_the_whole_way(tmp_path, board_views):
    wizard = Wizard(tmp_path)
    assert wizard.state().step == "lens"
    for number, view in enumerate(board_views, 1):
        assert wizard.see(view).taken == number
    state = wizard.see(board_views[-1])
    assert (state.taken, state.text) == (6, "move the board: nearer, farther, to the edges, tilted")
    assert wizard.next().step == "markers"
    paint = Paint()
    paint.markers()
    state = wizard.see(paint.seen_by(camera(SMALL)))
    assert state.error_mm < 0.6
    assert state.error_px < 0.5
    wizard.save("attic")
    assert load_lens(tmp_path).lens.fx == pytest.approx(SMALL.fx, rel=0.02)
    assert wizard.next().step == "done"


def test_what_is_amiss_with_the_lens_is_still_said_at_the_markers(tmp_path, board_views):
    wizard = Wizard(tmp_path)
    for view in board_views:
        wizard.see(view)
    said = wizard.next().warnings
    assert any("only 6 pictures" in warning for warning in said)
    paint = Paint()
    paint.markers()
    assert set(said) <= set(wizard.see(paint.seen_by(camera(SMALL))).warnings)


def test_what_is_still_good_to_have_is_said_in_words(tmp_path, board_views):
    wizard = Wizard(tmp_path, settings=MeasureSettings(good_pictures=3))
    said = [wizard.see(view).text for view in board_views[:3]]
    assert said == ["taken; 2 more are good to have", "taken; 1 more is good to have", "taken; that is enough"]


def test_too_few_pictures_keep_the_step(tmp_path, board_views):
    wizard = Wizard(tmp_path)
    wizard.see(board_views[0])
    with pytest.raises(CalibrationError, match="at least 4"):
        wizard.next()
    with pytest.raises(CalibrationError, match="no lens was measured"):
        wizard.save()
    assert wizard.state().step == "lens"


def test_useless_pictures_are_told(tmp_path, board_views):
    wizard = Wizard(tmp_path)
    assert "dark" in wizard.see(np.zeros((60, 80, 3), np.uint8)).text
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3)).astype(np.uint8)
    assert "not seen" in wizard.see(noise).text
    wizard.see(board_views[0])
    assert "400x300 pixels, and the first one 800x600: all need one size" in wizard.see(noise).text


def test_skipping_the_lens_guesses_it(tmp_path):
    wizard = Wizard(tmp_path)
    assert wizard.skip().step == "markers"
    with pytest.raises(CalibrationError):
        wizard.next()
    paint = Paint()
    paint.markers(skip=(0, 1))
    assert "0 (top left), 1 (top right)" in wizard.see(paint.seen_by(camera(SMALL))).text
    paint.markers()
    assert "fit within" in wizard.see(paint.seen_by(camera(SMALL))).text
    assert wizard.next().step == "done"
