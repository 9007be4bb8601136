"""The robot's card among pyramids: its place, its heading once taught, and no card where none lies."""

import dataclasses
import math
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from calibration.lens import Lens
from calibration.table import CameraPose, TableMarkers
from companion.pieces import Piece
from companion.simulator.pyramid_tables import PyramidTable, pyramid_picture, pyramid_table
from companion.simulator.tables import TESTING
from companion.view import Sighting
from companion.vision.card_outline import OutlineSettings, trimmed
from companion.vision.card_rim import find_rim, rectangle
from companion.vision.finders import Found, TableFinder, covered_squares
from companion.vision.foreground import Ground, GroundSettings, Region
from companion.vision.pipeline import Eye
from companion.vision.robot_card import RobotCardFinder, _Placed
from companion.vision.settings import EyeSettings
from hardware.frames import Frame

LENS = Lens(600, 600, 600.0, 600.0, 300.0, 300.0)


def eye_for(table: PyramidTable, finder: RobotCardFinder) -> tuple[Eye, Frame]:
    sheets = table.scene.markers
    markers = TableMarkers(sheets.width_mm, sheets.height_mm, sheets.side_mm)
    picture = pyramid_picture(table)
    frame = Frame(picture, picture[::8, ::8, 1].copy(), 0.0, 0, name="table")
    return Eye(EyeSettings(), table.scene.camera.lens, markers, None, TableFinder([finder])), frame


def test_the_card_is_found_and_turned_as_taught(tmp_path):
    table = pyramid_table(TESTING[1], "kaxxt")
    assert table.card is not None
    x, y, heading = table.card
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


@pytest.mark.parametrize(
    ("bare", "colour", "sure", "kinds"),
    [
        (True, "white", 0.99999, {"robot_card"}),
        (False, "white", 0.9995, {"pyramid"}),
        (True, "green", 0.98, {"robot_card"}),
        (False, "green", 0.98, {"robot_card", "pyramid"}),
        (True, "green", 0.99999, {"robot_card"}),
    ],
)
def test_what_a_taught_card_shows_is_its_print_unless_something_else_is_seen_there(bare, colour, sure, kinds):
    table = pyramid_table(TESTING[1], "kaxxt")
    assert table.card is not None
    finder = RobotCardFinder()
    eye, frame = eye_for(table, finder)
    eye.teach_free(frame, [Sighting(((Piece("robot_card"), 1.0),), *table.card)])
    if not bare:
        (card,) = eye.read(frame).sightings
        frame.pixels[round(card.y_px) - 15 : round(card.y_px) + 15, round(card.x_px) - 15 : round(card.x_px) + 15] = 235
    eye, _ = eye_for(table, finder)
    eye.reader = TableFinder([OnTheCard(*table.card[:2], sure, colour), finder])
    assert {seen.piece.kind for seen in eye.read(frame).sightings} == kinds


@pytest.mark.parametrize(("along_mm", "print_alone"), [(0.0, True), (38.0, True), (46.0, False), (90.0, False)])
def test_what_lies_for_the_most_part_beside_the_card_is_no_print(along_mm, print_alone):
    table = pyramid_table(TESTING[1], "kaxxt")
    assert table.card is not None
    x, y, heading = table.card
    finder = RobotCardFinder()
    eye, frame = eye_for(table, finder)
    eye.teach_free(frame, [Sighting(((Piece("robot_card"), 1.0),), x, y, heading)])
    eye, _ = eye_for(table, finder)
    along = np.array([math.cos(math.radians(heading)), math.sin(math.radians(heading))]) * along_mm
    eye.reader = TableFinder([OnTheCard(x + along[0], y + along[1], 0.9999, "green"), finder])
    assert (len(eye.read(frame).sightings) == 1) == print_alone


@pytest.mark.parametrize(("off_mm", "off_deg"), [(0.0, 90.0), (25.0, 0.0), (3.0, 4.0)])
def test_a_place_that_does_not_show_the_taught_print_gives_way_to_one_that_does(monkeypatch, off_mm, off_deg):
    table = pyramid_table(TESTING[1], "kaxxt")
    assert table.card is not None
    x, y, heading = table.card
    finder = RobotCardFinder()
    eye, frame = eye_for(table, finder)
    eye.teach_free(frame, [Sighting(((Piece("robot_card"), 1.0),), x, y, heading)])
    at, turned = np.array([x + off_mm, y]), heading + off_deg
    wrong = _Placed(at, turned, rectangle(at, turned, 88.0, 63.0), plain=True)
    monkeypatch.setattr(RobotCardFinder, "_outlined", lambda self, ground: wrong)
    eye, _ = eye_for(table, finder)
    (seen,) = eye.read(frame).sightings
    assert math.hypot(seen.x_mm - x, seen.y_mm - y) < 3
    assert abs((seen.heading_deg - heading + 180) % 360 - 180) < 3


class OnTheCard:
    """A family that sees a pyramid on the card."""

    def __init__(self, x_mm: float, y_mm: float, sure: float, colour: str = "white") -> None:
        self.x_mm, self.y_mm, self.sure, self.colour = x_mm, y_mm, sure, colour

    def find(self, ground: Ground) -> list[Found]:
        piece = Piece("pyramid", self.colour, "small", "upright")
        outline = 12.0 * np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + np.array([self.x_mm, self.y_mm]) - 6.0
        return [Found(Sighting(((piece, self.sure),), self.x_mm, self.y_mm, 0.0), self.sure, outline)]


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
    table = pyramid_table(TESTING[1], "kaxxt")
    assert table.card is not None
    eye, frame = eye_for(table, RobotCardFinder())
    eye.reader = TableFinder([OnTheCard(*table.card[:2], sure, colour), RobotCardFinder()])
    assert {seen.piece.kind for seen in eye.read(frame).sightings} == kinds


def test_a_table_without_a_card_has_none():
    eye, frame = eye_for(pyramid_table(TESTING[2], "chaos"), RobotCardFinder())
    assert eye.read(frame).sightings == ()


def test_a_look_that_fits_nothing_is_refused(tmp_path):
    (tmp_path / "robot_card.json").write_text('{"format": 99}', encoding="utf-8")
    with pytest.raises(ValueError, match="teach the set anew"):
        RobotCardFinder().load(tmp_path)


def test_print_at_one_end_is_the_foot():
    picture = np.zeros((64, 46), np.float32)
    picture[52:56, 8:38:3] = 3.0
    finder = RobotCardFinder()
    assert finder.print.upright(picture) > 0.5
    assert finder.print.upright(picture[::-1, ::-1]) < -0.5


@pytest.mark.parametrize("turned", [0, 90])
def test_what_touches_the_card_is_thought_away(turned):
    step = 1.2  # millimetres of a pixel
    wide, high = round(63 / step), round(88 / step)
    mask = np.zeros((140, 120), bool)
    mask[20 : 20 + high, 30 : 30 + wide] = True
    card = mask.copy()
    mask[20 + high : 28 + high, 45:66] = True  # the foot of a pyramid
    left = trimmed(np.rot90(mask, turned // 90).copy(), step, OutlineSettings())
    assert (left ^ np.rot90(card, turned // 90)).sum() < 0.02 * card.sum()


def bare_ground(grey: np.ndarray, regions: tuple[Region, ...] = ()) -> Ground:
    """A table drawn from above, 600 by 600 fine pixels about its middle; `grey`, or BGR, is its coarse half."""
    bgr = grey if grey.ndim == 3 else np.repeat(grey[:, :, None], 3, axis=2)
    log = np.log(bgr.astype(np.float32) + 10.0)
    colours = np.zeros((600, 600, 3), np.uint8)
    s, half = GroundSettings(), 299.5 * 0.6
    return Ground(s, None, np.ones(3), colours, colours, log, log, regions, -half, half, 0.01)


def seen_from_above(ground: Ground) -> Ground:
    return dataclasses.replace(ground, pose=CameraPose(LENS, np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 600.0])))


@pytest.mark.parametrize("turned", [0.0, 37.0])
def test_of_a_card_as_bright_as_the_table_the_rim_is_found(turned):
    grey = np.random.default_rng(1).normal(120, 1.5, (300, 300)).astype(np.float32)
    step = 1.2
    sides = ((149.5 + 20 / step, 149.5 - 10 / step), (88 / step, 63 / step), -turned)  # rows run down
    cv2.polylines(grey, [np.rint(cv2.boxPoints(sides)).astype(np.int32)], True, 105.0)
    rim = find_rim(bare_ground(grey), 88.0, 63.0)
    assert rim is not None
    assert math.hypot(rim.middle[0] - 20, rim.middle[1] - 10) < 5
    assert abs((rim.heading_deg - turned + 90) % 180 - 90) < 5
    assert find_rim(bare_ground(np.full_like(grey, 120.0) + grey * 0), 88.0, 63.0) is None


def test_squares_of_the_table_that_are_not_bare_are_told():
    mask = np.ones((20, 20), bool)  # 24 mm, its top left corner in the table's middle
    squares = covered_squares(bare_ground(np.zeros((300, 300)), (Region(150, 150, mask, 576.0),)), 0.5)
    assert squares == {(col, row) for col in range(4) for row in range(-4, 0)}


def checked_with_a_card(card: bool) -> np.ndarray:
    """A checked cloth of three tones, and on it a card as bright as the brightest, with print on a fifth of it."""
    at = np.arange(300) // 22 % 2
    tones = np.array([60.0, 120.0, 200.0])[at[:, None] + at[None, :]]
    grey = np.random.default_rng(2).normal(tones, 6.0).astype(np.float32)
    if card:
        grey[113:186, 124:176] = 200.0
        grey[140:170, 138:162] = 110.0
    return np.clip(grey, 1, 255)


def test_a_card_on_a_checked_cloth_is_told_by_its_one_tone():
    rim = find_rim(bare_ground(checked_with_a_card(card=True)), 88.0, 63.0)
    assert rim is not None
    assert math.hypot(*rim.middle) < 5
    assert abs(rim.heading_deg - 90) <= 5
    assert find_rim(bare_ground(checked_with_a_card(card=False)), 88.0, 63.0) is None


def test_a_printed_card_on_a_checked_cloth_is_told_by_its_tint():
    noise = np.random.default_rng(3).normal(0, 3.0, (300, 300, 3))
    table = np.clip(checked_with_a_card(card=False)[:, :, None] + noise, 1, 255).astype(np.float32)
    table[113:186, 124:176] = 210.0  # white paper, its rim no brighter than the cloth's white squares
    table[117:182, 128:172] = (60.0, 30.0, 150.0)
    table[125:150, 135:165] = (150.0, 140.0, 140.0)  # the robot's face: no one tone is most of the card
    ground = seen_from_above(bare_ground(table))
    rim = find_rim(ground, 88.0, 63.0)
    assert rim is not None
    assert rim.tinted
    assert math.hypot(*rim.middle) < 5
    assert abs(rim.heading_deg - 90) <= 5
    ground.colours[:] = np.repeat(np.repeat(table, 2, axis=0), 2, axis=1).astype(np.uint8)
    (found,) = RobotCardFinder().find(ground)
    assert found.paper is not None
    assert found.paper == {"white", "clear", "red"}  # what looks like a red piece on it is its print ...
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


def between_tinted_things(tints: tuple[float, float, float, float], slope: float = 0.0) -> np.ndarray:
    """A place as large as a card in the table's middle; above, below, left and right of it things that are redder by so
    much of the logarithm, and no brighter. Across the place the tint rises by `slope`, with the table's in its middle.
    """
    rows, cols = np.indices((300, 300)) - 149.5
    beyond = np.array([-rows - 26, rows - 26, -cols - 36, cols - 36])  # pixels from each side of the place
    side = beyond.argmax(axis=0)
    fading = np.clip(1 - beyond.max(axis=0) / 30, 0, 1)  # only the edges of the place are plain
    redder = np.where(beyond.max(axis=0) >= 0, np.array(tints)[side] * fading, slope * cols / 72)
    noise = np.random.default_rng(4).normal(0, 3.0, (300, 300, 3))
    return np.clip(np.exp(np.stack([0 * redder, -redder / 2, redder / 2], 2)) * 110 + noise, 1, 255).astype(np.float32)


def test_what_is_of_another_tint_than_all_about_it_is_a_card():
    rim = find_rim(bare_ground(between_tinted_things((0.6,) * 4)), 88.0, 63.0)
    assert rim is not None
    assert rim.tinted
    assert math.hypot(*rim.middle) < 5


@pytest.mark.parametrize(("tints", "slope"), [((0.6, 0.6, -0.6, -0.6), 0.0), ((0.8,) * 4, 0.6)])
def test_a_place_between_tinted_things_is_no_card(tints, slope):
    assert find_rim(bare_ground(between_tinted_things(tints, slope)), 88.0, 63.0) is None


@pytest.mark.parametrize(("roughness", "card"), [(0.3, True), (0.14, False)])
def test_an_even_place_is_a_card_only_where_the_table_is_much_less_even(roughness, card):
    rows, cols = np.indices((300, 300)) - 149.5
    blots = cv2.GaussianBlur(np.random.default_rng(6).normal(0, 1, (300, 300)), (0, 0), 6)
    blots *= roughness / blots.std()
    blots *= np.clip(np.maximum(np.abs(rows) - 26, np.abs(cols) - 36) / 12, 0, 1)  # it has no plain edges
    rim = find_rim(bare_ground((110 * np.exp(blots)).astype(np.float32)), 88.0, 63.0)
    assert (rim is not None) == card
    if rim is not None:
        assert math.hypot(*rim.middle) < 10


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


@pytest.mark.parametrize("second", [False, True])
def test_a_faint_rim_is_the_card_when_it_has_no_equal(second):
    grey = np.random.default_rng(1).normal(120, 1.5, (300, 300)).astype(np.float32)
    for x_mm, y_mm in ((20, 10), (-30, -40))[: 1 + second]:
        drawn, step = np.zeros_like(grey), 1.2
        sides = ((149.5 + x_mm / step, 149.5 - y_mm / step), (88 / step, 63 / step), -35.0)
        cv2.polylines(drawn, [np.rint(cv2.boxPoints(sides)).astype(np.int32)], True, 1.0)
        grey -= 5.0 * drawn
    rim = find_rim(bare_ground(grey), 88.0, 63.0)
    assert (rim is None) == second
    if rim is not None:
        assert math.hypot(rim.middle[0] - 20, rim.middle[1] - 10) < 5
        assert abs(rim.heading_deg - 35) <= 5


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
        assert found is not None
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
