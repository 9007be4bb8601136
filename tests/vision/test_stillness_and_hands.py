"""The motion gate, and hands of twelve tones in sleeves of twelve more."""

import itertools

import cv2
import numpy as np
import pytest

from companion.vision.hands import HandFinder, HandSettings
from companion.vision.stillness import Motion, MotionGate, StillnessSettings

SKINS = [  # BGR, from light to dark
    (219, 228, 246), (200, 215, 243), (175, 198, 234), (160, 186, 222), (139, 166, 214), (120, 150, 201),
    (105, 133, 187), (86, 112, 165), (69, 92, 141), (52, 72, 115), (38, 53, 88), (26, 36, 60),
]  # fmt: skip
SLEEVES = [
    (30, 30, 30), (245, 245, 245), (140, 60, 30), (40, 40, 170), (60, 120, 60), (120, 120, 120),
    (200, 180, 160), (40, 90, 140), (170, 60, 120), (20, 160, 220), (90, 70, 50), (210, 210, 190),
]  # fmt: skip
TABLES = [(150, 170, 180), (40, 60, 90), (80, 50, 30)]
RNG = np.random.default_rng(5)
NOISE = RNG.normal(0, 2.0, (4, 480, 640, 3))


def table(ground=TABLES[0], noise=0, shift=0.0):
    image = np.full((480, 640, 3), ground, np.float64)
    image[100:380, 160:480] = (90, 90, 92)
    image[100:380:35, 160:480] = (40, 40, 40)
    return np.clip(image + shift + NOISE[noise], 0, 255).astype(np.uint8)


def with_arm(image, skin, sleeve, reach=300):
    out = image.copy()
    cv2.rectangle(out, (280, 479 - reach // 2), (350, 479), sleeve, -1)
    cv2.rectangle(out, (295, 479 - reach), (335, 479 - reach // 2), skin, -1)
    cv2.circle(out, (315, 479 - reach), 34, skin, -1)
    return out


def small(image):
    return cv2.cvtColor(cv2.resize(image, (320, 240), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)


@pytest.mark.parametrize("ground", TABLES)
def test_arms_of_all_tones_are_seen(ground):
    finder = HandFinder()
    finder.clear(table(ground))
    later = table(ground, 1)
    for number, (skin, sleeve) in enumerate(itertools.product(SKINS, SLEEVES)):
        seen = finder.hand(with_arm(later, skin, sleeve), 1.0)
        assert seen, f"skin {number // 12}, sleeve {number % 12}"


@pytest.mark.parametrize("ground", TABLES)
def test_an_arm_that_was_there_at_first_is_no_hand_once_it_has_gone_and_the_next_one_is(ground):
    later = table(ground, 1)
    for number, (skin, sleeve) in enumerate(itertools.product(SKINS, SLEEVES)):
        finder = HandFinder()
        finder.clear(with_arm(table(ground), skin, sleeve))
        assert not finder.hand(later, 1.0), f"skin {number // 12}, sleeve {number % 12}"
        other = np.ascontiguousarray(with_arm(later[:, ::-1], skin, sleeve, 220)[::-1])
        assert finder.hand(other, 2.0), f"skin {number // 12}, sleeve {number % 12}"


def test_noise_lamp_and_moved_pieces_are_no_hands():
    finder = HandFinder()
    finder.clear(table())
    assert not finder.hand(table(noise=2), 1.0)
    assert not finder.hand(table(noise=3, shift=25.0), 2.0)
    piece = table(noise=1)
    piece[200:240, 300:340] = (40, 40, 200)
    assert not finder.hand(piece, 3.0)


def test_nothing_is_known_before_the_first_clear_view():
    finder = HandFinder()
    assert not finder.hand(with_arm(table(), SKINS[3], SLEEVES[0]), 0.0)
    finder.clear(table())
    finder.forget()
    assert not finder.hand(with_arm(table(), SKINS[3], SLEEVES[0]), 1.0)


def test_what_stays_for_long_belongs_to_the_table():
    finder = HandFinder(HandSettings(accept_s=20))
    finder.clear(table())
    mug = with_arm(table(noise=1), (30, 30, 160), (30, 30, 160), 160)
    assert finder.hand(mug, 10.0)
    assert finder.hand(mug, 29.9)
    assert not finder.hand(mug, 30.0)
    finder.clear(mug)
    assert not finder.hand(mug, 31.0)
    assert finder.hand(with_arm(mug, SKINS[2], SLEEVES[4]), 32.0)


def test_a_hand_that_left_and_came_back_counts_anew():
    finder = HandFinder(HandSettings(accept_s=5))
    finder.clear(table())
    arm = with_arm(table(), SKINS[8], SLEEVES[2])
    assert finder.hand(arm, 0.0)
    assert not finder.hand(table(), 4.0)
    assert finder.hand(arm, 6.0)


def test_the_table_is_still_after_a_while_without_motion():
    gate = MotionGate(StillnessSettings(still_s=0.4))
    states = [gate.see(small(table(noise=i % 4)), 0.1 * i) for i in range(7)]
    assert states == [Motion.SETTLING] * 4 + [Motion.STILL] * 3


def test_a_hand_in_motion_is_motion_and_the_clock_starts_anew():
    gate = MotionGate(StillnessSettings(still_s=0.2))
    for i in range(4):
        gate.see(small(table(noise=i)), 0.1 * i)
    arm = with_arm(table(), SKINS[4], SLEEVES[1], 120)
    assert gate.see(small(arm), 0.4) is Motion.MOVING
    assert gate.see(small(with_arm(table(), SKINS[4], SLEEVES[1], 160)), 0.5) is Motion.MOVING
    assert gate.see(small(table()), 0.6) is Motion.MOVING
    assert gate.see(small(table(noise=1)), 0.7) is Motion.SETTLING
    assert gate.see(small(table(noise=2)), 0.85) is Motion.STILL


def test_a_camera_that_is_always_slow_shows_a_still_table_and_one_that_was_away_does_not():
    gate, fast, slow = MotionGate(), [0.0, 0.3, 0.6, 0.9], [6.0, 11.0, 17.0, 22.0]
    states = [gate.see(small(table(noise=i % 4)), s) for i, s in enumerate([*fast, *slow])]
    assert states[3:6] == [Motion.STILL, Motion.SETTLING, Motion.SETTLING]
    assert states[6:] == [Motion.STILL] * 2
    assert gate.see(small(with_arm(table(), SKINS[4], SLEEVES[1], 120)), 27.0) is Motion.MOVING


def test_a_small_piece_that_moves_is_motion():
    gate = MotionGate()
    first, second = table(), table(noise=1)
    first[200:226, 300:326] = (200, 205, 210)
    second[200:226, 320:346] = (200, 205, 210)
    gate.see(small(first), 0.0)
    assert gate.see(small(second), 0.1) is Motion.MOVING


def test_a_lamp_that_brightens_is_no_motion():
    gate = MotionGate()
    gate.see(small(table()), 0.0)
    assert gate.see(small(table(noise=1, shift=20.0)), 0.1) is Motion.SETTLING


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_a_shadow_over_much_of_the_table_is_motion(share):
    gate, dark = MotionGate(), table(noise=1)
    dark[:, : round(share * dark.shape[1])] = table(noise=1, shift=-35.0)[:, : round(share * dark.shape[1])]
    gate.see(small(table()), 0.0)
    assert gate.see(small(dark), 0.1) is Motion.MOVING


def test_after_a_gap_or_another_size_stillness_starts_anew():
    gate = MotionGate(StillnessSettings(still_s=0.2, gap_s=1.0))
    gate.see(small(table()), 0.0)
    assert gate.see(small(table()), 0.3) is Motion.STILL
    assert gate.see(small(table()), 5.0) is Motion.SETTLING
    assert gate.see(np.zeros((10, 10), np.uint8), 5.1) is Motion.SETTLING
    assert gate.see(np.zeros((0, 0), np.uint8), 5.2) is Motion.SETTLING
