"""What a script or a person may give `companion look`, `teach` and `run` that is not quite what was meant."""

import json
import math

import cv2
import numpy as np
import pytest
from command_line import BOARD, looked, run
from drawn_tables import SMALL, camera, khet_table

from calibration.errors import BadLens, CalibrationError
from calibration.lens import Lens, lens_from_json
from calibration.table import TableMarkers
from companion.commands.teach_command import set_up
from companion.errors import CompanionError, ConfigError
from companion.pieces import Piece
from companion.view import Sighting, TableView
from companion.vision.files import truth_of
from companion.vision.report import look_json, people_lines
from hardware.pictures import pictures_in


@pytest.fixture
def table(tmp_path, own_state):
    """A folder with a picture of a Khet table, its lens and its board."""
    folder = tmp_path / "table"
    folder.mkdir()
    image = khet_table(camera(SMALL), pieces={"a1": (40, 40, 190), "e4": (40, 40, 190)})
    cv2.imwrite(str(folder / "table.png"), image)
    cv2.imwrite(str(folder / "upright.png"), cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE))
    (folder / "lens.json").write_text(json.dumps(SMALL.to_json()), encoding="utf-8-sig")  # as some editors save it
    (folder / "board.json").write_text(json.dumps(BOARD), encoding="utf-8-sig")
    return folder


# --- look ---------------------------------------------------------------------------------------------------------


def test_an_upright_picture_is_read_with_the_lens_of_a_wide_one(table):
    wide, upright = looked(table, "table.png", "upright.png")
    assert {piece["cell_name"] for piece in upright["pieces"]} == {piece["cell_name"] for piece in wide["pieces"]}
    assert any("turned" in warning for warning in upright["warnings"])
    assert not any("fit only" in warning for warning in upright["warnings"])


def test_markers_that_fit_nowhere_are_an_error_and_no_guess(table):
    wrong = {**SMALL.to_json(), "width": 300, "cx": 150.0}
    (table / "lens.json").write_text(json.dumps(wrong), encoding="utf-8")
    (answer,) = looked(table, "table.png")
    assert answer["error"] == "markers"
    assert answer["pieces"] == []
    assert answer["markers_found"] == 4
    assert "fit only" in answer["warnings"][0]


def test_a_lens_for_pictures_of_another_shape_is_blamed_before_the_markers(table):
    (table / "lens.json").write_text(json.dumps({**SMALL.to_json(), "width": 2400}), encoding="utf-8")
    (answer,) = looked(table, "table.png")
    assert (answer["error"], answer["markers_found"]) == ("markers", 4)
    shape, misfit = answer["warnings"][0].split("; ")
    assert shape == "the lens was measured for pictures of another shape: calibrate this camera"
    assert "fit only" in misfit


def test_missing_markers_are_no_fault_of_the_lens(table):
    (table / "lens.json").write_text(json.dumps({**SMALL.to_json(), "width": 2400}), encoding="utf-8")
    cv2.imwrite(str(table / "two.png"), khet_table(camera(SMALL), skip=(1, 3)))
    (answer,) = looked(table, "two.png")
    assert "lens" not in answer["warnings"][0]


def test_two_markers_are_counted_though_two_are_too_few(table):
    cv2.imwrite(str(table / "two.png"), khet_table(camera(SMALL), skip=(1, 3)))
    (answer,) = looked(table, "two.png")
    assert (answer["error"], answer["markers_found"]) == ("markers", 2)


def test_a_board_that_is_said_to_lie_elsewhere_is_not_read_from_the_rim(table):
    far = {**BOARD, "x_mm": 5000, "y_mm": 0, "rotation_deg": 0}
    (table / "board.json").write_text(json.dumps(far), encoding="utf-8")
    (answer,) = looked(table, "table.png")
    assert (answer["error"], answer["pieces"]) == ("board", [])
    assert answer["camera"]["t"][2] > 100  # the camera is known all the same


def test_drawings_spare_the_photographs_and_each_other(table, tmp_path):
    photograph = table / "table.jpg"
    cv2.imwrite(str(photograph), cv2.imread(str(table / "table.png")))
    before = photograph.read_bytes()
    options = ["--game", "khet", "--lens", table / "lens.json", "--draw"]
    refused = run("look", photograph, *options, table)
    assert isinstance(refused.exception, ConfigError)
    assert photograph.read_bytes() == before
    assert run("look", photograph, table / "table.png", *options, tmp_path / "drawn").exit_code == 0
    assert {path.name for path in (tmp_path / "drawn").iterdir()} == {"table.jpg", "table-2.jpg"}


def test_what_cannot_be_seen_of_a_piece_is_null():
    seen = [
        Piece("tile", face="back"),
        Piece("coin", value="ace", face="value"),
        Piece("pawn"),
        Piece("die", value="3"),
    ]
    view = TableView(0.0, tuple(Sighting(((piece, 0.9),), 10.0 * i, 0.0, 5.0) for i, piece in enumerate(seen)))
    tile, coin, pawn, die = look_json(view, None, "kdak", 0.1, "given")["pieces"]
    assert (tile["face"], tile["suit"], tile["value"]) == ("back", None, None)
    assert (coin["face"], coin["suit"], coin["value"]) == ("value", None, "ace")
    assert pawn["suit"] is None
    assert (die["suit"], die["value"]) == (None, "3")
    lines = people_lines(look_json(view, None, "kdak", 0.1, "given"))
    assert "tile back heading 5" in lines[1]


@pytest.mark.parametrize(
    ("given", "said"), [((), True), (("--option", "board=7"), False), (("--board", "b.json"), False)]
)
def test_the_size_of_a_board_that_is_played_on_is_said_beside_the_record(table, monkeypatch, given, said):
    monkeypatch.chdir(table)
    (table / "b.json").write_text(json.dumps({"cols": 5, "rows": 5, "cell_mm": 30, "border_mm": 5}), encoding="utf-8")
    order = ("run", "--game", "ataxx", "--camera", f"folder:{table}", "--fast", "--exit", *given)
    result = run(*order)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("table.png: ")
    assert ("no --board was given: it is taken to have" in result.stderr) == said
    assert "--board" not in run(*order, "--json").stderr  # whoever reads that knows the position


def test_the_size_of_an_ataxx_board_that_nobody_gave_is_said(table):
    result = run("look", table / "table.png", "--game", "ataxx", "--json")
    assert any("8 x 8 cells" in warning for warning in json.loads(result.stdout)["warnings"])


# --- numbers that no table has ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["fx", "cx", "cy"])
def test_a_lens_has_pixels_of_a_picture(name):
    with pytest.raises(BadLens, match="pixels"):
        lens_from_json({**SMALL.to_json(), name: 1e7})


@pytest.mark.parametrize("sizes", [(6000.0, 3800.0, 400.0), (1e300, 380.0, 40.0)])
def test_markers_lie_on_one_table(sizes):
    with pytest.raises(CalibrationError, match="apart"):
        TableMarkers(*sizes)


def test_a_lens_that_was_turned_sees_as_far():
    lens = Lens(1600, 1200, 1300.0, 1310.0, 800.0, 590.0, k1=-0.04)
    turned = lens.scaled(600, 800)
    assert (turned.width, turned.height) == (600, 800)
    assert (turned.fx, turned.fy) == pytest.approx((655.0, 650.0))
    assert turned.cx == pytest.approx(299.5)
    assert turned.cy == pytest.approx(399.5)
    assert turned.k1 == lens.k1


# --- teach --------------------------------------------------------------------------------------------------------

PYRAMID = {"kind": "pyramid", "colour": "red", "size": "large", "pose": "lying", "x_mm": 1.0, "y_mm": 2.0}


@pytest.mark.parametrize(
    "change", [{"colour": ["red"]}, {"size": 7}, {"x_mm": None}, {"x_mm": math.nan}, {"kind": "mug"}, {"y_mm": True}]
)
def test_a_truth_that_says_nothing_is_refused(change):
    assert truth_of({"pieces": [PYRAMID]}).free[0].x_mm == 1.0
    with pytest.raises(CompanionError):
        truth_of({"pieces": [{**PYRAMID, **change}]})


def test_teach_knows_the_layouts_that_run_knows():
    assert set_up("ataxx", "7x7") == set_up("ataxx", "7")
    assert len(set_up("ataxx", "7x7").pieces) == 4


# --- run ----------------------------------------------------------------------------------------------------------


def test_only_files_that_are_shown_are_pictures(tmp_path):
    for name in ("002.jpg", "001.png", "._001.jpg", ".hidden.jpg", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "sub.jpg").mkdir()
    assert [path.name for path in pictures_in(tmp_path)] == ["001.png", "002.jpg"]


def test_a_photograph_of_a_kind_that_is_not_read_has_its_line_unless_a_copy_lies_there(tmp_path):
    heic = b"\0\0\0\x24ftypheic\0\0\0\0mif1heic" + bytes(200)
    for name in ("000.HEIC", "001.heic"):
        (tmp_path / name).write_bytes(heic)
    cv2.imwrite(str(tmp_path / "001.jpg"), np.full((480, 640, 3), 120, np.uint8))
    result = run("run", "--game", "khet", "--camera", f"folder:{tmp_path}", "--fast", "--exit", "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["image"] for line in lines] == ["000.HEIC", "001.jpg"]
    assert "HEIC" in lines[0]["text"]
    assert lines[0]["reading"] == "unclear"


def test_as_many_seats_as_a_game_always_has_may_be_named(tmp_path):
    cv2.imwrite(str(tmp_path / "000.png"), np.full((480, 640, 3), 120, np.uint8))
    options = ["--camera", f"folder:{tmp_path}", "--fast", "--exit", "--json"]
    for game in ("khet", "ataxx", "hexxagon", "kdak"):
        assert run("run", "--game", game, "--seats", "2", *options).exit_code == 0
        assert run("run", "--game", game, "--seats", "3", *options).exception is not None


@pytest.mark.parametrize("variant", [("--variant", "solitaire"), ("--option", "variant=solitaire")])
def test_how_many_a_game_has_depends_on_its_other_options(tmp_path, variant):
    cv2.imwrite(str(tmp_path / "000.png"), np.full((480, 640, 3), 120, np.uint8))
    options = [*variant, "--option", "undo=take", "--camera", f"folder:{tmp_path}", "--fast", "--exit", "--json"]
    alone = run("run", "--game", "kdak", "--seats", "1", *options)
    assert alone.exit_code == 0, alone.exception
    assert json.loads(alone.stdout)["position"].startswith("solitaire")
    both = run("run", "--game", "kdak", "--seats", "2", *options)
    assert str(both.exception).startswith("--seats 2: K'Dak's Tower")
    assert str(both.exception).endswith("as it was chosen, is played by 1")


def test_photographs_none_of_which_can_be_read_are_no_success(tmp_path):
    (tmp_path / "a\udcff.jpg").write_bytes(b"")
    options = ["--camera", f"folder:{tmp_path}", "--fast", "--exit"]
    assert isinstance(run("run", "--game", "khet", *options).exception, ConfigError)
    line = json.loads(run("run", "--game", "khet", *options, "--json").stdout)  # says so itself
    assert (line["image"], line["reading"]) == ("a\udcff.jpg", "unclear")
    assert "empty" in line["text"]
    cv2.imwrite(str(tmp_path / "b.png"), np.full((480, 640, 3), 120, np.uint8))
    assert run("run", "--game", "khet", *options).exit_code == 0


@pytest.mark.parametrize("option", ["--fast", "--json"])
def test_what_is_only_for_folders_is_not_ignored(option):
    result = run("run", option)
    assert result.exit_code == 2
    assert "--exit" in result.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["perft", "khet", "--layout", "classic-2.0", "--option", "layout=imhotep-2.0"], "'layout' is given twice"),
        (["run", "--game", "kaxxt", "--seats", "2", "--option", "seats=3"], "'seats' is given twice: as 3 and as 2"),
        (["print", "ataxx-board", "--option", "cell=20", "--option", "cell=30"], "'cell' is given twice"),
    ],
)
def test_of_two_that_contradict_each_other_none_is_left_aside(words, said):
    assert said in str(run(*words).exception)


def test_an_empty_name_is_not_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("print", "markers", "--out", "")
    assert done.exit_code == 2
    assert "'--out': this names nothing" in done.output
    assert not list(tmp_path.iterdir())
