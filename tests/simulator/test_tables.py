"""Random tables: the same seed gives the same picture, and the truth tells where everything is."""

import json

import numpy as np
import pytest

from calibration.markers import MarkerFinder
from companion.simulator.tables import MEASURING, TESTING, TRAINING, khet_table, picture_of, sibling

SEED = TESTING.start + 1
SIZE = (800, 600)


@pytest.fixture(scope="module")
def table_and_picture():
    table = khet_table(SEED, *SIZE)
    return table, picture_of(table)


def test_the_same_seed_gives_the_same_picture(table_and_picture):
    _, picture = table_and_picture
    assert picture.shape == (600, 800, 3)
    assert np.array_equal(picture, picture_of(khet_table(SEED, *SIZE)))


def test_another_seed_gives_another_picture(table_and_picture):
    _, picture = table_and_picture
    other = picture_of(khet_table(SEED + 1, *SIZE))
    assert np.abs(picture.astype(int) - other).mean() > 5


def test_seeds_for_fitting_and_measuring_never_meet():
    assert TRAINING.stop <= MEASURING.start
    assert MEASURING.stop <= TESTING.start


def test_markers_lie_where_the_camera_sees_them(table_and_picture):
    table, picture = table_and_picture
    truth = table.truth()
    found = MarkerFinder().find(picture.mean(axis=2).astype(np.uint8), range(4))
    for marker in truth["markers"]["list"]:
        expected = table.scene.camera.project(np.array(marker["corners_mm"]))
        assert np.abs(found[marker["id"]] - expected).max() < 0.6


def test_the_truth_is_complete_and_plain_json(table_and_picture):
    table, _ = table_and_picture
    truth = json.loads(json.dumps(table.truth()))
    assert {"camera", "markers", "board", "pieces", "surface", "clutter"} <= set(truth)
    assert {"fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3", "R", "t", "width", "height"} <= set(truth["camera"])
    assert truth["pieces"]
    for piece in truth["pieces"]:
        needed = {"kind", "colour", "cell", "cell_name", "facing", "x_mm", "y_mm", "z_mm", "heading_deg", "hull_px"}
        assert needed <= set(piece)
        col, row = piece["cell"]
        assert truth["board"]["grid_top_row_first"][7 - row][col] != "."


def test_a_sibling_shows_the_same_set_on_the_same_board_elsewhere(table_and_picture):
    table, _ = table_and_picture
    other = sibling(table, SEED + 7)
    assert other.style == table.style
    mine, its = table.truth(), other.truth()
    assert mine["board"]["cell_mm"] == its["board"]["cell_mm"]
    assert mine["camera"]["R"] != its["camera"]["R"]
    assert mine["board"]["grid_top_row_first"] != its["board"]["grid_top_row_first"]


def test_a_thick_thing_out_of_the_picture_is_left_out():
    """On this table a coaster lies beyond the picture's edge."""
    assert picture_of(khet_table(MEASURING.start + 143, 400, 300)).shape == (300, 400, 3)
