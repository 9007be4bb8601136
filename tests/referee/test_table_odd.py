"""What should not be at the table: pieces of no game, of another game, taken away; the power lost in a collapse."""

import random
from dataclasses import replace

import pytest
from ataxx_benches import MIDDLE, bench_at, turned
from free_benches import chaos_bench, chaos_view
from free_views import free_view
from kdak_players import Evening
from referee_tables import Bench, shown
from towers import Tower

from companion.games import kdak
from companion.games.kdak.tower import Place
from companion.pieces import EMPTY, Piece
from companion.view import Sighting

PYRAMID = Piece("pyramid", "red", "large", "upright")
TILE = Piece("tile", suit="suns", value="2", face="front")


@pytest.mark.parametrize(
    ("game", "cell", "piece", "named"),
    [("khet", "e3", Piece("disc", "black"), "black disc"), ("ataxx", "d4", PYRAMID, "large upright red pyramid")],
)
def test_a_piece_of_another_game_on_the_board_is_named_and_put_aside(game, cell, piece, named) -> None:
    bench = Bench(game).begin()
    before, layout = bench.position, bench.game.layout(bench.position)
    reading = bench.show(layout, {cell: piece})
    assert (reading.kind, bench.position) == ("unlawful", before)
    assert f"Take the {named} on {cell} away again" in reading.text
    bench.show(layout)
    assert bench.table.state.ruling is None


def test_a_thing_that_no_game_knows_decides_nothing() -> None:
    bench = Bench("khet").begin()
    before, view = bench.position, shown(bench.game.layout(bench.position))
    odd = replace(next(s for s in view.sightings if s.cell == "e4"), beliefs=(), why="no piece that is known")
    reading = bench.look(replace(view, sightings=tuple(odd if s.cell == "e4" else s for s in view.sightings)))
    assert (reading.kind, bench.position) == ("unclear", before)
    assert "e4 cannot be told (no piece that is known)" in reading.text


@pytest.mark.parametrize("game", ["kaxxt", "chaos"])
def test_a_piece_of_another_game_on_a_free_table_is_named_and_put_aside(game) -> None:
    bench = Bench(game)
    view = free_view(bench.game.layout(bench.position), random.Random(1))
    bench.look(view)
    before = bench.position
    strange = Sighting(((TILE, 0.95),), -100.0, 50.0, 0.0)
    reading = bench.look(replace(view, sightings=(*view.sightings, strange)))
    assert (reading.kind, bench.position) == ("unlawful", before)
    assert "Take the 2 of suns 100 mm to the left and 50 mm above the middle away again" in reading.text
    unknown = Sighting((), -100.0, 50.0, why="no piece that is known")
    bench.look(replace(view, sightings=(*view.sightings, unknown)))
    assert (bench.table.state.ruling, bench.position) == (None, before)


def red_pyramid_cell(layout) -> str:
    return next(p.cell for p in layout.pieces if (p.piece.kind, p.piece.colour) == ("pyramid", "red"))


def test_a_pyramid_of_another_game_in_the_place_of_one_of_its_colour_is_named() -> None:
    bench = Bench("khet").begin()
    layout = bench.game.layout(bench.position)
    cell = red_pyramid_cell(layout)
    reading = bench.show(layout, {cell: PYRAMID})
    assert f"On {cell} there is a large upright red pyramid, not a red pyramid" in reading.text
    remedy = bench.table.state.ruling.remedy
    assert remedy.startswith(f"Take the large upright red pyramid on {cell} away and put the red pyramid, mirror to ")


def test_a_pyramid_of_another_game_in_the_set_up_is_not_only_turned() -> None:
    bench = Bench("khet")
    layout = bench.game.layout(bench.position)
    cell = red_pyramid_cell(layout)
    reading = bench.show(layout, {cell: PYRAMID})
    assert f"n {cell} belongs the red pyramid, not the large upright red pyramid" in reading.text


def test_a_piece_that_fell_over_is_said_to_lie_there() -> None:
    bench = chaos_bench("b3^0,0,0", "r3^160,0,0")
    view, before = chaos_view(bench), bench.position
    bench.look(view)
    lying = Sighting(((Piece("pyramid", "red", "large", "lying"), 0.97),), 163.0, 2.0, 40.0)
    fallen = tuple(lying if s.piece.colour == "red" else s for s in view.sightings)
    reading = bench.look(replace(view, sightings=fallen))
    assert (reading.kind, bench.position) == ("unlawful", before)
    there = "the large red pyramid 160 mm to the right of the middle"
    assert f"T{there[1:]} was knocked over" in reading.text
    assert bench.table.state.ruling.remedy == f"Stand {there} up again, then roll both dice."
    assert bench.look(view).kind == "take-back"


def test_what_was_asked_for_and_is_done_is_not_asked_for_once_more_beside_what_is_odd() -> None:
    bench = bench_at(MIDDLE, board=7)
    turned(bench)
    wanted = bench.game.layout(bench.position)
    reading = bench.show(wanted, {"e1": PYRAMID, "c4": Piece("disc", "white")})
    away = "Take the large upright red pyramid on e1 away again"
    assert reading.text.endswith(f"{away}; then turn the white disc on c4 over: black.")
    assert bench.show(wanted, {"e1": PYRAMID}).text.endswith(f"{away}.")
    assert bench.show(wanted).kind == "step"
    assert not bench.table.state.awaiting


def with_a_column_to_move_down() -> tuple[Evening, Place]:
    """A tower of which the lowest tile of a column was taken, and the hole that it left."""
    evening = Evening(Tower(3)).begin().until("take")
    hole = next(m for m in kdak.moves(evening.position) if m.place.level == 0).place
    evening.tower.take(hole)
    evening.look(lambda: evening.table.state.awaiting)
    return evening, hole


def test_a_column_that_came_down_is_not_sent_down_once_more_beside_a_tile_turned_up() -> None:
    evening, hole = with_a_column_to_move_down()
    evening.tower.drop(hole)
    tiles, up = evening.tower.tiles, evening.tower.up
    evening.tower.turn_up(next(p for p in sorted(tiles) if p.corner != hole.corner and tiles[p] not in up))
    evening.look(lambda: evening.table.state.ruling is not None)
    assert "one level down" not in evening.table.state.ruling.remedy


def test_a_bag_emptied_onto_the_table_is_told_and_put_back() -> None:
    bench, rng = Bench("kaxxt"), random.Random(2)
    view = free_view(bench.game.layout(bench.position), random.Random(1))
    bench.look(view)
    before = bench.position
    heap = tuple(
        Sighting(
            ((Piece("pyramid", p.colour, p.size, "lying"), 0.97),), rng.uniform(-200, 200), rng.uniform(-140, 140), 9.0
        )
        for p in before.bag
    )
    reading = bench.look(replace(view, sightings=(*view.sightings, *heap)))
    assert (reading.kind, reading.rule, bench.position) == ("unlawful", "XA24", before)
    remedy = bench.table.state.ruling.remedy
    assert all(f"the {p.size} {p.colour}" in remedy for p in before.bag[-13:])
    assert "back into the bag" in remedy
    assert bench.look(view).kind == "take-back"


@pytest.mark.parametrize(("game", "cell"), [("khet", "c1"), ("ataxx", "a1")])
def test_a_piece_taken_off_the_table_is_missed(game, cell) -> None:
    bench = Bench(game).begin()
    before, layout = bench.position, bench.game.layout(bench.position)
    reading = bench.show(layout, {cell: EMPTY})
    assert (reading.kind, bench.position) == ("unclear", before)
    assert f"is not on {cell}: waiting until it is put down" in reading.text
    assert bench.show(layout).kind in ("nothing new", "take-back")


def test_the_power_is_lost_in_the_middle_of_a_collapse() -> None:
    evening, hole = with_a_column_to_move_down()
    before = evening.desk.snapshot()
    assert before.waiting.steps
    evening.restart()
    after = evening.desk.snapshot()
    assert (after.record, after.to_move, after.phase) == (before.record, before.to_move, before.phase)
    evening.look(lambda: bool(evening.desk.snapshot().waiting.steps))
    assert evening.desk.snapshot().waiting.steps == before.waiting.steps
    evening.tower.drop(hole)
    evening.look(lambda: not evening.table.state.awaiting)
    assert not evening.table.state.awaiting
