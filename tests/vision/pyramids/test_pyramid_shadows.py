"""A shadow beside a piece, told from a piece by what others of its size have beside them."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.vision.ground.foreground import Past, see_ground
from companion.vision.pyramids import finder as pyramids
from companion.vision.pyramids.candidates import Candidates
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import joined
from companion.vision.pyramids.judge import Judge
from companion.vision.pyramids.known import Known
from companion.vision.pyramids.placed import Placed, outlines_of
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shadows import Shadows, against_shadows
from companion.vision.pyramids.shapes import CLASSES

S = PyramidSettings().shadows
PLACES = ((-130.0, 40.0), (-20.0, 60.0), (80.0, -30.0), (10.0, -90.0))
BESIDE = (23.0, 3.0)
DARK = (-0.5, -0.5, -0.5)


@cache
def bare():
    """White pieces that cast no shadow to speak of."""
    return see_ground(table_picture(on_table([("white", "large", "upright", x, y, 0.0) for x, y in PLACES]), 4, "felt"))


def piece(size, pose, x_mm, y_mm, heading_deg=0.0):
    return Known(CLASSES.index((size, pose)), x_mm, y_mm, heading_deg).placed(0.0)


def beside(number, heading_deg=100.0):
    """What seems to lie beside one of the pieces."""
    x, y = PLACES[number]
    return piece("small", "lying", x + BESIDE[0], y + BESIDE[1], heading_deg)


STANDING = [piece("large", "upright", x, y) for x, y in PLACES]


def darkened(by, off=DARK, grain=0.03):
    """The table, by so much darker beside these of the pieces, in the outline of a small one that lies there."""
    ground, rng = bare(), np.random.default_rng(3)
    log = ground.log.copy()
    for number in by:
        mask = np.zeros(log.shape[:2], np.uint8)
        (outline,) = outlines_of(ground, beside(number))
        at = np.rint(ground.fine_px(outline) / ground.settings.coarse).astype(np.int32)
        cv2.fillConvexPoly(mask, at, 1)
        log[mask > 0] += np.float32(off) + rng.normal(0.0, grain, (int(mask.sum()), 3)).astype(np.float32)
    return replace(ground, log=log)


def shows(ground, found, number):
    return Shadows(Placed.over(ground, found), S).shows(number)


def test_what_is_as_dark_beside_others_of_that_size_is_a_shadow():
    ground, found = darkened(range(4)), joined([*STANDING, beside(0)])
    assert [shows(ground, found, number) for number in range(5)] == [False] * 4 + [True]


def test_the_grain_of_a_bold_cloth_makes_a_shadow_no_piece():
    ground, found = darkened(range(4), grain=0.3), joined([*STANDING, beside(0)])
    assert shows(ground, found, 4)


@pytest.mark.parametrize(
    ("by", "off"),
    [((0,), DARK), ((0, 1), DARK), (range(4), (-0.6, -0.5, -0.3)), (range(4), (0.1, 0.1, 0.1))],
    ids=["beside it alone", "beside one other", "coloured", "hardly dark"],
)
def test_what_is_beside_it_alone_or_no_grey_is_no_shadow(by, off):
    ground, found = darkened(by, off), joined([*STANDING, beside(0)])
    assert not shows(ground, found, 4)


def test_where_other_pieces_lie_nothing_is_told_of_a_shadow():
    ground = darkened(range(4))
    assert not shows(ground, joined([*STANDING, *map(beside, range(4))]), 4)


def test_a_deep_shadow_may_be_tinted_by_the_light_that_is_left():
    found = joined([*STANDING, beside(0)])
    assert shows(darkened(range(4), (-0.72, -0.6, -0.55)), found, 4)
    assert not shows(darkened(range(4), (-0.37, -0.25, -0.2)), found, 4)


BLUE, THROUGH = (-0.3, -1.4, -1.6), (-0.24, -0.4, -0.43)  # of a body, and of the light that falls through it


@pytest.mark.parametrize(
    ("body", "off", "others", "shadow"),
    [
        (BLUE, THROUGH, DARK, True),
        (BLUE, THROUGH, (0.0, 0.0, 0.0), False),
        (BLUE, tuple(reversed(THROUGH)), DARK, False),
        (BLUE, BLUE, DARK, False),
        (DARK, THROUGH, DARK, False),
    ],
    ids=["its shadow", "no other has one there", "another tint", "as dark as a piece", "of a grey piece"],
)
def test_the_shadow_of_translucent_plastic_has_its_tint_and_is_fainter_than_it(body, off, others, shadow):
    ground = darkened((0,), off)
    log = np.minimum(ground.log, darkened((1, 2, 3), others).log)
    mask = np.zeros(log.shape[:2], np.uint8)
    (outline,) = outlines_of(ground, STANDING[0])
    cv2.fillConvexPoly(mask, np.rint(ground.fine_px(outline) / ground.settings.coarse).astype(np.int32), 1)
    log[mask > 0] = ground.surface[mask > 0] + np.float32(body)
    assert shows(replace(ground, log=log), joined([*STANDING, beside(0)]), 4) == shadow


@pytest.mark.parametrize(("darker", "pieces", "shadow"), [(0.62, 2, True), (0.69, 2, False), (0.69, 3, True)])
def test_beside_one_other_alone_a_shadow_has_to_be_more_alike(darker, pieces, shadow):
    ground = darkened((0,), grain=0.0)
    others = darkened(range(1, pieces), (-darker,) * 3, grain=0.0)
    ground = replace(ground, log=np.minimum(ground.log, others.log))
    assert shows(ground, joined([*STANDING[:pieces], beside(0)]), pieces) == shadow


def test_another_size_has_another_shadow():
    ground = darkened(range(4))
    others = [piece("medium", "upright", x, y) for x, y in PLACES[1:]]
    assert not shows(ground, joined([STANDING[0], *others, beside(0)]), 4)


def test_all_readings_of_a_shadow_are_doubted_and_nothing_else():
    ground = darkened(range(4))
    found = joined([*STANDING, beside(0), beside(0, 110.0), piece("small", "upright", 60.0, 90.0)])
    against = against_shadows(Placed.over(ground, found), np.arange(5), S)
    assert against.tolist() == [0.0] * 4 + [S.against] * 2 + [0.0]


def test_what_the_last_look_has_found_elsewhere_is_compared_with_too():
    """A look at a watched table is of the part that has changed."""
    ground, found = darkened(range(4)), joined([STANDING[0], beside(0)])
    assert against_shadows(Placed.over(ground, found), np.arange(2), S).tolist() == [0.0, 0.0]
    before = replace(ground, past=Past(bare(), tuple(PyramidFinder().find(bare()))))
    assert len(before.past.found) == 4
    assert against_shadows(Placed.over(before, found), np.arange(2), S).tolist() == [0.0, S.against]


@pytest.mark.parametrize(("odds", "gain"), [(6.0, 0.0), (0.0, 6.0)], ids=["likely", "likely beside others"])
def test_the_finder_claims_no_shadow(monkeypatch, odds, gain):
    ground, shadow = darkened(range(4)), beside(0)
    monkeypatch.setattr(Candidates, "climbed", lambda _, __, ___, *found: with_last(shadow, odds, *found))
    monkeypatch.setattr(
        PyramidFinder, "_among_others", lambda _, __, ___, before, *_____: np.append(np.zeros(len(before) - 1), gain)
    )
    monkeypatch.setattr(Judge, "refused", lambda _, __, found: np.zeros(len(found), bool))
    near = [np.hypot(*(PyramidFinder().see(ground).found.place - shadow.place)[:, :2].T).min()]
    monkeypatch.setattr(pyramids, "against_shadows", lambda tried, *_: np.zeros(len(tried.found)))
    monkeypatch.setattr(Judge, "from_all_sides", lambda _, __, found: np.full(len(found), 6.0))
    near.append(np.hypot(*(PyramidFinder().see(ground).found.place - shadow.place)[:, :2].T).min())
    assert near[0] > 15.0
    assert near[1] < 3.0


def with_last(piece, likely, found, odds):
    """As if a piece were found, too."""
    return joined([found, piece]), np.append(odds, likely)
