"""A sheet or a book lies over cells of the board: what to do is said, whatever should stand below it."""

from dataclasses import replace

from referee_tables import Bench, shown

from companion.pieces import EMPTY, Piece
from companion.referee.picture import Painter
from companion.referee.snapshot import Step
from companion.view import COVERED

OVER_PIECES = ("d4", "e3", "e4", "e5", "f4")
TAKE_OFF = "take off the board what lies over"


def under_a_sheet(layout, cells, **how):
    """The layout, with nothing told of these cells."""
    view = shown(layout, **how)
    told = (replace(s, beliefs=(), why=COVERED) if s.cell in cells else s for s in view.sightings)
    return replace(view, sightings=tuple(told))


def waiting(bench):
    return Painter().snapshot(bench.table).waiting


def test_in_a_set_up_it_is_said_what_to_take_off():
    bench = Bench()
    assert bench.look(under_a_sheet(bench.table.layout, OVER_PIECES)).kind == "set-up"
    assert waiting(bench).why == f"{TAKE_OFF} e4, f4 and e5.".capitalize()


def test_a_covered_piece_is_neither_shaded_nor_moved_a_little():
    bench = Bench().begin()
    reading = bench.look(under_a_sheet(bench.table.layout, OVER_PIECES))
    assert (reading.kind, reading.text) == ("unclear", f"{TAKE_OFF} e3, d4, e4 and 2 more.".capitalize())
    assert waiting(bench).steps == (Step(reading.text[0].lower() + reading.text[1:-1]),)
    assert waiting(bench).why == ""
    bench.show(bench.table.layout)
    assert waiting(bench).steps == ()


def test_covered_cells_are_drawn_as_long_as_something_lies_over_them():
    bench = Bench().begin()
    bench.look(under_a_sheet(bench.table.layout, OVER_PIECES))
    assert Painter().snapshot(bench.table).covered == tuple(sorted(OVER_PIECES, key=lambda cell: (cell[1], cell[0])))
    bench.show(bench.table.layout)
    assert Painter().snapshot(bench.table).covered == ()


def test_a_sheet_is_told_also_where_something_is_to_be_put_right_first():
    bench = Bench().begin()
    bench.show(bench.table.layout, {"c1": EMPTY, "f7": Piece("pyramid", "silver", facing="NE")})
    bench.look(under_a_sheet(bench.table.layout, OVER_PIECES))
    assert waiting(bench).text == "Put it right"
    assert [step.text for step in waiting(bench).steps] == [f"{TAKE_OFF} e3, d4, e4 and 2 more"]


def test_an_action_under_a_sheet_waits_until_the_sheet_is_gone():
    bench = Bench("ataxx", board=5).begin()
    after = bench.during("b5")
    bench.look(under_a_sheet(after, ("b5", "c5", "b4", "c4")))
    assert not bench.table.state.plies
    assert (waiting(bench).steps, waiting(bench).why) == ((Step(f"{TAKE_OFF} b4, c4, b5 and 1 more"),), "")
    assert bench.show(after).kind == "move"
    assert waiting(bench).steps == ()


def test_a_sheet_over_empty_cells_is_told_and_not_that_nothing_has_changed():
    bench = Bench("ataxx", board=5).begin()
    assert bench.look(under_a_sheet(bench.table.layout, ("b3", "c3", "b2", "c2"))).kind == "nothing new"
    assert (waiting(bench).steps, waiting(bench).why) == ((Step(f"{TAKE_OFF} b2, c2, b3 and 1 more"),), "")


def test_the_same_is_said_where_nothing_explains_the_rest():
    bench = Bench().begin()
    after = bench.during("c1b2")
    assert bench.look(under_a_sheet(after, ("c1", "b2"))).kind == "unclear"
    assert [step.text for step in waiting(bench).steps] == [f"{TAKE_OFF} c1 and b2"]
