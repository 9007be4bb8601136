"""What a view of a table of Chaos suggests that was done."""

from chaos_tables import BLUES, defender, table

from companion.games import chaos
from companion.games.chaos.position import Move, standing
from companion.pieces import Piece
from companion.view import Sighting, TableView


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
