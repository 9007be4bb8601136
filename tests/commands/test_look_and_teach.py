"""`companion look`, `teach`, `print` and `calibrate` as a person or a script calls them."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from drawn_tables import KHET, LYING, SMALL, Paint, camera, khet_table

from calibration.lens import lens_from_json
from calibration.markers import CharucoShape
from calibration.table import CameraPose
from companion.cli import group
from companion.errors import CompanionError, ConfigError
from companion.simulator.dice_tables import dice_picture, dice_table
from companion.simulator.pyramid_tables import pyramid_picture, pyramid_table
from companion.simulator.tables import TESTING
from companion.stored_eyes import BY_HAND

POSE = camera(SMALL)
BOARD = {"cols": 10, "rows": 8, "cell_mm": 38, "border_mm": 10}


@pytest.fixture(autouse=True)
def _own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    image = khet_table(POSE, pieces={"a1": (40, 40, 190), "e4": (40, 40, 190)})
    cv2.imwrite(str(folder / "table.png"), image)
    cv2.imwrite(str(folder / "empty.png"), khet_table(POSE))
    cv2.imwrite(str(folder / "black.png"), np.zeros((300, 400, 3), np.uint8))
    cv2.imwrite(str(folder / "white.png"), np.full((300, 400, 3), 255, np.uint8))
    cv2.imwrite(str(folder / "dot.png"), np.zeros((1, 1, 3), np.uint8))
    cv2.imwrite(str(folder / "deep.png"), image.astype(np.uint16) * 257)
    cv2.imwrite(str(folder / "grey.png"), cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    cv2.imwrite(str(folder / "whole.jpg"), image)
    data = (folder / "whole.jpg").read_bytes()
    (folder / "cut.jpg").write_bytes(data[: len(data) * 2 // 3])
    (folder / "text.jpg").write_text("no picture")
    (folder / "nothing.jpg").write_bytes(b"")
    (folder / "lens.json").write_text(json.dumps(SMALL.to_json()))
    (folder / "board.json").write_text(json.dumps(BOARD))
    return folder


def run(*words):
    return CliRunner().invoke(group, [str(word) for word in words])


def looked(folder, *names, more=()):
    options = ["--game", "khet", "--lens", folder / "lens.json", "--board", folder / "board.json", "--json", *more]
    result = run("look", *(folder / name for name in names), *options)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


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


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--game", "whist"], "no reader for 'whist'"),
        (["--game", "khet", "--markers", "wide"], "W,H"),
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


def test_teaching_makes_a_folder_that_look_takes(pictures, tmp_path):
    truth = {"pieces": [], "camera": SMALL.to_json(), "markers": {"W_mm": 600, "H_mm": 380}, "board": BOARD}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    out = tmp_path / "taught"
    result = run("teach", "--game", "khet", pictures / "empty.png", tmp_path / "truth.json", "--out", out)
    assert result.exit_code == 0, result.output
    assert any(out.iterdir())
    assert (out / BY_HAND).is_file()
    (answer,) = looked(pictures, "empty.png", more=("--taught", out))
    assert "error" not in answer


@pytest.mark.parametrize("game", ["khet", "ataxx", "kaxxt", "kdak"])
def test_a_folder_in_which_nothing_was_taught_for_a_game_is_told_in_the_same_words_for_every_game(
    pictures, tmp_path, game
):
    for folder in (tmp_path, tmp_path / "gone"):
        refused = run("look", pictures / "table.png", "--game", game, "--taught", folder)
        assert str(refused.exception).startswith(f"{folder}: nothing was taught there for this game; ")


@pytest.mark.parametrize("suffix", [".png", ".PNG", ".JPG", ".jpeg", ".webp", ".TIF"])
def test_a_folder_stands_for_its_labelled_pictures_of_every_kind(pictures, tmp_path, suffix):
    truth = {"pieces": [], "camera": SMALL.to_json(), "markers": {"W_mm": 600, "H_mm": 380}, "board": BOARD}
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "one.json").write_text(json.dumps(truth))
    cv2.imwrite(str(folder / f"one{suffix}"), cv2.imread(str(pictures / "empty.png")))
    (folder / "unlabelled.png").write_bytes(b"")
    taught = run("teach", "--game", "khet", folder, "--out", tmp_path / "t")
    assert taught.exit_code == 0, taught.exception
    assert "learned from 1 picture;" in taught.output


def test_a_folder_without_labelled_pictures_is_named(tmp_path):
    (tmp_path / "alone.json").write_text("{}")
    refused = run("teach", "--game", "khet", tmp_path, "--out", tmp_path / "t")
    assert str(refused.exception) == f"{tmp_path}: no labelled picture is in this folder"


@pytest.mark.parametrize(("cell", "said"), [("A1", "no cell 'A1'"), ("k9", "no cell 'k9'")])
def test_a_label_on_no_cell_is_named(pictures, tmp_path, cell, said):
    piece = {"kind": "pharaoh", "colour": "red", "cell_name": cell}
    truth = {"pieces": [piece], "camera": SMALL.to_json(), "markers": {"W_mm": 600, "H_mm": 380}, "board": BOARD}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    result = run("teach", "--game", "khet", pictures / "empty.png", tmp_path / "truth.json", "--out", tmp_path / "t")
    assert said in str(result.exception)
    assert not (tmp_path / "t").exists()


def test_a_picture_that_is_labelled_for_another_game_teaches_nothing(pictures, tmp_path):
    piece = {"kind": "disc", "colour": "white", "cell_name": "a1"}
    truth = {"pieces": [piece], "camera": SMALL.to_json(), "markers": {"W_mm": 600, "H_mm": 380}, "board": BOARD}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    result = run("teach", "--game", "khet", pictures / "empty.png", tmp_path / "truth.json", "--out", tmp_path / "t")
    assert "a disc is no piece of Khet" in str(result.exception)
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize(
    ("content", "said"), [({}, "pieces is missing"), ({"pieces": [{"cell_name": "a1"}]}, "kind is missing")]
)
def test_what_a_label_lacks_is_named(pictures, tmp_path, content, said):
    (tmp_path / "truth.json").write_text(json.dumps(content))
    result = run("teach", "--game", "khet", pictures / "empty.png", tmp_path / "truth.json", "--out", tmp_path / "t")
    assert str(result.exception).endswith(f"truth.json: this does not say what lies on the table: {said}")


@pytest.mark.parametrize("game", ["chaos", "kdak"])
def test_teaching_nothing_is_no_success(pictures, tmp_path, game):
    truth = {"pieces": [], "camera": SMALL.to_json(), "markers": {"W_mm": 600, "H_mm": 380}}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    result = run("teach", "--game", game, pictures / "empty.png", tmp_path / "truth.json", "--out", tmp_path / "t")
    assert "nothing was learned" in str(result.exception)
    assert not (tmp_path / "t").exists()


def test_teaching_again_into_a_folder_says_what_becomes_of_the_old_lesson(pictures, tmp_path):
    truth = {"pieces": [], "camera": SMALL.to_json(), "markers": {"W_mm": 600, "H_mm": 380}, "board": BOARD}
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    lesson = ("teach", "--game", "khet", pictures / "empty.png", tmp_path / "truth.json", "--out", tmp_path / "t")
    assert "replaced" not in run(*lesson).output
    assert "is replaced" in run(*lesson).output
    assert "replaced" not in run(*lesson, "--taught", tmp_path / "t").output


def test_a_picture_that_shows_no_table_teaches_nothing(pictures, tmp_path):
    result = run("teach", "--game", "khet", pictures / "black.png", "--layout", "classic-2.0", "--out", tmp_path / "t")
    assert "black.png" in str(result.exception)
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize(("name", "said"), [("cut.jpg", "cut off"), ("damaged.jpg", "damaged")])
def test_what_a_file_lost_teaches_nothing(pictures, tmp_path, name, said):
    data = bytearray((pictures / "whole.jpg").read_bytes())
    data[len(data) // 2 : len(data) // 2 + 800] = bytes(800)
    (pictures / "damaged.jpg").write_bytes(data)
    options = ["--game", "khet", "--layout", "classic-2.0", "--board", pictures / "board.json", "--out", tmp_path / "t"]
    result = run("teach", pictures / name, *options)
    assert isinstance(result.exception, ConfigError)
    assert said in str(result.exception)


def test_pairs_are_needed_without_a_layout(pictures, tmp_path):
    result = run("teach", "--game", "khet", pictures / "empty.png", "--out", tmp_path / "t")
    assert result.exit_code != 0


@pytest.fixture(scope="module")
def pyramids(tmp_path_factory):
    """A table of pyramids as 0.png, and what lies there as 0.json."""
    folder = tmp_path_factory.mktemp("pyramids")
    table = pyramid_table(TESTING[7], game="pieces", count=9)
    cv2.imwrite(str(folder / "0.png"), pyramid_picture(table))
    (folder / "0.json").write_text(json.dumps(table.truth()))
    return folder


def test_a_piece_that_is_covered_in_the_picture_teaches_nothing(pyramids, tmp_path):
    truth = json.loads((pyramids / "0.json").read_text())
    alone = max(truth["pieces"], key=lambda p: min(_apart(p, q) for q in truth["pieces"] if q is not p))
    picture = cv2.imread(str(pyramids / "0.png"))
    x, y = np.mean(alone["hull_px"], axis=0).astype(int)
    picture[y - 60 : y + 60, x - 60 : x + 60] = picture[y - 70, x - 70]
    cv2.imwrite(str(tmp_path / "covered.png"), picture)
    taught = run("teach", "--game", "kaxxt", tmp_path / "covered.png", pyramids / "0.json", "--out", tmp_path / "t")
    assert f"nothing is seen at ({round(alone['x_mm'])}, {round(alone['y_mm'])}) mm, where" in taught.output
    assert "What is not seen teaches nothing" in taught.output
    kept = {path.stem for path in (tmp_path / "t").glob("*.png")}
    assert kept
    assert f"pyramid-{alone['colour']}-{alone['size']}-{alone['pose']}" not in kept


def _apart(one, other):
    return np.hypot(one["x_mm"] - other["x_mm"], one["y_mm"] - other["y_mm"])


def test_teaching_from_a_picture_that_is_out_of_focus_says_so(pyramids, tmp_path):
    cv2.imwrite(str(tmp_path / "soft.png"), cv2.GaussianBlur(cv2.imread(str(pyramids / "0.png")), (0, 0), 3.0))
    taught = run("teach", "--game", "kaxxt", tmp_path / "soft.png", pyramids / "0.json", "--out", tmp_path / "t")
    assert "soft.png: the picture is not sharp" in taught.output


def test_a_lens_is_measured_and_stored(tmp_path):
    for i in range(6):
        paint = Paint()
        paint.charuco(CharucoShape(), 35.0 * i, (40.0 * np.cos(i), 30.0 * np.sin(i)))
        tilt = (25.0 * np.cos(2 * i), 22.0 * np.sin(2 * i))
        image = paint.seen_by(camera(SMALL, height=480 + 30 * i, tilt=tilt))
        cv2.imwrite(str(tmp_path / f"{i}.png"), image)
    (tmp_path / "broken.png").write_text("")
    names = [tmp_path / f"{i}.png" for i in range(6)]
    result = run("calibrate", *names, tmp_path / "broken.png", "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["fx"] == pytest.approx(SMALL.fx, rel=0.02)
    assert (tmp_path / "state" / "calibration" / "lens.json").exists()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--squares", "7"], "7x5"),
        (["--squares", "²x5"], "7x5"),
        (["--squares", f"{'9' * 5000}x5"], "7x5"),
        (["--squares", "40x40"], "800 markers, and DICT_5X5_100 only 100"),
        (["--marker", "40"], "smaller"),
        (["--square", "1e308"], "at most 10000 mm"),
        (["--dictionary", "DICT_X"], "DICT_X"),
        ([], "at least 4"),
    ],
)
def test_what_cannot_be_measured_is_said(pictures, options, word):
    result = run("calibrate", pictures / "table.png", *options)
    assert word in str(result.exception)
