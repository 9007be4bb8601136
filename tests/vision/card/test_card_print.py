"""What is printed on the robot's card: it tells the heading and the place, and is no piece."""

import gc
import math
from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from card_tables import OnTheCard, eye_for, taught_card
from cases import long

from companion.vision.card.finder import RobotCardFinder, _Placed
from companion.vision.card.rim import rectangle
from companion.vision.finders import TableFinder
from companion.vision.ground.foreground import Ground


def test_print_at_one_end_is_the_foot():
    picture = np.zeros((64, 46), np.float32)
    picture[52:56, 8:38:3] = 3.0
    finder = RobotCardFinder()
    assert finder.print.upright(picture) > 0.5
    assert finder.print.upright(picture[::-1, ::-1]) < -0.5


@pytest.mark.parametrize(
    ("bare", "colour", "sure", "kinds"),
    [
        (True, "white", 0.99999, {"robot_card"}),
        (False, "white", 0.9995, {"pyramid"}),
        long(True, "green", 0.98, {"robot_card"}),
        (False, "green", 0.98, {"robot_card", "pyramid"}),
        (True, "green", 0.99999, {"robot_card"}),
    ],
)
def test_what_a_taught_card_shows_is_its_print_unless_something_else_is_seen_there(bare, colour, sure, kinds):
    finder, table, frame, (x, y, _) = taught_card()
    eye, _ = eye_for(table, finder)
    if not bare:
        (card,) = eye.read(frame).sightings
        frame.pixels[round(card.y_px) - 15 : round(card.y_px) + 15, round(card.x_px) - 15 : round(card.x_px) + 15] = 235
    eye.reader = TableFinder([OnTheCard(x, y, sure, colour), finder])
    assert {seen.piece.kind for seen in eye.read(frame).sightings} == kinds


@pytest.mark.parametrize(("along_mm", "print_alone"), [long(0.0, True), (38.0, True), (46.0, False), long(90.0, False)])
def test_what_lies_for_the_most_part_beside_the_card_is_no_print(along_mm, print_alone):
    finder, table, frame, (x, y, heading) = taught_card()
    eye, _ = eye_for(table, finder)
    along = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading))]) * along_mm
    eye.reader = TableFinder([OnTheCard(x + along[0], y + along[1], 0.9999, "green"), finder])
    assert (len(eye.read(frame).sightings) == 1) == print_alone


def test_no_more_looks_are_kept_than_the_last_ones():
    finder, table, frame, _ = taught_card()
    eye, _ = eye_for(table, finder)
    picture, kept = eye.table_picture(eye.look(frame)), []
    for number in range(8):
        pixels = picture.pixels.copy()
        cv2.circle(pixels, (len(pixels[0]) // 2 + 12 * number, len(pixels) // 5), 12, (30, 40, 60), -1)
        late = 11.0 * number  # all is read anew
        (seen,) = eye.reader.find(replace(picture, pixels=pixels, taken_s=late, one_table=True))
        assert seen.piece.kind == "robot_card"
        gc.collect()
        kept.append(sum(isinstance(one, Ground) for one in gc.get_objects()))
    assert kept[-1] <= kept[3]


@pytest.mark.parametrize("askew_px", [(0, 0), (3, 0), (-3, 2)])
@pytest.mark.parametrize("shade", [0.0, 4.0])
def test_a_taught_card_is_turned_by_its_print_and_not_by_the_table_that_shows_at_its_rim(askew_px, shade):
    rng = np.random.default_rng(7)
    paper = np.full((64, 46), 1.0, np.float32)
    paper[40:56, 8:38] -= rng.uniform(0, 3, (16, 30)).astype(np.float32)

    def seen(printed: np.ndarray) -> np.ndarray:
        moved = np.roll(printed, askew_px, (0, 1)) + rng.normal(0, 0.3, printed.shape)
        moved[:4] -= shade  # the table stays where it is, whichever way the card is turned
        return np.asarray((moved - moved.mean()) / moved.std(), np.float32)

    finder = RobotCardFinder()
    finder.print.taught = seen(paper)
    assert finder.print.upright(seen(paper)) > finder.print.settings.clear_turn
    assert finder.print.upright(seen(paper[::-1, ::-1])) < -finder.print.settings.clear_turn


def test_a_taught_card_as_white_as_the_table_is_found_by_its_print():
    rng = np.random.default_rng(3)
    white = np.full((600, 600, 3), 200, np.uint8)

    def ground_with(heading_deg: float | None, x: float = 0.0, y: float = 0.0) -> SimpleNamespace:
        colours = white.copy()
        if heading_deg is not None:
            marks = np.random.default_rng(5).uniform(60, 200, (10, 7)).astype(np.uint8)
            card = np.full((88, 63), 200, np.uint8)
            card[20:70, 14:49] = cv2.resize(marks, (35, 50), interpolation=cv2.INTER_NEAREST)
            turn = cv2.getRotationMatrix2D((31.0, 43.5), heading_deg - 90.0, 1.0)
            turn[:, 2] += (300 + x - 31.0, 300 - y - 43.5)
            put = cv2.warpAffine(card, turn, (600, 600), borderValue=200)
            colours = np.repeat(put[..., None], 3, axis=2)
        noisy = np.clip(colours + rng.normal(0, 4, colours.shape), 0, 255).astype(np.uint8)
        return SimpleNamespace(colours=noisy, fine_px=lambda at: np.asarray(at) * (1, -1) + 300.0, zone=None)

    finder = RobotCardFinder()
    finder.print.taught = finder.print.picture(ground_with(90.0), np.zeros(2), 90.0)
    for heading, x, y in ((90.0, 0.0, 0.0), (272.0, 20.0, -15.0), (3.0, -30.0, 10.0)):
        found = finder.print.about_the_middle(ground_with(heading, x, y))
        assert math.hypot(*(found[0] - (x, y))) < 3
        assert abs((found[1] - heading + 180) % 360 - 180) <= finder.print.settings.turn_deg
    assert finder.print.about_the_middle(ground_with(None)) is None
    assert RobotCardFinder().print.about_the_middle(ground_with(90.0)) is None


@pytest.mark.parametrize("heading", [90.0, 270.0])
def test_a_lamp_that_shines_on_one_end_turns_no_card(heading):
    rng = np.random.default_rng(11)
    rows, cols = np.mgrid[:600, :600]
    lamp = 130.0 * np.exp(-((rows - 265) ** 2 + (cols - 285) ** 2) / (2 * 22.0**2))  # on the table's upper end

    def ground_with(heading_deg: float) -> SimpleNamespace:
        card = np.full((600, 600), 90.0)
        card[310:335, 280:320] -= np.random.default_rng(5).uniform(0, 60, (25, 40))  # at the foot of one that heads up
        card = card if heading_deg == 90.0 else card[::-1, ::-1]
        seen = np.clip(card + lamp + rng.normal(0, 3, card.shape), 0, 255).astype(np.uint8)
        colours = np.repeat(seen[..., None], 3, axis=2)
        return SimpleNamespace(colours=colours, fine_px=lambda at: np.asarray(at) * (1, -1) + 299.5, zone=None)

    finder = RobotCardFinder()
    finder.print.taught = finder.print.picture(ground_with(90.0), np.zeros(2), 90.0)
    lead = finder.print.upright(finder.print.picture(ground_with(heading), np.zeros(2), 90.0))
    assert abs(lead) > finder.print.settings.clear_turn
    assert (lead > 0) == (heading == 90.0)


@pytest.mark.parametrize(("off_mm", "off_deg"), [(0.0, 90.0), (25.0, 0.0), (3.0, 4.0)])
def test_a_place_that_does_not_show_the_taught_print_gives_way_to_one_that_does(monkeypatch, off_mm, off_deg):
    finder, table, frame, (x, y, heading) = taught_card()
    at, turned = np.array([x + off_mm, y]), heading + off_deg
    wrong = _Placed(at, turned, rectangle(at, turned), plain=True)
    monkeypatch.setattr(RobotCardFinder, "_outlined", lambda self, ground: wrong)
    eye, _ = eye_for(table, finder)
    (seen,) = eye.read(frame).sightings
    assert math.hypot(seen.x_mm - x, seen.y_mm - y) < 3
    assert abs((seen.heading_deg - heading + 180) % 360 - 180) < 3
