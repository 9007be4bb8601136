"""Differences between the table and the record, in words."""

import pytest

from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import Difference
from companion.referee.setup import Fault, fault_words
from companion.referee.words import Palette, difference_words, place_words, put_right_words


@pytest.mark.parametrize(
    ("facing", "cell", "told"),
    [("NW", "d4", "is turned (NW)"), (None, None, "is turned another way")],
)
def test_a_turned_piece_faces_somewhere_only_where_it_has_a_facing(facing, cell, told):
    seen = Piece("pyramid", "red", facing=facing) if facing else Piece("robot_card")
    expected = Piece("pyramid", "red", facing="NE") if facing else seen
    words = difference_words(Difference(cell, expected, seen, 1.0, 0.0, 0.0), Palette())
    assert words.endswith(told)
    assert "None" not in words


@pytest.mark.parametrize(
    ("facing", "missing", "back", "turned"),
    [
        (
            "NW",
            "put the silver pyramid, mirror to NW, on c1",
            "put the silver pyramid, mirror to NW, back on c1",
            "turn the silver pyramid, mirror to NW, on c1 back",
        ),
        (
            None,
            "put the silver pyramid on c1",
            "put the silver pyramid back on c1",
            "turn the silver pyramid on c1 back",
        ),
    ],
)
def test_a_facing_is_set_off_by_commas(facing, missing, back, turned):
    piece = Piece("pyramid", "silver", facing=facing)
    gone = Difference("c1", piece, EMPTY, 1.0, 0.0, 0.0)
    other = Difference("c1", piece, Piece("pyramid", "silver", facing="SE"), 1.0, 0.0, 0.0)
    assert fault_words(Fault("missing", gone), Palette()) == missing
    assert put_right_words(gone, Palette()) == back
    assert put_right_words(other, Palette()) == turned


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "told"),
    [
        (0.3, -0.4, "in the middle of the table"),
        (0.2, -70.1, "70 mm below the middle"),
        (-12.4, 0.0, "12 mm to the left of the middle"),
        (98.6, 51.0, "99 mm to the right and 51 mm above the middle"),
    ],
)
def test_a_place_on_a_free_table_is_told_without_what_rounds_to_nothing(x_mm, y_mm, told):
    assert place_words(None, x_mm, y_mm) == told
