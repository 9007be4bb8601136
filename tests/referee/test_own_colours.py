"""A game with one set of pieces: what is seen is of the set, wherever that may well be."""

import pytest

from companion.games import kaxxt
from companion.pieces import Piece
from companion.referee.sight import of_the_set
from companion.view import Sighting, TableView

SINGLES = kaxxt.layout(kaxxt.start({})).singles


def told(**colours: float) -> dict[str | None, float]:
    """What is believed of a small lying pyramid that seemed to have these colours."""
    beliefs = tuple((Piece("pyramid", colour, "small", "lying"), p) for colour, p in colours.items())
    (sighting,) = of_the_set(TableView(0.0, (Sighting(beliefs, 0.0, 0.0),)), SINGLES).sightings
    return {piece.colour: p for piece, p in sighting.beliefs}


def test_a_black_one_that_shines_is_black_though_it_seems_white() -> None:
    assert told(white=0.6, black=0.3, yellow=0.06) == pytest.approx({"black": 0.8, "yellow": 0.16})


def test_what_is_hardly_of_the_set_stays_what_it_seems() -> None:
    assert told(white=0.9, black=0.05) == {"white": 0.9, "black": 0.05}


def test_a_colour_that_is_like_those_of_the_set_is_shared_out_first() -> None:
    assert told(purple=0.6, white=0.3) == pytest.approx({"blue": 0.3, "red": 0.3, "black": 0.3})


def test_the_card_is_of_no_colour_and_stays() -> None:
    view = TableView(0.0, (Sighting(((Piece("robot_card"), 0.9),), 0.0, 0.0),))
    assert of_the_set(view, SINGLES) == view
