"""Shots of Chaos that graze their target, or do not."""

import random

from free_views import SHARP, free_view
from referee_tables import Bench

from companion.games import chaos

BEFORE = (
    "r8,7",
    "b3^-60.0,0.0,0.0",
    "c3^60.0,{y:.1f},0.0",
    "r8,7",
    "b3^170.0,-100.0,0.0",
    "c3^-150.0,-120.0,0.0",
    "r8,7",
)
GRAZING, CLEARLY, PASSING = 13.1, 2.0, 24.0  # mm beside the ray the target's middle stands; half of it are 12.7 mm
PLACED = "b3>-24.2,0.0,0.0"


def looked_at(beside_mm, seed=1):
    """A bench at which an attacker was just placed, its ray so far beside the middle of a target."""
    bench, rng = Bench("chaos", seats=2), random.Random(seed)
    bench.look(free_view(bench.game.layout(bench.position), rng, SHARP))
    for text in (*BEFORE, PLACED):
        move = chaos.read_move(bench.position, text.format(y=beside_mm))
        if move.kind == "roll":
            bench.table.enter(move)
        else:
            bench.look(free_view(chaos.during(bench.position, move), rng, SHARP))
    return bench
