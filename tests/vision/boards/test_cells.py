"""Cells cut out of pictures."""

import numpy as np
import pytest
from drawn_tables import KHET, LYING, camera, khet_table

from companion.view import BoardPose, BoardShape
from companion.vision.boards.cells import CellCutter, CellSettings, cell_centres, plane_map, to_board, to_table

POSE = camera(tilt=(11.0, -8.0))
RED, BLUE = (40, 40, 190), (190, 60, 40)


@pytest.fixture(scope="module")
def patches():
    cutter = CellCutter(POSE, LYING, KHET)
    image = khet_table(POSE, pieces={"a1": RED, "j8": BLUE, "e3": RED})
    return cutter.patches(cutter.flat(image))


def middle(patch):
    at = (len(patch) - 1) / 2
    return patch[round(at + 5) : round(at + 15), round(at - 15) : round(at - 5)].mean(axis=(0, 1))


def test_every_cell_shows_what_stands_on_it(patches):
    assert patches.pixels.shape == (80, 96, 96, 3)
    assert patches.cells[:2] == ("a1", "b1")
    assert patches.cells[-1] == "j8"
    seen = {cell: middle(patch) for cell, patch in zip(patches.cells, patches.pixels, strict=True)}
    assert seen["a1"] == pytest.approx(RED, abs=25)
    assert seen["e3"] == pytest.approx(RED, abs=25)
    assert seen["j8"] == pytest.approx(BLUE, abs=25)
    assert seen["b2"] == pytest.approx((90, 90, 92), abs=12)


def test_up_is_north_in_every_patch(patches):
    patch = patches.named(["e3"]).pixels[0]
    assert patch[30, 66].sum() < 0.7 * patch[66, 30].sum()  # the upper right half is painted darker


def test_a_chosen_few_stay_in_order(patches):
    few = patches.only([79, 0])
    assert few.cells == ("j8", "a1")
    assert len(few) == 2
    assert few.lean.shape == (2, 2)
    with pytest.raises(KeyError):
        patches.named(["k9"])


@pytest.mark.parametrize("height", [10.0, 30.0])
def test_the_lean_is_how_far_a_high_point_is_shifted(height):
    shape = BoardShape(10, 8, 38.0, 10.0, 4.0)
    cutter = CellCutter(POSE, LYING, shape)
    cut = cutter.patches(cutter.flat(khet_table(POSE)))
    foot = to_table(cell_centres(shape), LYING)
    top = np.hstack([foot, np.full((80, 1), shape.thickness_mm + height)])
    seen = to_board(POSE.to_table(POSE.project(top), shape.thickness_mm), LYING)
    expected = cut.lean * height / (1 - height / cut.camera_height_mm)
    assert np.allclose(seen - cell_centres(shape), expected, atol=0.01)


@pytest.mark.parametrize("lattice", [6, 12])
def test_the_mapping_is_exact_to_a_fiftieth_of_a_pixel(lattice):
    x, y = plane_map(POSE, BoardPose(10.0, -5.0, 12.0), 3.0, (301, 200), 1.0, lattice)
    u, v = np.meshgrid(np.arange(301), np.arange(200))
    points = np.stack([u + 0.5 - 150.5, 100 - v - 0.5], axis=-1).reshape(-1, 2)
    table = np.hstack([to_table(points, BoardPose(10.0, -5.0, 12.0)), np.full((len(points), 1), 3.0)])
    exact = POSE.project(table).reshape(200, 301, 2)
    assert np.abs(exact[..., 0] - x).max() < 0.02
    assert np.abs(exact[..., 1] - y).max() < 0.02


def test_blown_out_pixels_are_marked():
    cutter = CellCutter(POSE, LYING, KHET, CellSettings())
    flat = cutter.flat(khet_table(POSE))
    flat[18 + 7 * 60 + 20 : 18 + 7 * 60 + 30, 18 + 20 : 18 + 30] = 255
    cut = cutter.patches(flat)
    assert cut.named(["a1"]).glare.sum() >= 100
    assert not cut.named(["e5"]).glare.any()


def test_gains_balance_the_patches_only():
    cutter = CellCutter(POSE, LYING, KHET)
    flat = cutter.flat(khet_table(POSE))
    before = flat.copy()
    plain, bright = cutter.patches(flat), cutter.patches(flat, np.array([1.5, 1.0, 0.5]))
    assert (flat == before).all()
    assert bright.pixels[..., 0].mean() == pytest.approx(1.5 * plain.pixels[..., 0].mean(), rel=0.02)
    assert bright.pixels[..., 2].mean() == pytest.approx(0.5 * plain.pixels[..., 2].mean(), rel=0.02)


def test_board_and_table_are_inverse():
    points = np.array([(3.0, 4.0), (-100.0, 50.0)])
    assert np.allclose(to_board(to_table(points, BoardPose(7.0, -3.0, 33.0)), BoardPose(7.0, -3.0, 33.0)), points)
