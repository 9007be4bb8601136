"""What people at a terminal are told of a picture."""

import pytest

from companion.pieces import Piece
from companion.view import Sighting, TableView
from companion.vision.report import look_json, people_lines


def lines(**piece):
    answer = {"image": "a.jpg", "pieces": [piece], "seconds": 0.1, "board": None, "warnings": [], "stages": {}}
    return people_lines(answer)


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ({"cell_name": "e3", "x_px": 4.0, "y_px": 5.0}, "e3"),
        ({"x_mm": -1.25, "y_mm": 30.0, "x_px": 4.0, "y_px": 5.0}, "-1.2, 30.0"),
        ({"x_mm": None, "y_mm": None, "x_px": 412.4, "y_px": 95.6}, "px 412, 96"),
        ({}, "?"),
    ],
)
def test_a_place_is_told_as_well_as_it_is_known(where, told):
    head, piece = lines(kind="die", value="5", confidence=0.99, **where)
    assert head == "a.jpg: 1 piece, 100 ms"
    assert piece.split("  ", 1)[1].strip() == f"{told}   99%  die 5"


def test_a_heading_is_below_a_full_turn():
    pyramid = Piece("pyramid", "red", size="large", pose="lying")
    view = TableView(0.0, (Sighting(((pyramid, 0.9),), 0.0, 0.0, 359.98),))
    (piece,) = look_json(view, None, "chaos", 0.1, "given")["pieces"]
    assert piece["heading_deg"] == 0.0


def test_people_are_told_a_piece_in_words_and_programs_by_its_code_name():
    view = TableView(0.0, (Sighting(((Piece("robot_card"), 0.9),), 10.0, 20.0, 90.0),))
    answer = look_json(view, None, "kaxxt", 0.1, "given")
    assert answer["pieces"][0]["kind"] == "robot_card"
    assert people_lines(answer)[1].endswith("robot card heading 90")


def test_what_a_piece_stands_on_is_named_by_its_number_among_those_that_are_told():
    below, above = Piece("pyramid", "red", size="large"), Piece("pyramid", "blue", size="small")
    faint = Sighting(((Piece("die", value="5"), 0.1),), 90.0, 0.0, faint=True)
    carrier = Sighting(((below, 0.9),), 10.0, 20.0)
    on_it, on_faint = (Sighting(((above, 0.9),), 10.0, 20.0, nested_on=on) for on in (1, 0))
    answer = look_json(TableView(0.0, (faint, carrier, on_it, on_faint)), None, "chaos", 0.1, "given")
    assert [piece["nested_on"] for piece in answer["pieces"]] == [None, 0, None]
    assert "on the one at 10.0, 20.0" in people_lines(answer)[2]
