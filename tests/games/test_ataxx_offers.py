"""Draws that are offered in Ataxx and Hexxagon: how long an offer stands, and when none is made."""

from turns import kinds, played

from companion.events import GameOver, Told
from companion.games import ataxx

AT_100 = "x5o/7/7/7/7/7/o5x x 100 51"


def test_aa6_a_drop_ends_what_a_draw_was_offered_for() -> None:
    offered = played(ataxx, ataxx.read_position(AT_100), "draw?").position
    dropped = played(ataxx, offered, "b7").position
    assert dropped.offered_by is None
    assert ataxx.read_position(ataxx.write_position(dropped)) == dropped
    assert played(ataxx, offered, "a7c7").position.offered_by == 0


def test_aa6_an_offer_comes_with_an_action_of_its_own_side_that_is_let_stand_and_falls_by_one_of_the_other() -> None:
    offered = played(ataxx, ataxx.read_position(AT_100), "draw?").position
    own = ataxx.carry_out(offered, ataxx.read_move(offered, "a7d7")).position
    assert own.offered_by == 0
    assert ataxx.outcome(played(ataxx, own, "draw!").position).rule == "AA6"
    for before, too_far in ((own, "g7d5"), (offered, "g7d7")):  # in its turn, and out of it
        assert ataxx.carry_out(before, ataxx.read_move(before, too_far)).position.offered_by is None


def test_aa7_a_pass_that_nobody_chose_declines_no_draw() -> None:
    walled = ataxx.read_position("x6/7/7/7/---4/---4/o--4 x 100 51")
    offered = played(ataxx, walled, "draw?", "a7c7").position
    passed = played(ataxx, offered, "0000").position
    assert (passed.turn, passed.offered_by) == (0, 0)
    again = played(ataxx, passed, "c7e7").position
    assert ataxx.outcome(played(ataxx, again, "draw!").position).rule == "AA6"


def test_aa6_no_draw_is_offered_in_a_game_that_is_over() -> None:
    turn = played(ataxx, ataxx.read_position("x2o3/7/7/7/7/7/7 x 99 50"), "a7c7")
    assert GameOver in kinds(turn.events)
    assert Told not in kinds(turn.events)
