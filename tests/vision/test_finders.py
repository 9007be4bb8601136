"""What families of pieces have found together: a cloth's pattern is no pile of pyramids."""

from dataclasses import replace

import numpy as np
import pytest
from card_tables import eye_for
from drawn_tables import SMALL, khet_table
from red_reader import MARKERS, POSE, frame

from companion.pieces import Piece
from companion.simulator.pyramid_tables import pyramid_table
from companion.simulator.tables import TESTING
from companion.view import Sighting
from companion.vision.finders import TableFinder
from companion.vision.found import Found
from companion.vision.ground.foreground import Ground, see_ground
from companion.vision.pipeline import Eye
from companion.vision.settings import EyeSettings

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


@pytest.mark.parametrize(("off_mm", "kind", "count"), [(10.0, "pyramid", 2), (10.0, "die", 1), (6.0, "pyramid", 1)])
def test_a_high_pyramid_may_hide_half_of_one_beside_it_and_of_nothing_else(off_mm, kind, count):
    high = found("red", 1)
    other = Found(Sighting(((Piece(kind, "blue"), 0.9),), 50.0, 0.0), 0.9, high.outline_mm + np.array([off_mm, 0.0]))
    assert len(TableFinder([])._told([high, other])) == count


@pytest.mark.parametrize(
    ("sure", "again", "colour", "told"),
    [
        (0.999, True, "white", ["robot_card"]),
        (0.98, True, "white", ["pyramid"]),
        (0.999, False, "white", ["pyramid"]),
        (0.999, True, "green", ["robot_card", "pyramid"]),
    ],
)
def test_what_looks_like_the_print_of_a_sheet_that_two_looks_have_seen_is_no_piece(sure, again, colour, told):
    piece, belief = replace(found(colour, 0), sure=0.9999), ((Piece("robot_card"), sure),)
    card = Found(Sighting(belief, 10.0, 10.0), sure, SQUARE * 3.0, paper=frozenset({"white"}), again=again)
    assert [s.piece.kind for s in TableFinder([])._told([card, piece])] == told


@pytest.mark.parametrize(("on", "sure", "kinds"), [(0.5, 0.95, 2), (0.5, 0.85, 1), (0.8, 0.95, 1), (1.0, 0.95, 1)])
def test_what_lies_half_beside_a_sheet_is_a_piece_though_it_has_the_colours_of_its_print(on, sure, kinds):
    card = Found(Sighting(((Piece("robot_card"), 1.0),), 30.0, 30.0), 1.0, SQUARE * 3.0, paper=frozenset({"red"}))
    out = np.array([-20.0 * (1 - on), 0.0])  # of the sheet, to its left
    piece = Found(replace(found("red", 0).sighting, x_mm=out[0] + 10), sure, SQUARE + out)
    assert len(TableFinder([])._told([card, piece])) == kinds


@pytest.fixture(scope="module")
def ground():
    table = pyramid_table(TESTING[1], "kaxxt")
    eye, frame = eye_for(table, Family())
    eye.read(frame)
    return see_ground(eye.table_picture(eye.last))


class Family:
    """Claims what it is given, and remembers what others had claimed."""

    def __init__(self, *claims: Found) -> None:
        self.claims, self.heard = claims, []

    def find(self, ground: Ground) -> list[Found]:
        self.heard.append(ground.claimed_mm)
        return list(self.claims)


def test_families_hear_what_those_before_them_have_surely_found(ground):
    sure, paper = found("red", 1), replace(found("white", 3), paper=frozenset({"white"}))
    doubted = replace(found("blue", 2), sure=0.9)
    first, second, third = Family(sure, doubted, paper), Family(found("green", 4)), Family()
    assert len(TableFinder([first, second, third])._looked_for(ground)) == 4
    told = [[outline.tolist() for outline in family.heard[0]] for family in (first, second, third)]
    own = [piece.outline_mm.tolist() for piece in (sure, second.claims[0])]
    assert told == [[], own[:1], own]


def test_what_the_picture_does_not_show_is_not_surely_bare():
    image = khet_table(POSE)
    free = Eye(EyeSettings(), SMALL, MARKERS, None, TableFinder([]))
    view = free.read(frame(image))
    rim = POSE.to_table(np.array([(SMALL.width / 2, 0.0)]))[0]  # the middle of the upper edge
    assert view.bare(rim[0], rim[1] - 20.0)
    assert not view.bare(rim[0], rim[1] + 20.0)
    assert not view.bare(0.0, 900.0)
    shifted = replace(SMALL, height=SMALL.height - 60, cy=SMALL.cy - 60)
    part = Eye(EyeSettings(), shifted, MARKERS, None, TableFinder([])).read(frame(image[60:]))
    assert not part.bare(rim[0], rim[1] - 20.0)
