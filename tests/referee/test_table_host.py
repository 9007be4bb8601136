"""What the host does on the page while play goes on: undoing, entering moves, putting right what was seen."""

from referee_tables import Bench, order

from companion.pieces import Piece
from companion.referee.evidence.layout import cells_of


def test_undo_on_the_page_asks_hands_for_the_earlier_table():
    bench = Bench().begin().play("c1b1", "e8e7")
    order(bench, "undo")
    assert len(bench.table.state.plies) == 1
    assert [t.text for t in bench.table.steps] == ["move the red anubis from e7 to e8"]
    assert bench.clear().kind == "step"
    assert bench.act("e8d7").kind == "move"


def test_an_entered_move_is_played_and_asked_of_hands():
    bench = Bench().begin()
    order(bench, "enter_move", move="c1b1")
    assert bench.table.state.plies[0].move == "c1b1"
    assert bench.table.steps[0].text == "move the silver pyramid from c1 to b1"
    assert bench.clear().kind == "step"


def test_a_corrected_cell_is_believed_until_the_table_is_confirmed():
    bench = Bench().begin()
    layout = bench.during("c1b1")
    wrong = ((Piece("scarab", "red", facing="/"), 0.999),)
    assert bench.show(layout, doubts={"h2": wrong}).kind == "unclear" or not bench.table.state.plies
    order(bench, "correct", cell="h2", piece={"kind": "pyramid", "colour": "silver", "facing": "NE"})
    assert bench.show(layout, doubts={"h2": wrong}).moves == ("c1b1",)
    assert not bench.table.state.overrides


def test_what_the_host_said_of_a_set_up_holds_though_the_table_chooses_the_layout():
    bench = Bench()
    layout = bench.game.layout(bench.game.start({"layout": "dynasty-2.0"}))
    cells = cells_of(layout)
    cell = next(iter(cells))
    wrong = {cell: ((Piece("scarab", "red", facing="/"), 0.995),)}
    bench.show(layout, doubts=wrong)
    assert not bench.table.state.options
    order(bench, "correct", cell=cell, piece=cells[cell].to_json())
    bench.show(layout, doubts=wrong)
    assert bench.table.state.phase == "play"
    assert bench.table.state.options["layout"] == "dynasty-2.0"


def test_what_the_host_said_holds_though_the_eye_misreads_the_cell_for_good():
    bench = Bench().begin()
    wrong = {"c1": ((Piece("pyramid", "red", facing="SW"), 0.995),)}
    assert bench.show(bench.game.layout(bench.position), doubts=wrong).kind == "unlawful"
    order(bench, "correct", cell="c1", piece=cells_of(bench.game.layout(bench.position))["c1"].to_json())
    kinds = [bench.show(bench.game.layout(bench.position), doubts=wrong).kind for _ in range(12)]
    assert kinds[0] == "take-back"
    assert set(kinds[1:]) == {"nothing new"}
    assert bench.act("d1+", doubts=wrong).moves == ("d1+",)


def test_a_move_that_the_host_put_right_stands_though_the_eye_misreads_it_for_good():
    bench = Bench("ataxx", undo="take").begin()
    layout = bench.during("g1")
    wrong = {"g1": ((Piece("disc", "white"), 0.995),)}
    order(bench, "correct", cell="g1", piece={"kind": "disc", "colour": "black"})
    assert bench.show(layout, doubts=wrong).moves == ("g1",)
    assert {bench.show(layout, doubts=wrong).kind for _ in range(12)} == {"nothing new"}
