"""Cells that the picture does not show, or shows blown out: nothing is told of them."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_tables import KHET, LYING, SMALL, khet_table
from red_reader import MARKERS, POSE, RED, RedReader, eye, frame, red_cells

from companion.pieces import UNKNOWN, Piece
from companion.vision.boards.cells import field_mm, to_table
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings

PIECES = {"a1": RED, "e4": RED, "j8": RED}


@pytest.fixture(scope="module")
def table():
    return khet_table(POSE, pieces=PIECES)


def cut_off(table, left):
    """The picture without its first columns, and an eye that knows lens and corners of that picture."""
    half = np.array(field_mm(KHET)) / 2
    field = POSE.project(to_table(half * np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]), LYING))
    lens = replace(SMALL, width=SMALL.width - left, cx=SMALL.cx - left)
    reader = RedReader()
    seeing = Eye(EyeSettings(), lens, MARKERS, KHET, reader, corners=field - np.array([left, 0.0]))
    return frame(np.ascontiguousarray(table[:, left:])), seeing, reader


def test_cells_beyond_the_picture_are_not_told_to_be_empty(table):
    first = int(POSE.project(to_table(np.array([[-3.9 * KHET.cell_mm, 0.0]]), LYING))[0, 0])  # file a is cut off
    part, seeing, reader = cut_off(table, first)
    view = seeing.read(part)
    cells = view.by_cell()
    assert {cell for cell, seen in cells.items() if seen.why == "not in view"} == {f"a{rank}" for rank in range(1, 9)}
    assert (cells["a1"].piece, cells["a1"].beliefs) == (UNKNOWN, ())
    assert red_cells(view) == sorted([*(f"a{rank}" for rank in range(1, 9)), "e4", "j8"])
    seeing.teach(part, {"e4": Piece("pyramid", "red")})
    assert len(reader.learned[0]) == 72  # what is not seen teaches nothing
    assert "a1" not in reader.learned[0]


def test_a_picture_that_shows_less_than_half_of_the_board_is_not_read(table):
    first = int(POSE.project(to_table(np.array([[0.6 * KHET.cell_mm, 0.0]]), LYING))[0, 0])
    part, seeing, _ = cut_off(table, first)
    assert seeing.read(part).obstacles == ("board",)


def test_a_cell_that_is_wholly_blown_out_is_not_told_to_be_empty(table):
    half = 0.55 * KHET.cell_mm
    middle = np.array([-0.5, -0.5]) * KHET.cell_mm  # of e4
    corners = to_table(middle + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), LYING)
    shiny = table.copy()
    cv2.fillConvexPoly(shiny, np.rint(POSE.project(corners)).astype(np.int32), (255, 255, 255))
    e4 = eye(RedReader(), board=LYING).read(frame(shiny)).by_cell()["e4"]
    assert (e4.piece, e4.why) == (UNKNOWN, "glare")
    d5 = eye(RedReader(), board=LYING).read(frame(shiny)).by_cell()["d5"]
    assert d5.why is None
