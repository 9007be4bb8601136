"""The small JSON files: read strictly, refused in words."""

import json

import pytest
from drawn_tables import LENS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.errors import ConfigError
from companion.pieces import Piece
from companion.view import BoardPose, BoardShape
from companion.vision.files import board_pose, board_shape, read_board, read_corners, read_json, read_truth

BOARD = {"cols": 10, "rows": 8, "cell_mm": 38.0, "border_mm": 10, "thickness_mm": 3.0}
CORNERS = [[10, 10], [200, 12], [198, 150], [8, 149]]


def written(folder, data):
    path = folder / "it.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_a_board_is_read(tmp_path):
    assert read_board(written(tmp_path, BOARD)) == (BoardShape(10, 8, 38.0, 10.0, 3.0), None)
    lying = BOARD | {"x_mm": -0.8, "y_mm": 10.1, "rotation_deg": 1.5}
    assert read_board(written(tmp_path, lying))[1] == BoardPose(-0.8, 10.1, 1.5)
    assert read_board(written(tmp_path, lying | {"rotation_deg": 3780}))[1] == BoardPose(-0.8, 10.1, 180.0)


def test_border_and_thickness_may_be_left_out():
    assert board_shape({"cols": 8, "rows": 8, "cell_mm": 40}) == BoardShape(8, 8, 40.0)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"cols": 0}, "cols"),
        ({"rows": 27}, "rows"),
        ({"cols": 2.5}, "whole"),
        ({"cell_mm": 0}, "cell_mm"),
        ({"cell_mm": 2}, "between 5 and 1000"),
        ({"cell_mm": None}, "cell_mm"),
        ({"cell_mm": "38"}, "cell_mm"),
        ({"border_mm": -1}, "border_mm"),
        ({"thickness_mm": float("nan")}, "thickness_mm"),
        ({"x_mm": 0, "y_mm": 0, "rotation_deg": "left"}, "rotation_deg"),
        ({"cols": True}, "cols"),
    ],
)
def test_a_wrong_number_is_named_with_its_file(tmp_path, change, word):
    with pytest.raises(ConfigError, match=rf"it\.json.*{word}"):
        read_board(written(tmp_path, BOARD | change))


def test_a_board_of_hexagons_has_as_many_rows_as_columns_though_its_file_does_not_say_that_it_is_one(tmp_path):
    assert read_board(written(tmp_path, BOARD | {"cols": 9, "rows": 9}), "hex")[0].kind == "hex"
    with pytest.raises(ConfigError, match=r"it\.json.*same odd number.*10x8"):
        read_board(written(tmp_path, BOARD), "hex")


def test_corners_are_read(tmp_path):
    assert read_corners(written(tmp_path, {"corners_px": CORNERS})).tolist() == CORNERS


@pytest.mark.parametrize(
    "corners",
    [
        None,
        [],
        CORNERS[:3],
        CORNERS[::-1],
        [[1, 2, 3]] * 4,
        [["a", 1]] * 4,
        "corners",
        [[5, 5]] * 4,
        {"a": 1},
        [1, 2, 3, 4],
    ],
)
def test_other_corners_are_refused(tmp_path, corners):
    with pytest.raises(ConfigError, match="corners_px"):
        read_corners(written(tmp_path, {"corners_px": corners}))


@pytest.mark.parametrize("text", ["", "{", "[1]", "3", '"x"', "\x00", "[" * 50_000])
def test_what_is_no_json_object_is_refused(tmp_path, text):
    with pytest.raises(ConfigError, match=r"it\.json"):
        read_json(written(tmp_path, text))
    with pytest.raises(ConfigError, match=r"gone\.json"):
        read_json(tmp_path / "gone.json")


def test_a_truth_tells_cells_camera_markers_and_board(tmp_path):
    data = {
        "pieces": [
            {"kind": "pyramid", "game": "khet", "colour": "red", "cell_name": "a4", "facing": "SE", "pose": "upright"},
            {"kind": "die", "suit": "moons", "value": "ace", "x_mm": 182.7, "y_mm": 106.8, "nested_on": None},
        ],
        "camera": LENS.to_json(),
        "markers": {"W_mm": 560, "H_mm": 400, "side_mm": 30},
        "board": BOARD | {"x_mm": 1, "y_mm": 2, "rotation_deg": 3},
    }
    truth = read_truth(written(tmp_path, data))
    assert truth.cells == {"a4": Piece("pyramid", "red", facing="SE")}
    assert truth.free[0].piece == Piece("die", suit="moons", value="ace")
    assert truth.free[0].x_mm == 182.7
    assert truth.lens == LENS
    assert (truth.markers.width_mm, truth.markers.side_mm) == (560, 30)
    assert truth.shape == BoardShape(10, 8, 38.0, 10.0, 3.0)
    assert truth.board == BoardPose(1.0, 2.0, 3.0)


def test_a_truth_may_say_little(tmp_path):
    truth = read_truth(written(tmp_path, {"pieces": [], "camera": {"fx": 1300}, "board": {"game": "khet"}}))
    assert (truth.cells, truth.free, truth.lens, truth.markers, truth.shape, truth.board) == (
        {},
        (),
        None,
        None,
        None,
        None,
    )


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=6), inner, max_size=5)),
    max_leaves=12,
)
KEYS = ["cols", "rows", "cell_mm", "x_mm", "pieces", "camera", "markers", "board", "corners_px", "W_mm", "width"]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(KEYS), JSON))
def test_any_json_is_read_or_refused_in_words(tmp_path, change):
    for read, base in ((read_board, BOARD), (read_corners, {"corners_px": CORNERS}), (read_truth, {"pieces": []})):
        try:
            assert read(written(tmp_path, base | change)) is not None
        except ConfigError as error:
            assert "it.json" in str(error)


def test_a_pose_needs_all_three_numbers():
    assert board_pose({"x_mm": 1, "y_mm": 2}) is None
