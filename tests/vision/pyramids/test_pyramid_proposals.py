"""What the network proposes over a whole table, and how labelled pieces are laid for teaching."""

from dataclasses import replace

import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.pieces import PYRAMID_HEIGHT_MM, Piece
from companion.view import Sighting
from companion.vision.ground.foreground import see_ground
from companion.vision.pyramids import proposals as pyramid_proposals
from companion.vision.pyramids.fit import settled
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.labels import labelled, laid_out, picture_of
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.proposals import (
    ANSWERS,
    DETAIL_SPAN,
    HEAT,
    LYING,
    MIDDLE,
    PLANES,
    SHIFT,
    STRIDE,
    UPRIGHT,
    ProposalSettings,
    fine_detail,
    in_zone,
    lean_over,
    peaks,
    planes_of,
    propose,
    region_round,
    shipped_proposals,
)
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES, TIP_RISE_MM
from companion.vision.pyramids.windows import windows_of
from companion.vision.weights import WEIGHTS

PIECES = (
    ("red", "large", "lying", -60.0, 10.0, 25.0),
    ("blue", "medium", "upright", 50.0, -20.0, 40.0),
    ("green", "small", "on", 0.0, 0.0, 0.0),
)


@pytest.fixture(scope="module")
def ground():
    return see_ground(table_picture(on_table(PIECES), 1))


def answers_with(ground, kind, row, col, shift=(0.0, 0.0), turn=0.0, heat=4.0):
    answers = np.zeros((ANSWERS, 60, 70), np.float32)
    answers[HEAT] = -9.0
    answers[kind, row, col] = heat
    answers[SHIFT, row, col] = shift
    part, times = (UPRIGHT, 4) if CLASSES[kind][1] == "upright" else (LYING, 1)
    answers[part, row, col] = np.cos(np.radians(turn * times)), np.sin(np.radians(turn * times))
    return answers


def test_a_peak_of_heat_is_a_piece_at_its_place(ground):
    lying = CLASSES.index(("large", "lying"))
    found = peaks(answers_with(ground, lying, 20, 30, (0.25, -0.25), 200.0), ground, ProposalSettings())
    assert found.kind.tolist() == [lying]
    coarse = np.array([30.75, 20.25]) * STRIDE - 0.5
    half = ground.settings.coarse
    assert found.place[0, :2] == pytest.approx(ground.to_mm(coarse * half + (half - 1) / 2))
    assert found.place[0, 2] % 360 == pytest.approx(200.0, abs=0.01)
    assert found.heat[0] == pytest.approx(1 / (1 + np.exp(-4.0)), rel=1e-4)


def test_an_upright_piece_looks_the_same_after_a_quarter_turn(ground):
    standing = CLASSES.index(("small", "upright"))
    found = peaks(answers_with(ground, standing, 5, 6, turn=100.0), ground, ProposalSettings())
    assert found.place[0, 2] % 90 == pytest.approx(10.0, abs=0.01)


def test_cold_cells_propose_nothing_and_other_classes_at_a_peak_are_kept(ground):
    assert not len(peaks(answers_with(ground, 0, 5, 6, heat=-5.0), ground, ProposalSettings()).kind)
    both = answers_with(ground, 1, 5, 6)
    both[4, 5, 6] = -2.4  # less than the least of a peak, more than that beside one
    assert sorted(peaks(both, ground, ProposalSettings()).kind.tolist()) == [1, 4]


def test_the_lean_is_nought_under_the_camera_and_grows_with_the_distance(ground):
    lean = lean_over(ground, ground.log.shape[:2])
    at = np.rint(ground.fine_px(ground.camera[:2]) / ground.settings.coarse).astype(int)
    assert np.abs(lean[:, at[1], at[0]]).max() < 0.003
    right = np.rint(ground.fine_px(ground.camera[:2] + np.array([100.0, 50.0])) / ground.settings.coarse).astype(int)
    assert lean[:, right[1], right[0]] == pytest.approx(np.array([100.0, 50.0]) / ground.camera[2], abs=0.003)


def test_fine_detail_is_what_the_coarse_pixels_leave_out():
    picture = np.full((12, 16, 3), 90, np.uint8)
    assert (fine_detail(picture) == MIDDLE).all()
    picture[5, 7] = 105  # the lower right of the coarse pixel (2, 3)
    detail = fine_detail(picture).astype(int) - int(MIDDLE)
    assert detail[5, 7] > 30
    assert detail[4:6, 6:8].sum() == pytest.approx(0, abs=3)
    detail[4:6, 6:8] = 0
    assert not detail.any()


def test_the_network_is_given_the_four_fine_pixels_of_each_coarse_one():
    detail = np.full((12, 16), int(MIDDLE), np.uint8)
    detail[4, 7] += int(DETAIL_SPAN)  # the upper right of the four
    planes = planes_of(np.full((6, 8, 3), int(MIDDLE), np.uint8), np.zeros((2, 6, 8), np.float32), detail)
    assert planes.shape == (PLANES, 6, 8)
    assert [tuple(int(v) for v in at) for at in np.argwhere(planes)] == [(PLANES - 3, 2, 3)]
    assert planes[PLANES - 3, 2, 3] == pytest.approx(1.0)


def test_a_region_round_places_holds_them_and_their_margin(ground):
    settings = ProposalSettings(margin_mm=20.0)
    region = region_round(ground, np.array([(-60.0, 10.0), (50.0, -20.0)]), settings)
    half = ground.settings.coarse
    low = ground.to_mm(np.array([region.x, region.y]) * half)
    high = ground.to_mm((np.array([region.x, region.y]) + region.size_px) * half)
    assert low == pytest.approx([-80.0, 30.0], abs=2.5)
    assert high == pytest.approx([70.0, -40.0], abs=2.5)


def windows_round(ground, at):
    """The windows round one place."""
    return windows_of(ground, [region_round(ground, np.array([at]), ProposalSettings())], SearchSettings())


def test_hypotheses_that_come_to_lie_alike_are_one(ground):
    windows = windows_round(ground, (-60.0, 10.0))
    kind = CLASSES.index(("large", "lying"))
    rough = Hypotheses(
        np.full(3, kind),
        np.array([(-60.0, 10.0, 25.0, 0.0), (-61.5, 11.0, 29.0, 0.0), (-30.0, 60.0, 90.0, 0.0)]),
        np.zeros(3, np.intp),
    )
    left = settled(windows, rough, SearchSettings())
    assert len(left) == 2
    assert np.hypot(*(left.place[0, :2] - (-60.0, 10.0))) < 2.0  # the one on the piece fits best


def test_a_labelled_piece_on_another_is_learned_where_it_lies(ground):
    labels = [
        Sighting(((Piece("pyramid", "blue", "medium", "upright"), 1.0),), x_mm=50.0, y_mm=-20.0),
        Sighting(((Piece("pyramid", "green", "small", "upright"), 1.0),), x_mm=50.0, y_mm=-20.0, nested_on=0),
    ]
    windows = windows_round(ground, (50.0, -20.0))
    lower, upper = laid_out(windows, list(labelled(labels)), PyramidSettings())
    heights = PYRAMID_HEIGHT_MM["medium"], PYRAMID_HEIGHT_MM["small"]
    assert lower.place[0, 3] == 0.0
    assert upper.place[0, 3] == pytest.approx(heights[0] + TIP_RISE_MM - heights[1])
    assert np.hypot(*(upper.place[0, :2] - (50.0, -20.0))) < 2.0


def test_the_picture_of_a_taught_piece_shows_it_whole(ground):
    red = Sighting(((Piece("pyramid", "red", "large", "lying"), 1.0),), x_mm=-60.0, y_mm=10.0, heading_deg=25.0)
    windows = windows_round(ground, (-60.0, 10.0))
    (laid,) = laid_out(windows, list(labelled([red])), PyramidSettings())
    (outline,) = outlines_of(ground, laid)
    shown = picture_of(ground, outline, PyramidSettings().picture_px).astype(int)
    redder = shown[..., 2] - shown[..., 1] > 60
    rim = np.ones(shown.shape[:2], bool)
    rim[1:-1, 1:-1] = False
    assert redder.sum() > 400
    assert not redder[rim].any()


@pytest.mark.skipif(not (WEIGHTS / "pyramid_proposals.onnx").exists(), reason="the network is not here")
def test_the_network_proposes_every_piece_that_stands_on_the_table(ground):
    found = propose(ground, shipped_proposals(), ProposalSettings())
    for _, size, pose, x, y, heading in PIECES[:2]:
        near = (found.kind == CLASSES.index((size, pose))) & (
            np.hypot(found.place[:, 0] - x, found.place[:, 1] - y) < 5
        )
        turned = np.abs((found.place[near, 2] - heading + 45) % 90 - 45)
        assert near.any()
        assert turned.min() < 20
    assert len(found.kind) < 80


@pytest.mark.parametrize("at", [(50.0, -20.0), (-60.0, 10.0), (-235.0, 150.0), (240.0, -160.0)])
def test_in_a_zone_the_same_is_proposed_as_on_the_whole_table(ground, at, monkeypatch):
    col, row = np.rint(ground.fine_px(np.array(at)) / ground.settings.coarse).astype(int)
    zone = np.zeros(ground.log.shape[:2], bool)
    zone[row - 25 : row + 25, col - 30 : col + 30] = True
    looked_at, seen = replace(ground, zone=zone), []
    network, s = shipped_proposals(), ProposalSettings()
    answers = network.answers
    monkeypatch.setattr(network, "answers", lambda planes: seen.append(planes.shape) or answers(planes))
    whole, part = (in_zone(looked_at, propose(one, network, s)) for one in (ground, looked_at))
    assert seen[1][1] * seen[1][2] < seen[0][1] * seen[0][2] / 2
    assert part.place == pytest.approx(whole.place, abs=0.01)
    assert part.heat == pytest.approx(whole.heat, abs=1e-3)
    assert (part.kind == whole.kind).all()


def test_without_its_weights_nothing_is_proposed(without_weights):
    without_weights(pyramid_proposals, shipped_proposals)
    assert shipped_proposals() is None
