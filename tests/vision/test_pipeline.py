"""The whole eye with a reader of its own: from frames to views, and what stands in the way."""

import dataclasses
import re
import zlib

import cv2
import numpy as np
import pytest
from drawn_tables import KHET, LENS, LYING, SMALL, Paint, camera, khet_table, with_noise
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from calibration.errors import CalibrationError
from calibration.table import TableMarkers
from companion.pieces import EMPTY, Piece
from companion.view import BoardPose, BoardShape
from companion.vision.errors import OBSTACLES, ObstructedView
from companion.vision.picture import small_grey
from companion.vision.pipeline import Eye
from companion.vision.reader import CellReading
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

POSE = camera(SMALL)
RED = (40, 40, 190)
MARKERS = TableMarkers()


class RedReader:
    """Knows one thing: whether a cell is red."""

    def __init__(self, half_turn=0.0):
        self.read_cells, self.learned, self.half_turn = [], None, half_turn

    def read(self, patches):
        self.read_cells.append(list(patches.cells))
        inner = patches.pixels[:, 52:64, 32:44].astype(float).mean(axis=(1, 2))
        red = inner[:, 2] > 1.5 * inner[:, 1]
        return [CellReading(((Piece("pyramid", "red") if r else EMPTY, 0.99),)) for r in red]

    def learn(self, patches, labels):
        self.learned = (patches.cells, dict(labels))

    def turned(self, patches):
        return self.half_turn


class GreyReader(RedReader):
    """Tells light from dark."""

    in_grey = True


def frame(image, at=0.0, name=None, checksum=0):
    return Frame(image, small_grey(image), at, 0, checksum, name)


def red_cells(view):
    return sorted(s.cell for s in view.pieces())


def eye(reader=None, live=False, **how):
    return Eye(EyeSettings(live=live), SMALL, MARKERS, KHET, reader, **how)


@pytest.fixture(scope="module")
def table():
    return khet_table(POSE, pieces={"a1": RED, "e4": RED, "j8": RED})


def test_a_picture_becomes_a_view(table):
    view = eye(RedReader()).read(frame(table, 7.0, "000.jpg"))
    assert view.clear
    assert red_cells(view) == ["a1", "e4", "j8"]
    assert (view.taken_s, view.image, view.markers_found) == (7.0, "000.jpg", 4)
    assert view.warnings == ()
    assert {"picture", "markers", "board", "pieces"} <= set(view.stages)
    assert view.board.x_mm == pytest.approx(LYING.x_mm, abs=0.4)
    assert view.board.rotation_deg == pytest.approx(LYING.rotation_deg, abs=0.1)
    e4 = view.by_cell()["e4"]
    at = POSE.project([(e4.x_mm, e4.y_mm, 0.0)])[0]
    assert (e4.x_px, e4.y_px) == pytest.approx(tuple(at), abs=0.5)


def test_a_board_whose_pose_is_given_is_not_searched(table):
    view = eye(RedReader(), board=LYING).read(frame(table))
    assert view.board == LYING
    assert red_cells(view) == ["a1", "e4", "j8"]


def test_a_board_the_other_way_round_is_turned(table):
    reader = RedReader(half_turn=9.0)
    view = eye(reader).read(frame(table))
    assert view.board.rotation_deg == pytest.approx(LYING.rotation_deg - 180, abs=0.1)
    assert red_cells(view) == ["a1", "f5", "j8"]
    assert eye(RedReader(half_turn=1.0)).read(frame(table)).board.rotation_deg == pytest.approx(1.5, abs=0.1)


def test_dragged_corners_need_no_markers():
    paint = Paint()
    paint.board(KHET, LYING)
    paint.piece(KHET, LYING, "c3", RED)
    image = paint.seen_by(POSE)
    half = np.array([KHET.cols, KHET.rows]) * KHET.cell_mm / 2
    angle = np.deg2rad(LYING.rotation_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    field = (half * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])) @ turn.T + (LYING.x_mm, LYING.y_mm)
    dragged = POSE.project(field) + np.array([(1.5, -1.0), (-1.0, 1.5), (1.0, 1.0), (-1.5, -1.0)])
    view = Eye(EyeSettings(), None, MARKERS, KHET, RedReader(), corners=dragged).read(frame(image))
    assert red_cells(view) == ["c3"]
    assert view.board is None
    c3 = view.by_cell()["c3"]
    assert (c3.x_mm, c3.y_mm) == (None, None)
    true = POSE.project((np.array([(-2.5, -1.5)]) * 38) @ turn.T + (LYING.x_mm, LYING.y_mm))[0]
    assert (c3.x_px, c3.y_px) == pytest.approx(tuple(true), abs=2.0)


@pytest.mark.parametrize(
    "corners",
    [[(0, 0)] * 4, [(0, 0), (0, 100), (100, 100), (100, 0)], [(0, 0), (9, 9)], [(0, 0), (1e999, 0), (9, 9), (0, 9)]],
)
def test_corners_that_span_no_field_are_refused(corners):
    with pytest.raises(CalibrationError, match="corners_px"):
        eye(corners=np.array(corners, dtype=float))


def test_a_lens_of_another_size_is_scaled(table):
    view = Eye(EyeSettings(), LENS, MARKERS, KHET, RedReader()).read(frame(table))
    assert view.clear
    assert view.warnings == ()


def test_without_a_lens_it_is_guessed_and_said(table):
    view = Eye(EyeSettings(), None, MARKERS, KHET, RedReader()).read(frame(table))
    assert red_cells(view) == ["a1", "e4", "j8"]
    assert any("guessed" in warning for warning in view.warnings)


def test_large_pictures_are_shrunk_and_pixels_given_in_the_original(table):
    large = cv2.resize(table, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    small, big = (eye(RedReader()).read(frame(image)).by_cell()["e4"] for image in (table, large))
    assert big.x_px == pytest.approx(3 * small.x_px + 1, abs=2)
    assert big.y_px == pytest.approx(3 * small.y_px + 1, abs=2)


# --- obstacles ------------------------------------------------------------------------------------------------


def test_missing_markers_are_named():
    view = eye().read(frame(khet_table(POSE, skip=(0, 2))))
    assert view.obstacles == ("markers",)
    assert "0 (top left), 2 (bottom right)" in view.warnings[0]


def test_three_markers_are_enough_and_told():
    view = eye(RedReader()).read(frame(khet_table(POSE, skip=(1,))))
    assert view.clear
    assert "marker 1 (top right) not seen" in view.warnings[0]


def test_a_table_without_a_board_says_so():
    paint = Paint()
    paint.markers()
    view = eye().read(frame(paint.seen_by(POSE)))
    assert view.obstacles == ("board",)
    assert "10x8 cells of 38 mm" in view.warnings[0]


def test_a_blurred_picture_says_so(table):
    assert eye().read(frame(cv2.GaussianBlur(table, (0, 0), 1.9))).obstacles == ("blurred",)


@pytest.mark.parametrize(("level", "obstacle"), [(0, "dark"), (255, "bright"), (120, "blank")])
def test_pictures_of_one_tone_say_so(level, obstacle):
    assert eye().read(frame(np.full((300, 400, 3), level, np.uint8))).obstacles == (obstacle,)


def odd(pixels):
    return Frame(pixels, np.zeros((3, 4), np.uint8), 0.0, 0)


ODD = [
    np.zeros((0, 0, 3), np.uint8),
    np.zeros((1, 1, 3), np.uint8),
    np.zeros((480, 640), np.uint8),
    np.zeros((480, 640, 2), np.uint8),
    np.zeros((480, 640, 3, 1), np.uint8),
    np.full((480, 640, 3), np.nan),
    np.full((480, 640, 3), np.inf, np.float32),
    np.random.default_rng(1).integers(0, 65535, (480, 640, 3)).astype(np.uint16),
    np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.int64),
    np.array(["no", "picture"]),
    None,
]


@pytest.mark.parametrize("pixels", ODD)
def test_what_is_no_picture_is_an_obstacle(pixels):
    view = eye(RedReader()).read(odd(pixels))
    assert view.obstacles[0] in OBSTACLES
    assert view.warnings[0]
    assert view.sightings == ()


SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=48)
DTYPES = st.sampled_from([np.uint8, np.uint16, np.float32, np.float64, np.bool_, np.int32])


@settings(max_examples=60, deadline=None)
@given(hnp.arrays(dtype=DTYPES, shape=SHAPES))
def test_no_array_raises(pixels):
    view = eye().read(odd(pixels))
    assert not view.clear


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(20, 300), st.integers(20, 300))
def test_no_noise_raises(seed, width, height):
    noise = np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)
    assert not eye().read(frame(noise)).clear


def test_a_grey_picture_is_read_by_what_needs_no_colour(table):
    grey = odd(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY))
    assert eye(GreyReader()).read(grey).clear
    assert eye().read(grey).clear  # the board is found all the same
    view = eye(RedReader()).read(grey)
    assert (view.obstacles, view.pieces()) == (("grey",), ())
    assert "take it in colour" in view.warnings[0]


# --- live -----------------------------------------------------------------------------------------------------


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


# --- teaching -------------------------------------------------------------------------------------------------


def test_the_reader_is_taught_what_stands_where(table):
    reader = RedReader()
    eye(reader).teach(frame(table), {"a1": Piece("pyramid", "red")})
    cells, labels = reader.learned
    assert len(cells) == 80
    assert labels == {"a1": Piece("pyramid", "red")}


def test_a_picture_that_cannot_be_read_teaches_nothing():
    reader = RedReader()
    with pytest.raises(ObstructedView, match="not seen") as error:
        eye(reader).teach(frame(khet_table(POSE, skip=(0, 1, 2, 3))), {})
    assert error.value.obstacle == "markers"
    assert reader.learned is None
    with pytest.raises(ObstructedView):
        eye().teach(frame(khet_table(POSE)), {})


# --- free tables ----------------------------------------------------------------------------------------------


def test_a_free_table_is_read_by_a_finder(table):
    class Finder:
        def find(self, picture):
            assert picture.pose is not None
            assert picture.gains.shape == (3,)
            return []

    view = Eye(EyeSettings(), SMALL, MARKERS, None, Finder()).read(frame(table))
    assert view.clear
    assert view.shape is None
    assert view.board is None


def test_a_glaring_cell_is_told(table):
    shiny = table.copy()
    cell = eye().look(frame(table))
    x, y = cell.cutter.centres_px()[33].astype(int)
    cv2.circle(shiny, (int(x), int(y)), 14, (255, 255, 255), -1)
    assert "glare at d4" in eye(RedReader()).read(frame(shiny)).warnings


def test_a_board_shape_that_is_not_there_is_not_invented(table):
    other = BoardShape(8, 8, 50.0, 5.0, 0.0)
    assert Eye(EyeSettings(), SMALL, MARKERS, other).read(frame(table)).obstacles == ("board",)
