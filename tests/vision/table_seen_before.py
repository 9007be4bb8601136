"""A table with old pieces on it, and what the look before has found there."""

from dataclasses import replace
from functools import cache

import numpy as np
from pyramid_tables import on_table, table_picture

from companion.vision.ground.foreground import see_ground
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import joined
from companion.vision.pyramids.known import Known, Unchanged
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.since import since_last_look

S = PyramidSettings()
NOTHING = joined([])
OLD = (("black", "large", "upright", 60.0, 40.0, 0.0), ("black", "medium", "lying", 59.3, 8.2, 272.0))
CAME = [
    ("black", "small", "lying", 41.0, 4.2, 195.0),
    ("clear", "medium", "lying", 40.0, -60.0, 30.0),
    ("red", "large", "lying", 10.0, 40.0, 100.0),
    ("yellow", "medium", "upright", 84.0, 40.0, 0.0),
]


@cache
def ground(*pieces, view=4, surface="felt"):
    """The table with these on it."""
    return see_ground(table_picture(on_table(pieces), view, surface))


@cache
def before():
    """What was found of the old ones."""
    return tuple(PyramidFinder().find(ground(*OLD)))


def likely(ground, known=NOTHING, came=NOTHING):
    """What a last look would make likely by pieces that lie there still, and by some that came."""
    since = since_last_look(replace(ground, past=None), S)
    still = Unchanged(known, np.zeros(len(known)), np.full(len(known), -np.inf))
    return replace(since, known=still, came=replace(since.came, pieces=came))


def placed(kind, x_mm, y_mm):
    """A piece of that class at a place."""
    return joined([Known(kind, x_mm, y_mm, 0.0).placed(0.0)])
