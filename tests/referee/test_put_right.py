"""Several differences at once in words, and how they are put right."""

import pytest

from companion.pieces import EMPTY, UNKNOWN, Piece
from companion.referee.evidence.layout import Difference
from companion.referee.put_right import remedy_words, strays, told_words
from companion.referee.words import Palette

BLACK, WHITE = Piece("disc", "black"), Piece("disc", "white")
RED, SILVER = Piece("pyramid", "red", facing="NE"), Piece("scarab", "silver", facing="/")
STRANGE = Piece("pyramid", "green", "small", "upright")


def differing(*places: tuple[str, Piece, Piece]) -> tuple[Difference, ...]:
    return tuple(Difference(cell, expected, seen, 1.0) for cell, expected, seen in places)


@pytest.mark.parametrize(
    ("places", "told", "remedy"),
    [
        pytest.param(
            [("c4", RED, EMPTY), ("e5", EMPTY, RED)],
            "the red pyramid is not on c4 but on e5",
            "put the red pyramid, mirror to NE, that stands on e5 back on c4",
            id="moved",
        ),
        pytest.param(
            [("c4", RED, SILVER), ("e5", SILVER, RED)],
            "the red pyramid on c4 and the silver scarab on e5 are swapped",
            "swap the red pyramid, mirror to NE, and the silver scarab, mirror /, back",
            id="swapped",
        ),
        pytest.param(
            [("c4", RED, SILVER), ("e5", SILVER, EMPTY)],
            "on c4 there is a silver scarab, not a red pyramid and the silver scarab is not on e5",
            "put the silver scarab, mirror /, that stands on c4 back on e5 and "
            "put the red pyramid, mirror to NE, back on c4",
            id="in the place of another",
        ),
        pytest.param(
            [("c4", RED, STRANGE), ("e5", EMPTY, RED)],
            "on c4 there is a small upright green pyramid, not a red pyramid and a red pyramid stands on e5",
            "take the small upright green pyramid on c4 away and "
            "put the red pyramid, mirror to NE, that stands on e5 back on c4",
            id="a stranger where it belongs",
        ),
        pytest.param(
            [("c4", RED, STRANGE)],
            "on c4 there is a small upright green pyramid, not a red pyramid",
            "take the small upright green pyramid on c4 away and put the red pyramid, mirror to NE, back there",
            id="a stranger in its place",
        ),
        pytest.param(
            [("c4", RED, EMPTY), ("e5", EMPTY, STRANGE)],
            "the red pyramid is not on c4 and a small upright green pyramid stands on e5",
            "take the small upright green pyramid on e5 away again and put the red pyramid, mirror to NE, back on c4",
            id="taken away before anything is put back",
        ),
        pytest.param(
            [("d5", EMPTY, BLACK), ("e5", EMPTY, WHITE)],
            "a black disc lies on d5 and a white disc lies on e5",
            "take the black disc on d5 and the white disc on e5 away again",
            id="more than one too many",
        ),
        pytest.param(
            [("a1", BLACK, EMPTY), ("a2", BLACK, EMPTY), ("c4", EMPTY, BLACK)],
            "the black disc is not on a1, the black disc is not on a2 and a black disc lies on c4",
            "take the black disc on c4 away again, put the black disc back on a1 and put the black disc back on a2",
            id="nobody knows which",
        ),
        pytest.param(
            [("a1", BLACK, WHITE), ("a2", WHITE, BLACK)],
            "the black disc on a1 lies white side up and the white disc on a2 lies black side up",
            "turn the disc on a1 over again: black and turn the disc on a2 over again: white",
            id="turned over",
        ),
    ],
)
def test_what_belongs_together_is_told_together(places, told, remedy) -> None:
    differences = differing(*places)
    assert told_words(differences, Palette()) == told
    assert remedy_words(differences, Palette()) == remedy


def test_a_piece_has_strayed_only_from_where_it_is_surely_not() -> None:
    gone, hidden, new = differing(("c4", RED, EMPTY), ("c4", RED, UNKNOWN), ("e5", EMPTY, RED))
    assert strays((gone, new)) == [(gone, new)]
    assert strays((hidden, new)) == []


def test_of_very_much_the_first_is_told() -> None:
    differences = differing(*((f"{file}1", BLACK, EMPTY) for file in "abcdefg"))
    assert told_words(differences, Palette()).endswith("the black disc is not on d1 and 3 more are amiss")
    assert remedy_words(differences, Palette()).endswith("back on d1 and put 3 more right that are marked here")


def test_on_a_free_table_those_next_to_each_other_are_one() -> None:
    piece = Piece("pyramid", "red", "large", "upright")
    gone = [Difference(None, piece, EMPTY, 1.0, x, 0.0) for x in (0.0, 200.0)]
    new = [Difference(None, EMPTY, piece, 1.0, x, 0.0) for x in (215.0, 10.0)]
    told = told_words((*gone, *new), Palette())
    assert "in the middle of the table but 10 mm to the right" in told
    assert "200 mm to the right of the middle but 215 mm to the right" in told
