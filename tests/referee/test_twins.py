"""Pieces about which the eye is in the same doubt are of one colour, and one of them is known."""

import pytest

from companion.games.base import Lying
from companion.pieces import Piece
from companion.referee.views.twins import like_its_twins
from companion.view import Sighting, TableView


def upright(x_mm: float, **beliefs: float) -> Sighting:
    return Sighting(tuple((Piece("pyramid", c, "large", "upright"), p) for c, p in beliefs.items()), x_mm, 0.0)


def known(x_mm: float, colour: str) -> Lying:
    return Lying(Piece("pyramid", colour, "large", "upright"), x_mm=x_mm, y_mm=0.0)


def told(view: tuple[Sighting, ...], *lying: Lying) -> dict[str | None, float]:
    """What is believed of the last."""
    told = like_its_twins(TableView(0.0, view), lying)
    assert told.sightings[:-1] == view[:-1]
    return {piece.colour: p for piece, p in told.sightings[-1].beliefs}


TWINS = upright(0, red=0.53, orange=0.46), upright(200, red=0.54, orange=0.45)


def test_the_new_one_has_the_colour_of_the_known_one() -> None:
    beliefs = told(TWINS, known(1.0, "orange"))
    assert beliefs["orange"] > 0.85
    assert sum(beliefs.values()) == pytest.approx(0.99)


def test_a_known_one_stays_what_the_eye_says() -> None:
    assert told(TWINS, known(0.0, "orange"), known(200.0, "red")) == {"red": 0.54, "orange": 0.45}


@pytest.mark.parametrize(
    ("view", "lying"),
    [
        (TWINS, ()),
        (TWINS, (known(60.0, "orange"),)),  # that is another piece
        ((upright(0, orange=0.99), TWINS[1]), (known(0.0, "orange"),)),  # which is in no doubt
        ((upright(0, orange=0.6, yellow=0.4), TWINS[1]), (known(0.0, "orange"),)),  # in another doubt
        ((upright(0, orange=0.93, red=0.07), TWINS[1]), (known(0.0, "orange"),)),  # in much less doubt
        ((upright(-200, red=0.98), *TWINS), (known(-200.0, "red"), known(0.0, "orange"))),  # both colours lie there
    ],
)
def test_else_nothing_is_told(view: tuple[Sighting, ...], lying: tuple[Lying, ...]) -> None:
    assert told(view, *lying) == {"red": 0.54, "orange": 0.45}
