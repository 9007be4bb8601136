"""A drawing on the simulated table looks as its PDF does."""

import dataclasses

import cv2
import numpy as np
import pytest

from calibration.paper import Disc, Drawing, Label, Line, Rect, Shape, Window
from companion.prints import kaxxt, kdak
from companion.simulator.paper import PAPER, painted
from tests.printed import picture_of

PX = 4


def levels(drawing):
    """(h, w, 3) as on a screen."""
    return (painted(drawing, PX) / PAPER) ** (1 / 2.2) * 255


def unlike(drawing):
    """(h, w) how far the colours are from those of the PDF, over half a millimetre."""
    ours, pdf = levels(drawing), picture_of(drawing, PX).astype(np.float32)
    high, wide = min(len(ours), len(pdf)), min(ours.shape[1], pdf.shape[1])
    return np.abs(cv2.blur(ours[:high, :wide] - pdf[:high, :wide], (2, 2))).max(axis=2)


@pytest.mark.parametrize("drawing", [kdak.track(), kaxxt.card()], ids=["track", "card"])
def test_a_printed_sheet_looks_as_its_pdf_does(drawing):
    assert unlike(drawing).mean() < 10


MARKS = [
    Rect(5, 5, 20, 10),
    Line(5, 20, 35, 24, width=1.0, colour="#ff0000"),
    Shape(((10, 10), (30, 12), (18, 25)), "#3d5f73", "#00ff00", 0.8),
    Disc(20, 15, 8, "#f9e9b8", "#0000ff", 1.0),
]


def inked(mark):
    """(h, w) where our picture and the PDF's are not white."""
    drawing = Drawing(40, 30, (mark,))
    return [picture.min(axis=2) < 160 for picture in (levels(drawing), picture_of(drawing, PX))]


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: type(mark).__name__)
def test_each_mark_lies_where_the_pdf_has_it(mark):
    ours, pdf = inked(mark)
    assert (ours & pdf).sum() > 0.65 * (ours | pdf).sum() > 0  # OpenCV draws lines a little wider


@pytest.mark.parametrize(
    "label",
    [
        Label(20, 20, "KAXXT", 20, "middle", "#ff00ff", bold=True),
        Label(5, 20, "HHH", 20),
        Label(35, 20, "HHH", 20, "end"),
        Label(20, 25, "HHH", 20, turn_deg=90),
    ],
    ids=lambda label: f"{label.align} {label.turn_deg}",
)
def test_text_lies_where_the_pdf_has_it_in_letters_of_another_font(label):
    rims = [np.array([np.argwhere(ink).min(axis=0), np.argwhere(ink).max(axis=0)]) / PX for ink in inked(label)]
    assert np.abs(rims[0] - rims[1]).max() < 2.0


def test_a_mark_at_the_rim_is_cut_off_there():
    whole = Drawing(40, 30, (Label(39, 29, "Camel", 20),))
    assert levels(whole).min() < 100
    moved = dataclasses.replace(whole, marks=(Label(80, 60, "Camel", 20),))
    assert levels(moved).min() > 250


def test_a_window_is_no_part_of_a_drawing():
    with pytest.raises(ValueError, match="window"):
        painted(Drawing(10, 10, (Window(0, 0, 5, 5, 0, 0, ()),)), PX)
