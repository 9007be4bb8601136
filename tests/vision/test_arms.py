"""A hand that has come into a photograph of a free table: nothing is read there, and nothing is a piece of it."""

import numpy as np
import pytest
from drawn_tables import Paint, camera, with_noise

from companion.vision.arms import ArmWatch
from companion.vision.errors import ObstructedView
from companion.vision.finders import TableFinder
from companion.vision.foreground import see_ground
from companion.vision.reader import TablePicture

SLEEVE, SKIN = (150, 60, 40), (120, 160, 220)  # B, G, R
ARM = np.array([(-20.0, -40.0), (60.0, -40.0), (60.0, -900.0), (-20.0, -900.0)])
HAND = np.array([(-25.0, 50.0), (65.0, 50.0), (65.0, -40.0), (-25.0, -40.0)])
SQUARE = np.array([(-20.0, -20.0), (20.0, -20.0), (20.0, 20.0), (-20.0, 20.0)])


def photograph(arm_at=None, piece_at=None, brighter=0.0, tilt=(0.0, 0.0), shadow=False, seed=1) -> TablePicture:
    """A table with a hand over it whose finger tips are there, or a piece, or a person's shadow."""
    paint, pose = Paint(), camera(height=600.0, tilt=tilt)
    if piece_at is not None:
        paint.polygon(SQUARE + piece_at, (40, 40, 200))
    if arm_at is not None:
        paint.polygon(ARM + arm_at, SLEEVE)
        paint.polygon(HAND + arm_at, SKIN)
    pixels = paint.seen_by(pose, noise=0.0).astype(float) * (1 + brighter)
    if shadow:
        pixels[:, : pixels.shape[1] // 3] *= 0.7
    return TablePicture(with_noise(pixels, seed), np.ones(3), pose, (), None, True)


def hands(*photographs: TablePicture) -> list[bool]:
    watch = ArmWatch()
    return [watch.hand(see_ground(one)) for one in photographs]


def test_a_hand_is_seen_until_it_is_gone() -> None:
    reaching, further = photograph((0.0, 0.0), seed=2), photograph((60.0, 80.0), seed=3)
    assert hands(photograph(), reaching, further, photograph(seed=4)) == [False, True, True, False]


@pytest.mark.parametrize(
    "change",
    [{}, {"brighter": 0.3}, {"tilt": (4.0, -3.0)}, {"piece_at": (0.0, -60.0)}, {"shadow": True}],
    ids=["still", "lamp", "bumped", "piece", "shadow"],
)
def test_what_else_changes_between_two_photographs_is_no_hand(change) -> None:
    assert hands(photograph(), photograph(seed=2, **change)) == [False, False]


def test_what_lies_there_in_the_next_photograph_too_is_no_hand() -> None:
    left_there = [photograph((0.0, 0.0), seed=seed) for seed in (2, 3)]
    assert hands(photograph(), *left_there, photograph((80.0, 0.0), seed=4)) == [False, True, False, True]


def test_nothing_is_read_from_a_photograph_with_a_hand_in_it() -> None:
    finder = TableFinder([])
    finder.find(photograph())
    with pytest.raises(ObstructedView, match="hand"):
        finder.find(photograph((0.0, 0.0), seed=2))
    assert finder.find(photograph(seed=3)) == []
