"""Kaxxt on Ice: what is let stand in the rules' spirit (X30), and what lies at the edge of a rule."""

import contextlib

import pytest

from companion.errors import IllegalMove, UnreadableText
from companion.games import kaxxt
from companion.games.kaxxt.position import Position
from companion.games.kaxxt.stands import has_room


def played(position: Position, *texts: str) -> Position:
    for text in texts:
        position = kaxxt.play(position, kaxxt.read_move(position, text)).position
    return position


TURN = ("draw any", "=r3", "put r3 left")


@pytest.mark.parametrize(
    ("texts", "after"),
    [
        ((*TURN, "roll", "=5"), {"phase": "retarget", "wanted": 0}),
        ((*TURN, "roll", "=5", "face north"), {"phase": "roll", "target": 2}),
        ((*TURN, "roll", "=6", "roll", "=6", "roll", "=6", "draw large"), {"phase": "draw", "wanted": 3}),
    ],
)
def test_what_is_let_stand_in_the_middle_of_something_leaves_that_as_it_was(texts, after) -> None:
    before = played(kaxxt.start({"seats": 3}), *texts)
    move = kaxxt.read_move(before, "put r3@0.0,-120.0>90.0")
    with pytest.raises(IllegalMove):
        kaxxt.play(before, move)
    allowed = kaxxt.carry_out(before, move).position
    assert {name: getattr(allowed, name) for name in after} == after
    assert kaxxt.from_json(kaxxt.to_json(allowed)) == allowed
    assert kaxxt.read_position(kaxxt.write_position(allowed)) == allowed


def test_x1_what_is_let_stand_loses_and_doubles_no_pyramid() -> None:
    before = played(kaxxt.start({}), *TURN, "roll", "=6", "roll", "=6")
    empty = kaxxt.carry_out(before, kaxxt.read_move(before, "put -")).position
    assert [pyramid.code for pyramid in empty.hands[0]] == ["r3"]
    bagged = kaxxt.read_move(before, "put r3@0.0,-70.0>180.0 b3@0.0,-120.0>180.0")
    drawn = kaxxt.carry_out(before, bagged).position
    assert (drawn.drawn, drawn.draws) == (True, 0)
    for allowed in (empty, drawn):
        assert kaxxt.from_json(kaxxt.to_json(allowed)) == allowed
    twice = kaxxt.read_move(before, "put r3@0.0,-70.0>180.0 r3@0.0,-120.0>180.0")
    with pytest.raises(IllegalMove, match="the large red pyramid is there only once"):
        kaxxt.carry_out(before, twice)


def test_x30_what_two_players_have_placed_at_once_is_nobodys_and_cannot_be_let_stand() -> None:
    before = played(kaxxt.start({}), *TURN[:2])
    for other, refused in (("b3@60.0,-120.0^", False), ("b3@60.0,120.0^", True)):
        both = kaxxt.read_move(before, f"put r3@0.0,-120.0^ {other}")
        with pytest.raises(IllegalMove) if refused else contextlib.nullcontext():
            kaxxt.carry_out(before, both)


def test_a_pyramid_that_is_let_stand_while_one_is_drawn_is_the_drawn_one() -> None:
    before = played(kaxxt.start({}), *TURN, "roll", "=6", "roll", "=6", "draw large")
    stands = kaxxt.read_move(before, "put r3@0.0,-70.0>180.0 b3@0.0,-120.0>180.0")
    allowed = kaxxt.carry_out(before, stands).position
    assert (allowed.phase, allowed.drawn, allowed.wanted) == ("act", True, 0)
    assert kaxxt.from_json(kaxxt.to_json(allowed)) == allowed


@pytest.mark.parametrize(("seats", "place"), [(4, "100.0,-100.0"), (4, "-100.0,-100.0"), (2, "100.0,0.0")])
def test_x6_what_lies_just_between_two_is_before_both(seats, place) -> None:
    before = {"100.0,-100.0": {"south", "east"}, "-100.0,-100.0": {"south", "west"}, "100.0,0.0": {"south", "north"}}
    for first in kaxxt.start({"seats": seats}).names:
        position = played(kaxxt.start({"seats": seats, "first": first}), "draw any", "=r3")
        move = kaxxt.read_move(position, f"put r3@{place}^")
        if first in before[place]:
            assert kaxxt.play(position, move).position.areas != position.areas
        else:
            with pytest.raises(IllegalMove, match="stands before"):
                kaxxt.play(position, move)


def test_x6_two_that_are_put_into_one_column_of_the_grid_have_room() -> None:
    position = played(
        kaxxt.start({}),
        *TURN[:2],
        "put r3 left col 2",
        "roll",
        "=6",
        "roll",
        "=6",
        "draw any",
        "=b3",
        "put b3 left col 2",
    )
    first, second = position.areas[0]
    assert has_room(second, [first])


def test_moves_of_json_that_name_nothing_are_refused() -> None:
    with pytest.raises(UnreadableText):
        kaxxt.from_json({"move": "arrange", "stands": [{"pyramids": [], "x_mm": 0, "y_mm": -90, "heading_deg": None}]})
    face = kaxxt.from_json({"move": "face", "seat": 3})
    for texts in ((), ("roll", "=5")):
        with pytest.raises(IllegalMove, match="2 sit here"):
            kaxxt.play(played(kaxxt.start({}), *texts), face)


def test_what_was_let_stand_before_another_may_be_stacked_upon() -> None:
    before = played(kaxxt.start({}), *TURN)
    across = kaxxt.carry_out(before, kaxxt.read_move(before, "put r3@0.0,100.0>90.0")).position
    position = played(across, "roll", "=6", "roll", "=6", "draw small", "=b1")
    for move in kaxxt.moves(position):
        kaxxt.play(position, move)
