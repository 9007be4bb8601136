"""A game with one set of pieces: what is seen is of the set, wherever that may well be."""

import pytest
from free_benches import begun
from referee_tables import Bench

from companion.games import kaxxt
from companion.photographs import photograph_settings
from companion.pieces import Piece
from companion.referee.views.own_colours import of_the_set, once, unstacked
from companion.view import Sighting, TableView

LOOKS = kaxxt.layout(kaxxt.start({})).looks


def told(stacks: bool = True, /, **colours: float) -> dict[str | None, float]:
    """What is believed of a small lying pyramid that seemed to have these colours."""
    beliefs = tuple((Piece("pyramid", colour, "small", "lying"), p) for colour, p in colours.items())
    (sighting,) = of_the_set(TableView(0.0, (Sighting(beliefs, 0.0, 0.0),)), LOOKS, stacks).sightings
    return {piece.colour: p for piece, p in sighting.beliefs}


def test_a_black_one_that_shines_is_black_though_it_seems_white() -> None:
    assert told(white=0.6, black=0.3, yellow=0.06) == pytest.approx({"black": 0.8, "yellow": 0.16})


def test_what_is_hardly_of_the_set_stays_what_it_seems() -> None:
    assert told(white=0.9, black=0.05) == {"white": 0.9, "black": 0.05}


def test_a_colour_that_is_like_those_of_the_set_is_shared_out_first() -> None:
    assert told(purple=0.6, white=0.3) == pytest.approx({"blue": 0.3, "red": 0.3, "black": 0.3})


def test_of_two_colours_of_the_set_it_is_rather_the_one_that_the_eye_thinks_of_too() -> None:
    assert told(False, orange=0.98, red=0.018) == pytest.approx({"red": 0.908, "yellow": 0.089}, abs=0.002)


@pytest.mark.parametrize(("colours", "seen"), [(10, "orange"), (6, "red"), (4, "red")])
def test_what_seems_orange_in_chaos_is_red_where_the_set_has_no_orange(colours: int, seen: str) -> None:
    bench = begun(Bench("chaos", photograph_settings(), dice="camera", colours=colours))
    bench.look(TableView(0.0, ()))
    beliefs = tuple((Piece("pyramid", c, "large", "upright"), p) for c, p in (("orange", 0.97), ("red", 0.02)))
    assert bench.look(TableView(0.0, (Sighting(beliefs, 0.0, 0.0, base_deg=0.0),))).kind == "move"
    assert [piece.colour for piece in bench.position.pieces] == [seen]


def test_the_card_is_of_no_colour_and_stays() -> None:
    view = TableView(0.0, (Sighting(((Piece("robot_card"), 0.9),), 0.0, 0.0),))
    assert of_the_set(view, LOOKS) == view


def test_of_two_that_are_alike_and_of_which_there_is_one_the_upper_is_part_of_the_lower() -> None:
    yellow, red = (Piece("pyramid", colour, "medium", "lying") for colour in ("yellow", "red"))
    below = Sighting(((yellow, 0.9),), 5.0, -70.0, 180.0)
    for upper, part in ((yellow, True), (red, False)):
        view = TableView(0.0, (below, Sighting(((upper, 0.9),), 0.0, -70.0, 180.0, nested_on=0)))
        assert [s.faint for s in once(view, kaxxt.layout(kaxxt.start({})).singles).sightings] == [False, part]


def test_what_may_be_another_piece_than_the_one_below_is_that_one_as_far_as_it_may_be() -> None:
    yellow, green = (Piece("pyramid", colour, "small", "lying") for colour in ("yellow", "green"))
    below = Sighting(((yellow, 0.99),), -0.7, 69.4, 357.0)
    view = TableView(0.0, (below, Sighting(((yellow, 0.66), (green, 0.32)), 3.2, 69.2, 357.0, nested_on=0)))
    lower, upper = once(view, kaxxt.layout(kaxxt.start({})).singles).sightings
    assert (lower, upper.faint, upper.beliefs) == (below, False, ((green, 0.32),))


@pytest.mark.parametrize(
    ("upper", "below", "part"),
    [
        ("white", "white", True),
        ("clear", "white", True),
        ("white", "clear", True),
        ("clear", "red", False),
        ("white", "red", False),
    ],
)
def test_without_stacks_a_shaded_side_is_part_of_its_piece(upper: str, below: str, part: bool) -> None:
    lower = Sighting(((Piece("pyramid", below, "medium", "lying"), 1.0),), 0.0, 0.0, 104.0)
    small = Sighting(((Piece("pyramid", upper, "small", "lying"), 0.98),), -1.5, 5.6, 103.0, nested_on=0)
    assert [sighting.faint for sighting in unstacked(TableView(0.0, (lower, small))).sightings] == [False, part]
