"""The robot's card among pyramids: its place, its heading, and no card where none lies."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from card_tables import OnTheCard, bare_ground, card_table, checked_with_a_card, eye_for, seen_from_above

from companion.pieces import Piece
from companion.simulator.pyramid_tables import pyramid_table
from companion.simulator.tables import TESTING
from companion.view import Sighting
from companion.vision.card.finder import LOOKS, RobotCardFinder
from companion.vision.card.rim import find_rim, rectangle
from companion.vision.finders import TableFinder, squares
from companion.vision.ground.foreground import Region


def test_the_card_is_found_and_turned_as_taught(tmp_path):
    table, (x, y, heading) = card_table()
    finder = RobotCardFinder()
    eye, frame = eye_for(table, finder)
    for taught in (heading, heading + 180):  # the label decides which end is up
        eye.teach_free(frame, [Sighting(((Piece("robot_card"), 1.0),), x, y, taught)])
        finder.save(tmp_path)
        again = RobotCardFinder()
        again.load(tmp_path)
        eye, frame = eye_for(table, again)
        (seen,) = eye.read(frame).sightings
        assert math.hypot(seen.x_mm - x, seen.y_mm - y) < 3
        assert abs((seen.heading_deg - taught + 180) % 360 - 180) < 3
        assert seen.beliefs[0][1] > 0.99  # as it was taught: no piece that fits its print has its place
        finder = again


def test_of_an_overexposed_card_nothing_is_learned(tmp_path):
    table, (x, y, heading) = card_table()
    finder = RobotCardFinder()
    eye, frame = eye_for(table, finder)
    pixels = frame.pixels.copy()
    corners = eye.look(frame).place.pose.project(rectangle(np.array([x, y]), heading))
    cv2.fillConvexPoly(pixels, np.rint(corners).astype(np.int32), (255, 255, 255))
    eye.teach_free(replace(frame, pixels=pixels), [Sighting(((Piece("robot_card"), 1.0),), x, y, heading)])
    finder.save(tmp_path)
    assert not list(tmp_path.iterdir())
    eye, frame = eye_for(pyramid_table(TESTING[2], "chaos"), finder)  # else every bare part of a table were the card
    assert eye.read(frame).sightings == ()


@pytest.mark.parametrize(
    ("colour", "sure", "kinds"),
    [
        ("white", 0.997, {"robot_card"}),
        ("white", 0.99999, {"pyramid"}),
        ("green", 0.85, {"robot_card"}),
        ("green", 0.95, {"robot_card", "pyramid"}),
        ("green", 0.99999, {"robot_card", "pyramid"}),
    ],
)
def test_on_the_card_lies_what_its_paper_does_not_pass_for(colour, sure, kinds):
    table, (x, y, _) = card_table()
    eye, frame = eye_for(table, RobotCardFinder())
    eye.reader = TableFinder([OnTheCard(x, y, sure, colour), RobotCardFinder()])
    assert {seen.piece.kind for seen in eye.read(frame).sightings} == kinds


def test_a_table_without_a_card_has_none():
    eye, frame = eye_for(pyramid_table(TESTING[2], "chaos"), RobotCardFinder())
    assert eye.read(frame).sightings == ()


def test_a_look_that_fits_nothing_is_refused(tmp_path):
    (tmp_path / "robot_card.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(ValueError, match="teach the set anew"):
        RobotCardFinder().load(tmp_path)


@pytest.mark.parametrize("picture", [np.eye(3), np.full((64, 46), np.nan), np.zeros((64, 46))])
def test_a_picture_that_is_no_cards_is_refused(tmp_path, picture):
    LOOKS.write(tmp_path, {"taught": None}, {"picture": picture}, {})
    with pytest.raises(ValueError, match=r"its picture is none.*teach the set anew"):
        RobotCardFinder().load(tmp_path)


def test_squares_of_the_table_that_are_not_bare_are_told():
    mask = np.ones((20, 20), bool)  # 24 mm, its top left corner in the table's middle
    ground = bare_ground(np.zeros((300, 300)), (Region(150, 150, mask, 576.0),))
    covered = squares(ground, ground.things, 0.5)
    assert covered == {(col, row) for col in range(4) for row in range(-4, 0)}


@pytest.mark.parametrize(
    ("print_bgr", "passes_for"),
    [
        ((60.0, 30.0, 150.0), {"red"}),
        ((120.0, 30.0, 150.0), {"red", "purple"}),
        ((60.0, 130.0, 30.0), {"green", "cyan"}),
    ],
)
def test_a_printed_card_on_a_checked_cloth_is_told_by_its_tint(print_bgr, passes_for):
    noise = np.random.default_rng(3).normal(0, 3.0, (300, 300, 3))
    table = np.clip(checked_with_a_card(card=False)[:, :, None] + noise, 1, 255).astype(np.float32)
    table[113:186, 124:176] = 210.0  # white paper, its rim no brighter than the cloth's white squares
    table[117:182, 128:172] = print_bgr
    table[125:150, 135:165] = (150.0, 140.0, 140.0)  # the robot's face: no one tone is most of the card
    ground = seen_from_above(bare_ground(table))
    rim = find_rim(ground)
    assert rim.tinted
    assert math.hypot(*rim.middle) < 5
    assert abs(rim.heading_deg - 90) <= 5
    ground.colours[:] = np.repeat(np.repeat(table, 2, axis=0), 2, axis=1).astype(np.uint8)
    (found,) = RobotCardFinder().find(ground)
    assert found.paper is not None
    assert found.paper == {"white", "clear"} | passes_for  # what looks like such a piece on it is its print ...
    assert found.sure > 0.9995  # ... however much it does


@pytest.mark.parametrize("seed", range(6))
def test_a_gap_between_pieces_is_no_card(seed):
    rng = np.random.default_rng([seed, 5])
    table = rng.normal((96.0, 110.0, 118.0), 4.0, (300, 300, 3))
    for x, y in np.argwhere(np.ones((9, 9))) * 34 + 14:  # a crowd of pieces with one place free in it
        if max(abs(x - 184), abs(y - 150)) < 50:
            continue
        box = ((float(x), float(y)), tuple(rng.uniform(18, 30, 2)), float(rng.uniform(0, 90)))
        cv2.fillPoly(table, [np.rint(cv2.boxPoints(box)).astype(np.int32)], rng.uniform(20, 230, 3).tolist())
    ground = seen_from_above(bare_ground(np.clip(table, 1, 255).astype(np.float32)))
    assert RobotCardFinder().find(ground) == []


@pytest.mark.parametrize("card", [True, False])
def test_a_card_at_the_rim_of_the_table_is_another_one(card):
    other = Region(5, 5, np.ones((54, 74), bool), 54 * 74 * 1.2**2)
    found = RobotCardFinder().find(seen_from_above(bare_ground(checked_with_a_card(card), (other,))))
    assert len(found) == card
    assert all(math.hypot(one.sighting.x_mm, one.sighting.y_mm) < 5 for one in found)


@pytest.mark.parametrize("top", [210, 255])
def test_a_card_whose_one_end_is_overexposed_has_no_heading(top):
    ground = seen_from_above(bare_ground(checked_with_a_card(card=True)))
    card = np.full((146, 104, 3), 210, np.uint8)
    card[:60] = top
    card[120:134, 20:84:5] = 90  # a line of print at its foot
    ground.colours[226:372, 248:352] = card
    (found,) = RobotCardFinder().find(ground)
    assert (found.sighting.heading_deg is None) == (top == 255)
    if top < 255:
        assert abs(found.sighting.heading_deg - 90) <= 5


def test_print_that_shows_on_an_overexposed_card_tells_its_heading():
    ground = seen_from_above(bare_ground(checked_with_a_card(card=True)))
    card = np.full((146, 104, 3), 255, np.uint8)
    card[120:134, 20:84:5] = 160
    ground.colours[226:372, 248:352] = card
    (found,) = RobotCardFinder().find(ground)
    assert found.sighting.heading_deg is not None
    assert abs(found.sighting.heading_deg - 90) <= 5
