"""Chaos: one test or more for every numbered rule, by its number."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import IllegalMove, UnreadableText
from companion.events import Beam, Chance, GameOver, Told
from companion.games import chaos
from companion.games.base import Turn
from companion.games.chaos import geometry as g
from companion.games.chaos.colours import CHART, RINGS, rolled, targets
from companion.games.chaos.geometry import SIX_INCHES_MM
from companion.games.chaos.placement import contact, pose_due
from companion.games.chaos.play import Captured
from companion.games.chaos.position import SIZES, STASH, House, Move, Position, Standing, standing
from companion.pieces import Piece
from companion.view import Sighting, TableView


def defender(colour: str, x: float, y: float = 0.0, size: str = "large", heading: float = 0.0) -> Standing:
    return standing(colour, size, "upright", x, y, heading)


def attacker(colour: str, base_x: float, base_y: float, heading: float, size: str = "large") -> Standing:
    """A lying piece by the middle of its base."""
    dx, dy = g.direction(heading)
    half = g.slant_mm(size) / 2
    return standing(colour, size, "lying", base_x + dx * half, base_y + dy * half, heading)


def table(
    *pieces: Standing,
    dice: tuple[str, ...] = ("blue", "red"),
    house: House | None = None,
    captured: tuple[tuple[tuple[str, str], ...], ...] | None = None,
) -> Position:
    """A position with these pieces in play and the array to match."""
    house = house or House()
    captured = captured or ((),) * house.players
    ring = RINGS[house.colours]
    used = [(p.colour, p.size) for p in pieces] + [piece for got in captured for piece in got]
    large, medium, small = (
        [five - used.count((colour, size)) for colour in ring] for size, five in zip(SIZES, STASH, strict=True)
    )
    array = tuple(zip(large, medium, small, strict=True))
    return Position(house, pieces, array, captured, 0, dice, "place" if dice else "roll")


def placed(position: Position, piece: Standing) -> Turn:
    return chaos.play(position, Move("place", piece=piece))


def refused(position: Position, piece: Standing) -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        placed(position, piece)
    return caught.value


ONE = House(players=2)
# two blue defenders far apart, so that blue attackers are due
BLUES = (defender("blue", 0.0), defender("blue", 200.0))
R = g.base_mm("large") / 2


def test_c1_all_colours_captured_wins_at_once() -> None:
    nine = tuple((colour, "large") for colour in CHART[:10] if colour != "cyan")
    position = table(*BLUES, defender("cyan", 80.0), captured=(nine, ()))
    turn = placed(position, attacker("blue", R, 0.0, 0.0))
    assert turn.position.phase == "over"
    assert [(e.reason, e.winners) for e in turn.events if isinstance(e, GameOver)] == [("all-colours", (0,))]
    with pytest.raises(IllegalMove, match="over"):
        chaos.play(turn.position, Move("roll", (1, 2)))


def test_c2_stashes_and_players() -> None:
    start = chaos.start({"seats": 5})
    assert len(start.array) == 10
    assert set(start.array) == {(5, 5, 5)}
    assert len(chaos.seats(start)) == 5


def test_c3_the_chart() -> None:
    assert [rolled(face, 10) for face in range(1, 11)] == list(CHART[:10])
    assert CHART[:3] == ("white", "clear", "red")
    assert CHART[9] == "black"


def test_c4_both_dice_are_placed() -> None:
    turn = chaos.play(chaos.start({}), Move("roll", (3, 8)))
    assert turn.position.dice == ("red", "blue")
    assert [e.value for e in turn.events if isinstance(e, Chance)] == ["3 red", "8 blue"]
    first = placed(turn.position, defender("blue", 0.0)).position
    assert (first.dice, first.seat, first.phase) == (("red",), 0, "place")
    second = placed(first, defender("red", 100.0)).position
    assert (second.seat, second.phase) == (1, "roll")
    assert refused(first, defender("green", 100.0)).rule == "C4"
    with pytest.raises(IllegalMove, match="10-sided"):
        chaos.play(chaos.start({}), Move("roll", (3, 11)))


def test_c5_standing_defends_lying_attacks() -> None:
    turn = placed(table(*BLUES), attacker("blue", R, 0.0, 0.0))
    assert any(isinstance(event, Beam) for event in turn.events)
    first = placed(table(), defender("blue", 0.0))
    assert not any(isinstance(event, Beam) for event in first.events)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_c6_so_many_defenders_first_and_never_more(players: int) -> None:
    house = House(players=players)
    pieces = tuple(defender("blue", -300.0 + 180.0 * i) for i in range(min(players, 4)))
    if players == 5:
        pieces = (*pieces, defender("blue", -300.0, 180.0))
    assert pose_due(table(*pieces[:-1], house=house), "blue") == "upright"
    assert pose_due(table(*pieces, house=house), "blue") == "lying"
    assert refused(table(*pieces, house=house), defender("blue", 0.0, -200.0, "medium")).rule in ("C6", "C7")
    early = refused(table(*pieces[:1], house=house), attacker("blue", -300.0 + R, 0.0, 0.0))
    assert (early.rule, early.figures["defenders"]) == ("C6", 1)


def test_c7_the_largest_first() -> None:
    assert refused(table(), defender("blue", 0.0, size="medium")).name == "not-the-largest"
    position = replace(table(), array=tuple((0, 5, 5) if c == "blue" else STASH for c in RINGS[10]))
    assert placed(position, defender("blue", 0.0, size="medium")).position.pieces


def test_c8_at_most_six_inches_from_the_nearest() -> None:
    position = table(defender("red", 0.0))
    near = defender("blue", 2 * R + SIX_INCHES_MM)
    assert placed(position, near).position.pieces[-1] == near
    refusal = refused(position, defender("blue", 2 * R + SIX_INCHES_MM + 20.0))
    assert (refusal.rule, round(refusal.figures["too_far_mm"])) == ("C8", 20)


def test_c9_at_least_six_inches_from_the_own_colour() -> None:
    position = table(defender("red", 0.0), defender("blue", 100.0))
    refusal = refused(position, defender("blue", -100.0 + 60.0, 60.0))
    assert refusal.rule == "C9"
    assert refusal.figures["too_near_mm"] > 6
    assert placed(position, defender("blue", -100.0)).position.pieces


def test_c10_first_piece_anywhere_second_of_its_colour_exactly_six_inches() -> None:
    assert placed(table(dice=("blue", "blue")), defender("blue", -300.0, 200.0)).position.pieces
    position = table(defender("blue", 0.0), dice=("blue",))
    assert placed(position, defender("blue", 2 * R + SIX_INCHES_MM)).position.pieces
    assert refused(position, defender("blue", 2 * R + SIX_INCHES_MM - 15)).rule == "C10"
    assert refused(position, defender("blue", 2 * R + SIX_INCHES_MM + 15)).rule == "C10"


def test_c11_flush_and_perpendicular_on_the_own_colour() -> None:
    assert placed(table(*BLUES), attacker("blue", R, 0.0, 0.0)).position.pieces
    away = refused(table(*BLUES), attacker("blue", R + 9.0, 0.0, 0.0))
    assert (away.name, round(away.figures["gap_mm"])) == ("not-flush", 9)
    assert refused(table(*BLUES), attacker("blue", R + 1.0, 0.0, 10.0)).name == "not-perpendicular"
    reds = (defender("red", 0.0), defender("blue", 200.0), defender("blue", -200.0))
    assert refused(table(*reds), attacker("blue", R, 0.0, 0.0)).rule == "C11"


def test_c12_no_part_of_the_base_beyond_the_edge() -> None:
    refusal = refused(table(*BLUES), attacker("blue", R, 6.0, 0.0))
    assert (refusal.rule, round(refusal.figures["overhang_mm"])) == ("C12", 6)


def test_c13_blue_attacks_green_cyan_purple_black() -> None:
    assert targets("blue", 10) == {"green", "cyan", "purple", "black"}
    assert targets("clear", 10) == {"white", "black", "red", "orange"}
    assert targets("black", 10) == {"blue", "purple", "white", "clear"}
    assert all(colour not in targets(colour, 10) for colour in RINGS[10])
    turn = placed(table(*BLUES, defender("red", 80.0)), attacker("blue", R, 0.0, 0.0))
    assert not turn.position.captured[0]


def test_c14_pointing_captures_the_largest_of_that_colour_from_the_array() -> None:
    position = table(*BLUES, defender("cyan", 80.0))
    turn = placed(position, attacker("blue", R, 0.0, 0.0))
    assert turn.position.captured == ((("cyan", "large"),), ())
    assert [e.colour for e in turn.events if isinstance(e, Captured)] == ["cyan"]
    assert turn.position.array[RINGS[10].index("cyan")] == (3, 5, 5)


def test_c15_six_inches_any_part_not_through_others() -> None:
    tip_x = R + g.slant_mm("large")
    far = (defender("blue", 0.0), defender("blue", -200.0))
    inside = table(*far, defender("cyan", tip_x + SIX_INCHES_MM + R - 1.0))
    assert placed(inside, attacker("blue", R, 0.0, 0.0)).position.captured[0]
    doubtful = placed(table(*far, defender("cyan", tip_x + SIX_INCHES_MM + R + 4.5)), attacker("blue", R, 0.0, 0.0))
    assert not doubtful.position.captured[0]
    assert any(isinstance(e, Told) and e.rule == "C15" for e in doubtful.events)
    outside = table(*far, defender("cyan", tip_x + SIX_INCHES_MM + R + 20.0))
    assert not placed(outside, attacker("blue", R, 0.0, 0.0)).position.captured[0]
    corner = table(*far, defender("cyan", 150.0, R - 1.0))
    assert placed(corner, attacker("blue", R, 0.0, 0.0)).position.captured[0]
    blocked = table(*far, defender("red", 100.0), defender("cyan", 150.0))
    assert not placed(blocked, attacker("blue", R, 0.0, 0.0)).position.captured[0]


def test_c16_one_of_each_colour() -> None:
    position = table(*BLUES, defender("cyan", 80.0), captured=((("cyan", "large"),), ()))
    turn = placed(position, attacker("blue", R, 0.0, 0.0))
    assert turn.position.captured[0] == (("cyan", "large"),)
    assert any(isinstance(e, Told) and e.rule == "C16" for e in turn.events)


def test_c17_no_score_unless_the_house_counts() -> None:
    got = ((("cyan", "large"),), (("red", "small"), ("blue", "small")))
    plain = replace(table(dice=(), captured=got), phase="over", stuck=True)
    outcome = chaos.outcome(plain)
    assert outcome is not None
    assert outcome.winners == (1,)
    counted = chaos.outcome(replace(plain, house=House(score_by_size=True)))
    assert counted is not None
    assert counted.winners == (0,)


def test_c18_and_ca19_six_colours_attack_their_neighbours_on_a_ring() -> None:
    assert RINGS[6] == ("white", "red", "yellow", "green", "blue", "black")
    assert targets("white", 6) == {"black", "red"}
    assert len(list(chaos.moves(chaos.start({"colours": 6})))) == 36


def test_ca19_the_six_loop() -> None:
    assert targets("black", 6) == {"blue", "white"}


def test_c19_four_colours_attack_the_next() -> None:
    assert [targets(colour, 4) for colour in RINGS[4]] == [{"yellow"}, {"green"}, {"blue"}, {"red"}]


def test_c20_twelve_colours_with_twelve_sided_dice() -> None:
    turn = chaos.play(chaos.start({"colours": 12}), Move("roll", (12, 11)))
    assert turn.position.dice == ("pink", "gray")
    with pytest.raises(IllegalMove):
        chaos.play(chaos.start({"colours": 12}), Move("roll", (0, 11)))


def test_ca1_nearest_edges() -> None:
    assert g.gap_mm(defender("red", 0.0), defender("blue", 100.0)) == pytest.approx(100.0 - 2 * R)
    assert g.gap_mm(defender("red", 0.0, heading=45.0), defender("blue", 100.0)) == pytest.approx(
        100.0 - R - R * 2**0.5
    )
    shot = g.reach_along((0.0, 0.0), 0.0, defender("red", 100.0), 500.0)
    assert shot == pytest.approx(100.0 - R)


def test_ca2_three_millimetres_forgiven_six_with_a_warning() -> None:
    position = table(defender("red", 0.0))
    silent = placed(position, defender("blue", 2 * R + SIX_INCHES_MM + 2.5))
    assert not [e for e in silent.events if isinstance(e, Told)]
    warned = placed(position, defender("blue", 2 * R + SIX_INCHES_MM + 4.5))
    assert [e.rule for e in warned.events if isinstance(e, Told)] == ["CA2"]
    assert refused(position, defender("blue", 2 * R + SIX_INCHES_MM + 6.5)).name == "too-far"
    near = table(defender("red", 0.0), defender("blue", 100.0))
    own = 100.0 - 2 * R - SIX_INCHES_MM
    assert [e.rule for e in placed(near, defender("blue", own + 4.5)).events if isinstance(e, Told)] == ["CA2"]
    assert refused(near, defender("blue", own + 6.5)).name == "too-near"


def test_ca3_footprints_and_no_overlap() -> None:
    assert g.footprint(defender("red", 0.0)).area == pytest.approx(25.4**2)
    lying = attacker("red", 0.0, 0.0, 90.0)
    assert g.footprint(lying).area == pytest.approx(25.4 * g.slant_mm("large") / 2)
    assert g.slant_mm("large") == pytest.approx(46.23, abs=0.01)
    refusal = refused(table(defender("red", 0.0)), defender("blue", 15.0))
    assert (refusal.rule, round(refusal.figures["overlap_mm"])) == ("CA3", 10)


@pytest.mark.parametrize("heading", [0.0, 90.0, 180.0, 270.0])
def test_ca4_any_edge_of_a_defender(heading: float) -> None:
    dx, dy = g.direction(heading)
    assert placed(table(*BLUES), attacker("blue", dx * R, dy * R, heading)).position.pieces


def test_ca5_the_slanted_sides_of_an_attacker() -> None:
    first = attacker("blue", R, 0.0, 0.0)
    position = table(*BLUES, first)
    for edge in g.supports(first):
        mx, my = (edge.start[0] + edge.end[0]) / 2, (edge.start[1] + edge.end[1]) / 2
        piece = attacker("blue", mx, my, edge.normal_deg)
        assert placed(position, piece).position.pieces[-1] == piece
    assert len(g.supports(first)) == 2
    lone = table(*(replace(b, x_mm=b.x_mm + 400.0) for b in BLUES[:1]), defender("blue", -300.0), first)
    assert refused(lone, attacker("blue", R, 0.0, 180.0)).name in ("not-flush", "overlap", "not-perpendicular")


def test_ca6_what_fits_on_an_edge() -> None:
    aligned = contact(attacker("blue", R, 0.0, 0.0), g.supports(defender("blue", 0.0))[0])
    assert aligned.overhang_mm == pytest.approx(0.0, abs=0.1)
    medium = (defender("blue", 0.0, size="medium"), defender("blue", 200.0))
    half = g.base_mm("medium") / 2
    assert refused(table(*medium), attacker("blue", half, 0.0, 0.0)).name == "overhang"
    gone = replace(table(*BLUES), array=tuple((0, 0, 5) if c == "blue" else STASH for c in RINGS[10]))
    one = placed(replace(gone, dice=("blue", "blue")), attacker("blue", R, 5.0, 0.0, "small")).position
    assert refused(one, attacker("blue", R, -5.0, 0.0, "small")).name == "overlap"


def test_ca7_after_the_defenders_only_attackers() -> None:
    assert refused(table(*BLUES), defender("blue", 0.0, 200.0)).rule == "C6"


def test_ca8_the_nearest_piece_may_be_of_any_colour() -> None:
    position = table(defender("blue", 0.0), defender("red", 200.0))
    only_own_near = defender("blue", -(2 * R + SIX_INCHES_MM))
    assert placed(position, only_own_near).position.pieces
    assert placed(position, defender("blue", 300.0)).position.pieces


def test_ca9_either_die_first() -> None:
    position = table(*BLUES, dice=("blue", "red"))
    colours = {move.piece.colour for move in chaos.moves(position) if move.piece}
    assert colours == {"blue", "red"}


def test_ca10_zero_is_ten() -> None:
    assert chaos.play(chaos.start({}), Move("roll", (0, 1))).position.dice == ("black", "white")


def test_ca11_a_die_without_a_place_is_skipped() -> None:
    empty = replace(table(), array=tuple((0, 0, 0) if c == "blue" else STASH for c in RINGS[10]))
    turn = chaos.play(empty, Move("skip", colour="blue"))
    assert turn.position.dice == ("red",)
    with pytest.raises(IllegalMove) as caught:
        chaos.play(empty, Move("skip", colour="red"))
    assert caught.value.name == "must-place"
    assert [m for m in chaos.moves(empty) if m.kind == "skip"] == [Move("skip", colour="blue")]


def test_ca12_nothing_left_ends_the_game() -> None:
    got = ((("cyan", "large"),), ())
    last = replace(table(defender("red", 0.0), dice=("blue",), captured=got), array=((0, 0, 0),) * 10)
    turn = chaos.play(last, Move("skip", colour="blue"))
    assert [(e.reason, e.winners, e.rule) for e in turn.events if isinstance(e, GameOver)] == [("stuck", (0,), "CA12")]
    equal = chaos.play(replace(last, captured=((), ())), Move("skip", colour="blue"))
    assert [e.winners for e in equal.events if isinstance(e, GameOver)] == [()]


def test_ca13_no_target_is_lawful() -> None:
    turn = placed(table(*BLUES), attacker("blue", R, 0.0, 90.0 - 90.0))
    assert turn.position.pieces[-1].pose == "lying"
    assert not turn.position.captured[0]


def test_ca14_no_capture_when_a_defender_comes_later() -> None:
    position = table(*BLUES, attacker("blue", R, 0.0, 0.0), dice=("cyan",))
    assert placed(position, defender("cyan", 110.0)).position.captured == ((), ())


def test_ca15_only_the_first_footprint_counts() -> None:
    greens = (defender("green", 100.0), defender("cyan", 150.0))
    turn = placed(table(defender("blue", 0.0), defender("blue", -200.0), *greens), attacker("blue", R, 0.0, 0.0))
    assert turn.position.captured[0] == (("green", "large"),)
    lying = (defender("cyan", 160.0), attacker("red", 100.0, -30.0, 90.0))
    behind = table(defender("blue", 0.0), defender("blue", -200.0), *lying)
    assert not placed(behind, attacker("blue", R, 0.0, 0.0)).position.captured[0]


def test_ca16_a_colour_that_is_used_up_is_not_captured() -> None:
    position = table(*BLUES, defender("cyan", 80.0))
    empty = replace(
        position, array=tuple((0, 0, 0) if c == "cyan" else a for c, a in zip(RINGS[10], position.array, strict=True))
    )
    turn = placed(empty, attacker("blue", R, 0.0, 0.0))
    assert not turn.position.captured[0]
    assert any(isinstance(e, Told) and e.rule == "CA16" for e in turn.events)


def test_ca17_the_target_stays() -> None:
    position = table(*BLUES, defender("cyan", 80.0))
    after = placed(position, attacker("blue", R, 0.0, 0.0)).position
    assert after.pieces[:3] == position.pieces


def test_ca18_pieces_belong_to_nobody() -> None:
    position = replace(table(*BLUES), seat=1)
    assert placed(position, attacker("blue", R, 0.0, 0.0)).position.pieces[-1].colour == "blue"


def test_ca20_the_twelve_reach_two_steps() -> None:
    assert targets("pink", 12) == {"gray", "black", "white", "clear"}


def test_ca20_a_house_may_choose_the_reach() -> None:
    assert targets("pink", 12, 3) == {"gray", "black", "purple", "white", "clear", "red"}
    assert targets("red", 4, 3) == {"yellow", "green", "blue"}  # never its own
    near, far = House(reach=1), House(reach=3)
    green = (*BLUES, defender("green", 80.0))  # two steps from blue
    assert not placed(table(*green, house=near), attacker("blue", R, 0.0, 0.0)).position.captured[0]
    yellow = table(*BLUES, defender("yellow", 80.0), house=far)
    turn = placed(yellow, attacker("blue", R, 0.0, 0.0))
    assert turn.position.captured[0] == (("yellow", "large"),)
    assert chaos.write_position(yellow).endswith(" reach=3")
    assert chaos.from_json(chaos.to_json(yellow)) == yellow
    assert chaos.start({"reach": "1"}).house.reach == 1
    with pytest.raises(UnreadableText, match="'reach' cannot be '4'"):
        chaos.start({"reach": 4})


def test_ca21_the_whole_footprint_on_the_table() -> None:
    refusal = refused(table(), defender("blue", 445.0))
    assert (refusal.rule, refusal.name) == ("CA21", "off-table")


@pytest.mark.parametrize(
    ("pose", "given", "kept"),
    [
        ("lying", -90.0, 270.0),
        ("lying", 725.0, 5.0),
        ("upright", 95.0, 5.0),
        ("upright", -10.0, 80.0),
        ("lying", 359.97, 0.0),
    ],
)
def test_headings_are_kept_once_round(pose: str, given: float, kept: float) -> None:
    piece = standing("blue", "large", pose, 1.26, -3.04, given)
    assert (piece.x_mm, piece.y_mm, piece.heading_deg) == (1.3, -3.0, kept)


def test_angles_between_headings() -> None:
    assert [g.turned(350.0, 10.0), g.turned(10.0, 350.0), g.turned(0.0, 180.0), g.turned(90.0, 45.0)] == [
        20,
        20,
        180,
        45,
    ]
    normals = sorted(round(edge.normal_deg) % 360 for edge in g.supports(defender("blue", 0.0)))
    assert normals == [0, 90, 180, 270]


def test_ca2_the_warning_begins_at_three_millimetres() -> None:
    position = table(defender("red", 0.0))
    warned = placed(position, defender("blue", 2 * R + SIX_INCHES_MM + 3.4))
    assert [e.rule for e in warned.events if isinstance(e, Told)] == ["CA2"]
    tip_x = R + g.slant_mm("large")
    far = (defender("blue", 0.0), defender("blue", -200.0))
    close = table(*far, defender("cyan", tip_x + SIX_INCHES_MM + R + 2.6))
    assert placed(close, attacker("blue", R, 0.0, 0.0)).position.captured[0]


def test_c6_says_what_is_due() -> None:
    due = refused(table(*BLUES), defender("blue", 0.0, 200.0))
    assert due.text.endswith("the next blue piece is an attacker, lying")
    early = refused(table(defender("blue", 0.0)), attacker("blue", R, 0.0, 0.0))
    assert early.text.endswith("the next blue piece is a defender, standing")


def test_what_is_not_due_names_its_rule() -> None:
    over = replace(table(dice=()), phase="over")
    for position, rule in ((over, "C1"), (chaos.start({}), "C4"), (table(), "C4")):
        kind = "roll" if position.phase == "place" else "place"
        with pytest.raises(IllegalMove) as caught:
            chaos.play(position, Move(kind, faces=(1, 2), piece=defender("blue", 0.0)))
        assert (caught.value.name, caught.value.rule) == ("not-now", rule)


def test_ca12_a_stuck_game_ends_with_pieces_left_and_a_skipped_turn_does_not() -> None:
    house = House(players=2, colours=4)
    smalls = (defender("red", 0.0, size="small"), defender("red", 200.0, size="small"))
    stuck = replace(
        table(*smalls, house=house), dice=("red", "red"), array=((5, 5, 3), (0, 0, 0), (0, 0, 0), (0, 0, 0))
    )
    first = chaos.play(stuck, Move("skip", colour="red")).position
    over = chaos.play(first, Move("skip", colour="red")).position
    assert (over.phase, over.stuck) == ("over", True)
    alive = replace(stuck, array=((5, 5, 3), (5, 5, 5), (0, 0, 0), (0, 0, 0)))
    first = chaos.play(alive, Move("skip", colour="red")).position
    assert chaos.play(first, Move("skip", colour="red")).position.phase == "roll"


def test_a_view_suggests_what_is_new_on_the_table() -> None:
    seen = Sighting(((Piece("pyramid", colour="red", size="large", pose="upright"), 0.98),), x_mm=90.04, y_mm=3.0)
    known = Sighting(((Piece("pyramid", colour="blue", size="large", pose="upright"), 0.98),), x_mm=1.0, y_mm=1.0)
    view = TableView(0.0, (seen, known))
    assert list(chaos.candidates(table(*BLUES), view)) == [
        Move("place", piece=standing("red", "large", "upright", 90.0, 3.0))
    ]


def test_a_new_piece_close_to_one_of_its_colour_is_not_taken_for_that_one() -> None:
    blue = Piece("pyramid", colour="blue", size="large", pose="upright")
    there, beside, on_it = (
        Sighting(((blue, 0.98),), x_mm=x, y_mm=y) for x, y in ((2.0, 0.0), (0.0, 14.5), (-6.0, 0.0))
    )
    for sightings, new in (((beside, there), [beside]), ((there, on_it), []), ((beside,), [])):
        moves = chaos.candidates(table(defender("blue", 0.0)), TableView(0.0, sightings))
        assert {(m.piece.x_mm, m.piece.y_mm) for m in moves if m.piece} == {(s.x_mm, s.y_mm) for s in new}


def test_looks_that_are_hardly_likely_are_thought_of_too() -> None:
    red, orange, blue = (Piece("pyramid", colour=c, size="large", pose="upright") for c in ("red", "orange", "blue"))
    seen = Sighting(((red, 0.994), (orange, 0.004), (blue, 0.002)), x_mm=90.0, y_mm=3.0)
    moves = chaos.candidates(table(*BLUES), TableView(0.0, (seen,)))
    assert [move.piece.colour for move in moves if move.piece] == ["red", "orange"]


def test_every_rule_has_a_test_that_names_it() -> None:
    names = "\n".join(re.findall(r"def test_(\w+)", Path(__file__).read_text(encoding="utf-8")))
    assert {rule.number.lower() for rule in chaos.RULES} <= set(re.findall(r"(?<![a-z])(ca?\d+)(?=_)", names))
