"""What `companion print` prints: on both papers, in exact millimetres, as the eye and the rules want it."""

import dataclasses
import json
import math
from collections import Counter

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.paper import CAPITAL, PAPERS, Label, pdf, text_width
from calibration.table import TableMarkers
from companion.cli import group
from companion.errors import ConfigError, UnreadableText
from companion.games.kdak.play import TITLES
from companion.games.kdak.track import SQUARE_MM, SQUARES, square_at, square_mm
from companion.pieces import COIN_DIAMETER_MM, ROBOT_CARD_MM
from companion.prints import disc_boards, kaxxt, kdak, sheet, sheets
from companion.simulator.prints import Print
from companion.simulator.pyramid_tables import pyramid_picture, pyramid_table
from companion.simulator.tables import TESTING
from companion.vision.boards.cells import cell_centres, field_mm
from companion.vision.card.finder import RobotCardFinder
from companion.vision.card.outline import OutlineSettings
from companion.vision.files import read_board
from companion.vision.finders import TableFinder
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame
from tests.printed import PX, grey, picture_of, pictures, ruler_mm

MM_OF_POINT = 25.4 / 72


def run(*args):
    return CliRunner().invoke(group, ["print", *map(str, args)])


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", sheets())
def test_every_sheet_is_printed_on_every_paper_with_a_ruler(name, paper):
    found = sheet(name)
    pages = found.pages(paper, found.settle({}))
    for page, picture in zip(pages, pictures(pages, 5), strict=True):
        assert sorted((page.width, page.height)) == pytest.approx(sorted(PAPERS[paper]))
        assert ruler_mm(picture, 5)[0] == pytest.approx(100.0, abs=0.4)
        assert picture[:35].min() > 250  # margins stay white
        assert np.count_nonzero(grey(picture) < 200) > 2000


def test_the_card_has_the_size_that_the_eye_looks_for():
    (page,) = kaxxt.card_pages("a4", {})
    picture = pictures([page])[0]
    colourful = np.ptp(picture.astype(int), axis=2) > 60
    down, across = (np.flatnonzero(colourful.any(axis=axis)) for axis in (1, 0))
    rim = 2 * kaxxt.RIM
    assert np.ptp(across) / PX == pytest.approx(ROBOT_CARD_MM[0] - rim, abs=0.3)
    assert np.ptp(down) / PX == pytest.approx(ROBOT_CARD_MM[1] - rim, abs=0.3)


@pytest.mark.parametrize("number", [8, 10])  # bright light; a playing card of nearly the same size beside it
def test_the_printed_card_is_found_and_its_heading_read_untaught(number):
    table = pyramid_table(TESTING[number], "kaxxt", 1200, 900)
    x, y, heading = table.card
    ink = np.rot90((picture_of(kaxxt.card()) / 255.0) ** 2.2 * 0.85, -1)
    wide, high = ROBOT_CARD_MM[1], ROBOT_CARD_MM[0]
    lying = Print(np.ascontiguousarray(ink, np.float32), wide, high, x, y, heading)
    table = dataclasses.replace(table, scene=dataclasses.replace(table.scene, prints=(*table.scene.prints[:-1], lying)))
    picture, sheets_ = pyramid_picture(table), table.scene.markers
    markers = TableMarkers(sheets_.width_mm, sheets_.height_mm, sheets_.side_mm)
    eye = Eye(EyeSettings(), table.scene.camera.lens, markers, None, TableFinder([RobotCardFinder()]))
    (seen,) = eye.read(Frame(picture, picture[::8, ::8, 1].copy(), 0.0, 0, name="table")).sightings
    assert seen.piece.kind == "robot_card"
    assert math.hypot(seen.x_mm - x, seen.y_mm - y) < 3
    assert abs((seen.heading_deg - heading + 180) % 360 - 180) < 3


def test_no_shield_card_is_taken_for_the_robot():
    (short_mm, long_mm), slack, (wide, high) = ROBOT_CARD_MM, OutlineSettings().size_slack, kaxxt.shield_size()
    assert wide > long_mm * (1 + 2 * slack)
    assert high < short_mm * (1 - slack)


def test_a_shield_has_every_number_from_full_to_none_once():
    places = {kaxxt.shield_square(points) for points in range(31)}
    assert len(places) == 31
    wide, high = kaxxt.shield_size()
    assert all(x + kaxxt.SHIELD_CELL <= wide and y + kaxxt.SHIELD_CELL <= high for x, y in places)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_is_a_shield_for_kaxxt_and_each_player(paper, players):
    (page,) = kaxxt.shield_pages(paper, {"players": players})
    titles = [mark.text for mark in page.marks if getattr(mark, "text", "").endswith("shield")]
    assert titles == [f"{name}'s shield" for name in ("Kaxxt", "South", "West", "North", "East")[: players + 1]]


def test_every_square_of_the_track_bears_its_number_and_titles_theirs():
    drawing = kdak.track()
    words = {}
    for mark in drawing.marks:
        if isinstance(mark, Label):
            square = square_at(mark.x - drawing.width / 2, drawing.height / 2 - mark.y)
            words.setdefault(square, []).append(mark.text)
    for number in range(SQUARES):
        assert words[number][0] == str(number)
    titles = {number: " ".join(texts[1:]) for number, texts in words.items() if number in dict(TITLES)}
    assert titles == dict(TITLES)


def test_the_squares_of_the_track_lie_where_the_referee_expects_the_coins():
    picture = picture_of(kdak.track())
    dark = grey(picture) < 110  # lines between the squares
    middle = np.array(picture.shape[1::-1]) / 2
    off, half = round(6.7 * PX), SQUARE_MM / 2
    for number in range(SQUARES):
        x, y = square_mm(number)
        col, row = (round(v) for v in middle + np.array([x, -y]) * PX)
        if number not in (12, 13, 25, 26, 38, 39, 51, 52):  # their common edge is open
            down, up = np.argmax(dark[row:, col + off]), np.argmax(dark[row::-1, col + off])
            assert (down + up) / PX == pytest.approx(2 * half - 0.7, abs=0.7)
            assert abs(down - up) / PX < 0.8  # one line may be thicker
        right, left = np.argmax(dark[row + off, col:]), np.argmax(dark[row + off, col::-1])
        assert (right + left) / PX == pytest.approx(2 * half - 0.5, abs=0.6)
        assert abs(right - left) / PX < 0.7
    assert COIN_DIAMETER_MM < SQUARE_MM


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("ataxx-board", {}),
        ("ataxx-board", {"board": "5", "cell": "20.5", "border": "7"}),
        ("hexxagon-board", {"cell": "21"}),
    ],
)
def test_a_board_has_its_cells_where_the_eye_looks(name, options):
    found = sheet(name)
    shape = found.shape(found.settle(options))
    drawing = disc_boards.board(shape, frozenset(), checkered=False)
    picture = grey(picture_of(drawing, 6))
    width, height = field_mm(shape)
    assert (drawing.width, drawing.height) == pytest.approx((width + 2 * shape.border_mm, height + 2 * shape.border_mm))
    cells = cv2.connectedComponentsWithStats((picture > 124).astype(np.uint8), connectivity=4)
    big = cells[2][:, cv2.CC_STAT_AREA] > (shape.cell_mm * 6) ** 2 * 0.5
    seen = cells[3][1:][big[1:]] / 6 - (drawing.width / 2, drawing.height / 2)
    wanted = cell_centres(shape) * (1, -1)
    assert len(seen) == len(wanted)
    apart = np.linalg.norm(seen[:, None] - wanted[None], axis=2).min(axis=0)
    assert apart.max() < 0.3


@pytest.mark.parametrize(
    ("name", "options"), [("ataxx-board", {"board": "8"}), ("hexxagon-board", {}), ("hexxagon-board", {"border": "4"})]
)
def test_the_lines_of_a_board_are_named_at_both_ends_outside_the_cells(name, options):
    found = sheet(name)
    shape = found.shape(found.settle(options))
    drawing = disc_boards.board(shape, frozenset(), checkered=False)
    named = [mark for mark in drawing.marks if isinstance(mark, Label)]
    ends = Counter(word for cell in shape.cells() for word in {cell[0], cell[1:]}) if shape.border_mm >= 5 else {}
    assert Counter(mark.text for mark in named) == dict.fromkeys(ends, 2)
    middles = cell_centres(shape) * (1, -1) + (drawing.width / 2, drawing.height / 2)
    for mark in named:
        away = np.linalg.norm(middles - (mark.x, mark.y), axis=1)
        nearest = [cell for cell, mm in zip(shape.cells(), away, strict=True) if mm == pytest.approx(away.min(), abs=2)]
        assert away.min() > shape.cell_mm / 2 + 2
        assert any(mark.text in (cell[0], cell[1:]) for cell in nearest)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ["ataxx-board", "hexxagon-board"])
@pytest.mark.parametrize("cell", [20, 24, 30, 38, 45])
def test_no_seam_cuts_the_name_of_a_line(name, paper, cell):
    found = sheet(name)
    parts = [page.marks[0] for page in found.pages(paper, found.settle({"cell": str(cell)}))]
    seams_x, seams_y = ({getattr(part, start) for part in parts} - {0.0} for start in ("from_x", "from_y"))
    for mark in (mark for mark in parts[0].marks if isinstance(mark, Label)):
        middle = mark.y - CAPITAL * mark.size * MM_OF_POINT / 2
        assert all(abs(mark.x - seam) > text_width(mark.text, mark.size) / 2 + 0.5 for seam in seams_x)
        assert all(abs(middle - seam) > 1.5 for seam in seams_y)


@pytest.mark.parametrize(
    ("name", "options", "crossed"),
    [
        ("ataxx-board", {"blocked": "c3, e5"}, 2),
        ("ataxx-board", {"blocked": "sides"}, 8),
        ("hexxagon-board", {"holes": "yes"}, 3),
        ("hexxagon-board", {}, 0),
    ],
)
def test_blocked_cells_are_crossed_out(name, options, crossed):
    found = sheet(name)
    (before, after) = (pdf(found.pages("a4", found.settle(o)), "x") for o in ({}, options))
    assert (before != after) == (crossed > 0)
    marks = found.pages("a4", found.settle(options))[0].marks[0].marks
    assert sum(getattr(mark, "width", 0) == 1.2 for mark in marks) == 2 * crossed


def test_the_measures_of_a_board_are_written_for_the_eye(tmp_path):
    result = run("hexxagon-board", "--option", "cell=40", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    shape, pose = read_board(tmp_path / "hexxagon-board.json")
    assert (shape.kind, shape.rows, shape.cell_mm, pose) == ("hex", 9, 40.0, None)


def test_all_sheets_are_written_at_once(tmp_path):
    result = run("--paper", "letter", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert {path.name for path in tmp_path.glob("*.pdf")} == {f"{name}-letter.pdf" for name in sheets()}
    assert json.loads((tmp_path / "ataxx-board.json").read_text())["cols"] == 8


def test_the_list_tells_what_may_be_chosen():
    text = run("list").output
    assert "look=checkered: cells in two tones, or in one with lines (checkered or plain)\n" in text
    assert "players=4: players, beside Kaxxt (2 to 4)\n" in text
    assert "or cells like c3,e5\n" in text


def test_the_list_tells_every_sheet_and_option():
    text = run("list").output
    for found in sheets().values():
        assert found.title in text
        assert all(f"{option.name}=" in text for option in found.options)


@pytest.mark.parametrize(
    ("args", "error", "words"),
    [
        (("kaxxt",), UnreadableText, "no sheet is called 'kaxxt'; there are markers"),
        (("lens", "--option", "side=3"), UnreadableText, "lens has no option 'side'; it has none"),
        (("ataxx-board", "--option", "bord=3"), UnreadableText, "did you mean 'board'"),
        (("ataxx-board", "--option", "board"), UnreadableText, "write NAME=VALUE"),
        (("ataxx-board", "--option", "board=2"), UnreadableText, "from 3 to 26, not '2'"),
        (("ataxx-board", "--option", "board=7.5"), UnreadableText, "a whole number from 3 to 26, not '7.5'"),
        (("kaxxt-shields", "--option", "players=3.5"), UnreadableText, "a whole number from 2 to 4"),
        (("ataxx-board", "--option", "size=9"), UnreadableText, "there are board, blocked"),
        (("ataxx-board", "--option", "cell=nan"), UnreadableText, "from 10 to 120"),
        (("ataxx-board", "--option", "look=shiny"), UnreadableText, "checkered, plain"),
        (("ataxx-board", "--option", "blocked=z9"), UnreadableText, "no cell 'z9'"),
        (("ataxx-board", "--option", "blocked=a1"), UnreadableText, "pieces begin on"),
        (("ataxx-board", "--option", "board=26", "--option", "cell=120"), ConfigError, "36 at most"),
        (("markers", "--option", "side=180"), ConfigError, "does not fit"),
        (("--option", "side=30"), ConfigError, "name it"),
        (("lens", "--out", "/dev/null/sheets"), ConfigError, "/dev/null/sheets: Not a directory"),
    ],
)
def test_what_cannot_be_printed_is_said(tmp_path, args, error, words):
    result = run(*args, *(() if "--out" in args else ("--out", tmp_path)))
    assert isinstance(result.exception, error), result.output
    assert words in str(result.exception)
    assert not list(tmp_path.glob("*.pdf"))
