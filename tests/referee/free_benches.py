"""Free tables on which Kaxxt has begun, and what hands do there."""

import random

from free_views import Eyesight, free_view
from referee_tables import Bench

from companion.games.kaxxt.position import Move


def kaxxt_bench(**options) -> Bench:
    return begun(Bench("kaxxt", **options))


def begun(bench: Bench) -> Bench:
    assert seen(bench, bench.game.layout(bench.position)).kind == "set-up"
    assert bench.table.state.phase == "play"
    return bench


def seen(bench: Bench, layout, **sight):
    return bench.look(free_view(layout, random.Random(1), Eyesight(**sight)))


def arranged(bench: Bench, text: str):
    move = bench.game.read_move(bench.position, text)
    return seen(bench, bench.game.during(bench.position, move))


def thrown_round(bench: Bench) -> None:
    """Every player of Kaxxt throws a six, and Kaxxt is turned."""
    for _ in bench.position.names:
        bench.table.enter(Move("roll"))
        bench.table.enter(Move("die", value=6))
        assert seen(bench, bench.game.layout(bench.position)).kind == "step"
