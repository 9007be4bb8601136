"""`companion teach`: what is learned from pictures, and what teaches nothing."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from command_line import BOARD, looked, run
from drawn_tables import SMALL

from companion.errors import ConfigError
from companion.sets.stored_eyes import BY_HAND
from companion.simulator.pyramid_tables import pyramid_picture, pyramid_table
from companion.simulator.tables import TESTING
from companion.vision.errors import UnusableWeights
from companion.vision.finders import TableFinder
from companion.vision.khet.reader import KhetReader

TRUTH = {"pieces": [], "camera": SMALL.to_json(), "markers": {"W_mm": 600, "H_mm": 380}, "board": BOARD}

pytestmark = pytest.mark.usefixtures("own_state")


@pytest.fixture
def taught_by(pictures, tmp_path):
    """Teaches the empty board with these labels, into a folder `t`."""

    def teach(truth, game="khet", *more):
        (tmp_path / "truth.json").write_text(json.dumps(truth))
        lesson = (pictures / "empty.png", tmp_path / "truth.json", "--out", tmp_path / "t")
        return run("teach", "--game", game, *lesson, *more)

    return teach


def test_teaching_makes_a_folder_that_look_takes(pictures, taught_by, tmp_path):
    result, out = taught_by(TRUTH), tmp_path / "t"
    assert result.exit_code == 0, result.output
    assert any(out.iterdir())
    assert (out / BY_HAND).is_file()
    (answer,) = looked(pictures, "empty.png", more=("--taught", out))
    assert "error" not in answer


@pytest.mark.parametrize("game", ["khet", "ataxx", "kaxxt", "kdak", "dice"])
def test_a_folder_in_which_nothing_was_taught_for_a_game_is_told_in_the_same_words_for_every_game(
    pictures, tmp_path, game
):
    for folder in (tmp_path, tmp_path / "gone"):
        refused = run("look", pictures / "table.png", "--game", game, "--taught", folder)
        assert str(refused.exception).startswith(f"{folder}: nothing was taught there for this game; ")


@pytest.mark.parametrize("suffix", [".png", ".PNG", ".JPG", ".jpeg", ".webp", ".TIF"])
def test_a_folder_stands_for_its_labelled_pictures_of_every_kind(pictures, tmp_path, suffix):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "one.json").write_text(json.dumps(TRUTH))
    cv2.imwrite(str(folder / f"one{suffix}"), cv2.imread(str(pictures / "empty.png")))
    (folder / "unlabelled.png").write_bytes(b"")
    taught = run("teach", "--game", "khet", folder, "--out", tmp_path / "t")
    assert taught.exit_code == 0, taught.exception
    assert "learned from 1 picture;" in taught.output


def test_a_folder_without_labelled_pictures_is_named(tmp_path):
    (tmp_path / "alone.json").write_text("{}")
    refused = run("teach", "--game", "khet", tmp_path, "--out", tmp_path / "t")
    assert str(refused.exception) == f"{tmp_path}: no labelled picture is in this folder"


@pytest.mark.parametrize(
    ("kind", "colour", "cell", "said"),
    [
        ("pharaoh", "red", "A1", "no cell 'A1'"),
        ("pharaoh", "red", "k9", "no cell 'k9'"),
        ("disc", "white", "a1", "a disc is no piece of Khet"),
    ],
)
def test_a_label_of_no_cell_or_of_another_game_is_named_and_teaches_nothing(
    taught_by, tmp_path, kind, colour, cell, said
):
    result = taught_by({**TRUTH, "pieces": [{"kind": kind, "colour": colour, "cell_name": cell}]})
    assert said in str(result.exception)
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize(
    ("content", "said"), [({}, "pieces is missing"), ({"pieces": [{"cell_name": "a1"}]}, "kind is missing")]
)
def test_what_a_label_lacks_is_named(taught_by, content, said):
    result = taught_by(content)
    assert str(result.exception).endswith(f"truth.json: this does not say what lies on the table: {said}")


@pytest.mark.parametrize("game", ["chaos", "kdak"])
def test_teaching_nothing_is_no_success(taught_by, tmp_path, game):
    result = taught_by({name: said for name, said in TRUTH.items() if name != "board"}, game)
    assert "nothing was learned" in str(result.exception)
    assert not (tmp_path / "t").exists()


def test_teaching_again_into_a_folder_says_what_becomes_of_the_old_lesson(taught_by, tmp_path):
    assert "replaced" not in taught_by(TRUTH).output
    assert "is replaced" in taught_by(TRUTH).output
    assert "replaced" not in taught_by(TRUTH, "khet", "--taught", tmp_path / "t").output


def test_a_picture_that_shows_no_table_teaches_nothing(pictures, tmp_path):
    result = run("teach", "--game", "khet", pictures / "black.png", "--layout", "classic-2.0", "--out", tmp_path / "t")
    assert "black.png" in str(result.exception)
    assert not (tmp_path / "t").exists()


@pytest.mark.faulty
@pytest.mark.parametrize("layout", [(), ("--layout", "start")])
@pytest.mark.parametrize(("game", "reader", "reads"), [("khet", KhetReader, "read"), ("kaxxt", TableFinder, "find")])
def test_where_weights_are_damaged_nothing_is_learned_and_the_file_is_named(
    pictures, tmp_path, monkeypatch, game, reader, reads, layout
):
    def torn(self, *looks):
        raise UnusableWeights(Path("some.onnx"), "torn")

    monkeypatch.setattr(reader, reads, torn)
    (tmp_path / "truth.json").write_text(json.dumps(TRUTH if game == "khet" else {**TRUTH, "board": None}))
    board = ("--board", pictures / "board.json") if game == "khet" else ()
    lesson = (pictures / "empty.png", *(layout or [tmp_path / "truth.json"]), *board, "--lens", pictures / "lens.json")
    refused = run("teach", "--game", game, *lesson, "--out", tmp_path / "t")
    assert "empty.png teaches nothing: some.onnx cannot be used (torn): install" in str(refused.exception)
    assert "learned" not in refused.output
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
