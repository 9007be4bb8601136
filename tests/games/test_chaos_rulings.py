"""What the rules of Chaos leave open, as it is decided here: one test or more for every ruling, by its number."""

from dataclasses import replace

import pytest
from chaos_tables import BLUES, R, attacker, defender, placed, refused, table

from companion.errors import IllegalMove, UnreadableText
from companion.events import GameOver, Told
from companion.games import chaos
from companion.games.chaos import geometry as g
from companion.games.chaos.colours import RINGS, targets
from companion.games.chaos.geometry import SIX_INCHES_MM
from companion.games.chaos.placement import contact
from companion.games.chaos.position import STASH, House, Move, Standing, standing


def test_ca19_the_six_loop() -> None:
    assert targets("black", 6) == {"blue", "white"}


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


@pytest.mark.parametrize(
    ("piece", "name"),
    [
        (defender("blue", 300.0), "too-far"),
        (defender("blue", 60.0), "too-near"),
        (defender("blue", -15.0), "overlap"),
        (defender("red", 150.0), "wrong-pose"),
        (attacker("red", 60.0, 0.0, 0.0), "not-flush"),
        (attacker("red", R + 11.0, 0.0, 60.0), "not-flush"),
        (attacker("red", R + 1.0, 0.0, g.TOLERANCES.perpendicular_deg + 1.0), "not-perpendicular"),
        (attacker("red", R, 9.0, 0.0), "overhang"),
    ],
)
def test_a_refusal_says_which_piece_is_meant(piece: Standing, name: str) -> None:
    position = table(defender("red", 0.0), defender("red", 0.0, 300.0), defender("blue", -40.0))
    refusal = refused(position, piece)
    assert refusal.name == name
    assert ("next red piece" if name == "wrong-pose" else f"{piece.size} {piece.colour} piece") in refusal.text


def test_ca3_footprints_and_no_overlap() -> None:
    assert g.footprint(defender("red", 0.0)).area == pytest.approx(25.4**2)
    lying = attacker("red", 0.0, 0.0, 90.0)
    assert g.footprint(lying).area == pytest.approx(25.4 * g.slant_mm("large") / 2)
    assert g.slant_mm("large") == pytest.approx(46.23, abs=0.01)
    refusal = refused(table(defender("red", 0.0)), defender("blue", 15.0))
    assert (refusal.rule, round(refusal.figures["overlap_mm"])) == ("CA3", 10)
    assert g.overlap_mm(defender("red", 0.0), defender("blue", 26.0)) == 0.0


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
