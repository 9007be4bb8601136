"""The whole eye with a reader of its own: from frames to views, and what stands in the way."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from drawn_tables import KHET, LENS, LYING, SMALL, Paint, camera, khet_table
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from red_reader import MARKERS, POSE, RED, GreyReader, RedReader, eye, frame, red_cells

from calibration.errors import CalibrationError
from companion.pieces import Piece
from companion.referee.views.sight import sight_of
from companion.view import BoardShape
from companion.vision.boards.cells import field_mm, to_table
from companion.vision.errors import OBSTACLES, ObstructedView, UnusableWeights
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame


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


def test_a_board_of_dragged_corners_is_followed_again_after_its_lines_were_covered(table):
    half = np.array(field_mm(KHET)) / 2
    field = to_table(half * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]), LYING)
    corners = POSE.project(field)
    covered = cv2.fillConvexPoly(table.copy(), np.rint(corners).astype(np.int32), (90, 90, 90))
    pushed = khet_table(POSE, replace(LYING, x_mm=LYING.x_mm + 5.0), pieces={"e4": RED})
    seeing, cutters = Eye(EyeSettings(), None, MARKERS, KHET, RedReader(), corners=corners), []
    for picture in (table, covered, covered, pushed):
        view = seeing.read(frame(picture))
        cutters.append(seeing.last.cutter)
    assert cutters[0] is cutters[1] is cutters[2]  # while nothing is known, what was cut is not cut anew
    assert red_cells(view) == ["e4"]
    e4 = view.by_cell()["e4"]
    true = POSE.project(to_table(np.array([(-0.5, -0.5)]) * KHET.cell_mm, replace(LYING, x_mm=LYING.x_mm + 5.0)))[0]
    assert (e4.x_px, e4.y_px) == pytest.approx(tuple(true), abs=2.0)


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


def test_a_lens_that_was_guessed_from_few_markers_is_guessed_anew_when_more_are_seen():
    wide = camera(replace(SMALL, fx=500.0, fy=500.0), height=600.0, tilt=(14.0, -8.0))
    seeing, other = (Eye(EyeSettings(), None, MARKERS, KHET, RedReader()) for _ in range(2))
    assert seeing.read(frame(khet_table(wide, skip=(1, 2, 3)))).obstacles == ("markers",)  # a hand covers the others
    for one in (seeing, other):
        assert one.read(frame(khet_table(wide))).clear
    assert seeing.place.pose.lens == other.place.pose.lens
    assert seeing.place.pose.lens.fx == pytest.approx(500.0, rel=0.05)


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


def test_a_picture_too_small_for_its_markers_says_so(table):
    view = eye().read(frame(cv2.resize(table, (120, 90), interpolation=cv2.INTER_AREA)))
    assert view.warnings == ("the picture has 120x90 pixels only: take a larger one",)
    assert view.sightings == ()


def test_where_light_may_hide_markers_it_is_said_first(table):
    bright = np.where(np.arange(table.shape[1])[:, None] < table.shape[1] // 2, 255, table).astype(np.uint8)
    bright = np.clip(bright.astype(int) + 60, 0, 255).astype(np.uint8)
    (advice,) = eye().read(frame(bright)).warnings
    assert advice.startswith("the picture is overexposed: less light, or a shorter exposure; table markers 0")


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
    view = eye().read(frame(cv2.GaussianBlur(table, (0, 0), 1.9)))
    assert (view.obstacles, view.markers_found) == (("blurred",), 3)


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


class StumblingReader(RedReader):
    """Fails once, as no reader should."""

    def __init__(self):
        super().__init__()
        self.fails = 1

    def read(self, *looks):
        if self.fails:
            self.fails -= 1
            raise IndexError("index 2 is out of bounds")
        return super().read(*looks)


@pytest.mark.faulty
def test_a_fault_of_its_own_is_told_and_logged_and_the_next_picture_is_read(table, caplog):
    stumbling = eye(StumblingReader())
    view = stumbling.read(frame(table))
    assert view.obstacles == ("fault",)
    assert "IndexError" in view.warnings[0]
    assert view.sightings == ()
    assert view.markers_found == 4
    assert "index 2 is out of bounds" in caplog.text
    assert red_cells(stumbling.read(frame(table))) == ["a1", "e4", "j8"]


@pytest.mark.faulty
def test_weights_that_cannot_be_used_are_named_instead_of_a_fault(table, caplog):
    class Torn(RedReader):
        why = "torn"

        def read(self, *looks):
            raise UnusableWeights(Path("red.onnx"), self.why)

    torn = eye(Torn())
    view = torn.read(frame(table))
    assert view.obstacles == ("weights",)
    assert view.warnings[0].startswith("red.onnx cannot be used (torn): install")
    assert "install the companion again" in sight_of(view).text
    assert "Traceback" not in caplog.text
    torn.read(frame(table))
    assert len(caplog.messages) == 1, "each picture would tell it again"
    torn.reader.why = "of another version"
    torn.read(frame(table))
    assert "red.onnx cannot be used (of another version)" in caplog.messages[1]


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


@pytest.mark.parametrize(
    ("sigmas", "one_table", "told"),
    [
        ((0, 2.5, 0), True, [(), ("blurred",), ()]),
        ((2.5, 2.5, 0), True, [(), (), ()]),  # there is no better one
        ((0, 2.5, 0), False, [(), (), ()]),
    ],
)
def test_a_blurred_photograph_among_sharp_ones_of_a_free_table_is_not_believed(table, sigmas, one_table, told):
    class Finder:
        def find(self, picture):
            return []

    large = cv2.resize(table, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    free = Eye(EyeSettings(one_table=one_table), SMALL, MARKERS, None, Finder())
    views = [free.read(frame(cv2.GaussianBlur(large, (0, 0), s) if s else large)) for s in sigmas]
    assert [view.obstacles for view in views] == told
    warned = [any("not sharp" in warning for warning in view.warnings) for view in views if view.clear]
    assert warned == [bool(sigma) for sigma, why in zip(sigmas, told, strict=True) if not why]


def test_a_glaring_cell_is_told(table):
    shiny = table.copy()
    cell = eye().look(frame(table))
    x, y = cell.cutter.centres_px()[33].astype(int)
    cv2.circle(shiny, (int(x), int(y)), 14, (255, 255, 255), -1)
    assert "glare at d4" in eye(RedReader()).read(frame(shiny)).warnings


def test_a_board_shape_that_is_not_there_is_not_invented(table):
    other = BoardShape(8, 8, 50.0, 5.0, 0.0)
    assert Eye(EyeSettings(), SMALL, MARKERS, other).read(frame(table)).obstacles == ("board",)
