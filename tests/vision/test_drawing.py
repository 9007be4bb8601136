"""What was recognised, drawn over the picture: every piece in words, no label upon another piece or label."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_tables import SMALL, camera, khet_table

from calibration.table import TableMarkers
from companion.pieces import UNKNOWN, Piece
from companion.view import Sighting, TableView
from companion.vision import drawing
from companion.vision.drawing import SURE, UNSURE, drawn, labelled, words_of
from companion.vision.picture import small_grey
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings
from hardware.frames import Frame


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        (Piece("tile", suit="suns", value="3", face="front"), ("3 suns", "tile")),
        (Piece("tile", face="back"), ("tile back",)),
        (Piece("pawn", suit="arms"), ("arms", "pawn")),
        (Piece("pyramid", colour="red", size="small", pose="lying"), ("red small", "pyramid lying")),
        (Piece("pyramid", colour="silver", facing="NE"), ("silver NE", "pyramid")),
        (Piece("robot_card"), ("robot card",)),
        (UNKNOWN, ("unknown",)),
    ],
)
def test_a_label_says_what_tells_a_piece_from_its_like(piece, words):
    assert words_of(piece) == words


def seen_at(x, y, sure=0.99, heading=None):
    piece = Piece("pyramid", colour="red", size="medium", pose="lying")
    return Sighting(((piece, sure),), x_px=x, y_px=y, heading_deg=heading)


@pytest.fixture
def plates(monkeypatch):
    """Box and lines of every plate that is drawn."""
    found = []
    monkeypatch.setattr(drawing, "_draw_plate", lambda canvas, box, lines, *rest: found.append((box, tuple(lines))))
    return found


def test_labels_cover_neither_pieces_nor_each_other(plates):
    close = [seen_at(200.0 + 30 * i, 150.0 + 12 * i, heading=90.0 * i) for i in range(4)]
    canvas = labelled(np.zeros((300, 500, 3), np.uint8), TableView(0.0, tuple(close)))
    scale = canvas.shape[1] / 500
    boxes = [box for box, _ in plates]
    dots = [(scale * s.x_px, scale * s.y_px) for s in close]
    assert len(boxes) == 4
    assert all(b[2] <= a[0] or a[2] <= b[0] or b[3] <= a[1] or a[3] <= b[1] for a in boxes for b in boxes if a != b)
    assert not any(left <= x <= right and top <= y <= low for left, top, right, low in boxes for x, y in dots)


def test_a_picture_is_enlarged_until_the_labels_of_a_board_of_many_cells_have_room(plates):
    picture = cv2.resize(np.full((2, 2, 3), 90, np.uint8), (640, 480))
    discs = [
        Sighting(((Piece("disc", colour="black"), 0.99),), x_px=200.0 + 10 * i, y_px=120.0 + 10 * j)
        for i in range(26)
        for j in range(26)
    ]
    canvas = labelled(picture, TableView(0.0, tuple(discs)))
    assert 640 < canvas.shape[1] <= drawing.MOST_PX
    assert canvas.shape[0] * 4 == canvas.shape[1] * 3
    boxes = np.array([box for box, _ in plates])
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=2)
    np.fill_diagonal(shared, 0)
    assert not shared.any()


def test_a_few_pieces_are_drawn_at_the_size_of_the_picture():
    far = tuple(seen_at(100.0 + 150 * i, 150.0) for i in range(3))
    assert labelled(np.zeros((300, 500, 3), np.uint8), TableView(0.0, far)).shape == (300, 500, 3)


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (499.0, 299.0), (499.0, 0.0), (-40.0, 900.0)])
def test_a_piece_at_the_rim_is_drawn_all_the_same(x, y):
    picture = np.zeros((300, 500, 3), np.uint8)
    drawn = labelled(picture, TableView(0.0, (seen_at(x, y),)))
    assert drawn.shape == picture.shape
    assert not picture.any()
    assert drawn.any() == (0 <= x < 500 and 0 <= y < 300)


def test_what_is_unsure_is_drawn_in_another_colour():
    for sure, colour in ((0.99, SURE), (0.6, UNSURE)):
        drawn = labelled(np.zeros((300, 500, 3), np.uint8), TableView(0.0, (seen_at(250.0, 150.0, sure),)))
        assert tuple(drawn[150, 250]) == colour


def test_a_label_says_why_a_piece_is_unknown_and_what_another_stands_on(plates):
    faint = replace(seen_at(20.0, 20.0), faint=True)
    lost = replace(seen_at(100.0, 100.0), why="like a pyramid, but not surely one")
    below = seen_at(300.0, 200.0)
    above = Sighting(((Piece("pyramid", colour="blue", size="small"), 0.99),), x_px=320.0, y_px=200.0, nested_on=2)
    labelled(np.zeros((300, 500, 3), np.uint8), TableView(0.0, (faint, lost, below, above)))
    assert [lines for _, lines in plates] == [
        ("unknown", "like a pyramid, but", "not surely one"),
        ("red medium", "pyramid lying"),
        ("blue small", "pyramid", "on red medium"),
    ]


def test_warnings_are_written_in_lines_that_fit_into_the_picture(plates):
    text = "table markers 1 (top right) and 2 (bottom right) not seen: nothing may cover them, and " * 2
    labelled(np.zeros((480, 640, 3), np.uint8), TableView(0.0, warnings=(text, "glare at c4")))
    ((left, top, right, low), lines) = plates[0]
    assert " ".join(lines[:-1]) == text.strip()
    assert lines[-1] == "glare at c4"
    assert (left, top) >= (0, 0)
    assert (right, low) <= (640, 480)
    wide = max(cv2.getTextSize(line, drawing.FONT, drawing.LETTERS * drawing.WARNING_SIZE, 1)[0][0] for line in lines)
    assert wide <= right - left


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_an_arrow_points_along_the_heading_however_the_camera_hangs(turns):
    pose = camera(SMALL)
    picture = np.ascontiguousarray(np.rot90(khet_table(pose), turns))
    eye = Eye(EyeSettings(), None, TableMarkers(600.0, 380.0), None)
    eye.read(Frame(picture, small_grey(picture), 0.0, 0))
    look = eye.last
    middle, tip = look.place.pose.project(np.array([(0.0, 0.0), (40.0, 0.0)]))
    piece = Piece("pyramid", colour="red", size="medium", pose="lying")
    seen = Sighting(((piece, 0.99),), 0.0, 0.0, heading_deg=0.0, x_px=float(middle[0]), y_px=float(middle[1]))
    bare = Sighting(((piece, 0.99),), 0.0, 0.0, x_px=float(middle[0]), y_px=float(middle[1]))
    with_arrow, without = (drawn(look, TableView(0.0, (s,))).astype(int) for s in (seen, bare))
    rows, cols = np.nonzero(np.abs(with_arrow - without).max(axis=2) > 60)
    way = np.array([cols.mean(), rows.mean()]) - middle
    assert way @ (tip - middle) > 0.9 * np.hypot(*way) * np.hypot(*(tip - middle))
