"""A piece of a free table that was pushed aside is told as that, and not as another one."""

import random
from dataclasses import replace

import pytest
from free_views import free_view
from referee_tables import Bench

from companion.games import chaos
from companion.games.base import Layout


def pushed(layout: Layout, by_mm: float) -> Layout:
    """The first piece elsewhere."""
    first = replace(layout.pieces[0], x_mm=(layout.pieces[0].x_mm or 0.0) + by_mm)
    return replace(layout, pieces=(first, *layout.pieces[1:]))


@pytest.mark.parametrize("by_mm", [9.0, 20.0, 80.0])
def test_a_piece_that_was_pushed_aside_is_to_be_put_back(by_mm):
    bench = Bench("chaos", seats=2)
    rng = random.Random(1)
    bench.look(free_view(bench.game.layout(bench.position), rng))
    for text in ("r8,5", "b3^-60.0,0.0,0.0", "y3^40.0,60.0,0.0", "r5,8", "y3^-180.0,-120.0,0.0"):
        move = chaos.read_move(bench.position, text)
        if move.kind == "roll":
            bench.table.enter(move)
        else:
            assert bench.look(free_view(chaos.during(bench.position, move), rng)).kind == "move"
    reading = bench.look(free_view(pushed(chaos.layout(bench.position), by_mm), rng))
    assert reading.kind == "unlawful"
    assert bench.table.state.ruling.fault == "no-action"
    assert "back 60 mm to the left" in bench.table.state.ruling.remedy
    assert f", {by_mm:.0f} mm away" in bench.table.state.ruling.text
    bench.look(free_view(chaos.layout(bench.position), rng))
    assert bench.table.state.ruling is None
