"""The written rules of Chaos: one test or more for every one, by its number."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from chaos_tables import BLUES, R, attacker, defender, placed, refused, table

from companion.errors import IllegalMove
from companion.events import Beam, Chance, GameOver, Told
from companion.games import chaos
from companion.games.chaos import geometry as g
from companion.games.chaos.colours import CHART, RINGS, rolled, targets
from companion.games.chaos.geometry import SIX_INCHES_MM
from companion.games.chaos.placement import pose_due
from companion.games.chaos.play import Captured
from companion.games.chaos.position import STASH, House, Move


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
    assert outcome.winners == (1,)
    counted = chaos.outcome(replace(plain, house=House(score_by_size=True)))
    assert counted.winners == (0,)


def test_c18_and_ca19_six_colours_attack_their_neighbours_on_a_ring() -> None:
    assert RINGS[6] == ("white", "red", "yellow", "green", "blue", "black")
    assert targets("white", 6) == {"black", "red"}
    assert len(list(chaos.moves(chaos.start({"colours": 6})))) == 36


def test_c19_four_colours_attack_the_next() -> None:
    assert [targets(colour, 4) for colour in RINGS[4]] == [{"yellow"}, {"green"}, {"blue"}, {"red"}]


def test_c20_twelve_colours_with_twelve_sided_dice() -> None:
    turn = chaos.play(chaos.start({"colours": 12}), Move("roll", (12, 11)))
    assert turn.position.dice == ("pink", "gray")
    with pytest.raises(IllegalMove):
        chaos.play(chaos.start({"colours": 12}), Move("roll", (0, 11)))


def test_c6_says_what_is_due() -> None:
    due = refused(table(*BLUES), defender("blue", 0.0, 200.0))
    assert due.text.endswith("the next blue piece is an attacker, lying")
    assert due.remedy == "lay it down, its base against a blue piece"
    early = refused(table(defender("blue", 0.0)), attacker("blue", R, 0.0, 0.0))
    assert early.text.endswith("the next blue piece is a defender, standing")
    assert early.remedy == "stand it up"


def test_what_is_not_due_names_its_rule() -> None:
    over = replace(table(dice=()), phase="over")
    for position, due in (
        (over, ("game-over", "C1")),
        (chaos.start({}), ("not-now", "C4")),
        (table(), ("not-now", "C4")),
    ):
        kind = "roll" if position.phase == "place" else "place"
        with pytest.raises(IllegalMove) as caught:
            chaos.play(position, Move(kind, faces=(1, 2), piece=defender("blue", 0.0)))
        assert (caught.value.name, caught.value.rule) == due


def test_an_attacker_of_a_colour_that_is_not_played_with_is_refused() -> None:
    four = table(defender("red", 0.0), dice=("red", "blue"), house=House(colours=4))
    white = attacker("white", 40.0, 0.0, 180.0)
    assert chaos.describe(four, Move("place", piece=white)).startswith("Player 1 places the large white piece")
    refusal = refused(four, white)
    assert (refusal.name, refusal.rule) == ("other-colour", "C4")
    assert refusal.text == "white is not played with 4 colours"


def test_every_rule_has_a_test_that_names_it() -> None:
    files = Path(__file__).parent.glob("test_chaos_rul*.py")
    names = re.findall(r"def test_(\w+)", "".join(file.read_text(encoding="utf-8") for file in files))
    tested = {number for name in names for number in re.findall(r"(?<![a-z])(ca?\d+)(?=_)", name)}
    assert {rule.number.lower() for rule in chaos.RULES} <= tested
