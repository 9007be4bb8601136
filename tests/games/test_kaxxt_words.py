"""Moves of Kaxxt on Ice as people are told them."""

import pytest
from kaxxt_tables import position

from companion.games import kaxxt
from companion.games.kaxxt.notation import read_stands
from companion.games.kaxxt.position import Move
from companion.games.kaxxt.pyramids import read_codes


def test_moves_in_words() -> None:
    at = kaxxt.start({"seats": 4})
    words = [kaxxt.describe(at, kaxxt.read_move(at, text)) for text in ("draw any", "draw small", "=r1", "=4", "roll")]
    assert words == [
        "South feels for any pyramid in the bag.",
        "South feels for a small pyramid in the bag.",
        "South draws the small red pyramid.",
        "The die shows 4: the yellow laser.",
        "South rolls.",
    ]
    assert kaxxt.describe(at, kaxxt.read_move(at, "face east")) == "South turns Kaxxt to East."
    assert kaxxt.describe(at, Move("arrange")) == "South leaves the pyramids as they are."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("g2@0,-80>90 b1@0,-150^ k3@0,-200>270", "South puts the large black pyramid, pointing away from Kaxxt."),
        ("g2k1@0,-80>90 b1@0,-150^", "South puts the small black on the medium green pyramid, pointing at Kaxxt."),
        ("g2b1@0,-80>90", "South moves the small blue on the medium green pyramid, pointing at Kaxxt."),
        ("g2@0,-80>180 b1@0,-150^", "South moves the medium green pyramid, pointing left."),
        (
            "g2@0,-80>0 b1@0,-150>45",
            "South moves the medium green pyramid, pointing right; moves the small blue pyramid, pointing askew.",
        ),
        ("g2@0,-80>90 b1@0,-150^", "South leaves the pyramids as they are."),
    ],
)
def test_an_arrangement_is_told_in_words(text: str, words: str) -> None:
    at = position(2, {}, areas=(read_stands("g2@0,-80>90 b1@0,-150^"), ()), hands=(read_codes("k1k3"), ()))
    assert kaxxt.describe(at, kaxxt.read_move(at, f"put {text}")) == words


def test_what_is_taken_off_a_stack_is_moved_and_what_carried_it_is_not() -> None:
    at = position(2, {}, areas=(read_stands("g2b1@0,-80>90"), ()))
    move = kaxxt.read_move(at, "put g2@0,-80>90 b1@0,-150^")
    assert kaxxt.describe(at, move) == "South moves the small blue pyramid, upright."
