"""Differences between the table and the record, in words."""

import pytest

from companion.pieces import Piece
from companion.referee.evidence import Difference
from companion.referee.words import Palette, difference_words


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
