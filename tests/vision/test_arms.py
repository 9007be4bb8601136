"""A hand that has come into a photograph: nothing is read there, on a free table and on a board."""

from dataclasses import replace

import numpy as np
import pytest
from drawn_tables import KHET, LYING, Paint, camera, with_noise
from red_reader import MARKERS, RED, RedReader, frame, red_cells

from companion.vision.arms import ArmSettings, ArmWatch, Played
from companion.vision.boards.cells import outline_mm
from companion.vision.ground.foreground import draw_table
from companion.vision.pipeline import Eye
from companion.vision.reader import TablePicture
from companion.vision.settings import EyeSettings

SLEEVE, SKIN, GREY = (150, 60, 40), (120, 160, 220), (95, 95, 95)  # B, G, R
ARM = np.array([(-20.0, -40.0), (60.0, -40.0), (60.0, -900.0), (-20.0, -900.0)])
HAND = np.array([(-25.0, 50.0), (65.0, 50.0), (65.0, -40.0), (-25.0, -40.0)])
SQUARE = np.array([(-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)])
TABLE = Played(np.array([(-300.0, -190.0), (300.0, -190.0), (300.0, 190.0), (-300.0, 190.0)]), 1500.0)


def photograph(arm_at=None, piece_at=None, brighter=0.0, tilt=(0.0, 0.0), shadow=False, aslant=0.0, seed=1):
    """A table with a hand over it whose finger tips are there, or a piece, or another light, or a person's shadow."""
    paint, pose = Paint(), camera(height=600.0, tilt=tilt)
    if piece_at is not None:
        paint.polygon(SQUARE + piece_at, (40, 40, 200))
    if arm_at is not None:
        paint.polygon(ARM + arm_at, SLEEVE)
        paint.polygon(HAND + arm_at, SKIN)
    pixels = paint.seen_by(pose, noise=0.0).astype(float) * (1 + brighter)
    pixels *= np.linspace(1 - aslant, 1 + aslant, pixels.shape[1])[:, None] ** (1.0, 1.5, 2.0)
    if shadow:
        pixels[:, : pixels.shape[1] // 3] *= 0.7
    return TablePicture(with_noise(pixels, seed), np.ones(3), pose)


def on_a_pattern(arm_at=None, dark=1.0, seed=1, shown=1.0):
    """A table with a pattern; over it an arm of its hue, without a pattern, or on half of it a shadow so dark.

    The pattern may be that of a cloth which covers only a share of the table, on the right.
    """
    paint, rng = Paint(), np.random.default_rng(0)
    shades = rng.uniform(0.85, 1.15, [-(-side // 16) for side in paint.image.shape[:2]])
    over = np.kron(shades, np.ones((16, 16)))[: paint.image.shape[0], : paint.image.shape[1], None]
    over[:, : round(over.shape[1] * (1 - shown))] = 1.0
    paint.image[:] = np.clip(paint.image * over, 0, 255)
    if arm_at is not None:
        for part in (ARM, HAND):
            paint.polygon(part + arm_at, tuple(round(level * 0.75) for level in paint.ground))
    pixels = paint.seen_by(camera(height=600.0), noise=0.0).astype(float)
    pixels[:, : pixels.shape[1] // 2] *= dark
    return TablePicture(with_noise(pixels, seed), np.ones(3), camera(height=600.0))


def test_a_hand_of_the_tables_hue_is_seen_by_the_pattern_that_it_hides():
    assert hands(on_a_pattern(), on_a_pattern((0.0, 0.0), seed=2), on_a_pattern(seed=3)) == [False, True, False]


@pytest.mark.parametrize("dark", [0.75, 0.5, 0.35])
def test_a_shadow_leaves_the_pattern_that_it_falls_on(dark):
    assert hands(on_a_pattern(), on_a_pattern(dark=dark, seed=2), on_a_pattern(seed=3)) == [False, False, False]


@pytest.mark.parametrize("dark", [0.75, 0.5, 0.35])
def test_a_shadow_on_a_bare_table_hides_no_pattern_though_a_cloth_beside_it_shows_one(dark):
    first, second = on_a_pattern(shown=0.3), on_a_pattern(dark=dark, seed=2, shown=0.3)
    assert hands(first, second) == [False, False]


def hands(*photographs):
    watch = ArmWatch()
    return [watch.hand(draw_table(one, watch.settings.ground), TABLE) for one in photographs]


def test_a_hand_is_seen_until_it_is_gone():
    reaching, further = photograph((0.0, 0.0), seed=2), photograph((60.0, 80.0), seed=3)
    assert hands(photograph(), reaching, further, photograph(seed=4)) == [False, True, True, False]


@pytest.mark.parametrize(
    "change",
    [{}, {"brighter": 0.3}, {"aslant": 0.3}, {"tilt": (4.0, -3.0)}, {"piece_at": (0.0, -60.0)}, {"shadow": True}],
    ids=["still", "lamp", "window", "bumped", "piece", "shadow"],
)
def test_what_else_changes_between_two_photographs_is_no_hand(change):
    assert hands(photograph(), photograph(seed=2, **change)) == [False, False]


@pytest.mark.parametrize("light", [{"aslant": 0.25}, {"brighter": 0.35}, {"brighter": 0.2, "aslant": 0.2}])
def test_a_hand_is_seen_under_another_light(light):
    assert hands(photograph(), photograph((0.0, 0.0), seed=2, **light)) == [False, True]


def test_a_hand_that_has_gone_is_no_hand():
    assert hands(photograph((0.0, 0.0)), photograph(seed=2), photograph((60.0, 0.0), seed=3)) == [False, False, True]


def test_what_lies_there_in_the_next_photograph_too_is_no_hand():
    left_there = [photograph((0.0, 0.0), seed=seed) for seed in (2, 3)]
    assert hands(photograph(), *left_there, photograph((80.0, 0.0), seed=4)) == [False, True, False, True]


def test_a_hand_that_stays_but_is_not_at_rest_is_one_still():
    moving = [photograph((step, 0.0), seed=seed) for seed, step in ((2, 0.0), (3, 25.0), (4, 50.0))]
    assert hands(photograph(), *moving, photograph(seed=5)) == [False, True, True, True, False]


POSE = camera(height=640.0)


def over_board(
    arm_at=None, tone=SKIN, turned=0, pieces=("a1", "e4", "j8"), seed=1, pose=POSE, sleeve=None, lying=LYING
):
    """A board in a photograph, and an arm whose finger tips are there; it comes from the side `turned`."""
    paint = Paint()
    paint.markers()
    paint.board(KHET, lying)
    for cell in pieces:
        paint.piece(KHET, lying, cell, RED)
    if arm_at is not None:
        angle = np.deg2rad(90.0 * turned)
        turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
        for part, colour in ((ARM, sleeve or tone), (HAND, tone)):
            paint.polygon((part - (20.0, 50.0)) @ turn.T + arm_at, colour)
    return paint.seen_by(pose, seed=seed)


def told(*photographs, one_table=True):
    """The obstacle that each of them shows, or the cells with pieces."""
    eye = Eye(EyeSettings(one_table=one_table), POSE.lens, MARKERS, KHET, RedReader())
    views = [eye.read(frame(pixels, float(n))) for n, pixels in enumerate(photographs)]
    return [view.obstacles[0] if view.obstacles else " ".join(red_cells(view)) for view in views]


@pytest.mark.parametrize("turned", range(4), ids=["from below", "from the right", "from above", "from the left"])
@pytest.mark.parametrize("tone", [SKIN, SLEEVE, (40, 50, 80), (225, 230, 235)])
def test_nothing_is_read_from_a_board_with_an_arm_over_it(turned, tone):
    assert told(over_board(), over_board((0.0, 0.0), tone, turned, seed=2), over_board(seed=3)) == [
        "a1 e4 j8",
        "hand",
        "a1 e4 j8",
    ]


def test_an_arm_that_just_reaches_the_board_is_told_and_one_beside_it_is_not():
    lowest = outline_mm(KHET, LYING)[:, 1].min()
    reaching, beside = over_board((0.0, lowest + 30.0), seed=2), over_board((0.0, lowest - 25.0), seed=3)
    assert told(over_board(), reaching, over_board(seed=4), beside) == ["a1 e4 j8", "hand", "a1 e4 j8", "a1 e4 j8"]


def test_a_first_photograph_with_a_hand_does_not_cost_the_next_one():
    assert told(over_board((0.0, 0.0), SLEEVE), over_board(seed=2))[1] == "a1 e4 j8"


def test_other_pieces_and_a_pushed_camera_are_no_hand_on_a_board():
    moved = over_board(pieces=("b2", "e4", "j8"), seed=2)
    pushed = over_board(pieces=("b2", "e4", "j7"), seed=3, pose=camera(height=640.0, tilt=(3.0, -2.0)))
    assert told(over_board(), moved, pushed) == ["a1 e4 j8", "b2 e4 j8", "b2 e4 j7"]


def test_single_pictures_of_other_tables_are_not_compared():
    assert told(over_board(), over_board((0.0, 0.0), seed=2), one_table=False)[1] != "hand"


def test_nothing_is_read_from_a_photograph_of_a_free_table_with_a_hand_in_it():
    assert ArmSettings().over_table_mm2 == TABLE.least_mm2
    eye = Eye(EyeSettings(one_table=True), POSE.lens, MARKERS, None, None)
    shown = [over_board(), over_board((0.0, 0.0), seed=2), over_board(seed=3)]
    assert [eye.read(frame(one)).obstacles for one in shown] == [(), ("hand",), ()]


def test_a_hand_is_told_whose_sleeve_has_the_tone_of_the_table():
    lowest = outline_mm(KHET, LYING)[:, 1].min()
    assert told(over_board(), over_board((0.0, lowest + 45.0), seed=2, sleeve=Paint().ground))[1] == "hand"


@pytest.mark.parametrize("by_mm", [4.0, 12.0, 25.0])
def test_a_board_that_was_pushed_is_no_hand(by_mm):
    pushed = replace(LYING, x_mm=LYING.x_mm + by_mm, y_mm=LYING.y_mm - by_mm)
    assert told(over_board(), over_board(seed=2, lying=pushed)) == ["a1 e4 j8", "a1 e4 j8"]
