"""How a game of Chaos ends, and what dice and colours ask for on the way."""

from dataclasses import replace

import pytest
from turns import played

from companion.errors import IllegalMove, OddPosition
from companion.games import chaos
from companion.games.chaos.position import House


def test_c4_what_is_let_stand_takes_the_die_that_was_not_read() -> None:
    position = played(chaos, chaos.start({}), "r1,1", "w3^0,0", "w3^177.8,0", "r8,?").position
    far = chaos.read_move(position, "r3^-300,0")
    assert chaos.carry_out(position, far).position.dice == ("blue",)


def test_c7_a_piece_that_the_array_does_not_hold_any_more_cannot_be_let_stand() -> None:
    position = played(chaos, chaos.start({}), "r1,1", "w3^0,0").position
    without = replace(position, array=((0, 5, 5), *position.array[1:]))
    with pytest.raises(IllegalMove, match="of the array is medium, not large"):
        chaos.carry_out(without, chaos.read_move(without, "w3^-300,0"))


def test_c18_a_colour_that_is_not_played_is_refused_with_a_rule() -> None:
    position = played(chaos, chaos.start({"colours": 6}), "r1,?").position
    purple = chaos.read_move(position, "p3^0,0")
    for carry_out in (chaos.play, chaos.carry_out):
        with pytest.raises(IllegalMove, match="not played with 6"):
            carry_out(position, purple)


def test_c17_the_end_of_a_game_with_points_names_points() -> None:
    ring = ("red", "yellow", "green", "blue")
    every, three = tuple((c, "small") for c in ring), tuple((c, "large") for c in ring[:3])
    points = House(2, 4, score_by_size=True)
    won = chaos.Position(points, captured=(every, three[:1]), phase="over")
    assert chaos.outcome(won).text == "All colours are captured; Player 1 has most, 4 points."
    assert chaos.outcome(won).rule == "C17"
    larger = chaos.outcome(replace(won, captured=(every, three)))  # first to have all, and not most
    assert (larger.winners, larger.rule) == ((1,), "C17")
    tied = replace(won, captured=(every, (("red", "large"), ("blue", "small"))))
    assert (chaos.outcome(tied).reason, chaos.outcome(tied).rule) == ("all-colours", "C17")
    stuck = replace(won, captured=(three, every[:3]), stuck=True)
    assert chaos.outcome(stuck).text.endswith("Player 1 has most, 9 points.")
    for house in (points, House(2, 4)):
        assert chaos.outcome(replace(stuck, house=house)).rule == "CA12"
    assert chaos.outcome(replace(won, house=House(2, 4))).rule == "C1"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2/4 0 over - 555/555/555/555 -/- - 0 -", "only then"),
        ("2/4 0 roll - 555/555/555/555 -/- - 0 stuck", "only then"),
        ("2/4 0 roll - 455/455/455/455 r3y3g3b3/- - 0 -", "only then"),
        ("2/4 0 over - 455/455/455/455 r3y3g3b3/- - 0 stuck", "not stuck"),
    ],
)
def test_c1_a_game_of_chaos_is_over_exactly_when_it_is_won_or_stuck(text: str, reason: str) -> None:
    with pytest.raises(OddPosition, match=reason):
        chaos.read_position(text)


def test_two_dice_that_were_not_read_are_named_as_such() -> None:
    card = chaos.cards(played(chaos, chaos.start({}), "r?,?").position)[0]
    assert card.due == "to place: what the dice show"
