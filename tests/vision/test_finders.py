"""What families of pieces have found together: a cloth's pattern is no pile of pyramids."""

import numpy as np

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.finders import Found, TableFinder

SQUARE = np.array([(0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)])


def found(colour: str, number: int, on: int | None = None) -> Found:
    piece = Piece("pyramid", colour, "medium", "upright")
    at = (40.0 * number, 0.0 if on is None else 5.0)
    return Found(Sighting(((piece, 1.0),), *at), 1.0, SQUARE + at, on)


def test_the_squares_of_a_checked_cloth_are_no_pyramids():
    cloth = [found("red", number) for number in range(40)]
    pile = [found("blue", 50), found("green", 50, on=40)]
    finder = TableFinder([])
    kept = finder._told(finder._no_pattern([*cloth, *pile]))
    assert [(s.piece.colour, s.nested_on) for s in kept] == [("blue", None), ("green", 0)]


def test_a_stash_of_one_colour_stays():
    stash = [found("red", number) for number in range(5)]
    finder = TableFinder([])
    assert len(finder._told(finder._no_pattern(stash))) == 5
