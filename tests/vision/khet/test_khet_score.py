"""The bench counts what a reading got right, wrong and left open."""

import numpy as np
import pytest

from companion.bench.vision import run
from companion.bench.vision_score import Error, Score, contact_sheet, drawn, part_at
from companion.errors import UnreadableText
from companion.pieces import EMPTY, Piece
from companion.view import BoardShape, Sighting, TableView

SHAPE = BoardShape(2, 2, 38.0)
SCARAB, PYRAMID = Piece("scarab", "red", facing="/"), Piece("pyramid", "silver", facing="NE")
PATCHES = {cell: np.full((96, 96, 3), 90, np.uint8) for cell in SHAPE.cells()}


def _view(**seen: tuple[Piece, float, str | None]) -> TableView:
    sightings = [Sighting(((piece, p),), cell=cell, why=why) for cell, (piece, p, why) in seen.items()]
    return TableView(0.0, tuple(sightings), shape=SHAPE, stages={"pieces": 0.05, "markers": 0.03})


def test_right_wrong_and_unknown_are_told_apart():
    score = Score()
    turned = Piece("pyramid", "silver", facing="SE")
    view = _view(a1=(SCARAB, 0.99, None), b1=(turned, 0.8, None), a2=(EMPTY, 0.3, "glare"), b2=(EMPTY, 1.0, None))
    score.add("one", view, {"a1": SCARAB, "b1": PYRAMID}, PATCHES)
    assert (score.cells, score.wrong, score.unknown, score.perfect, score.no_lie) == (4, 1, 1, 0, 0)
    assert [e.cell for e in score.errors] == ["b1", "a2"]
    assert "50.000 % of 4 cells right" in next(score.report())
    sheet = contact_sheet(score.errors)
    assert sheet[:150].max() > 0


def test_long_captions_go_on_in_the_next_line():
    piece, patch = Piece("pyramid", "purple", "medium", "upright"), np.full((60, 60, 3), 90, np.uint8)
    short = Error("one", "a1", SCARAB, PYRAMID, 0.5, None, patch)
    long = Error("pieces/1000123", "12 mm right, 104 mm below", piece, piece, 0.5, None, patch)
    few, many = contact_sheet([short]), contact_sheet([short, long])
    assert many.shape[0] > few.shape[0]
    for sheet in (few, many):  # nothing of a caption is cut off at its right
        assert not sheet[150:, [tile * 150 + 149 for tile in range(8)]].any()
    assert many[few.shape[0] :, 150:300].any()


def test_a_caption_says_why_what_was_rightly_guessed_was_left_open():
    patch = np.full((60, 60, 3), 90, np.uint8)
    told, why = (Error("one", "a1", SCARAB, SCARAB, 0.5, why, patch) for why in (None, "glare"))
    few, many = contact_sheet([told]), contact_sheet([why])
    assert many.shape[0] > few.shape[0]
    assert many[few.shape[0] :].any()


def test_the_facing_of_a_pharaoh_does_not_count():
    score = Score()
    view = _view(
        a1=(Piece("pharaoh", "red", facing="N"), 0.9, None),
        b1=(EMPTY, 1, None),
        a2=(EMPTY, 1, None),
        b2=(EMPTY, 1, None),
    )
    score.add("one", view, {"a1": Piece("pharaoh", "red")}, {})
    assert (score.perfect, score.wrong) == (1, 0)
    assert contact_sheet(score.errors) is None


def test_a_board_that_was_not_read_counts_as_wrong():
    score = Score()
    score.add("dark", TableView(0.0, obstacles=("dark",), shape=SHAPE), {}, {})
    assert (score.unread, score.wrong, score.perfect) == (1, 4, 0)


def test_reliability_and_times_are_told():
    score = Score()
    view = _view(a1=(SCARAB, 0.97, None), b1=(EMPTY, 0.97, None), a2=(EMPTY, 0.97, None), b2=(SCARAB, 0.97, None))
    score.add("one", view, {"a1": SCARAB}, {})
    assert any("mean 0.9700, right 0.7500" in line for line in score.reliability())
    assert any("whole read" in line and "80.0 ms" in line for line in score.times())


def test_errors_are_drawn_where_the_environment_says(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_BENCH_OUT", str(tmp_path))
    picture = np.arange(100 * 140 * 3, dtype=np.uint8).reshape(100, 140, 3)
    patch = part_at(picture, 3.0, 99.0, 40)
    assert patch is not None
    assert np.array_equal(patch, picture[60:, :40])
    assert part_at(picture, 3.0, 99.0, 120) is None
    die = Piece("die", suit="suns", value="2")
    error = Error("table 1", "3,99", die, Piece("nothing"), 0.0, None, patch)
    assert str(error) == "table 1 3,99: die suns 2 seen as nothing (0.00)"
    assert list(drawn([], "none")) == []
    (line,) = drawn([error], "dice-errors")
    assert str(tmp_path / "dice-errors.png") in line
    assert (tmp_path / "dice-errors.png").stat().st_size > 0


def test_a_family_that_nobody_measures_is_refused(monkeypatch):
    monkeypatch.setenv("COMPANION_BENCH_FAMILIES", "chess")
    with pytest.raises(UnreadableText, match="khet, pyramids"):
        run(print)


def test_errors_are_drawn_into_a_folder_that_is_made_or_said_to_be_not_drawn(tmp_path, monkeypatch):
    error = Error("one", "b1", PYRAMID, SCARAB, 0.8, None, PATCHES["b1"])
    monkeypatch.setenv("COMPANION_BENCH_OUT", str(tmp_path / "new" / "folder"))
    (line,) = drawn([error], "errors")
    assert line.endswith(str(tmp_path / "new" / "folder" / "errors.png"))
    assert (tmp_path / "new" / "folder" / "errors.png").stat().st_size > 0
    (tmp_path / "taken").write_text("a file")
    monkeypatch.setenv("COMPANION_BENCH_OUT", str(tmp_path / "taken"))
    (line,) = drawn([error], "errors")
    assert "not drawn" in line
    assert str(tmp_path / "taken") in line
