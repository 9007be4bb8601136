"""Small things of no game that lie about on simulated tables."""

import math
from dataclasses import replace

import numpy as np
import pytest

from companion.simulator.odds_and_ends import ODDS_AND_ENDS, REACH_MM, strewn
from companion.simulator.piecepack_tables import piecepack_table
from companion.simulator.pyramid_tables import pyramid_picture, pyramid_table


@pytest.mark.parametrize("kind", sorted(ODDS_AND_ENDS))
def test_a_small_thing_stands_on_the_table_within_its_reach_and_is_no_piece(kind: str) -> None:
    for seed in range(20):
        thing = ODDS_AND_ENDS[kind](np.random.default_rng(seed), kind, 30.0, -20.0)
        away = np.hypot(thing.vertices[:, 0] - 30.0, thing.vertices[:, 1] + 20.0)
        assert away.max() <= REACH_MM
        assert -0.1 <= thing.vertices[:, 2].min() <= 4.0
        assert thing.piece is None
        assert {part.material for part in thing.mesh.parts} <= set(thing.finish.materials)


def test_what_is_strewn_lies_apart_and_leaves_what_is_taken() -> None:
    taken = [(0.0, 0.0, 60.0)]
    things = strewn(np.random.default_rng(5), 12, (200.0, 150.0), taken)
    assert len({thing.name for thing in things}) == len(things) == 12
    assert all(math.hypot(thing.x_mm, thing.y_mm) > 60.0 + REACH_MM for thing in things)
    for one in things:
        others = [math.hypot(one.x_mm - t.x_mm, one.y_mm - t.y_mm) for t in things if t is not one]
        assert min(others) > 2 * REACH_MM


def test_a_full_table_takes_no_more() -> None:
    assert strewn(np.random.default_rng(5), 3, (200.0, 150.0), [(0.0, 0.0, 400.0)]) == []


def test_a_table_is_the_same_but_for_what_is_strewn_on_it() -> None:
    bare, strewn_on = pyramid_table(3_000_100), pyramid_table(3_000_100, strewn=9)
    names = {thing.name for thing in strewn_on.strewn}
    assert len(names) == 9
    assert strewn_on.truth()["pieces"] == bare.truth()["pieces"]
    assert names <= set(strewn_on.truth()["clutter"])
    left = tuple(thing for thing in strewn_on.scene.things if thing.name not in names)
    without = replace(strewn_on, scene=replace(strewn_on.scene, things=left))
    assert np.array_equal(pyramid_picture(without), pyramid_picture(bare))
    assert not np.array_equal(pyramid_picture(strewn_on), pyramid_picture(bare))


def test_things_are_strewn_beside_the_tiles_of_a_piecepack() -> None:
    bare, about = piecepack_table(3_000_100), piecepack_table(3_000_100, strewn=9)
    assert about.truth()["pieces"] == bare.truth()["pieces"]
    own = [thing for thing in about.scene.things if thing.name in set(about.truth()["clutter"]) and thing.piece is None]
    assert len(own) >= 9
    assert {t.name for t in about.scene.things} > {t.name for t in bare.scene.things}
