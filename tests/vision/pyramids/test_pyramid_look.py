"""The network's second opinion on pyramids: what it is shown, and what it says."""

import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.vision.ground.foreground import see_ground
from companion.vision.pyramids.choice import best_set
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.look import (
    ALL,
    EMBEDDED,
    LookNetwork,
    columns_of,
    mean_of,
    moved_by,
    shipped_look,
    views,
)
from companion.vision.pyramids.patches import (
    CHANNELS,
    COVERED,
    MIDDLE,
    SIDE_PX,
    PatchSettings,
    patches,
    patches_of,
)
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.score import features
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.windows import windows_of
from companion.vision.weights import WEIGHTS

needs_weights = pytest.mark.skipif(not (WEIGHTS / "pyramid_look.onnx").exists(), reason="the network is not here")

PIECES = (("red", "large", "lying", -60.0, 10.0, 25.0), ("blue", "medium", "upright", 50.0, -20.0, 40.0))


def laid(*places):
    """(class, x, y, heading) as hypotheses of the first window."""
    kinds = [CLASSES.index(kind) for kind, *_ in places]
    return Hypotheses(np.array(kinds), np.array([[*place, 0.0] for _, *place in places]), np.zeros(len(kinds), np.intp))


@pytest.fixture(scope="module")
def windows():
    ground = see_ground(table_picture(on_table(PIECES), 1))
    region = max(ground.regions, key=lambda r: r.area_mm2)  # the large lying one
    return windows_of(ground, [region], SearchSettings())


def test_a_patch_shows_the_piece_in_its_own_frame_and_as_it_would_be(windows):
    true = laid((("large", "lying"), -60.0, 10.0, 25.0))
    (patch,) = patches(windows, true, None, PatchSettings())
    assert patch.shape == (CHANNELS, SIDE_PX, SIDE_PX)
    inside, base, tip = patch[3] > 128, patch[5] == 128, patch[5] == 255
    assert np.nonzero(tip)[1].mean() > np.nonzero(base)[1].mean() + SIDE_PX / 4  # it points to the right
    away = np.abs(patch[:3].astype(float) - MIDDLE).max(axis=0)
    assert np.median(away[inside]) > 3 * np.median(away[patch[3] == 0])  # the piece is where it is drawn
    turned = laid((("large", "lying"), -60.0, 10.0, 115.0))
    (other,) = patches(windows, turned, None, PatchSettings())
    assert np.median(np.abs(other[:3].astype(float) - MIDDLE).max(axis=0)[inside]) < np.median(away[inside])
    drawn = patch[4] > 200  # the outline: there the edges are
    assert np.median(patch[7][drawn]) > 1.5 * np.median(patch[7][patch[3] == 0])
    assert not patch[6].any()
    (carried,) = patches(windows, true, turned, PatchSettings())
    assert carried[6].any()


def test_patches_of_a_stack_show_what_carries_each_piece_and_what_lies_on_it(windows):
    lower, upper = (("large", "upright"), -60.0, 10.0, 25.0), (("small", "upright"), -60.0, 10.0, 25.0)
    found = laid(lower, upper, (("large", "lying"), -60.0, 10.0, 25.0))
    top = outlines_of(windows.ground, found)[1]
    below, above, alone = patches_of(windows, found, (None, 0, None), {0: [top]}, PatchSettings())
    covered = below[6] == COVERED
    assert 0.03 < covered.mean() < 0.5 * (below[3] > 128).mean()
    assert (below[3] > 128)[covered].all()  # it lies within the piece
    assert above[6].any()
    assert not (above[6] == COVERED).any()
    assert not alone[6].any()


@needs_weights
def test_the_network_prefers_the_true_size_and_pose(windows):
    tried = laid(
        (("large", "lying"), -60.0, 10.0, 25.0),
        (("medium", "lying"), -60.0, 10.0, 25.0),
        (("large", "lying"), -60.0, 10.0, 60.0),
        (("large", "lying"), -54.0, 10.0, 25.0),
    )
    columns = columns_of(features(windows, tried, SearchSettings()), None, tried.kind)
    said = shipped_look().look(patches(windows, tried, None, PatchSettings()), columns, tried.kind)
    assert said.odds[0] > 2.0
    assert (said.odds[1:] < 0.0).all()


def test_a_mirror_shows_every_piece_and_upright_ones_are_turned_too():
    upright, lying = CLASSES.index(("small", "upright")), CLASSES.index(("small", "lying"))
    shown = np.arange(32, dtype=np.uint8).reshape(2, 1, 4, 4)
    seen, rows = views(shown, np.array([upright, lying]))
    assert rows.tolist() == [0, 1, 0, 0]
    assert (seen[:2] == shown[:, :, ::-1]).all()
    assert (seen[2] == shown[0, :, :, ::-1]).all()
    assert (seen[3] == shown[0].transpose(0, 2, 1)).all()


class BrightAbove:
    """Convolutions that tell nothing but the brightness of a patch's upper half."""

    def embedded(self, patches):
        told = np.zeros((len(patches), EMBEDDED), np.float32)
        told[:, 0] = patches[:, 0, : SIDE_PX // 2].mean(axis=(1, 2))
        return told


def test_what_is_doubtful_is_looked_at_in_a_mirror_and_what_is_sure_only_if_that_is_asked_for():
    layer = np.zeros((EMBEDDED + 1, 4), np.float32)
    layer[0, 0] = 1.0
    nothing = np.zeros((1, 1), np.float32)
    arrays = {"right_0": layer, "right_0_bias": np.zeros(4, np.float32), "column_mean": nothing}
    network = LookNetwork(BrightAbove(), arrays | {"column_spread": nothing + 1})
    shown = np.zeros((2, CHANNELS, SIDE_PX, SIDE_PX), np.uint8)
    shown[0, 0, : SIDE_PX // 2], shown[0, 0, SIDE_PX // 2 :] = 3, 1
    shown[1, 0, : SIDE_PX // 2], shown[1, 0, SIDE_PX // 2 :] = 9, 1
    lying = np.full(2, CLASSES.index(("small", "lying")))
    assert network.look(shown, np.zeros((2, 1)), lying).odds == pytest.approx([2.0, 9.0])
    assert network.look(shown, np.zeros((2, 1)), lying, ALL).odds == pytest.approx([2.0, 5.0])


def test_all_views_of_a_piece_count_alike():
    told = mean_of(np.array([[3.0], [5.0]]), np.array([[1.0], [7.0], [2.0]]), np.array([0, 1, 0]))
    assert told.ravel() == pytest.approx([2.0, 6.0])


def test_what_is_seen_a_little_off_is_moved_along_its_heading():
    there = moved_by(laid((("small", "lying"), 10.0, 0.0, 90.0)), np.array([[0.1, 0.0, 3.0]]))
    assert there.place[0] == pytest.approx([10.0, 1.429, 93.0, 0.0], abs=1e-3)


@needs_weights
def test_pieces_flush_against_their_own_colour_are_measured_where_they_lie():
    flush = (("blue", "large", "upright", 60.0, 40.0, 0.0), ("blue", "large", "lying", 60.0, 4.2, 270.0))
    pieces = (*flush, ("blue", "medium", "upright", -50.0, -40.0, 20.0))
    found = PyramidFinder().find(see_ground(table_picture(on_table(pieces), 0, "felt")))
    seen = {(f.sighting.piece.size, f.sighting.piece.pose): f.sighting for f in found}
    for _, size, pose, x, y, _ in pieces:
        assert np.hypot(seen[size, pose].x_mm - x, seen[size, pose].y_mm - y) < 1.0


def test_two_pieces_that_together_are_worth_more_replace_one_that_excludes_both():
    foes = {0: {1, 2}, 1: {0}, 2: {0}, 3: set()}
    assert best_set([0, 1, 2, 3], foes, np.array([3.0, 2.5, 2.0, 1.0])) == [1, 2, 3]
    assert best_set([0, 1, 2, 3], foes, np.array([5.0, 2.5, 2.0, 1.0])) == [0, 3]


def test_without_its_weights_there_is_no_second_opinion(own_weights):
    assert shipped_look() is None
    assert len(PyramidFinder().find(see_ground(table_picture(on_table(PIECES), 1)))) == len(PIECES)
