"""What hands are asked for counts as done once it is seen done, and the page says what keeps it from being seen."""

from dataclasses import replace
from functools import partial

import pytest
from free_benches import kaxxt_bench
from referee_tables import Bench, names, order, shown

from companion.games import kaxxt
from companion.games.base import Layout, Lying
from companion.games.kaxxt.notation import read_stands
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.picture import Painter, waiting
from companion.referee.steps import tasks
from companion.referee.words import palette

LOOKS = 30


@pytest.fixture
def bench() -> Bench:
    bench = Bench(layout="imhotep-2.0").begin()
    bench.act("j5-")
    assert [step.text for step in bench.table.steps] == ["take the silver pyramid on j4 off the board"]
    return bench


def rest(bench: Bench, changes=None, **how):
    """After a hand the table rests, as it lay before the hand."""
    bench.hand()
    return [bench.once(shown(bench.table.state.standing, changes, **how)) for _ in range(LOOKS)][-1]


def test_a_piece_is_not_gone_while_nobody_can_tell_what_stands_in_its_place(bench) -> None:
    reading = rest(bench, doubts={"j4": ()})
    assert (reading.kind, bench.table.state.awaiting) == ("unclear", True)
    assert "cleared" not in names(bench)
    assert bench.clear().kind == "step"


@pytest.mark.parametrize(("gone", "there"), [(0.35, 0.6), (0.48, 0.5), (0.6, 0.35)])
def test_a_piece_is_not_gone_while_it_may_as_well_be_there(bench, gone, there) -> None:
    piece = cells_of(bench.table.state.standing)["j4"]
    rest(bench, doubts={"j4": ((EMPTY, gone), (piece, there))})
    assert bench.table.state.awaiting
    assert "what stands on j4 cannot be told" in waiting(bench.table).why
    rest(bench, doubts={"j4": ((EMPTY, 0.9), (piece, 0.05))})
    assert not bench.table.state.awaiting


def test_the_page_says_why_what_was_done_is_not_seen(bench) -> None:
    assert waiting(bench.table).why == ""
    rest(bench, doubts={"j4": ()})
    told = waiting(bench.table)
    assert told.text == "Hands, please"
    assert "what stands on j4 cannot be told (glare)" in told.why
    assert [step.done for step in told.steps] == [False]


def flips(bench: Bench, move) -> int:
    """So many discs are turned over by it."""
    during, after = bench.game.during(bench.position, move), bench.game.play(bench.position, move).position
    return len(set(cells_of(during).items()) ^ set(cells_of(bench.game.layout(after)).items())) // 2


def test_what_is_told_of_an_unclear_table_goes_once_a_part_is_seen_done() -> None:
    bench = Bench("ataxx", board=4).begin()
    while len(bench.table.steps) < 2:
        if bench.table.steps:
            bench.clear()
        bench.act(
            bench.game.write_move(bench.position, max(bench.game.moves(bench.position), key=partial(flips, bench)))
        )
    first, second = (step.cells[0] for step in bench.table.steps[:2])
    rest(bench, doubts={first: (), second: ()})
    assert "cannot be told" in waiting(bench.table).why
    rest(bench, changes={first: bench.table.steps[0].after[first]})
    assert [step.done for step in waiting(bench.table).steps[:2]] == [True, False]
    assert waiting(bench.table).why == ""


def test_a_piece_that_lies_elsewhere_on_a_free_table_is_moved_in_one_step() -> None:
    red, blue = (Piece("pyramid", colour, size="large", pose="upright") for colour in ("red", "blue"))
    now = Layout((Lying(red, x_mm=0.0, y_mm=10.0), Lying(blue, x_mm=80.0, y_mm=0.0)))
    wanted = Layout((Lying(red, x_mm=-40.0, y_mm=10.0), Lying(red, x_mm=0.0, y_mm=90.0)))
    assert [task.text for task in tasks(now, wanted, palette({}))] == [
        "take the large upright blue pyramid off the table",
        "move the large upright red pyramid: it belongs 40 mm to the left and 10 mm above the middle",
        "put the large upright red pyramid 90 mm above the middle",
    ]


def test_a_pyramid_that_is_asked_for_is_told_with_the_way_it_points_and_what_it_stands_on() -> None:
    start = kaxxt.start({"seats": 2})
    wanted = replace(start, areas=(read_stands("r3k2@0.0,-110.0>180.0 g1@60.0,-110.0^ b2@-60.0,-110.0>48.0"), ()))
    assert [task.text for task in tasks(kaxxt.layout(start), kaxxt.layout(wanted), palette({}))] == [
        "put the large red pyramid 110 mm below the middle, its tip to the west",
        "put the medium black pyramid on the large red pyramid, its tip to the west",
        "put the small green pyramid 60 mm to the right and 110 mm below the middle, upright",
        "put the medium blue pyramid 60 mm to the left and 110 mm below the middle, its tip to the north-east",
    ]


def test_what_hands_have_still_to_put_is_marked_on_the_board_until_it_is_seen() -> None:
    bench = Bench("ataxx").begin()
    order(bench, "enter_move", move="b8")
    marks = [(view.cell, view.state) for view in Painter().snapshot(bench.table).pieces if view.state]
    assert marks == [("b8", "missing")]
    bench.clear()
    assert not [view for view in Painter().snapshot(bench.table).pieces if view.state]


def test_what_hands_have_still_to_put_on_a_free_table_is_marked() -> None:
    bench = kaxxt_bench()
    for move in ("draw any", "=b2", "put b2@0.0,-110.0>0.0"):
        order(bench, "enter_move", move=move)
    marks = [(view.colour, view.state) for view in Painter().snapshot(bench.table).pieces if view.state]
    assert marks == [("blue", "missing")]
