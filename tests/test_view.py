"""What a view says of places where nothing is seen."""

from dataclasses import replace

import pytest

from companion.pieces import Piece
from companion.view import Sighting, TableView, square_at

CARD = Sighting(((Piece("robot_card"), 0.99),), 10.0, 0.0, 0.0)
ALL = frozenset(square_at(float(i), float(j)) for i in range(-90, 91, 3) for j in range(-90, 91, 3))
PLACE = (48.0, 25.0)  # on the card, which lies on its side


def view(*seen: Sighting) -> TableView:
    return TableView(0.0, seen, covered=ALL)


def test_a_card_that_is_seen_alone_carries_nothing() -> None:
    assert view(CARD).bare(*PLACE)
    assert not view().bare(*PLACE)
    assert not view(replace(CARD, heading_deg=90.0)).bare(*PLACE)  # upright, it ends before
    assert not replace(view(CARD), covered=None).bare(*PLACE)
    bare = replace(view(), covered=frozenset())
    assert bare.bare(*PLACE)
    assert replace(bare, shown=ALL).bare(*PLACE)
    assert not replace(bare, shown=frozenset()).bare(*PLACE)  # what the picture does not show is not seen to be bare


@pytest.mark.parametrize(
    "card",
    [replace(CARD, heading_deg=None), replace(CARD, beliefs=((Piece("robot_card"), 0.9),)), replace(CARD, x_mm=None)],
)
def test_of_a_card_that_is_not_surely_seen_nothing_is_said(card: Sighting) -> None:
    assert not view(card).bare(*PLACE)


def test_something_may_lie_on_the_card() -> None:
    other = Sighting((), 60.0, 40.0, why="glare")
    assert not view(CARD, other).bare(*PLACE)
    assert view(CARD, replace(other, x_mm=-20.0)).bare(*PLACE)
