"""What translucent pieces on one another may look like."""

from dataclasses import replace

import pytest

from companion.games.base import Layout, Lying
from companion.pieces import PYRAMID_COLOURS, UNKNOWN, Piece
from companion.referee.evidence.blends import BLENDS, blended
from companion.referee.evidence.free_layouts import carrier
from companion.referee.settings import Settings
from companion.view import Sighting

S = Settings()
OWN = [Piece("pyramid", colour, "medium", "upright") for colour in ("red", "yellow", "green", "blue", "black")]


def pyramid(colour, size="medium"):
    return Piece("pyramid", colour, size, "upright")


def seen_as(*beliefs):
    return Sighting(tuple(beliefs), 0.0, 0.0)


@pytest.mark.parametrize(
    ("looks", "upper", "below", "told"),
    [
        (pyramid("green"), "yellow", "blue", S.blend),
        (pyramid("green"), "blue", "yellow", S.blend),
        (pyramid("green"), "red", "blue", 0.0),  # of the set, and of neither
        (pyramid("purple"), "red", "blue", S.blend),
        (pyramid("purple"), "yellow", "black", S.mixture),  # the set has no such piece
        (pyramid("green", "small"), "yellow", "blue", 0.0),  # another size
    ],
)
def test_light_passes_both(looks, upper, below, told):
    look = seen_as((looks, 1.0))
    assert blended(look, pyramid(upper), pyramid(below), OWN, S) == pytest.approx(told)


def test_what_is_no_plastic_is_no_blend():
    coins = [Piece("coin", value=value, face="value") for value in ("ace", "2")]
    tile = Piece("tile", suit="suns", value="3", face="front")
    assert blended(seen_as((coins[0], 0.9)), coins[1], tile, [*coins, tile], S) == 0.0


def test_a_piece_looked_for_by_itself_stands_on_something_unknown():
    lower, upper = Lying(pyramid("blue"), x_mm=0.0, y_mm=0.0), Lying(pyramid("yellow"), x_mm=0.0, y_mm=0.0, nested_on=0)
    assert carrier(upper, Layout((lower, upper))) == lower.piece
    assert carrier(lower, Layout((lower, upper))) is None
    for number in (0, 3):
        alone = replace(upper, nested_on=number)
        assert carrier(alone, Layout((alone,))) == UNKNOWN
    look = seen_as((pyramid("purple"), 1.0))
    assert blended(look, upper.piece, UNKNOWN, OWN, S) == pytest.approx(S.mixture)


def test_blends_are_of_three_colours():
    for pair, both in BLENDS.items():
        assert len(pair) == 2
        assert both not in pair
        assert {*pair, both} <= set(PYRAMID_COLOURS)
