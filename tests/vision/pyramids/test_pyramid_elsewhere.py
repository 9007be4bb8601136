"""The colour of what came to a watched table is told beside what lies elsewhere as it lay."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.vision.find_watch import limited
from companion.vision.ground.foreground import Past, see_ground
from companion.vision.pyramids import finder as pyramids
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.known import elsewhere

OLD = (("red", "large", "upright", 60.0, 40.0, 0.0), ("green", "medium", "lying", -60.0, -50.0, 40.0))
NEW = ("white", "large", "upright", -70.0, 50.0, 20.0)


@cache
def before():
    ground = see_ground(table_picture(on_table(OLD), 3))
    return ground, tuple(PyramidFinder().find(ground))


def now(*, once=False, zone=True):
    """A look at the part of the table in which a piece has come."""
    ground = see_ground(table_picture(on_table((*OLD, NEW)), 3))
    mask = np.zeros(ground.log.shape[:2], bool)
    col, row = np.rint(ground.fine_px(np.array(NEW[3:5])) / ground.settings.coarse).astype(int)
    mask[row - 35 : row + 35, col - 35 : col + 35] = True
    return replace(limited(ground, mask) if zone else ground, past=Past(*before(), once=once))


def middles(found):
    return sorted((round(x, -1), round(y, -1)) for x, y in found.place[:, :2].tolist())


def test_what_lies_where_nothing_is_looked_for_is_known():
    assert middles(elsewhere(now())) == [(-60, -50), (60, 40)]


@pytest.mark.parametrize("given", [{"once": True}, {"zone": False}])
def test_of_photographs_and_of_the_whole_table_nothing_is_taken_for_known(given):
    assert not len(elsewhere(now(**given)))


def test_what_lies_where_it_is_looked_for_anew_is_not_known():
    ground = now()
    assert not len(elsewhere(replace(ground, zone=np.ones_like(ground.zone))))


def test_what_carries_another_piece_is_no_example_of_its_colour():
    ground = now()
    first, second = ground.past.found
    on_first = replace(second, on=0)
    assert not len(elsewhere(replace(ground, past=replace(ground.past, found=(first, on_first)))))


def test_what_came_is_told_beside_the_others_and_they_are_not_told_anew(monkeypatch):
    looked = []
    look = pyramids.look_at
    monkeypatch.setattr(
        pyramids, "look_at", lambda w, found, hidden: looked.append(len(found)) or look(w, found, hidden)
    )
    found = PyramidFinder().find(now())
    assert [claim.sighting.piece.colour for claim in found] == ["white"]
    assert looked
    assert set(looked) == {3}
