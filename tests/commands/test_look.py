"""`companion look`: what is said of pictures, to people and to programs."""

import json

import cv2
import numpy as np
import pytest
from command_line import looked, run
from drawn_tables import KHET, LYING, SMALL, camera, khet_table

from calibration.lens import lens_from_json
from calibration.table import CameraPose
from companion.errors import CompanionError, ConfigError
from companion.simulator.dice_tables import dice_picture, dice_table
from companion.simulator.tables import TESTING

POSE = camera(SMALL)

pytestmark = pytest.mark.usefixtures("own_state")


def test_every_picture_is_one_line_in_order(pictures):
    answers = looked(pictures, "table.png", "black.png", "empty.png")
    assert [a["image"] for a in answers] == ["table.png", "black.png", "empty.png"]
    table = answers[0]
    assert table["markers_found"] == 4
    assert table["camera"]["from"] == "given"
    assert np.allclose(table["camera"]["R"], POSE.rotation, atol=0.01)
    assert table["board"]["x_mm"] == pytest.approx(LYING.x_mm, abs=0.4)
    assert table["seconds"] > 0
    assert {p["cell_name"] for p in table["pieces"]} >= {"a1", "e4"}
    assert all({"kind", "game", "x_mm", "y_mm", "x_px", "y_px", "confidence"} <= p.keys() for p in table["pieces"])
    assert "error" not in table


BAD = ["black.png", "white.png", "dot.png", "text.jpg", "nothing.jpg", "gone.jpg", "."]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_picture_has_an_error_and_no_pieces(pictures, name):
    (answer,) = looked(pictures, name)
    assert answer["pieces"] == []
    assert answer["error"]
    assert answer["warnings"][0]
    for_people = run("look", pictures / name, "--game", "khet")
    assert (answer["error"] == "picture") is isinstance(for_people.exception, ConfigError)


def test_one_picture_that_can_be_read_is_enough(pictures):
    result = run("look", pictures / "text.jpg", pictures / "black.png", "--game", "khet")
    assert result.exit_code == 0, result.output


def test_a_mirrored_picture_is_told(pictures, tmp_path):
    cv2.imwrite(str(tmp_path / "mirrored.png"), cv2.imread(str(pictures / "empty.png"))[:, ::-1])
    answer = json.loads(run("look", tmp_path / "mirrored.png", "--game", "khet", "--json").stdout)
    assert answer["error"] == "markers"
    assert "mirrored" in answer["warnings"][0]


def test_a_name_does_not_lead_a_terminal_astray(pictures, tmp_path):
    (tmp_path / "a\n\x1b[31m.png").write_bytes((pictures / "black.png").read_bytes())
    result = run("look", tmp_path / "a\n\x1b[31m.png", "--game", "khet")
    assert result.stdout.startswith("a\ufffd\ufffd[31m.png: 0 pieces")


def test_a_cut_off_jpeg_is_told(pictures):
    (answer,) = looked(pictures, "cut.jpg")
    assert any("cut off" in warning for warning in answer["warnings"])


@pytest.mark.parametrize("name", ["deep.png", "whole.jpg"])
def test_other_kinds_of_pictures_are_read(pictures, name):
    (answer,) = looked(pictures, name)
    assert "error" not in answer
    assert answer["board"] is not None


def test_a_grey_picture_says_what_is_missing(pictures):
    (answer,) = looked(pictures, "grey.png")
    assert answer["error"] == "grey"
    assert "no colour" in answer["warnings"][0]
    assert answer["pieces"] == []


def test_three_markers_are_told(pictures, tmp_path):
    cv2.imwrite(str(tmp_path / "three.png"), khet_table(POSE, skip=(3,)))
    lens, board = pictures / "lens.json", pictures / "board.json"
    result = run("look", tmp_path / "three.png", "--game", "khet", "--lens", lens, "--board", board, "--json")
    answer = json.loads(result.stdout)
    assert answer["markers_found"] == 3
    assert "3 (bottom left)" in answer["warnings"][0]


def test_without_a_lens_the_guess_is_said(pictures):
    result = run("look", pictures / "empty.png", "--game", "khet", "--board", pictures / "board.json", "--json")
    answer = json.loads(result.stdout)
    assert answer["camera"]["from"] == "guess"
    assert any("guessed" in warning for warning in answer["warnings"])


def test_a_stored_lens_is_used(pictures, tmp_path):
    stored = {"version": 1, "measured": "2026-01-01"} | SMALL.to_json()
    (tmp_path / "state" / "calibration").mkdir(parents=True)
    (tmp_path / "state" / "calibration" / "lens.json").write_text(json.dumps(stored))
    result = run("look", pictures / "empty.png", "--game", "khet", "--board", pictures / "board.json", "--json")
    assert json.loads(result.stdout)["camera"]["from"] == "stored"


def test_a_large_picture_has_its_own_lens_though_it_is_read_at_a_smaller_size(pictures, tmp_path):
    lens = SMALL.scaled(3000, 2250)
    cv2.imwrite(str(tmp_path / "large.png"), cv2.resize(cv2.imread(str(pictures / "table.png")), (3000, 2250)))
    (tmp_path / "lens.json").write_text(json.dumps(lens.to_json()))
    (answer,) = looked(pictures, tmp_path / "large.png", more=("--lens", tmp_path / "lens.json"))
    told = answer["camera"]
    assert {n: told[n] for n in ("fx", "fy", "cx", "cy")} == pytest.approx(
        {n: getattr(lens, n) for n in ("fx", "fy", "cx", "cy")}, abs=0.01
    )
    assert {n: told[n] for n in ("k1", "k2", "p1", "p2", "k3")} == {
        n: getattr(lens, n) for n in ("k1", "k2", "p1", "p2", "k3")
    }
    seen = CameraPose(lens_from_json({**told, "width": 3000, "height": 2250}), np.array(told["R"]), np.array(told["t"]))
    for piece in answer["pieces"]:
        (pixel,) = seen.project([[piece["x_mm"], piece["y_mm"]]])
        assert pixel == pytest.approx((piece["x_px"], piece["y_px"]), abs=1.0)


def test_dragged_corners_need_no_markers_and_give_no_millimetres(pictures, tmp_path):
    half = np.array([KHET.cols, KHET.rows]) * KHET.cell_mm / 2
    angle = np.deg2rad(LYING.rotation_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    field = (half * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)])) @ turn.T + (LYING.x_mm, LYING.y_mm)
    (tmp_path / "corners.json").write_text(json.dumps({"corners_px": POSE.project(field).tolist()}))
    (answer,) = looked(pictures, "table.png", more=("--corners", tmp_path / "corners.json"))
    assert answer["board"] is None
    assert {p["cell_name"] for p in answer["pieces"]} >= {"a1", "e4"}
    assert all(p["x_mm"] is None and p["x_px"] > 0 for p in answer["pieces"])


def test_dice_without_markers_are_drawn_where_they_are_seen(tmp_path):
    table = next(t for t in map(dice_table, TESTING) if t.dice)
    path, folder = tmp_path / "dice.png", tmp_path / "drawn"
    cv2.imwrite(str(path), dice_picture(table))
    result = run("look", path, "--game", "dice", "--json", "--draw", folder)
    seen = json.loads(result.stdout)["pieces"]
    assert seen
    before, after = cv2.imread(str(path)), cv2.imread(str(folder / "dice.jpg"))
    changed = np.abs(after.astype(int) - before).max(axis=2) > 60
    for die in seen:
        x, y = round(die["x_px"]), round(die["y_px"])
        assert changed[y - 6 : y + 7, x - 6 : x + 7].mean() > 0.1


def test_people_get_words_and_a_drawing(pictures, tmp_path):
    lens, board = pictures / "lens.json", pictures / "board.json"
    folder = tmp_path / "drawn"
    result = run(
        "look", pictures / "table.png", pictures / "black.png", "--game", "khet", "--lens", lens, "--board", board,
        "--draw", folder,
    )  # fmt: skip
    assert result.exit_code == 0
    assert "table.png: " in result.output
    assert "a1" in result.output
    assert "stages: " in result.output
    drawn = cv2.imread(str(folder / "table.jpg"))
    assert drawn.shape == (600, 800, 3)
    assert (np.abs(drawn.astype(int) - cv2.imread(str(pictures / "table.png"))).max(axis=2) > 60).mean() > 0.003


def test_why_a_drawing_cannot_be_written_is_said(pictures, tmp_path):
    (tmp_path / "table.jpg").mkdir()
    result = run("look", pictures / "table.png", "--game", "khet", "--draw", tmp_path)
    assert str(result.exception) == f"{tmp_path / 'table.jpg'}: Is a directory"


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--game", "whist"], "no reader for 'whist'"),
        (["--game", "khet", "--markers", "wide"], "'wide' is not W,H[,SIDE] in millimetres, such as 600,380,40"),
        (["--game", "khet", "--markers", "nan,380"], "the side the smallest; not nan,380,40"),
        (["--game", "khet", "--lens", "gone.json"], "gone.json: No such file or directory"),
        (["--game", "khet", "--lens", __file__], "a JSON file is needed"),
        (["--game", "khet", "--board", __file__], "a JSON file is needed"),
        (["--game", "khet", "--board", "gone.json"], "gone.json: No such file or directory"),
        (["--game", "khet", "--corners", "gone.json"], "gone.json: No such file or directory"),
        (["--game", "khet", "--taught", "gone"], "gone"),
    ],
)
def test_wrong_options_are_one_clear_error(pictures, options, word):
    result = run("look", pictures / "table.png", *options)
    assert isinstance(result.exception, CompanionError | ValueError)
    assert word in str(result.exception)


def test_a_board_of_squares_is_none_of_hexagons(pictures):
    result = run("look", pictures / "table.png", "--game", "hexxagon", "--board", pictures / "board.json", "--json")
    assert isinstance(result.exception, CompanionError)
    assert "cols and rows the same odd number; not 'hex' with 10x8" in str(result.exception)
