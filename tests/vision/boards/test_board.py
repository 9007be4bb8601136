"""Boards of many looks found on drawn tables."""

import json
import re
from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_tables import KHET, LYING, PX_PER_MM, Paint, camera, khet_table, samples

from calibration.lens import read_lens
from calibration.markers import MarkerFinder
from calibration.table import TableMarkers, fix_table, guess_lens
from companion.simulator.disc_tables import disc_picture, disc_table
from companion.simulator.tables import TESTING
from companion.view import BoardPose, BoardShape
from companion.vision.boards.cells import to_table
from companion.vision.boards.finder import BoardFix, find_board, half_turned, refine_board
from companion.vision.boards.settings import BoardSettings
from companion.vision.discs.reader import new_reader as disc_reader
from companion.vision.files import board_pose, board_shape
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.pictures import frame_of

POSE = camera()
MARKERS = TableMarkers()
SQUARE = BoardShape(8, 8, 40.0, 9.0, 0.0)
LOOKS = {
    "dark lines": {},
    "light lines": {"line": (170, 170, 170), "line_mm": 1.6},
    "faint lines": {"line": (74, 74, 76), "line_mm": 1.0},
    "chequered": {"line": None, "field_colour": (150, 190, 205), "other": (60, 90, 40)},
    "chequered with lines": {"other": (60, 62, 70), "line": (140, 140, 140)},
    "wood": {"field_colour": (60, 96, 140), "rim": (20, 40, 70), "line": (30, 50, 80)},
    "no rim to see": {"rim": (120, 140, 150), "line": (200, 200, 200)},
}
BLACK, LINE = (0.018, 0.016, 0.014), (0.02, 0.02, 0.02)  # linear BGR
CORNERS = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) / 2


def off_mm(found, pose, shape):
    corners = CORNERS * (shape.cols, shape.rows) * shape.cell_mm
    return np.hypot(*(to_table(corners, found) - to_table(corners, pose)).T).max()


@pytest.mark.parametrize("look", LOOKS)
def test_boards_of_many_looks_are_found(look):
    crowd = {f"{c}{r}": (40, 40, 190) for c, r in zip("abcdefghij", (1, 3, 5, 8, 2, 7, 4, 6, 1, 8), strict=True)}
    image = khet_table(pieces=crowd, **LOOKS[look])
    fix = find_board(image, POSE, KHET, MARKERS)
    assert off_mm(fix.pose, LYING, KHET) < 0.6
    assert fix.warnings(KHET, BoardSettings()) == ()


def test_faint_lines_between_bright_pieces_are_found_on_a_rough_table():
    paint, rng = Paint(), np.random.default_rng(4)
    small = rng.normal(0, 26, (paint.image.shape[0] // 9, paint.image.shape[1] // 9, 1)).astype(np.float32)
    mottled = paint.image + cv2.resize(small, paint.image.shape[1::-1])[..., None]
    paint.image[:] = np.clip(mottled, 0, 255).astype(np.uint8)
    paint.markers()
    paint.board(KHET, LYING, field_colour=(70, 60, 58), rim=(60, 120, 50), line=(56, 50, 48), line_mm=1.0)
    for number in rng.permutation(80)[:26]:
        paint.piece(KHET, LYING, f"{'abcdefghij'[number % 10]}{number // 10 + 1}", (200, 198, 190), share=0.8)
    fix = find_board(paint.seen_by(POSE), POSE, KHET, MARKERS)
    assert off_mm(fix.pose, LYING, KHET) < 0.6


@pytest.fixture(params=[7, 8, 14])
def black_board(request):
    """A board on which hardly a line is seen: its picture, its table, its shape and where it lies."""
    table = disc_table(TESTING[request.param], 1200, 900)
    black = {"ground": BLACK, "second": BLACK, "rim": BLACK, "line": LINE, "line_mm": 0.5}
    plain = {"grain": 0.0, "well_mm": 0.0, "dots_mm": 0.0}
    board = replace(table.scene.board, **black, **plain)
    dim = replace(table, scene=replace(table.scene, board=board), exposure=(0.4, 0.25))
    return disc_picture(dim), dim.scene.camera, dim.scene.markers.places, board.shape, board.pose


def test_a_black_board_is_found_by_its_edge_where_the_sides_of_discs_pass_for_its_lines(black_board):
    image, camera_pose, markers, shape, lying = black_board
    fix = find_board(image, camera_pose, shape, markers, rim=True)
    assert fix.rim
    assert off_mm(fix.pose, lying, shape) < 0.4
    assert "hardly seen" in fix.warnings(shape, BoardSettings())[0]
    again = refine_board(image, camera_pose, fix.pose, shape, rim=True)
    assert off_mm(again.pose, fix.pose, shape) < 0.2
    assert refine_board(image, camera_pose, replace(fix.pose, x_mm=fix.pose.x_mm + 30), shape, rim=True) is None


def test_a_black_board_is_followed_by_what_of_it_is_seen(black_board):
    image, camera_pose, markers, shape, lying = black_board
    eye = Eye(EyeSettings(), camera_pose.lens, markers, shape, disc_reader())
    for number in range(2):
        view = eye.read(frame_of(image, 0.5 * number, number, "black"))
        assert off_mm(view.board, lying, shape) < 0.8


@pytest.mark.parametrize("lying", [BoardPose(-35.0, 20.0, -12.0), BoardPose(30.0, -10.0, 31.0), BoardPose(0, 0, 0)])
def test_boards_lie_anywhere_between_the_markers(lying):
    fix = find_board(khet_table(board=lying), POSE, KHET, MARKERS)
    assert off_mm(fix.pose, lying, KHET) < 0.5


def test_a_board_across_the_table_is_found():
    shape, lying = BoardShape(6, 9, 32.0, 8.0, 0.0), BoardPose(10.0, 0.0, 88.0)
    fix = find_board(khet_table(board=lying, shape=shape), POSE, shape, MARKERS)
    assert min(off_mm(p, lying, shape) for p in (fix.pose, half_turned(fix.pose))) < 0.6


def test_a_square_board_is_taken_the_nearest_way_round():
    lying = BoardPose(3.0, 5.0, -4.0)
    fix = find_board(khet_table(board=lying, shape=SQUARE, **LOOKS["chequered"]), POSE, SQUARE, MARKERS)
    assert off_mm(fix.pose, lying, SQUARE) < 0.5


@pytest.mark.parametrize("check_mm", [39.0, 40.0, 41.0])
def test_a_checked_cloth_is_no_board(check_mm):
    """Its checks are as large as cells, and far bolder than the board's lines."""
    paint, shape = Paint(), BoardShape(5, 5, 40.0, 6.0, 0.0)
    xs, ys = np.meshgrid(*(np.arange(n) / PX_PER_MM // check_mm % 2 for n in paint.image.shape[1::-1]))
    paint.image[:] = np.array([(60, 130, 50), (110, 160, 105), (200, 205, 200)], np.uint8)[(xs + ys).astype(int)]
    paint.markers()
    lying = BoardPose(20.0, 5.0, -2.0)
    paint.board(shape, lying, field_colour=(50, 70, 110), rim=(45, 62, 98), line=(38, 52, 84))
    fix = find_board(paint.seen_by(POSE), POSE, shape, MARKERS)
    assert off_mm(fix.pose, lying, shape) < 1.0


def test_a_checked_board_on_a_checked_cloth_is_not_a_cell_off():
    """One cell over, it would look less like what is beside it; its lines would lie worse."""
    paint, shape, check_mm = Paint(), BoardShape(8, 8, 27.0, 20.0, 0.0), 28.0
    xs, ys = np.meshgrid(*(np.arange(n) / PX_PER_MM // check_mm % 2 for n in paint.image.shape[1::-1]))
    tones = np.array([(120, 60, 35), (150, 130, 115), (190, 195, 195)], np.uint8)
    paint.image[:] = tones[(xs + ys).astype(int)]
    paint.markers()
    lying = BoardPose(-5.0, -10.0, 0.8)
    paint.board(shape, lying, field_colour=(205, 212, 214), other=(115, 107, 102), rim=(103, 97, 94), line=None)
    fix = find_board(paint.seen_by(POSE), POSE, shape, MARKERS)
    assert off_mm(fix.pose, lying, shape) < 0.6


def test_a_table_without_a_board_has_none():
    paint = Paint()
    paint.markers()
    assert find_board(paint.seen_by(POSE), POSE, KHET, MARKERS) is None


@pytest.mark.parametrize(
    ("side", "cell_mm", "border_mm"), [(3, 1.0, 0.0), (26, 2.0, 1.0), (26, 4.0, 2.0), (3, 900.0, 0.0)]
)
def test_a_board_of_senseless_size_is_looked_for_without_a_fault(side, cell_mm, border_mm):
    fix = find_board(khet_table(), POSE, BoardShape(side, side, cell_mm, border_mm, 0.0), MARKERS)
    assert fix is None or 0.0 <= fix.score <= 1.0  # cells smaller than the search sees may be seen anywhere


def test_wrong_cells_are_told_or_not_found():
    described = BoardShape(10, 8, 37.2, 10.0, 0.0)
    fix = find_board(khet_table(), POSE, described, MARKERS)
    assert fix is None or re.match(
        r"cells measure (37\.9|38\.0) mm, not 37\.2", fix.warnings(described, BoardSettings())[0]
    )


def test_a_doubtful_fit_is_told():
    doubtful = BoardFix(LYING, 0.15, 0.3, 1.0)
    assert "hardly seen" in doubtful.warnings(KHET, BoardSettings())[0]
    assert BoardFix(LYING, 0.15, 0.3, 1.0, given=True).warnings(KHET, BoardSettings()) == ()


def test_a_board_given_roughly_is_fitted():
    near = BoardPose(LYING.x_mm + 2.0, LYING.y_mm - 2.0, LYING.rotation_deg + 0.4)
    assert off_mm(refine_board(khet_table(), POSE, near, KHET).pose, LYING, KHET) < 0.5


def test_half_a_turn_twice_is_nothing():
    assert half_turned(half_turned(BoardPose(1.0, 2.0, 170.0))) == BoardPose(1.0, 2.0, 170.0)
    assert half_turned(BoardPose(0.0, 0.0, 90.0)).rotation_deg == -90.0


@pytest.mark.parametrize("guessed", [False, True])
@pytest.mark.parametrize("folder", ["khet", "ataxx"])
def test_boards_on_sample_pictures(folder, guessed):
    for path in sorted(samples(folder).glob("*.jpg")):
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        image = cv2.imread(str(path))
        corners = MarkerFinder().find(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), range(4))
        lens = read_lens(path.with_suffix(".json"))
        if guessed:
            lens = guess_lens(1600, 1200, corners, MARKERS.corners_mm())
        shape, lying = board_shape(truth["board"]), board_pose(truth["board"])
        fix = find_board(image, fix_table(corners, lens, MARKERS).pose, shape, MARKERS)
        assert np.hypot(fix.pose.x_mm - lying.x_mm, fix.pose.y_mm - lying.y_mm) < (0.6 if guessed else 0.25)
        assert abs(fix.pose.rotation_deg - lying.rotation_deg) < 0.05
