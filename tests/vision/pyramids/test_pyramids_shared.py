"""The ground that finders share, families that claim one spot, and the counting of what was found."""

from dataclasses import replace

import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.bench.pyramid_score import PyramidScore
from companion.pieces import Piece
from companion.view import Sighting, TableView
from companion.vision.convex import shared
from companion.vision.finders import TableFinder
from companion.vision.found import Found
from companion.vision.ground.foreground import see_ground

ONE = (("red", "large", "upright", 60.0, -30.0, 20.0),)
SQUARE = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)])


class Family:
    """Claims what it is told to claim."""

    def __init__(self, *claims):
        self.claims, self.learned = list(claims), []

    def find(self, ground):
        return self.claims

    def learn(self, ground, sightings):
        self.learned += sightings


def claim(kind, sure, at, on=None):
    sighting = Sighting(((Piece(kind), sure),), x_mm=at, y_mm=0.0)
    return Found(sighting, sure, SQUARE + np.array([at, 0.0]), on)


def test_points_over_the_table_are_seen_where_the_camera_projects_them():
    ground = see_ground(table_picture(on_table(ONE), 1))
    points = np.array([(60.0, -30.0, 44.0), (-120.0, 80.0, 20.0), (0.0, 0.0, 0.0)])
    on_plane = np.column_stack([ground.seen_at(points), np.zeros(3)])
    assert np.allclose(ground.pose.project(on_plane), ground.pose.project(points), atol=1e-6)
    assert np.allclose(ground.to_mm(ground.fine_px(points[:, :2])), points[:, :2])


def test_what_is_not_bare_is_one_region_and_markers_are_none():
    picture = table_picture(on_table(ONE), 1)
    ground = see_ground(picture)
    middle = ground.fine_px(np.array([60.0, -30.0])) / ground.settings.coarse
    holding = [r for r in ground.regions if _holds(r, middle)]
    assert len(holding) == 1
    assert 300.0 < holding[0].area_mm2 < 3000.0
    bare = see_ground(replace(picture, covered_px=()))
    for x, y in ((-300.0, 190.0), (300.0, -190.0)):
        corner = bare.fine_px(np.array([x, y])) / bare.settings.coarse
        assert not any(_holds(r, corner) for r in ground.regions)
        assert any(_holds(r, corner) for r in bare.regions)


def _holds(region, at):
    inside = at - (region.x, region.y)
    return bool((inside >= 0).all() and (inside < region.size_px).all())


@pytest.mark.parametrize(("shift", "part"), [(0.0, 1.0), (5.0, 0.5), (10.0, 0.0), (30.0, 0.0)])
def test_shared_part_of_outlines(shift, part):
    assert shared(SQUARE, SQUARE + np.array([shift, 0.0])) == pytest.approx(part, abs=1e-5)


def test_the_surer_family_has_the_spot_and_piles_keep_their_order():
    picture = table_picture(on_table(ONE), 1)
    first = Family(claim("tile", 0.6, 0.0), claim("coin", 0.9, 100.0), claim("coin", 0.9, 101.0, on=1))
    second = Family(claim("pyramid", 0.8, 1.0))
    told = TableFinder([first, second]).find(picture)
    assert [s.piece.kind for s in told] == ["coin", "coin", "pyramid"]
    assert [s.nested_on for s in told] == [None, 0, None]


def test_what_lies_on_a_piece_that_is_not_told_is_not_told():
    picture = table_picture(on_table(ONE), 1)
    first = Family(claim("tile", 0.5, 0.0), claim("coin", 0.9, 6.0, on=0))
    told = TableFinder([first, Family(claim("pyramid", 0.8, -5.0))]).find(picture)
    assert [s.piece.kind for s in told] == ["pyramid"]


def test_every_family_learns():
    families = [Family(), Family()]
    sighting = Sighting(((Piece("die"), 1.0),), x_mm=0.0, y_mm=0.0)
    TableFinder(families).learn(table_picture(on_table(ONE), 1), [sighting])
    assert [f.learned for f in families] == [[sighting], [sighting]]


def test_faults_are_counted_by_kind():
    picture = np.zeros((200, 200, 3), np.uint8)

    def seen(colour, size, pose, x, heading=None, on=None):
        piece = Piece("pyramid", colour, size, pose)
        return Sighting(((piece, 0.9),), x_mm=x, y_mm=0.0, heading_deg=heading, x_px=100.0, y_px=100.0, nested_on=on)

    truth = [
        seen("red", "small", "upright", 0.0),
        seen("blue", "large", "lying", 50.0, 10.0),
        seen("green", "large", "lying", 100.0, 10.0),
        seen("white", "medium", "upright", 150.0),
    ]
    told = [
        seen("red", "small", "upright", 1.0),
        seen("blue", "large", "lying", 50.0, 40.0),
        seen("cyan", "large", "lying", 100.0, 12.0),
        seen("black", "small", "upright", 300.0),
    ]
    score = PyramidScore()
    score.add("one", TableView(0.0, tuple(told)), truth, picture)
    assert (score.right, score.false, score.perfect) == (1, 1, 0)
    assert score.wrong == {"heading": 1, "colour": 1, "missed": 1}
    score.add("two", TableView(0.0, tuple(truth)), truth, picture)
    assert (score.right, score.perfect) == (5, 1)
    card = Sighting(beliefs=((Piece("robot_card"), 0.97),), x_mm=-90.0, y_mm=60.0, x_px=500.0, y_px=500.0)
    score.add("three", TableView(0.0, (*truth, card)), (*truth, card), picture)
    assert (score.false, score.perfect) == (1, 2)
    score.add("four", TableView(0.0, (*truth, card)), truth, picture)  # a gap that is taken for Kaxxt's card
    assert (score.false, score.perfect) == (2, 2)
