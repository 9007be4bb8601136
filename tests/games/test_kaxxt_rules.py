"""The numbered rules of Kaxxt on Ice but those of its beams, by their numbers: set-up, draws, attacks, the end."""

from dataclasses import replace

import pytest
from kaxxt_tables import B1, R3, fire, played, position, refused

from companion.errors import OddPosition, UnreadableText
from companion.events import Beam, Chance, GameOver, Scored, TurnBegan
from companion.games import kaxxt
from companion.games.kaxxt.attack import KaxxtHit, Out, Targeted, settle
from companion.games.kaxxt.beam import Trace
from companion.games.kaxxt.position import Move
from companion.games.kaxxt.pyramids import SET, Pyramid, read_codes


def test_X1_fifteen_pyramids_in_a_bag() -> None:
    start = kaxxt.start({})
    assert len(set(start.bag)) == 15
    assert {pyramid.colour for pyramid in SET} == {"red", "blue", "green", "yellow", "black"}
    assert all(sum(p.colour == colour for p in SET) == 3 for colour in ("red", "black"))
    card, *others = kaxxt.layout(start).pieces
    assert (card.piece.kind, card.heading_deg, others) == ("robot_card", 270.0, [])


def test_X2_two_to_four_players() -> None:
    assert kaxxt.seats(kaxxt.start({})) == ("south", "north")
    assert kaxxt.seats(kaxxt.start({"seats": 3})) == ("south", "west", "north")
    assert kaxxt.seats(kaxxt.start({"seats": 4})) == ("south", "west", "north", "east")
    for seats in (1, 5):
        with pytest.raises(UnreadableText):
            kaxxt.start({"seats": seats})


def test_X3_thirty_points_and_out_at_zero() -> None:
    start = kaxxt.start({"seats": 3})
    assert start.shields == (30, 30, 30)
    assert start.kaxxt == 30
    low = replace(start, shields=(3, 30, 30))
    turn = played(low, "roll", "=6")
    assert turn.position.shields == (0, 30, 30)
    assert Out(0, (), "X3") in turn.events
    assert played(replace(start, shields=(4, 30, 30)), "roll", "=6").position.shields == (1, 30, 30)
    assert played(replace(start, shields=(2, 30, 30)), "roll", "=6").position.shields == (0, 30, 30)


def test_X4_XA19_destroying_kaxxt_wins() -> None:
    at = position(2, {0: (("r3", "kaxxt", 0, 0),)}, kaxxt=3)
    turn = played(at, "roll", "=1")
    outcome = kaxxt.outcome(turn.position)
    assert (outcome.reason, outcome.winners, outcome.rule) == ("kaxxt-destroyed", (0,), "X4")
    assert KaxxtHit(0, 3, 0) in turn.events
    assert isinstance(turn.events[-1], GameOver)
    assert kaxxt.to_move(turn.position) is None
    assert kaxxt.moves(turn.position) == ()
    assert kaxxt.chance(turn.position) == ()
    assert refused(turn.position, "roll").name == "game-over"
    assert kaxxt.outcome(played(replace(at, kaxxt=4), "roll", "=1").position) is None
    assert played(replace(at, kaxxt=2), "roll", "=1").position.kaxxt == 0


def test_X4_the_last_player_standing_wins() -> None:
    turn = played(replace(kaxxt.start({}), shields=(3, 30)), "roll", "=6")
    outcome = kaxxt.outcome(turn.position)
    assert (outcome.reason, outcome.winners, outcome.rule) == ("last-standing", (1,), "X4")


def test_XA19_several_who_sent_beams_at_kaxxt_share() -> None:
    rows = {0: (("r2", "left", 0, 0), ("r1", "kaxxt", 1, 0)), 1: (("r3", "kaxxt", 0, 0),)}
    trace = fire(2, rows, 0, "red")
    assert trace.at_kaxxt == {1: 2}
    assert trace.damage == {0: 1}
    rows = {0: (("r2", "kaxxt", 0, 0), ("b1r3", "left", 1, 0)), 1: (("r3", "kaxxt", 0, 0),)}
    trace = fire(2, rows, 0, "red")
    assert trace.at_kaxxt == {0: 2, 1: 1}
    at = position(2, {}, kaxxt=3)
    after, events = settle(at, trace)
    assert after.destroyers == (0, 1)
    outcome = kaxxt.outcome(after)
    assert outcome.winners == (0, 1)
    assert outcome.text == "Kaxxt is destroyed: South and North won."
    assert [event for event in events if isinstance(event, KaxxtHit)] == [KaxxtHit(0, 2, 1), KaxxtHit(1, 1, 0)]


def test_XA20_all_out_at_once_is_won_by_nobody() -> None:
    at = replace(kaxxt.start({}), shields=(2, 1))
    after, events = settle(at, Trace(damage={0: 2, 1: 1}, hits={0: "X12", 1: "X28"}))
    outcome = kaxxt.outcome(after)
    assert (outcome.reason, outcome.winners, outcome.rule) == ("all-out", (), "XA20")
    assert isinstance(events[-1], GameOver)


def test_X5_the_first_target_is_chosen_and_is_on_turn() -> None:
    start = kaxxt.start({"seats": 4, "first": "north"})
    assert (start.turn, start.target, kaxxt.to_move(start)) == (2, 2, 2)
    assert kaxxt.layout(start).pieces[0].heading_deg == 90.0
    with pytest.raises(UnreadableText, match="nobody sits west"):
        kaxxt.start({"first": "west"})


def test_X6_XA24_one_pyramid_may_be_drawn_by_feel() -> None:
    start = kaxxt.start({})
    large = played(start, "draw large").position
    assert [move.pyramid for move, _ in kaxxt.chance(large)] == [p for p in SET if p.pips == 3]
    assert {chance for _, chance in kaxxt.chance(large)} == {0.2}
    assert len(kaxxt.chance(played(start, "draw any").position)) == 15
    assert kaxxt.chance(start) == ()
    turn = played(start, "draw large", "=r3")
    assert turn.events == (Chance("bag", "r3"),)
    assert turn.position.hands == ((R3,), ())
    assert R3 not in turn.position.bag
    refusal = refused(turn.position, "draw small")
    assert (refusal.name, refusal.rule) == ("already-drawn", "XA24")
    assert refused(large, "=r2").name == "not-in-the-bag"
    assert refused(large, "roll").name == "not-now"
    assert refused(start, "=r3").rule == "X6"
    played(start, "roll", "=6", "draw small")  # undrawn turns are lawful, and the next player may draw again


def test_XA24_draws_may_be_told_late_one_for_each_turn_that_told_none() -> None:
    start = kaxxt.start({"draws": "late"})
    two = played(start, "draw any", "=r3", "roll", "=6", "roll", "=6").position  # north told none
    assert refused(played(two, "draw any", "=b1").position, "draw any").rule == "XA24"
    north = played(two, "roll", "=6", "draw any", "=b1", "draw small", "=g1").position
    assert north.hands == ((R3,), tuple(read_codes("b1g1")))
    assert refused(north, "draw any").rule == "XA24"
    assert refused(north, "put b1@0.0,70.0^ y3@0.0,116.0^").rule == "XA24"
    assert north.late == (1, 0)
    assert kaxxt.read_position(kaxxt.write_position(north)) == north
    assert refused(played(kaxxt.start({}), "roll", "=6", "roll", "=6", "draw any", "=b1").position, "draw any")


def test_no_more_draws_can_be_late_than_there_are_pyramids() -> None:
    full = replace(kaxxt.start({"draws": "late"}), late=(15, 0))
    assert played(full, "roll", "=6", "roll", "=6").position.late == (15, 1)


@pytest.mark.parametrize("late", ["1", "1,2,3", "16,0", "x,0", "-1,0"])
def test_late_draws_that_cannot_be_are_no_position(late: str) -> None:
    text = kaxxt.write_position(kaxxt.start({}))
    with pytest.raises((UnreadableText, OddPosition)):
        kaxxt.read_position(f"{text} late={late}")


def test_X6_sizes_that_are_gone_and_an_empty_bag_are_refused() -> None:
    at = position(2, {}, bag=read_codes("r1k3"), hands=(read_codes("r2r3b1b2b3g1g2g3y1y2y3k1k2"), ()))
    assert refused(at, "draw medium").name == "no-such-size"
    assert refused(at, "draw medium").remedy == "Left are the sizes 1 3."
    empty = replace(at, bag=(), hands=(SET, ()))
    refusal = refused(empty, "draw any")
    assert (refusal.name, refusal.rule) == ("bag-empty", "X10")
    assert not [move for move in kaxxt.moves(empty) if move.kind == "draw"]
    assert [move.pips for move in kaxxt.moves(at) if move.kind == "draw"] == [0, 1, 3]
    assert not [move for move in kaxxt.moves(replace(at, drawn=True)) if move.kind == "draw"]


def test_X6_only_ones_own_pyramids_are_placed_and_none_is_taken_away() -> None:
    at = position(2, {0: (("r3", "left", 0, 0),), 1: (("b3", "left", 0, 0),)})
    refusal = refused(at, "put b3@0.0,-70.0^ r3@0.0,-120.0^")
    assert (refusal.name, refusal.rule) == ("not-your-pyramid", "X6")
    bare = position(2, {1: (("b3", "left", 0, 0),)})
    refusal = refused(bare, "put b3@0.0,-70.0^")
    assert refusal.text == "the large blue pyramid is North's, and it is South's turn."
    assert refusal.remedy == "Put the large blue pyramid back 70 mm above the middle, pointing left."
    held = position(2, {}, bag=tuple(pyramid for pyramid in SET if pyramid != B1), hands=((), (B1,)))
    assert refused(held, "put b1@0.0,-70.0^").remedy == "Give the small blue pyramid back to North."
    out = position(3, {}, shields=(30, 0, 30))
    gone = replace(out, bag=tuple(pyramid for pyramid in out.bag if pyramid != B1))
    assert refused(gone, "put b1@0.0,-70.0^").remedy == "Place only your own: none."
    refusal = refused(at, "put g2@0.0,-70.0^ r3@0.0,-120.0^")
    assert (refusal.name, refusal.remedy) == ("not-drawn", "Draw first, one in a turn: draw medium.")
    refusal = refused(at, "put -")
    assert (refusal.name, refusal.remedy) == (
        "taken-away",
        "Put the large red pyramid back 70 mm below the middle, pointing left.",
    )
    assert refused(at, "put r3@0.0,-70.0^ r3@0.0,-120.0^").name == "placed-twice"
    turn = played(at, "put r3@5.04,-99.96>89.96")
    assert kaxxt.write_move(at, Move("arrange", stands=turn.position.areas[0])) == "put r3@5.0,-100.0>90.0"
    assert turn.position.phase == "act"
    hand = replace(at, hands=((B1,), ()), bag=tuple(p for p in at.bag if p != B1))
    assert played(hand, "put r3@0.0,-70.0>180.0").position.hands == ((B1,), ())  # it need not be played
    assert played(hand, "put b1 up").position.hands == ((), ())


def test_X6_pyramids_are_placed_before_oneself() -> None:
    at = position(4, {0: (("r3", "left", 0, 0),)})
    refusal = refused(at, "put r3@-100.0,0.0^")
    assert (refusal.name, refusal.rule, refusal.figures) == ("not-before-you", "X6", {"off_deg": 90.0})
    played(at, "put r3@-99.0,-100.0^")
    assert refused(at, "put r3@-101.0,-100.0^").name == "not-before-you"


@pytest.mark.parametrize(("face", "colour"), [(1, "red"), (2, "blue"), (3, "green"), (4, "yellow")])
def test_X7_X8_four_lasers_of_three_points(face: int, colour: str) -> None:
    turn = played(kaxxt.start({}), "roll", f"={face}")
    assert turn.events[0] == Chance("die", str(face))
    beams = [event for event in turn.events if isinstance(event, Beam)]
    assert [(path.colour, path.power, path.unit) for path in beams[0].paths] == [(colour, 3.0, "mm")]
    assert beams[0].paths[0].points == ((0.0, 0.0), (0.0, -260.0))
    assert turn.position.shields == (27, 30)
    assert Scored(0, -3, 27, "hit", "X12") in turn.events


def test_X7_the_die_has_six_faces_of_equal_chance() -> None:
    at = played(kaxxt.start({}), "roll").position
    assert [(move.value, chance) for move, chance in kaxxt.chance(at)] == [(n, 1 / 6) for n in range(1, 7)]
    for face in (0, 7, 9):
        assert refused(at, f"={face}").name == "no-such-face"


def test_X9_the_direct_attack_cannot_be_blocked() -> None:
    rows = {0: tuple((code, "left", row, 0) for row, code in enumerate(("r3", "b3", "g3", "y3")))}
    turn = played(position(2, rows), "roll", "=6")
    assert turn.position.shields == (27, 30)
    assert Scored(0, -3, 27, "hit", "X9") in turn.events
    assert not [event for event in turn.events if isinstance(event, Beam)]


def test_X10_XA21_XA25_without_supply_attacks_have_six_points() -> None:
    empty = position(2, {}, bag=(), hands=(SET, ()))
    assert played(empty, "roll", "=6").position.shields == (24, 30)
    assert played(empty, "roll", "=1").position.shields == (24, 30)
    last = position(2, {}, bag=(R3,), hands=(tuple(p for p in SET if p != R3), ()))
    assert played(last, "roll", "=1").position.shields == (27, 30)
    assert played(last, "draw any", "=r3", "roll", "=1").position.shields == (24, 30)


def test_X11_kaxxt_turns_clockwise() -> None:
    turn = played(kaxxt.start({"seats": 4}), "roll", "=6")
    assert (turn.position.turn, turn.position.target, turn.position.phase) == (1, 1, "act")
    assert turn.events[-2:] == (Targeted(1, 180.0), TurnBegan(1))
    assert kaxxt.layout(turn.position).pieces[0].heading_deg == 180.0
    assert played(turn.position, *["roll", "=6"] * 3).position.turn == 0


def test_XA4_who_is_out_is_skipped_and_his_pyramids_leave_the_game() -> None:
    at = position(4, {1: (("r3b1", "left", 0, 0),)}, shields=(30, 3, 30, 30), turn=1, target=1)
    at = replace(at, hands=((), (Pyramid("green", 2),), (), ()), bag=tuple(p for p in at.bag if p.code != "g2"))
    turn = played(at, "roll", "=6")
    assert Out(1, ("r3", "b1", "g2"), "X3") in turn.events
    assert turn.position.areas[1] == turn.position.hands[1] == ()
    assert turn.position.bag == at.bag
    assert played(turn.position, *["roll", "=6"] * 3).position.turn == 2
    assert fire(4, {0: (("r3", "left", 0, 0),)}, 0, "red", out=(1,)).damage == {2: 3}
    assert fire(4, {0: (("r3", "right", 0, 0),)}, 0, "red", out=(3, 2)).damage == {1: 3}


def test_X7_XA22_on_a_five_the_roller_turns_kaxxt_to_somebody_else() -> None:
    at = played(kaxxt.start({"seats": 4}), "roll", "=5").position
    assert kaxxt.to_move(at) == 0
    assert [kaxxt.write_move(at, move) for move in kaxxt.moves(at)] == ["face west", "face north", "face east"]
    assert kaxxt.chance(at) == ()
    refusal = refused(at, "face south")
    assert (refusal.name, refusal.rule) == ("not-another-player", "XA22")
    turn = played(at, "face north")
    assert turn.events[-1] == Targeted(2, 90.0)
    assert refused(turn.position, "draw any").name == "not-now"  # the new target does not draw
    again = played(turn.position, "=5").position
    assert (again.turn, again.phase) == (0, "retarget")
    assert "face south" in [kaxxt.write_move(again, move) for move in kaxxt.moves(again)]
    hit = played(turn.position, "=6").position
    assert hit.shields == (30, 30, 27, 30)


def test_XA23_after_a_retarget_kaxxt_goes_on_from_whom_he_faces() -> None:
    at = played(kaxxt.start({"seats": 4}), "roll", "=5", "face north", "=6").position
    assert (at.turn, at.target) == (3, 3)
    three = replace(kaxxt.start({"seats": 4}), shields=(30, 30, 30, 0))
    assert [kaxxt.write_move(three, m) for m in kaxxt.moves(played(three, "roll", "=5").position)][-1] == "face north"
    assert played(three, "roll", "=5", "face north", "=6").position.turn == 0


def test_X30_strange_placements_are_allowed() -> None:
    at = position(2, {}, bag=tuple(p for p in SET if p.code not in ("r3", "b3")), hands=(read_codes("r3b3"), ()))
    played(at, "put r3@0.0,-90.0^ b3@0.0,-90.0^")  # one inside the other
    played(at, "put r3@0.0,-700.0^ b3@3.0,-5.0>90.0")  # far away, and under Kaxxt's chin
