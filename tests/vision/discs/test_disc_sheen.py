"""Light that all discs of a board mirror is told from their own colour."""

import numpy as np

from companion.vision.discs.neighbours import Around
from companion.vision.discs.sheen import SheenSettings, expected, sheen_columns, sides

SIDE, CELL_MM = 8, 35.0
PLACES = np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), axis=-1).reshape(-1, 2).astype(np.float32)
WHITE = np.random.default_rng(3).random(SIDE * SIDE) < 0.5
LONE = 27  # a black disc in the brightest part ...
WHITE[LONE] = False
NEAR = np.hypot(*(PLACES - PLACES[LONE]).T) < 1.5
WHITE[NEAR & (np.arange(SIDE * SIDE) != LONE)] = True  # ... among white ones
WINDOW = 0.45 * np.exp(-((PLACES - PLACES[LONE]) ** 2).sum(axis=1) / (2 * 2.5**2))
LIGHTS = (np.where(WHITE, 0.7, 0.05) + WINDOW).astype(np.float32)
SETTINGS = SheenSettings()


def around(shares: np.ndarray) -> Around:
    greys, hues, tones = (
        np.log(LIGHTS + 0.02)[:, None],
        np.zeros((len(PLACES), 2), np.float32),
        np.zeros(len(PLACES), int),
    )
    return Around(PLACES, greys, shares.astype(np.float32), LIGHTS, hues, tones)


def told(white: np.ndarray) -> np.ndarray:
    return np.stack([np.zeros(SIDE * SIDE), ~white, white], axis=1)


def test_a_black_disc_that_mirrors_a_window_lies_on_the_side_of_black() -> None:
    sheen = expected(PLACES, around(told(WHITE)), CELL_MM, SETTINGS)
    assert LIGHTS[LONE] > 0.4
    where = sides(LIGHTS, sheen, SETTINGS)
    assert (where[WHITE] > 0.2).all()
    assert (where[~WHITE] < -0.2).all()
    assert abs(sheen.expected[LONE, 0] - LIGHTS[LONE]) < 2 * sheen.spread[LONE, 0]


def test_a_disc_tells_nothing_of_itself() -> None:
    right, wrong = told(WHITE), told(WHITE)
    wrong[LONE] = [0, 0, 1]
    one, other = (expected(PLACES, around(shares), CELL_MM, SETTINGS) for shares in (right, wrong))
    assert np.allclose(one.expected[LONE], other.expected[LONE], atol=1e-6)
    assert np.allclose(one.spread[LONE], other.spread[LONE], atol=1e-6)
    assert not np.allclose(one.expected[LONE + 1], other.expected[LONE + 1], atol=1e-3)


def test_what_was_seen_before_tells_of_a_few_cells() -> None:
    board = around(told(WHITE))
    few = expected(PLACES[[LONE, 3]], board, CELL_MM, SETTINGS)
    whole = expected(PLACES, board, CELL_MM, SETTINGS)
    assert np.allclose(few.expected, whole.expected[[LONE, 3]])
    assert np.isfinite(sheen_columns(LIGHTS[[LONE, 3]], few, SETTINGS)).all()
