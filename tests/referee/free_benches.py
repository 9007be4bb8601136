"""Free tables on which Kaxxt or Chaos has begun, and what hands do there."""

import random
from dataclasses import replace

from free_views import SHARP, Eyesight, free_view
from referee_tables import Bench

from companion.games import chaos
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


def roll(*faces: int) -> chaos.Move:
    return chaos.Move("roll", faces)


def chaos_bench(*pieces: str, **options) -> Bench:
    """Chaos, with these pieces placed already."""
    bench = begun(Bench("chaos", **options))
    for text in pieces:
        bench.table.state = replace(bench.table.state, position=replace(bench.position, phase="place", dice=()))
        piece = bench.game.read_move(bench.position, text).piece
        at = chaos.colours.RINGS[10].index(piece.colour)
        array = [*bench.position.array]
        array[at] = (array[at][0] - 1, *array[at][1:])
        pieces = (*bench.position.pieces, piece)
        after = replace(bench.position, pieces=pieces, phase="roll", array=tuple(array))
        bench.table.state = replace(bench.table.state, position=after, standing=chaos.layout(after))
    return bench


def chaos_view(bench: Bench, *texts: str):
    """What lies there, and these placements beside it."""
    pieces = (*bench.position.pieces, *(bench.game.read_move(bench.position, t).piece for t in texts))
    bases = {(p.x_mm, p.y_mm): p.heading_deg for p in pieces}
    return free_view(chaos.layout(replace(bench.position, pieces=pieces)), random.Random(1), SHARP, bases)
