"""Kaxxt on Ice and Chaos refereed from synthetic views of a free table."""

import random
from dataclasses import replace

import pytest
from chaos_players import ChaosTable
from free_benches import begun, chaos_bench, chaos_view, kaxxt_bench, roll
from free_views import SHARP, USUAL, free_view
from kaxxt_players import KaxxtTable
from referee_tables import Bench, order

from companion.games import chaos, kaxxt
from companion.games.kaxxt.position import Move
from companion.games.kaxxt.pyramids import read_codes
from companion.games.kaxxt.stands import stand
from companion.pieces import Piece
from companion.view import Sighting, TableView, square_at


@pytest.mark.parametrize("sight", [SHARP, USUAL], ids=["sharp", "usual"])
def test_whole_turns_of_kaxxt_are_read(sight) -> None:
    for seed in range(2):
        table = KaxxtTable(seats=2 + seed, seed=seed, sight=sight, mistakes=0.2)
        for _ in range(8):
            if table.bench.table.state.phase == "play":
                table.turn()
        assert not table.wrong


@pytest.mark.parametrize("sight", [SHARP, USUAL], ids=["sharp", "usual"])
def test_whole_turns_of_chaos_are_read(sight) -> None:
    for seed, colours in ((0, 10), (1, 4)):
        table = ChaosTable(colours=colours, seed=seed, sight=sight, mistakes=0.2)
        for _ in range(6):
            table.turn()
        assert not table.wrong


@pytest.mark.long
def test_long_games_on_free_tables() -> None:
    moves = asked = 0
    for seed in range(20):
        kaxxt_table = KaxxtTable(seats=2 + seed % 3, seed=seed, sight=USUAL, mistakes=0.15)
        while kaxxt_table.bench.table.state.phase == "play" and not kaxxt_table.wrong:
            kaxxt_table.turn()
        chaos_table = ChaosTable(2 + seed % 3, (10, 12, 6, 4)[seed % 4], seed, USUAL, mistakes=0.1)
        for _ in range(20):
            if chaos_table.bench.table.state.phase == "play" and not chaos_table.wrong:
                chaos_table.turn()
        assert not kaxxt_table.wrong
        assert not chaos_table.wrong
        moves += kaxxt_table.moves + chaos_table.moves
        asked += kaxxt_table.asked + chaos_table.asked
    assert asked <= 0.02 * moves


def test_an_attacker_nearly_flush_is_taken_to_lie_flush_and_turned_nearly_as_it_is_seen() -> None:
    bench = chaos_bench("b3^0,0,0", "b3^160,0,0")
    bench.table.enter(roll(8, 8))
    lies = "b3>39.0,1.2,3"  # 3 mm off the edge and 3 degrees askew, as the camera has it
    reading = bench.look(chaos_view(bench, lies))
    assert reading.kind == "move"
    assert bench.position.pieces[-1] == chaos.read_move(bench.position, "b3>35.8,0.8,2.1").piece


def test_an_attacker_too_far_off_is_refused_in_millimetres() -> None:
    bench = chaos_bench("b3^0,0,0", "b3^160,0,0")
    bench.table.enter(roll(8, 8))
    reading = bench.look(chaos_view(bench, "b3>50.8,0,0"))
    assert (reading.kind, reading.rule) == ("unlawful", "C11")
    assert "15.0 mm" in reading.text
    order(bench, "allow")
    assert bench.position.pieces[-1].x_mm == 50.8


def test_a_defender_is_refused_only_beyond_the_cameras_error() -> None:
    bench = chaos_bench("b3^0,0,0")
    bench.table.enter(roll(3, 3))
    inches = 152.4 + 25.4
    assert bench.look(chaos_view(bench, f"r3^{inches + 20:.1f},0,0")).rule == "C8"
    assert bench.look(chaos_view(bench)).kind == "take-back"
    assert bench.look(chaos_view(bench, f"r3^{inches + 8:.1f},0,0")).kind == "move"


def test_a_roll_that_nobody_saw_is_told_by_what_is_placed() -> None:
    bench = chaos_bench(dice="camera")
    reading = bench.look(chaos_view(bench, "b3^0,0,0"))
    assert reading.moves == ("r8,?", "b3^0.0,0.0,0.0")
    assert bench.position.dice == ("any",)
    reading = bench.look(chaos_view(bench, "r3^100,0,0"))
    assert reading.moves == ("r3^100.0,0.0,0.0",)
    assert bench.position.phase == "roll"


def test_a_roll_that_nobody_saw_is_told_beside_a_shadow_that_might_be_a_piece() -> None:
    bench = chaos_bench("b3^0,0,0", "b3^160,0,0", dice="camera")
    view = chaos_view(bench, "b3>35.8,0,0")
    shadow = Sighting(((Piece("pyramid", "clear", "small", "lying"), 0.05),), 3.0, 28.0, 87.0)
    reading = bench.look(replace(view, sightings=(*view.sightings, shadow)))
    assert reading.kind == "move"
    assert [piece.colour for piece in bench.position.pieces] == ["blue"] * 3


def test_both_pieces_of_a_turn_at_once() -> None:
    bench = chaos_bench(dice="camera")
    reading = bench.look(chaos_view(bench, "b3^0,0,0", "r3^100,0,0"))
    assert reading.moves[0] == "r8,3"
    assert len(bench.position.pieces) == 2
    assert bench.position.seat == 1


@pytest.mark.parametrize(("more", "turns"), [((), 1), (("g3^-100,0,0",), 2), (("g3^-100,0,0", "o3^0,100,0"), 2)])
def test_the_pieces_of_two_turns_at_once(more, turns) -> None:
    placed = ("b3^0,0,0", "r3^100,0,0", *more)
    bench = chaos_bench(dice="camera")
    reading = bench.look(chaos_view(bench, *placed))
    assert reading.kind == "move"
    assert {piece.colour[0] for piece in bench.position.pieces} == {text[0] for text in placed}
    assert sum(move.startswith("r") and "^" not in move for move in reading.moves) == turns


def test_no_other_order_is_tried_than_the_first_that_is_lawful(monkeypatch) -> None:
    """There are 24 orders of four pieces, each of which takes its time."""
    bench = chaos_bench(dice="camera")
    view = chaos_view(bench, "b3^0,0,0", "r3^100,0,0", "g3^-100,0,0", "o3^0,100,0")
    played = []

    def play(position, move):
        played.append(move)
        return chaos.play(position, move)

    monkeypatch.setattr("companion.games.chaos.seen.play", play)
    (moves,) = chaos.sequences(bench.position, view)
    assert played == [*moves]


def test_the_last_piece_put_back_is_a_take_back_whatever_was_rolled() -> None:
    bench = chaos_bench("b3^0,0,0", "b3^160,0,0", undo="take")
    bench.table.enter(roll(8, 8))
    assert bench.look(chaos_view(bench, "b3>35.8,0,0")).kind == "move"
    back = free_view(chaos.layout(replace(bench.position, pieces=bench.position.pieces[:2])), random.Random(1))
    assert bench.look(back).kind == "take-back"
    assert (len(bench.position.pieces), bench.position.dice) == (2, ("blue", "blue"))


def test_clutter_that_flickers_beside_the_set_up_is_no_piece() -> None:
    bench = Bench("chaos")
    clutter = Sighting(((Piece("pyramid", colour="blue", size="medium", pose="upright"), 0.93),), -166.0, 301.0)
    bench.once(TableView(0.0, (clutter,)))
    assert bench.look(TableView(0.0)).kind == "set-up"
    bench.table.enter(roll(3, 3))
    assert bench.look(TableView(0.0, (replace(clutter, x_mm=-165.2),))).kind == "nothing new"
    placed = chaos_view(bench, "r3^0,0,0")
    assert bench.look(TableView(0.0, (*placed.sightings, clutter))).moves == ("r3^0.0,0.0,0.0",)


def test_what_was_surely_seen_beside_the_set_up_and_taken_away_may_be_laid_there() -> None:
    bench = Bench("chaos")
    placed = chaos_view(bench, "r3^0,0,0")
    assert bench.look(placed).text.startswith("Take the large upright red pyramid")
    assert bench.look(TableView(0.0)).text.startswith("The set-up is complete")
    bench.table.enter(roll(3, 3))
    assert bench.look(placed).moves == ("r3^0.0,0.0,0.0",)


def with_covered(view: TableView, *others: tuple[float, float]) -> TableView:
    """The view of an eye that tells where the table is bare; something lies at `others`, too, and is no piece."""
    there = [(s.x_mm, s.y_mm) for s in view.sightings] + list(others)
    return replace(view, covered=frozenset(square_at(x, y) for x, y in there))


def test_a_piece_that_is_overlooked_is_not_missed_where_the_table_is_not_bare() -> None:
    bench = chaos_bench("b3^0,0,0", "r3^100,0,0", "b3^160,0,0")
    whole = with_covered(free_view(chaos.layout(bench.position), random.Random(1)))
    assert bench.look(whole).kind == "nothing new"
    overlooked = replace(whole, sightings=whole.sightings[1:])
    assert bench.look(overlooked).kind == "nothing new"
    assert bench.look(whole).kind == "nothing new"
    taken_off = with_covered(overlooked)
    assert bench.look(taken_off).kind == "unclear"


@pytest.mark.parametrize(("belief", "reading"), [(0.8, "nothing new"), (0.97, "move")])
def test_clutter_that_looks_like_a_piece_is_no_news_unless_a_piece_is_plainly_seen(belief, reading) -> None:
    bench, place = Bench("chaos"), (-166.0, 120.0)
    assert bench.look(with_covered(TableView(0.0), place)).kind == "set-up"
    bench.table.enter(roll(3, 3))
    piece = Piece("pyramid", colour="red", size="large", pose="upright")
    taken_for = Sighting(((piece, belief),), *place, base_deg=0.0)
    assert bench.look(with_covered(TableView(0.0, (taken_for,)))).kind == reading


def red_seen(bench: Bench):
    """A large upright pyramid that the eye calls red."""
    looks = Piece("pyramid", colour="red", size="large", pose="upright")
    return bench.look(TableView(0.0, (Sighting(((looks, 0.99),), 0.0, 0.0, base_deg=0.0),)))


def test_pink_is_told_from_red_by_what_the_dice_ask_for() -> None:
    bench = chaos_bench(colours=12)
    bench.table.enter(roll(5, 12))
    assert red_seen(bench).moves == ("i3^0.0,0.0,0.0",)
    assert red_seen(bench).kind == "nothing new"


def test_whether_it_is_pink_or_red_is_asked_where_the_dice_ask_for_both() -> None:
    bench = chaos_bench(colours=12)
    bench.table.enter(roll(3, 12))
    assert red_seen(bench).kind == "unclear"
    assert [choice.text.split()[5] for choice in bench.table.question.choices[:-1]] == ["red", "pink"]


def test_what_is_refused_whichever_it_was_is_not_asked_about() -> None:
    bench = chaos_bench("w3^0,0,0", "l3^160,0,0")
    bench.table.enter(roll(2, 1))
    white, clear = (Piece("pyramid", colour=colour, size="large", pose="upright") for colour in ("white", "clear"))
    lying = chaos_view(bench)
    doubtful = Sighting(((white, 0.5), (clear, 0.49)), 80.0, 0.0, base_deg=0.0)
    reading = bench.look(replace(lying, sightings=(*lying.sightings, doubtful)))
    assert (reading.kind, reading.rule) == ("unlawful", "C9")
    assert bench.table.question is None
    assert bench.look(lying).kind == "take-back"


def test_the_shadow_of_a_pyramid_is_no_second_one() -> None:
    bench = kaxxt_bench()
    area = Move("arrange", stands=(stand(read_codes("k2"), -60.0, -110.0),))
    view = free_view(kaxxt.during(bench.position, area), random.Random(1))
    shadow = Piece("pyramid", colour="black", size="medium", pose="lying")
    twice = replace(view, sightings=(*view.sightings, Sighting(((shadow, 0.96),), -59.0, -83.0, 87.0)))
    assert bench.look(twice).moves[-1] == "put k2@-60.0,-110.0^"
    assert bench.look(view).kind == "nothing new"
    assert bench.look(twice).kind == "nothing new"
    moved = replace(twice, sightings=(twice.sightings[0], replace(twice.sightings[2], beliefs=((shadow, 0.99),))))
    assert bench.look(moved).moves == ("put k2@-59.0,-83.0>87.0",)


def test_a_pattern_that_is_a_little_like_a_pyramid_which_lies_elsewhere_is_no_second_one() -> None:
    bench = kaxxt_bench()
    area = Move("arrange", stands=(stand(read_codes("r3"), 0.0, -70.0, 180.0),))
    view = free_view(kaxxt.during(bench.position, area), random.Random(1))
    square = Piece("pyramid", colour="red", size="large", pose="upright")
    why = "like a pyramid, but not surely one"
    cloth = Sighting(((square, 0.76),), -6.0, -140.0, base_deg=0.0, why=why)
    assert bench.look(replace(view, sightings=(*view.sightings, cloth))).moves[-1] == "put r3@0.0,-70.0>180.0"


def test_what_seems_stacked_in_a_game_without_stacks_is_the_pieces_own_shape() -> None:
    bench = begun(Bench("chaos"))
    bench.table.enter(roll(3, 3))
    first = bench.game.read_move(bench.position, "r3^0,0,0")
    bench.look(free_view(bench.game.during(bench.position, first), random.Random(1)))
    second = bench.game.read_move(bench.position, "r3^178,0,0")
    view = free_view(bench.game.during(bench.position, second), random.Random(1))
    top = Sighting(((Piece("pyramid", "red", "medium", "upright"), 0.95),), 0.3, 0.1, base_deg=0.0, nested_on=0)
    reading = bench.look(replace(view, sightings=(*view.sightings, top)))
    assert reading.kind == "move"
    assert len(bench.position.pieces) == 2
