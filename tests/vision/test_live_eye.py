"""The eye at a table that is watched: what rests, what moves, hands, bumps and lamps."""

import dataclasses
import re
import zlib

import cv2
import numpy as np
import pytest
from drawn_tables import KHET, LYING, SMALL, camera, khet_table, with_noise
from red_reader import MARKERS, POSE, RED, RedReader, eye, frame, red_cells

from companion.pieces import Piece
from companion.view import BoardPose
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame


@pytest.fixture(scope="module")
def table():
    return khet_table(POSE, pieces={"a1": RED, "e4": RED, "j8": RED})


def watched(reader, images, step=0.5):
    """A live eye that has been shown the pictures, each after half a second; returns the eye and its views."""
    live = eye(reader, live=True)
    return live, [live.read(frame(image, step * i)) for i, image in enumerate(images)]


def test_the_first_frames_wait_until_the_table_rests(table):
    _, views = watched(RedReader(), [table] * 3)
    assert views[0].obstacles == ("settling",)
    assert views[1].clear


def test_a_lesson_is_given_on_a_table_that_rests(table):
    live = eye(RedReader(), live=True)
    live.teach(frame(table, 3.0), {"a1": Piece("pyramid", "red")})
    assert live.read(frame(table, 3.0)).clear
    assert live.read(frame(table, 3.5)).clear
    assert live.read(frame(table, 9.0)).obstacles == ("settling",)


def test_only_cells_that_changed_are_read_again(table):
    reader = RedReader()
    after = khet_table(POSE, pieces={"a1": RED, "e5": RED, "j8": RED})
    _, views = watched(reader, [table, table, after, after, after])
    assert views[2].obstacles == ("moving",)
    assert red_cells(views[4]) == ["a1", "e5", "j8"]
    assert len(reader.read_cells[0]) == 80
    assert {"e4", "e5"} <= set(reader.read_cells[1])
    assert len(reader.read_cells[1]) <= 15


def test_all_cells_are_read_again_after_a_while(table):
    reader = RedReader()
    watched(reader, [table] * 9, step=2.0)
    assert [len(cells) for cells in reader.read_cells] == [80, 80]


def test_an_arm_that_rests_over_the_table_blocks_the_view(table):
    arm = table.copy()
    cv2.rectangle(arm, (380, 350), (450, 599), (150, 180, 215), -1)
    cv2.circle(arm, (415, 340), 45, (150, 180, 215), -1)
    _, views = watched(RedReader(), [table, table, arm, arm, arm, table, table])
    assert [v.obstacles for v in views[2:]] == [("moving",), ("hand",), ("hand",), ("moving",), ()]
    assert red_cells(views[-1]) == ["a1", "e4", "j8"]


def test_an_arm_over_the_markers_is_a_hand_and_not_missing_markers(table):
    arm = table.copy()
    cv2.rectangle(arm, (560, 80), (760, 599), (150, 180, 215), -1)
    cv2.rectangle(arm, (60, 380), (620, 560), (150, 180, 215), -1)
    _, views = watched(RedReader(), [table, table, arm, arm])
    assert views[3].obstacles == ("hand",)


def test_a_camera_that_looks_elsewhere_misses_the_markers(table):
    _, views = watched(RedReader(), [table, table, *[np.roll(table[::-1], 170, axis=1)] * 2])
    assert views[3].obstacles == ("markers",)


def test_a_bumped_camera_is_noticed_and_corrected(table):
    pose = camera(SMALL, height=790.0, tilt=(5.0, -2.0), turn=3.5)
    bumped = khet_table(pose, pieces={"a1": RED, "e4": RED, "j8": RED})
    live, views = watched(RedReader(), [table, table, bumped, bumped, bumped])
    assert views[2].obstacles == ("moving",)
    assert views[3].obstacles == ("moved",)
    assert "camera was moved" in views[3].warnings[0]
    assert red_cells(views[4]) == ["a1", "e4", "j8"]
    assert views[4].warnings == ()
    assert np.allclose(live.last.place.pose.position_mm, pose.position_mm, atol=1.5)


def test_still_views_from_another_place_are_read_at_once(table):
    still = eye(RedReader())
    still.read(frame(table))
    other = khet_table(camera(SMALL, height=790.0, tilt=(5.0, -2.0), turn=3.5), pieces={"c5": RED})
    view = still.read(frame(other))
    assert red_cells(view) == ["c5"]
    assert any("camera was moved" in warning for warning in view.warnings)


def test_a_pushed_board_is_found_again(table):
    pushed = BoardPose(16.0, 3.0, -2.0)
    moved = khet_table(POSE, board=pushed, pieces={"a1": RED, "e4": RED, "j8": RED})
    _, views = watched(RedReader(), [table, table, moved, moved, moved])
    assert views[-1].board.x_mm == pytest.approx(16.0, abs=0.4)
    assert views[-1].board.rotation_deg == pytest.approx(-2.0, abs=0.1)
    assert red_cells(views[-1]) == ["a1", "e4", "j8"]


@pytest.mark.parametrize("push", [(7, -10, 0), (7, -10, 1), (-28, 0, 1), (12, 5, -1), (0, 15, 0.5), (20, 12, 2)])
def test_of_a_board_that_was_pushed_half_the_lines_may_fit_where_it_lay(table, push):
    pushed = BoardPose(*np.add((LYING.x_mm, LYING.y_mm, LYING.rotation_deg), push))
    moved = khet_table(POSE, board=pushed, pieces={"a1": RED, "e4": RED, "j8": RED})
    for live in (True, False):
        finder = eye(RedReader(), live=live)
        for at, image in enumerate([table, table, table, moved, moved, moved]):
            view = finder.read(frame(image, 0.5 * at))
        assert (view.board.x_mm, view.board.y_mm) == pytest.approx((pushed.x_mm, pushed.y_mm), abs=0.5)
        assert red_cells(view) == ["a1", "e4", "j8"]


@pytest.mark.parametrize("slip", [0.955, 0.97, 1.03, 1.045])
def test_a_board_measured_wrongly_is_read_told_and_found_again(table, slip):
    described = dataclasses.replace(KHET, cell_mm=KHET.cell_mm * slip)
    pushed = BoardPose(16.0, 3.0, -2.0)
    moved = khet_table(POSE, board=pushed, pieces={"a1": RED, "e4": RED, "j8": RED})
    live = Eye(EyeSettings(live=True), SMALL, MARKERS, described, RedReader())
    for at, image in enumerate([table, table, table, moved, moved, moved]):
        view = live.read(frame(image, 0.5 * at))
    once = Eye(EyeSettings(), SMALL, MARKERS, described, RedReader()).read(frame(table))
    for seen, lying in ((once, LYING), (view, pushed)):
        assert red_cells(seen) == ["a1", "e4", "j8"]
        assert (seen.board.x_mm, seen.board.y_mm) == pytest.approx((lying.x_mm, lying.y_mm), abs=0.4)
        assert any(re.match(r"cells measure 3(7\.9|8\.0) mm, not", warning) for warning in seen.warnings)


@pytest.mark.parametrize("slip", [0.97, 1.0, 1.03])
@pytest.mark.parametrize("line", [80, 86])
def test_a_board_measured_wrongly_is_told_though_its_lines_are_hardly_seen(slip, line):
    described = dataclasses.replace(KHET, cell_mm=KHET.cell_mm * slip)
    faint = khet_table(POSE, line=(line,) * 3, line_mm=1.0, pieces={"a1": RED, "e4": RED, "j8": RED})
    view = Eye(EyeSettings(), SMALL, MARKERS, described, RedReader()).read(frame(with_noise(faint, 2, 6.0)))
    assert red_cells(view) == ["a1", "e4", "j8"]
    assert (view.board.x_mm, view.board.y_mm) == pytest.approx((LYING.x_mm, LYING.y_mm), abs=0.5)
    assert any(re.match(r"cells measure 38\.[01] mm, not", warning) for warning in view.warnings) is (slip != 1)


def test_noise_does_not_shake_the_cells(table):
    noisy = [with_noise(table, seed) for seed in range(4)]
    live = eye(RedReader(), live=True)
    live.read(frame(table, 0.0))
    cutters = set()
    for i, image in enumerate(noisy):
        assert live.read(frame(image, 0.5 * i + 0.5)).clear
        cutters.add(id(live.last.cutter))
    assert len(cutters) == 1


def test_a_camera_that_hangs_is_noticed(table):
    live = eye(RedReader(), live=True)
    checksum = zlib.crc32(table)
    views = [live.read(frame(table, 0.5 * i, checksum=checksum)) for i in range(9)]
    assert views[1].clear
    assert views[-1].obstacles == ("frozen",)
    assert live.read(frame(table, 5.0, checksum=checksum + 1)).clear


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (240, 320, 3)])
def test_an_odd_small_picture_does_no_harm(table, shape):
    live = eye(RedReader(), live=True)
    views = [live.read(Frame(table, np.zeros(shape, np.uint8), 0.5 * i, 0)) for i in range(4)]
    assert views[-1].clear


def test_a_flickering_lamp_is_told(table):
    bright = cv2.convertScaleAbs(table, alpha=1.04)
    _, views = watched(RedReader(), [table, bright] * 8)
    assert any("flickers" in warning for warning in views[-1].warnings)
