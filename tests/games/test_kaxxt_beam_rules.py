"""The numbered rules of the beams of Kaxxt on Ice, by their numbers."""

from dataclasses import replace

import pytest
from kaxxt_tables import R3, area, fire, played, position, refused, table

from companion.events import Scored
from companion.games import kaxxt
from companion.games.kaxxt.attack import Annihilated, Out, settle
from companion.games.kaxxt.beam import Trace, Tracer
from companion.games.kaxxt.pyramids import SET, read_codes
from companion.games.kaxxt.stacks import meet, share


def test_X12_only_pyramids_on_the_line_meet_kaxxts_beam() -> None:
    assert fire(2, {0: (("r3", "up", 0, 1),)}, 0, "red").damage == {0: 3}
    assert fire(2, {0: (("r3", "up", 0, 0),)}, 0, "red").lost == 3
    assert fire(2, {0: (("r2", "up", 0, 0),)}, 0, "red").damage == {0: 1}


def test_X12_the_nearest_to_kaxxt_comes_first() -> None:
    trace = fire(4, {0: (("r3", "left", 1, 0), ("r2", "up", 0, 0))}, 0, "red")
    assert (trace.lost, trace.damage) == (2, {1: 1})


def test_X13_colours_must_match() -> None:
    for colour in ("blue", "green", "yellow"):
        assert fire(2, {0: (("r3", "up", 0, 0),)}, 0, colour).damage == {0: 3}


def test_X14_X16_X17_X18_where_a_beam_goes() -> None:
    assert fire(4, {0: (("r3", "kaxxt", 0, 0),)}, 0, "red").at_kaxxt == {0: 3}
    assert fire(4, {0: (("r3", "left", 0, 0),)}, 0, "red").damage == {1: 3}
    assert fire(4, {0: (("r3", "right", 0, 0),)}, 0, "red").damage == {3: 3}
    assert fire(4, {0: (("r3", "up", 0, 0),)}, 0, "red").lost == 3
    up = fire(4, {0: (("r3", "up", 0, 0),)}, 0, "red")
    assert [path.end for path in up.paths] == ["turned", "lost"]


@pytest.mark.parametrize("seat", range(4))
def test_X14_directions_are_the_players_own_on_every_side(seat: int) -> None:
    left, right = (seat + 1) % 4, (seat - 1) % 4
    assert fire(4, {seat: (("g3", "left", 0, 0),)}, seat, "green").damage == {left: 3}
    assert fire(4, {seat: (("g3", "right", 0, 0),)}, seat, "green").damage == {right: 3}
    assert fire(4, {seat: (("g3", "kaxxt", 0, 0),)}, seat, "green").at_kaxxt == {seat: 3}


def test_X15_XA1_how_much_is_turned() -> None:
    fraction = {beam: tuple(share(beam, pips, "fraction") for pips in (1, 2, 3)) for beam in range(7)}
    assert fraction == {
        0: (0, 0, 0),
        1: (0, 1, 1),
        2: (1, 1, 2),
        3: (1, 2, 3),
        4: (1, 3, 4),
        5: (2, 3, 5),
        6: (2, 4, 6),
    }
    assert [share(6, pips, "capacity") for pips in (1, 2, 3)] == [1, 2, 3]
    assert share(2, 3, "capacity") == 2
    house = kaxxt.start({"redirect": "capacity"})
    assert house.redirect == "capacity"
    rows = {0: (("r3", "kaxxt", 0, 0),)}
    empty = {"bag": (), "hands": (tuple(p for p in SET if p != R3), ())}
    assert played(position(2, rows, **empty), "roll", "=1").position.kaxxt == 24
    at = position(2, rows, redirect="capacity", **empty)
    assert played(at, "roll", "=1").position.kaxxt == 27


def test_X17_around_the_table_in_two_directions() -> None:
    assert fire(3, {0: (("r3", "left", 0, 0),)}, 0, "red").damage == {1: 3}
    assert fire(3, {0: (("r3", "right", 0, 0),)}, 0, "red").damage == {2: 3}


def test_XA2_a_beam_that_leaves_left_arrives_on_the_right_hand() -> None:
    rows = {0: (("r3", "left", 0, 0),), 1: (("r2", "up", 0, -1), ("r3", "kaxxt", 0, 1))}
    assert fire(4, rows, 0, "red").at_kaxxt == {1: 3}  # the right one is met first
    rows = {0: (("r3", "right", 0, 0),), 3: (("r2", "up", 0, -1), ("r3", "kaxxt", 0, 1))}
    trace = fire(4, rows, 0, "red")
    assert (trace.lost, trace.at_kaxxt) == (2, {3: 1})


def test_XA3_with_two_players_both_ways_lead_to_the_other() -> None:
    rows = {1: (("r2", "up", 0, -1), ("r3", "kaxxt", 0, 1))}
    assert fire(2, {0: (("r3", "left", 0, 0),), **rows}, 0, "red").at_kaxxt == {1: 3}
    assert fire(2, {0: (("r3", "right", 0, 0),), **rows}, 0, "red").lost == 2


def test_X19_XA11_diagonal_placements_are_asked_about() -> None:
    at = position(2, {}, bag=tuple(p for p in SET if p != R3), hands=((R3,), ()))
    played(at, "put r3@0.0,-90.0>210.0")
    refusal = refused(at, "put r3@0.0,-90.0>225.0")
    assert (refusal.name, refusal.rule) == ("diagonal", "X19")
    assert refusal.figures == {"off_deg": 45.0, "allowed_deg": 30.0}
    assert refused(at, "put r3@0.0,-90.0>239.0").figures["off_deg"] == 31.0


def test_X20_XA13_stacks_never_grow() -> None:
    at = position(
        2, {}, bag=tuple(p for p in SET if p.code not in ("r3", "b3", "g1")), hands=(read_codes("r3b3g1"), ())
    )
    refusal = refused(at, "put r3g1b3@0.0,-90.0^")
    assert (refusal.name, refusal.rule, refusal.figures) == ("stack-grows", "X20", {"below_pips": 1, "above_pips": 3})
    assert played(at, "put r3b3g1@0.0,-90.0^").position.hands == ((), ())


def test_X21_X23_the_top_changes_the_colour_whatever_its_size() -> None:
    trace = fire(4, {0: (("r3b1", "left", 0, 0),), 1: (("b3", "kaxxt", 0, 0),)}, 0, "red")
    assert trace.at_kaxxt == {1: 3}
    assert [path.colour for path in trace.paths] == ["red", "blue", "blue", "blue"]


def test_X22_pointing_at_a_pyramid_changes_no_colour() -> None:
    trace = fire(4, {0: (("r3", "left", 0, 0), ("b3", "up", 0, -1))}, 0, "red")
    assert trace.damage == {1: 3}
    assert {path.colour for path in trace.paths} == {"red"}


def test_X24_XA17_black_recharges_up_to_thirty() -> None:
    at = position(2, {0: (("r3k2", "up", 0, 0),)}, shields=(20, 30))
    turn = played(at, "roll", "=1")
    assert turn.position.shields == (22, 30)
    assert Scored(0, 2, 22, "black recharges the shield", "X24") in turn.events
    assert played(replace(at, shields=(29, 30)), "roll", "=1").position.shields == (30, 30)


def test_X25_black_alone_does_nothing_to_kaxxts_beam() -> None:
    assert fire(2, {0: (("k3", "up", 0, 0),)}, 0, "red").damage == {0: 3}


def test_X26_black_is_fed_by_ones_own_coloured_pyramid() -> None:
    trace = fire(2, {0: (("r3", "left", 0, 0), ("k3", "up", 0, -1))}, 0, "red")
    assert (trace.recharge, trace.damage) == ({0: 3}, {})


def test_X27_XA15_black_absorbs_by_pips_and_the_rest_goes_on() -> None:
    trace = fire(2, {0: (("r3", "left", 0, 0), ("k2", "up", 0, -1))}, 0, "red")
    assert (trace.recharge, trace.damage) == ({0: 2}, {1: 1})
    trace = fire(2, {0: (("r3k2", "left", 0, 0),)}, 0, "red", power=6)
    assert (trace.recharge, trace.damage) == ({0: 2}, {1: 4})


def test_X28_beams_from_the_side_are_caught_anywhere_before_you() -> None:
    rows = {0: (("r3", "left", 0, 0),), 1: (("r3", "up", 2, -2),)}
    assert fire(4, rows, 0, "red").lost == 3
    open_ = fire(4, {0: (("r3", "left", 0, 0),)}, 0, "red")
    assert (open_.damage, open_.hits) == ({1: 3}, {1: "X28"})


def test_X29_XA6_the_third_arrival_stops_that_beam_only() -> None:
    rows = {0: (("r3", "left", 0, 0),), 1: (("r3", "right", 0, 0),)}
    trace = fire(2, rows, 0, "red")
    assert (trace.stopped, trace.annihilated, trace.damage) == (3, {0: "X29"}, {})
    assert len([path for path in trace.paths if path.end == "passed on"]) == 3
    turn = played(position(2, rows), "roll", "=1")
    assert Annihilated(0, "Stack overflow: South is annihilated.", "X29") in turn.events
    assert Out(0, ("r3",), "X29") in turn.events
    assert turn.position.shields == (0, 30)


def test_XA5_branches_count_their_arrivals_apart() -> None:
    # north sends two parts back: three arrivals at south in all, but no part arrives for the third time
    rows = {0: (("r3y1", "left", 0, 0),), 1: (("y1", "right", 0, 1), ("y2", "right", 0, 0))}
    trace = fire(2, rows, 0, "red")
    assert trace.annihilated == {}
    assert trace.damage == {0: 2, 1: 1}


def test_XA7_two_of_ones_own_pointing_at_each_other_overflow() -> None:
    trace = fire(2, {0: (("r3", "left", 0, 0), ("r3", "right", 0, -1))}, 0, "red")
    assert (trace.annihilated, trace.stopped) == ({0: "XA7"}, 3)
    rows = {0: (("r3", "self", 0, 0), ("r2", "kaxxt", 1, 0))}
    trace = fire(2, rows, 0, "red", method="capacity")
    assert (trace.annihilated, trace.stopped, trace.damage) == ({0: "XA7"}, 2, {0: 1})


def test_XA8_pointing_at_oneself_is_allowed_and_hits() -> None:
    trace = fire(2, {0: (("r3", "self", 0, 0),)}, 0, "red")
    assert trace.hits == {0: "XA8"}
    assert trace.damage == {0: 3}


def test_XA9_turned_beams_keep_their_row_or_column() -> None:
    stays = {0: (("r3", "left", 0, 0), ("k3", "up", 1, -1))}
    assert fire(2, stays, 0, "red").recharge == {}
    column = {0: (("b3", "left", 0, 0), ("b1", "self", 0, -1), ("k3", "up", 2, -1), ("k2", "up", 1, 0))}
    assert fire(2, column, 0, "blue").recharge == {0: 1}


def test_XA12_the_top_catches_its_own_colour_too() -> None:
    assert fire(2, {0: (("b3r2", "kaxxt", 0, 0),)}, 0, "red").at_kaxxt == {0: 2}
    passage = meet(read_codes("r2r1"), "red", 3, False, "fraction")
    assert [(branch.by.code, branch.power) for branch in passage.branches] == [("r2", 2)]
    assert passage.rest == 1
    passage = meet(read_codes("r1r2"), "red", 3, False, "capacity")
    assert [(branch.by.code, branch.power) for branch in passage.branches] == [("r1", 1), ("r2", 2)]


def test_XA13_the_last_colour_counts() -> None:
    passage = meet(read_codes("r3b2g1"), "red", 3, False, "fraction")
    assert [(b.colour, b.power) for b in passage.branches] == [("green", 3)]


def test_XA14_black_in_a_stack_absorbs_and_keeps_the_colour() -> None:
    passage = meet(read_codes("r3k1b1"), "red", 3, False, "fraction")
    assert (passage.absorbed, passage.rest) == (1, 0)
    assert [(b.colour, b.power) for b in passage.branches] == [("blue", 2)]
    passage = meet(read_codes("r3k1"), "red", 3, False, "fraction")
    assert [(b.colour, b.power) for b in passage.branches] == [("red", 2)]
    passage = meet(read_codes("r3k3"), "red", 3, False, "fraction")
    assert (passage.absorbed, passage.branches) == (3, ())


def test_XA16_a_neighbours_beam_passes_black_until_turned() -> None:
    rows = {0: (("r3", "left", 0, 0),), 1: (("k3", "up", 0, 1),)}
    assert fire(4, rows, 0, "red").damage == {1: 3}
    rows = {0: (("r3", "left", 0, 0),), 1: (("k3", "up", 0, 1), ("r3", "right", 0, 0))}
    assert fire(4, rows, 0, "red").recharge == {1: 3}


def test_XA18_damage_and_recharge_count_at_once() -> None:
    at = replace(kaxxt.start({}), shields=(2, 30))
    after, _ = settle(at, Trace(damage={0: 3}, hits={0: "X12"}, recharge={0: 2}))
    assert after.shields == (1, 30)
    after, _ = settle(replace(at, shields=(29, 30)), Trace(damage={0: 2}, hits={0: "XA8"}, recharge={0: 3}))
    assert after.shields == (30, 30)


def test_tracers_refuse_diagonal_pyramids() -> None:
    stands = area(2, 0, ("r3", "left", 0, 0))
    crooked = (replace(stands[0], heading_deg=225.0),)
    with pytest.raises(ValueError, match="diagonally"):
        Tracer((crooked, ()), (True, True), "fraction")
    assert table(2, {}) == ((), ())
