"""A referee over a game of Ataxx or Hexxagon that stands at some position."""

from dataclasses import replace

from referee_tables import Bench

from companion.games.ataxx import hands

BLACK, WHITE = hands.DISCS
MIDDLE = "x5o/7/2oo3/2o4/3xx2/7/o5x x 0 1"  # a drop on d4 turns c4, c5 and d5


def bench_at(fen, game="ataxx", **options):
    """A referee over a game that stands at this position."""
    bench = Bench(game, **options)
    position = bench.game.read_position(fen)
    state = bench.table.state
    bench.table.state = replace(
        state, position=position, first=position, phase="play", standing=bench.game.layout(position)
    )
    return bench


def turned(bench, *cells, by="d4", colour=BLACK):
    """The table after the hand of a move, with these discs turned over."""
    move = bench.game.read_move(bench.position, by)
    return bench.show(bench.game.during(bench.position, move), dict.fromkeys(cells, colour))
