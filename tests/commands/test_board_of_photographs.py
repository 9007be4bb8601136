"""Games from photographs of which nobody said how large their board is."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from cases import long
from command_line import shown

from companion.bench.random_game import random_game
from companion.games import game
from companion.simulator.album import write_album
from companion.simulator.design import furnish
from companion.simulator.script import Script, Timing
from companion.simulator.setting import Setting

SEED = 7_100_000


pytestmark = pytest.mark.usefixtures("own_state")  # no calibration


def album(folder: Path, name: str, **options) -> tuple[list[str], str]:
    """Photographs of a short game: what was done before each, and the position at the end."""
    book, design = random_game((name, options), 3, SEED)
    furniture = furnish(design)
    script = Script(book.game, book.start(), book.steps, Setting(furniture, 1), Timing(), 1)
    made = write_album(script.beats(), design, folder, name)
    (folder / "lens.json").write_text(json.dumps(furniture.scene.camera.lens.to_json()), encoding="utf-8")
    return made, book.game.write_position(script.position)


def read(folder: Path, name: str, *more: str) -> list[dict]:
    words = ["run", "--game", name, "--camera", f"folder:{folder}", "--fast", "--exit", "--json"]
    return [json.loads(line) for line in shown(*words, "--lens", folder / "lens.json", *more).splitlines()]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ataxx", {"board": 5}),
        *(long(*case) for case in (("ataxx", {"board": 7}), ("ataxx", {"board": 9}), ("hexxagon", {}))),
    ],
)
def test_a_board_is_as_large_as_the_picture_of_its_set_up_shows(tmp_path, name, options):
    made, position = album(tmp_path / "album", name, **options)
    lines = read(tmp_path / "album", name)
    assert sum(line["reading"] == "move" for line in lines) == sum(what.startswith("moved") for what in made)
    assert lines[-1]["position"] == position


def test_where_no_picture_shows_the_set_up_it_is_said_which_board_is_looked_for(tmp_path):
    album(tmp_path / "album", "ataxx", board=5)
    for picture in sorted((tmp_path / "album").glob("*.jpg"))[:-1]:
        picture.unlink()
    (line,) = read(tmp_path / "album", "ataxx")
    assert line["reading"] == "set-up"
    assert "no --board was given, and no set-up is seen: it is taken to have" in line["text"]


def test_a_board_that_is_described_is_not_looked_for(tmp_path, monkeypatch):
    made, position = album(tmp_path / "album", "ataxx", board=5)
    monkeypatch.setattr("companion.photographed_board.board_sizes", None)
    board = tmp_path / "board.json"
    cell = game("ataxx").layout(game("ataxx").start({"board": 5})).board.cell_mm
    board.write_text(json.dumps({"cols": 5, "rows": 5, "cell_mm": cell}), encoding="utf-8")
    lines = read(tmp_path / "album", "ataxx", "--board", str(board))
    assert len(lines) == len(made)
    assert lines[-1]["position"] == position


def test_pictures_without_a_table_name_the_board_that_is_looked_for(tmp_path):
    folder = tmp_path / "album"
    album(folder, "ataxx", board=5)
    for picture in folder.glob("*.jpg"):
        image = cv2.imread(str(picture))
        image[330:-330, 300:-300] = 120  # the markers stay
        cv2.imwrite(str(picture), image)
    assert all("--board" in line["text"] for line in read(folder, "ataxx"))


def test_a_sheet_over_the_set_up_makes_no_smaller_board_of_it(tmp_path):
    folder = tmp_path / "album"
    _, position = album(folder, "ataxx", board=7)
    first = cv2.imread(str(folder / "000.jpg"))
    middle, side = np.array(first.shape[1::-1]) // 2 + (20, 10), 96
    corners = np.array([(-side, 6 - side), (side - 5, -side), (side, side - 6), (4 - side, side)])
    cv2.fillConvexPoly(first, (middle + corners).astype(np.int32), (120, 165, 150))
    cv2.imwrite(str(folder / "000.jpg"), first)
    assert read(folder, "ataxx")[-1]["position"] == position
