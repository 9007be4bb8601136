"""The card's rim: by its edge, its one tone, its tint or its evenness, and never a place between things."""

import math

import cv2
import numpy as np
import pytest
from card_tables import bare_ground, checked_with_a_card

from companion.vision.card.outline import OutlineSettings, trimmed
from companion.vision.card.rim import find_rim


@pytest.mark.parametrize("turned", [0.0, 37.0])
def test_of_a_card_as_bright_as_the_table_the_rim_is_found(turned):
    grey = np.random.default_rng(1).normal(120, 1.5, (300, 300)).astype(np.float32)
    step = 1.2
    sides = ((149.5 + 20 / step, 149.5 - 10 / step), (88 / step, 63 / step), -turned)  # rows run down
    cv2.polylines(grey, [np.rint(cv2.boxPoints(sides)).astype(np.int32)], True, 105.0)
    rim = find_rim(bare_ground(grey))
    assert math.hypot(rim.middle[0] - 20, rim.middle[1] - 10) < 5
    assert abs((rim.heading_deg - turned + 90) % 180 - 90) < 5
    assert find_rim(bare_ground(np.full_like(grey, 120.0) + grey * 0)) is None


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


def test_a_card_on_a_checked_cloth_is_told_by_its_one_tone():
    rim = find_rim(bare_ground(checked_with_a_card(card=True)))
    assert math.hypot(*rim.middle) < 5
    assert abs(rim.heading_deg - 90) <= 5
    assert find_rim(bare_ground(checked_with_a_card(card=False))) is None


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
    rim = find_rim(bare_ground(between_tinted_things((0.6,) * 4)))
    assert rim.tinted
    assert math.hypot(*rim.middle) < 5


@pytest.mark.parametrize(("tints", "slope"), [((0.6, 0.6, -0.6, -0.6), 0.0), ((0.8,) * 4, 0.6)])
def test_a_place_between_tinted_things_is_no_card(tints, slope):
    assert find_rim(bare_ground(between_tinted_things(tints, slope))) is None


@pytest.mark.parametrize(("roughness", "card"), [(0.3, True), (0.14, False)])
def test_an_even_place_is_a_card_only_where_the_table_is_much_less_even(roughness, card):
    rows, cols = np.indices((300, 300)) - 149.5
    blots = cv2.GaussianBlur(np.random.default_rng(6).normal(0, 1, (300, 300)), (0, 0), 6)
    blots *= roughness / blots.std()
    blots *= np.clip(np.maximum(np.abs(rows) - 26, np.abs(cols) - 36) / 12, 0, 1)  # it has no plain edges
    rim = find_rim(bare_ground((110 * np.exp(blots)).astype(np.float32)))
    assert (rim is not None) == card
    if rim is not None:
        assert math.hypot(*rim.middle) < 10


@pytest.mark.parametrize("second", [False, True])
def test_a_faint_rim_is_the_card_when_it_has_no_equal(second):
    grey = np.random.default_rng(1).normal(120, 1.5, (300, 300)).astype(np.float32)
    for x_mm, y_mm in ((20, 10), (-30, -40))[: 1 + second]:
        drawn, step = np.zeros_like(grey), 1.2
        sides = ((149.5 + x_mm / step, 149.5 - y_mm / step), (88 / step, 63 / step), -35.0)
        cv2.polylines(drawn, [np.rint(cv2.boxPoints(sides)).astype(np.int32)], True, 1.0)
        grey -= 5.0 * drawn
    rim = find_rim(bare_ground(grey))
    assert (rim is None) == second
    if rim is not None:
        assert math.hypot(rim.middle[0] - 20, rim.middle[1] - 10) < 5
        assert abs(rim.heading_deg - 35) <= 5
