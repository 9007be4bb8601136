"""What was recognised, drawn over the picture: every piece in words, no label upon another piece or label."""

import numpy as np
import pytest

from companion.pieces import UNKNOWN, Piece
from companion.view import Sighting, TableView
from companion.vision import drawing
from companion.vision.drawing import SURE, UNSURE, labelled, words_of


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


def test_labels_cover_neither_pieces_nor_each_other(monkeypatch):
    boxes = []
    monkeypatch.setattr(drawing, "_draw_plate", lambda canvas, box, *rest: boxes.append(box))
    close = [seen_at(200.0 + 30 * i, 150.0 + 12 * i, heading=90.0 * i) for i in range(4)]
    labelled(np.zeros((300, 500, 3), np.uint8), TableView(0.0, tuple(close)))
    dots = [(s.x_px, s.y_px) for s in close]
    assert len(boxes) == 4
    assert all(b[2] <= a[0] or a[2] <= b[0] or b[3] <= a[1] or a[3] <= b[1] for a in boxes for b in boxes if a != b)
    assert not any(left <= x <= right and top <= y <= low for left, top, right, low in boxes for x, y in dots)


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
