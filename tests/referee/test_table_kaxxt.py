"""Kaxxt on Ice refereed from synthetic views of its table."""

import random
from dataclasses import replace

import pytest
from free_benches import arranged, kaxxt_bench, seen
from free_views import SHARP, free_view
from referee_tables import Bench, comes_back, order

from companion.errors import CommandRefused
from companion.games import kaxxt
from companion.games.kaxxt.position import Move
from companion.games.kaxxt.pyramids import read_codes
from companion.games.kaxxt.stands import stand
from companion.pieces import Piece
from companion.referee.evidence.weighing import evidence
from companion.referee.picture import Painter, offers
from companion.referee.reading import Reading
from companion.referee.views.sight import NO_CAMERA
from companion.view import Sighting, TableView


def test_kaxxts_card_tells_who_is_attacked_first() -> None:
    bench = Bench("kaxxt", seats=4)
    wanted = kaxxt.layout(kaxxt.start({"seats": 4, "first": "west"}))
    assert seen(bench, wanted).kind == "set-up"
    assert bench.table.state.phase == "play"
    assert bench.position.names[bench.position.turn] == "west"


def test_a_card_that_looks_at_another_is_told_whom_to_turn_to() -> None:
    bench = Bench("kaxxt", seats=3, first="west")
    seen(bench, kaxxt.layout(kaxxt.start({"seats": 3, "first": "south"})))
    assert Painter().snapshot(bench.table).waiting.why == "Turn Kaxxt's card in the middle of the table to the west."


def test_a_card_that_is_turned_for_no_reason_is_called_by_its_name_and_turned_back() -> None:
    bench = kaxxt_bench(seats=3)
    reading = seen(bench, kaxxt.layout(replace(bench.position, target=2)))
    assert reading.text == (
        "Kaxxt's card in the middle of the table is turned another way: no action does that. "
        "Turn Kaxxt's card in the middle of the table to the south again."
    )


def test_a_pyramid_drawn_and_placed_is_one_move_and_a_nudge_is_none() -> None:
    bench = kaxxt_bench()
    at = bench.position
    area = Move("arrange", stands=(stand(read_codes("r3"), 0.0, -120.0, 180.0),))
    reading = seen(bench, kaxxt.during(at, area))
    assert reading.kind == "move"
    assert reading.moves == ("draw any", "=r3", "put r3@0.0,-120.0>180.0")
    nudged = Move("arrange", stands=(stand(read_codes("r3"), 5.0, -124.0, 190.0),))
    assert seen(bench, kaxxt.during(bench.position, nudged)).kind == "nothing new"
    assert bench.position.areas[0] == area.stands


def test_kaxxt_is_turned_by_hand_and_ticked_off() -> None:
    bench = kaxxt_bench(seats=3)
    bench.table.enter(Move("roll"))
    bench.table.enter(Move("die", value=1))
    order(bench, "join", seat=1, player="Carol")
    steps = Painter().snapshot(bench.table).waiting.steps
    assert [(step.text, step.done) for step in steps] == [("turn Kaxxt's card to the west, to Carol", False)]
    assert seen(bench, bench.table.state.standing).kind == "nothing new"
    assert seen(bench, bench.game.layout(bench.position)).kind == "step"
    assert not bench.table.steps


def destroyed(bench: Bench) -> Bench:
    """The first of three players is out: a pyramid of hers is to be taken off, and Kaxxt's card to be turned."""
    arranged(bench, "put r1@0.0,-110.0^")
    at = replace(bench.position, shields=(3, *bench.position.shields[1:]))
    bench.table.state = replace(bench.table.state, position=at)
    bench.table.enter(Move("roll"))
    bench.table.enter(Move("die", value=6))
    return bench


@pytest.mark.parametrize("first", ["robot_card", "pyramid"])
def test_what_was_asked_for_may_be_done_in_any_order(first: str) -> None:
    bench = destroyed(kaxxt_bench(seats=3))
    standing, wanted = bench.table.state.standing, bench.game.layout(bench.position)
    done = [p for p in wanted.pieces if p.piece.kind == first]
    left = [p for p in standing.pieces if p.piece.kind != first]
    reading = seen(bench, replace(standing, pieces=(*left, *done)))
    assert (reading.kind, bench.table.state.ruling) == ("step", None)
    steps = Painter().snapshot(bench.table).waiting.steps
    assert [step.done for step in steps] == [first == "pyramid", first == "robot_card"]
    assert seen(bench, wanted).kind == "step"
    assert not bench.table.state.awaiting


def test_what_seems_to_be_of_no_colour_of_the_set_and_lies_upon_another_is_what_was_drawn() -> None:
    bench = kaxxt_bench()
    for text in ("draw any", "=g2", "put g2@0.0,-70.0>0.0", "roll", "=6", "roll", "=6", "draw any", "=k1"):
        bench.table.enter(bench.game.read_move(bench.position, text))
        if bench.table.state.awaiting:
            seen(bench, bench.game.layout(bench.position))
    move = bench.game.read_move(bench.position, "put g2k1@0.0,-70.0>0.0")
    view = free_view(bench.game.during(bench.position, move), random.Random(1), SHARP)
    black = Piece("pyramid", "black", "small", "lying")
    shining = ((replace(black, colour="white"), 0.92), (black, 0.07))
    strange = tuple(replace(s, beliefs=shining) if s.piece == black else s for s in view.sightings)
    before, look = bench.game.layout(bench.position), replace(view, sightings=strange)
    weighed = evidence(look, before, bench.table.settings, {}, bench.table.known.looks)
    assert weighed.score(bench.game.during(bench.position, move)) > weighed.score(before) + 3.0
    reading = bench.look(look)
    assert (reading.kind, reading.moves) == ("move", ("put g2k1@0.0,-70.0>0.0",))


@pytest.mark.parametrize(("seen_as", "asked"), [("green", True), ("black", False)])
def test_a_translucent_piece_on_another_may_have_the_colour_of_both(seen_as: str, asked: bool) -> None:
    bench = kaxxt_bench()
    for text in ("draw any", "=b2", "put b2@0.0,-70.0^", "roll", "=6", "roll", "=6", "draw any", "=y2"):
        bench.table.enter(bench.game.read_move(bench.position, text))
        if bench.table.state.awaiting:
            seen(bench, bench.game.layout(bench.position))
    move = "put b2y2@0.0,-70.0^"
    after = bench.during(move)
    card, stack = (s for s in free_view(after, random.Random(1), SHARP).sightings if s.piece.colour != "blue")
    looks = replace(stack, beliefs=((replace(stack.piece, colour=seen_as), 0.99),), nested_on=None)
    reading = bench.look(TableView(0.0, (card, looks)))
    if not asked:
        assert (reading.kind, reading.rule) == ("unlawful", "XA24")
        return
    assert [choice.text for choice in bench.table.question.choices[:-1]] == [
        f"South puts the medium {colour} on the medium blue pyramid, upright." for colour in ("yellow", "green")
    ]  # a green one may have been drawn, too
    bench.answer(bench.table.question.choices[0].id)
    assert bench.table.state.plies[-1].move == move


def test_whether_a_piece_is_there_is_seen_though_it_stands_on_another() -> None:
    bench = kaxxt_bench()
    for text in ("draw any", "=b2", "put b2@0.0,-70.0^", "roll", "=6", "roll", "=6", "draw any", "=r1"):
        bench.table.enter(bench.game.read_move(bench.position, text))
    there = bench.during("put b2r1@0.0,-70.0^")
    (upper,) = (lying for lying in there.pieces if lying.nested_on is not None)
    for shown, layout in ((True, there), (False, kaxxt.layout(kaxxt_bench().position))):
        view = free_view(layout, random.Random(1), SHARP)
        assert evidence(view, layout, bench.table.settings, {}, bench.table.known.looks).shows(upper) is shown


def test_a_card_of_which_it_is_not_seen_where_it_looks_is_asked_about_as_long_as_that_lasts() -> None:
    bench = kaxxt_bench()
    plain = free_view(bench.game.layout(bench.position), random.Random(1), SHARP)
    burnt = replace(plain, sightings=tuple(replace(s, heading_deg=None) for s in plain.sightings))
    bench.look(burnt)
    told = Painter().snapshot(bench.table).waiting
    assert told.text == "South: draw a pyramid, arrange, or roll"
    assert [step.text.split(":")[0] for step in told.steps] == ["where Kaxxt's card looks cannot be seen"]
    bench.look(plain)
    assert not Painter().snapshot(bench.table).waiting.steps


def test_a_card_that_the_camera_does_not_find_is_told_by_the_host() -> None:
    bench = Bench("kaxxt")

    def told(heading: float) -> Reading:
        order(bench, "correct", x_mm=0.0, y_mm=0.0, heading_deg=heading, piece={"kind": "robot_card"})
        return bench.look(TableView(0.0))

    assert "put the robot card" in bench.look(TableView(0.0)).text.lower()
    assert "complete" in told(270.0).text
    for text in ("roll", "=2"):
        bench.table.enter(bench.game.read_move(bench.position, text))
    assert "turn Kaxxt's card" in bench.look(TableView(0.0)).text
    assert told(90.0).kind == "step"
    assert not bench.table.state.awaiting


def test_a_throw_that_nobody_saw_shows_in_whom_kaxxt_looks_at() -> None:
    bench = kaxxt_bench(dice="camera")
    reading = seen(bench, kaxxt.layout(replace(bench.position, target=1)))
    assert reading.kind == "move"
    assert reading.moves[:1] == ("roll",)
    assert bench.position.shields == (27, 30)
    assert bench.position.turn == 1


def test_the_next_player_has_placed_a_pyramid_already_when_kaxxt_is_seen_turned() -> None:
    bench = kaxxt_bench(dice="camera")
    after = replace(bench.position, target=1, turn=1)
    area = Move("arrange", stands=(stand(read_codes("b2"), 0.0, 110.0, 0.0),))
    reading = seen(bench, kaxxt.during(after, area))
    assert reading.moves[0] == "roll"
    assert reading.moves[-3:] == ("draw any", "=b2", "put b2@0.0,110.0>0.0")
    assert (bench.position.turn, bench.position.shields) == (1, (27, 30))


def test_a_die_that_lies_on_the_table_tells_what_was_thrown() -> None:
    bench = kaxxt_bench(dice="camera")
    arranged(bench, "put r3@0.0,-120.0>270.0")
    (card, red) = free_view(kaxxt.layout(replace(bench.position, target=1)), random.Random(1)).sightings
    die = Sighting(((Piece("die", value="1"), 0.95),), 150.0, 60.0)
    thrown = bench.look(TableView(0.0, (card, red, die)))
    assert thrown.moves == ("roll", "=1")
    back = free_view(kaxxt.layout(replace(bench.position, target=0)), random.Random(1)).sightings
    unseen = bench.look(TableView(0.0, (*back, die)))  # the die lies as it lay: what was thrown now was not seen
    assert unseen.moves[0] == "roll"
    again = TableView(0.0, (card, red, replace(die, x_mm=-150.0, beliefs=((Piece("die", value="3"), 0.95),))))
    assert bench.look(again).moves == ("roll", "=3")
    assert bench.position.shields == (24, 27)


def test_a_pyramid_of_another_size_than_was_felt_for_goes_back_into_the_bag() -> None:
    bench = kaxxt_bench()
    order(bench, "play_move", move="draw small")
    reading = arranged(bench, "put y3@-60.0,-120.0^")
    assert (reading.kind, reading.rule) == ("unlawful", "X6")
    assert reading.text.startswith("The large yellow pyramid came out of the bag, where a small pyramid was felt for.")
    assert bench.table.state.ruling.remedy == "Put the large yellow pyramid back, and take a small one."
    order(bench, "allow")
    assert read_codes("y3")[0] not in bench.position.bag
    again = kaxxt_bench()
    order(again, "play_move", move="draw small")
    assert arranged(again, "put y1@-60.0,-120.0^").moves[0] == "=y1"


def test_the_host_lets_a_strange_placement_stand() -> None:
    bench = kaxxt_bench()
    order(bench, "play_move", move="draw any")
    order(bench, "play_move", move="=r3")
    assert arranged(bench, "put r3@0.0,-120.0>140.0").rule == "X19"
    order(bench, "allow")
    assert bench.position.areas[0] == (stand(read_codes("r3"), 0.0, -120.0, 180.0),)
    assert bench.table.state.plies[-1].text.startswith("Let stand by the host")
    assert comes_back(bench.archive)


def test_nothing_that_does_not_show_passes_over_what_is_refused_there() -> None:
    bench = kaxxt_bench()
    order(bench, "play_move", move="draw any")
    order(bench, "play_move", move="=r3")
    assert "roll" in [offer.move for offer in offers(bench.table)]
    assert arranged(bench, "put r3@0.0,-120.0>140.0").rule == "X19"
    assert offers(bench.table) == ()
    with pytest.raises(CommandRefused, match=r"^Put it right first: Turn it to Kaxxt") as refused:
        order(bench, "play_move", move="roll")
    assert refused.value.name == "put-right"
    assert refused.value.text.endswith("Or let the host go on with it.")
    bench.look(free_view(kaxxt.layout(bench.position), random.Random(2)))
    order(bench, "play_move", move="roll")
    assert "roll" in bench.moves


def test_without_a_camera_nobody_waits_until_hands_are_seen_to_have_turned_the_card() -> None:
    bench = kaxxt_bench()
    for move in ("roll", "=6"):
        bench.table.enter(bench.game.read_move(bench.position, move))
    assert [task.text for task in bench.table.steps] == ["turn Kaxxt's card to the north"]
    assert offers(bench.table) == ()
    bench.table.set_sight(NO_CAMERA)
    assert "roll" in [offer.move for offer in offers(bench.table)]
    order(bench, "play_move", by="seat 1", move="draw any")
    assert bench.table.state.plies[-1].move == "draw any"


def test_looks_in_doubt_are_asked_about() -> None:
    bench = kaxxt_bench()
    (card,) = free_view(kaxxt.layout(bench.position), random.Random(1)).sightings
    pyramids = [Piece("pyramid", colour=c, size="large", pose="upright") for c in ("red", "yellow")]
    new = Sighting(((pyramids[0], 0.5), (pyramids[1], 0.45)), 0.0, -120.0, base_deg=0.0)
    reading = bench.look(TableView(0.0, (card, new)))
    assert reading.kind == "unclear"
    assert len(bench.table.question.choices) == 3
    assert offers(bench.table) == ()
    with pytest.raises(CommandRefused, match="Answer this first"):
        order(bench, "play_move", move="roll")
    bench.answer(bench.table.question.choices[1].id)
    assert [p.code for p in bench.position.areas[0][0].pyramids] == ["y3"]
