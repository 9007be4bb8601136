"""Where a table looks otherwise than before: another colour, or another light."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.vision.ground.foreground import see_ground
from companion.vision.pyramids.change import change_between
from companion.vision.pyramids.settings import AddedSettings

AT = ("medium", "upright", 20.0, -40.0, 0.0)


def there(picture, mm=11.0):
    """The outline of what stands there, on the table and in the picture."""
    outline = np.array([AT[2:4]]) + np.array([(-mm, -mm), (mm, -mm), (mm, mm), (-mm, mm)]) / 2
    return outline, see_ground(picture).pose.project(outline)


def brighter(picture, times):
    """The same, that one in other light."""
    mask = np.zeros(picture.pixels.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(there(picture, 40.0)[1]).astype(np.int32), 1)
    lit = np.clip(picture.pixels * np.where(mask, times, 1.0)[..., None], 0, 255)
    return replace(picture, pixels=lit.astype(np.uint8))


def between(before, after):
    return change_between(see_ground(after), see_ground(before), AddedSettings())


@pytest.mark.parametrize(
    ("colour", "times", "another"), [("green", 1.0, False), ("green", 1.2, False), ("red", 1, True)]
)
def test_a_little_more_light_is_a_change_but_no_other_colour(colour, times, another):
    before = table_picture(on_table((("green", *AT),)), 2)
    change = between(before, brighter(table_picture(on_table(((colour, *AT),)), 2), times))
    outline = there(before)[0]
    assert (change.of(outline) > 0.9) == (times > 1 or another)
    assert change.is_another(outline, AddedSettings()) == another


@pytest.mark.parametrize("stands", [True, False])
def test_something_is_there_or_the_table_is_bare(stands):
    before = table_picture(on_table((("green", *AT),)), 2)
    after = table_picture(on_table((("yellow", *AT),) if stands else ()), 2)
    assert between(before, after).is_there(there(before)[0], AddedSettings()) == stands


def test_beyond_the_picture_all_has_changed_and_nothing_is_there():
    before = table_picture(on_table((("green", *AT),)), 2)
    change, far = between(before, before), np.array([(5000.0, 5000.0), (5010.0, 5000.0), (5010.0, 5010.0)])
    assert change.of(far) == 1.0
    assert not change.is_there(far, AddedSettings())
    assert not change.is_another(far, AddedSettings())
