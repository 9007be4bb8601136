"""Ataxx and Hexxagon at the table: set-up, drops and jumps, discs turned over, what is refused."""

import pytest
from ataxx_benches import BLACK, MIDDLE, WHITE, bench_at, turned
from referee_tables import Bench, order, shown

from companion.events import from_json
from companion.games import ataxx
from companion.photographs import photograph_settings
from companion.pieces import EMPTY
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import TakenBack
from companion.referee.picture import Painter, waiting


def fairly_sure(layout):
    """Every cell rightly seen, none for sure."""
    there = cells_of(layout)
    others = {cell: [p for p in (EMPTY, BLACK, WHITE) if p != there.get(cell, EMPTY)] for cell in layout.board.cells()}
    return {c: ((there.get(c, EMPTY), 0.97), (one, 0.018), (two, 0.009)) for c, (one, two) in others.items()}


def test_of_two_plies_in_one_photograph_not_only_the_first_is_read() -> None:
    """A single move leaves two cells unexplained that are only fairly sure: both plies together explain all."""
    bench = Bench("ataxx", settings=photograph_settings(), board=8)
    start = ataxx.layout(bench.position)
    assert bench.show(start, doubts=fairly_sure(start)).kind == "set-up"
    first = ataxx.play(bench.position, ataxx.read_move(bench.position, "h1g3")).position
    after = ataxx.layout(ataxx.play(first, ataxx.read_move(first, "a1c3")).position)
    reading = bench.show(after, doubts=fairly_sure(after))
    assert (reading.kind, reading.moves) == ("move", ("h1g3", "a1c3"))


# --- set-up ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "corner", "other"), [("ataxx", "a8", "h8"), ("hexxagon", "a1", "a5")])
def test_the_corner_discs_are_asked_for_and_what_is_wrong_is_drawn(game, corner, other):
    bench = Bench(game)
    reading = bench.show(bench.game.layout(bench.position), {corner: EMPTY, other: BLACK, "d4": WHITE})
    assert (reading.kind, bench.table.state.phase) == ("set-up", "set-up")
    assert f"put the black disc on {corner}" in reading.text.lower()
    assert f"turn the black disc on {other} over: white" in reading.text
    assert "take the white disc on d4 away" in reading.text.lower()
    drawn = {p.cell: p.state for p in Painter().snapshot(bench.table).pieces if p.state}
    assert drawn == {corner: "missing", other: "turned", "d4": "extra"}
    bench.begin()


def test_discs_of_an_earlier_game_are_to_be_taken_away_together() -> None:
    bench = Bench("hexxagon")
    layout = bench.game.layout(bench.position)
    reading = bench.show(layout, dict.fromkeys(layout.board.cells(), BLACK))
    assert reading.text.startswith("Take the 55 pieces away that do not belong there, turn the black disc on a5 over: ")
    drawn = Painter().snapshot(bench.table).pieces
    assert sum(piece.state == "extra" for piece in drawn) == 55


# --- lawful moves ---------------------------------------------------------------------------------------------


def test_a_drop_with_all_discs_turned_at_once_is_one_move():
    bench = bench_at(MIDDLE, board=7)
    reading = turned(bench, "c4", "c5", "d5")
    assert (reading.kind, reading.moves) == ("move", ("d4",))
    assert not bench.table.state.awaiting


def test_discs_are_turned_step_by_step_and_ticked_off():
    bench = bench_at(MIDDLE, board=7)
    reading = turned(bench)
    assert (reading.kind, reading.moves) == ("move", ("d4",))
    assert "turn the white discs on c4, c5 and d5 over: black" in reading.text
    standing = bench.table.state.standing
    assert bench.show(standing, {"c5": BLACK}).kind == "step"
    assert [(s.cell, s.done) for s in waiting(bench.table).steps] == [("c4", False), ("c5", True), ("d5", False)]
    forgotten = bench.show(standing, {"c5": BLACK, "d5": BLACK})
    assert forgotten.text == "Still to do: turn the white disc on c4 over: black."
    assert bench.clear().kind == "step"
    assert not bench.table.state.awaiting


def test_half_of_the_discs_turned_at_the_first_look_is_the_move_with_the_rest_to_do():
    bench = bench_at(MIDDLE, board=7)
    reading = turned(bench, "c5")
    assert (reading.kind, reading.moves) == ("move", ("d4",))
    assert "c4 and d5 over" in reading.text
    assert bench.clear().kind == "step"


def test_a_jump_leaves_its_cell_and_turns_its_neighbours():
    bench = bench_at(MIDDLE, board=7)
    reading = turned(bench, "c4", by="e3c3")
    assert (reading.kind, reading.moves) == ("move", ("e3c3",))
    assert not bench.table.state.awaiting


def test_two_moves_between_two_looks_are_both_read():
    bench = bench_at(MIDDLE, board=7)
    after = ataxx.play(bench.position, ataxx.read_move(bench.position, "d4")).position
    second = ataxx.play(after, ataxx.read_move(after, "g7f5")).position
    assert bench.show(ataxx.layout(second)).moves == ("d4", "g7f5")


def test_a_disc_put_back_before_it_counts_is_no_move():
    bench = bench_at(MIDDLE, board=7, end_turn=True)
    assert turned(bench).kind == "nothing new"
    assert bench.clear().kind == "take-back"
    assert not bench.table.state.plies


def test_a_move_taken_back_on_the_table_is_taken_back():
    bench = Bench("ataxx", board=7, undo="take").begin().play("b6", "g7e5")
    before = ataxx.layout(bench.table.state.plies[1].before)
    reading = bench.show(before)
    assert (reading.kind, len(bench.table.state.plies)) == ("take-back", 1)


def test_a_drop_that_turned_nothing_is_taken_back_by_taking_the_disc_off():
    bench = Bench("ataxx", board=7, undo="take").begin().play("b6")
    start = ataxx.layout(bench.table.state.first)
    bench.table.known.looks = {}  # as after a restart
    assert bench.show(start, doubts={"b6": ((EMPTY, 0.99), (BLACK, 0.006))}).kind == "take-back"
    assert not bench.table.state.plies


def half_taken_back(**options):
    """A drop on d4 turned c4, c5 and d5 by the rules; hands turned c4 and c5, then took the disc on d4 off again."""
    bench = bench_at(MIDDLE, board=7, **options)
    start = ataxx.layout(bench.position)
    assert turned(bench).kind == "move"
    assert bench.show(bench.table.state.standing, {"c4": BLACK, "c5": BLACK}).kind in ("step", "nothing new")
    return bench, start, bench.show(start, {"c4": BLACK, "c5": BLACK})


def test_a_drop_taken_back_with_half_of_the_discs_turned_asks_for_the_rest():
    bench, start, reading = half_taken_back(undo="take")
    assert (reading.kind, len(bench.table.state.plies)) == ("take-back", 0)
    assert reading.text.endswith("turn the black discs on c4 and c5 over: white.")
    assert bench.show(start, {"c5": BLACK}).kind == "step"
    assert bench.show(start).kind == "step"
    assert not bench.table.state.awaiting


def test_a_drop_taken_back_in_part_is_asked_about():
    bench, start, reading = half_taken_back()
    assert (reading.kind, bench.table.question.kind) == ("take-back", "undo-0")
    bench.answer("yes")
    assert not bench.table.state.plies
    assert bench.show(start, {"c4": BLACK}).text == "Still to do: turn the black disc on c4 over: white."
    assert bench.show(start).kind == "step"


def test_a_drop_taken_back_in_part_against_the_rules_of_the_table_is_put_back_as_asked_for():
    bench, _, reading = half_taken_back(undo="refuse")
    assert (reading.kind, bench.table.state.ruling.fault) == ("unlawful", "final")
    assert bench.table.state.ruling.remedy == "Put the black disc on d4."


def test_discs_still_turned_after_a_drop_that_was_finished_and_taken_back_are_asked_for():
    bench = bench_at(MIDDLE, board=7, undo="take")
    start = ataxx.layout(bench.position)
    turned(bench, "c4", "c5", "d5")
    assert bench.show(start, {"c4": BLACK, "d5": BLACK}).kind == "take-back"
    assert bench.show(start).kind == "step"


def test_who_cannot_act_is_skipped_by_the_referee_itself():
    bench = bench_at("xoooooo/ooooooo/ooooooo/7/7/7/7 o 0 1", board=7)
    assert bench.act("e4").moves == ("e4",)
    assert bench.moves == ["e4", "0000"]
    assert bench.table.state.position.turn == 1


def test_an_action_is_shown_together_with_the_pass_that_it_forces() -> None:
    bench = bench_at("xooo/oooo/oooo/oo2 o 0 1", board=4)
    bench.act("c1")
    shown = Painter().snapshot(bench.table)
    assert shown.last_text == "White drops a piece on c1. Black cannot act and is skipped."
    assert shown.last_cells == ("c1",)
    assert [card.change for card in shown.cards] == [0, 1]


def test_the_end_is_told_with_its_score():
    bench = bench_at("xx1/xxo/xxo x 0 1", board=3)
    reading = turned(bench, "c2", by="c3")
    assert bench.table.state.phase == "over"
    assert "Black wins, 8\u00a0:\u00a01" in reading.text
    assert [s.score for s in Painter().snapshot(bench.table).seats] == [8, 1]


@pytest.mark.parametrize("cell", ["b5", "b6"])
def test_what_is_put_beside_a_disc_that_was_to_be_turned_over_is_no_action_that_turned_it_back(cell):
    bench = bench_at("x5o/7/2o4/7/3xx2/7/o5x x 0 1", board=7)
    turned(bench)
    assert bench.show(bench.table.state.standing, {cell: WHITE}).kind == "unlawful"
    ruling = bench.table.state.ruling
    assert ruling.fault == "not-asked-for"
    first = f"Take the white disc on {cell} away again"
    assert ruling.remedy == f"{first}; then turn the white disc on c5 over: black."


# --- what is refused ------------------------------------------------------------------------------------------

UNLAWFUL = [
    ("a7d7", "wrong-distance", "A6"),
    ("a7>b7", "wrong-distance", "A6"),
    ("g3", "no-own-neighbour", "A5"),
    ("c4", "occupied", "A5"),
    ("e3c5", "occupied", "A6"),
    ("g7e6", "not-your-piece", "A6"),
    ("c6=o", "not-your-turn", "A4"),
    ("b6*g7", "wrong-flip", "AA9"),
    ("*a1*g7", "wrong-flip", "AA9"),
    ("b7*d3", "wrong-flip", "AA9"),
]


@pytest.mark.parametrize(("move", "fault", "rule"), UNLAWFUL)
def test_an_unlawful_action_is_refused_with_its_rule_and_the_way_back(move, fault, rule):
    bench = bench_at(MIDDLE, board=7)
    reading = bench.act(move)
    ruling = bench.table.state.ruling
    assert (reading.kind, ruling.fault, ruling.rule) == ("unlawful", fault, rule)
    assert ruling.remedy
    assert reading.moves == (bench.game.write_move(bench.position, bench.game.read_move(bench.position, move)),)
    assert bench.clear().kind == "take-back"
    assert not bench.table.state.plies


def test_a_blocked_cell_is_refused():
    bench = bench_at("x5o/7/2-1-2/7/2-1-2/1x5/o5x x 0 1", board=7)
    assert dict(Painter().snapshot(bench.table).board.marked)["c3"] == "blocked"
    reading = bench.act("c3")
    assert (reading.kind, reading.rule) == ("unlawful", "AA5")


def test_two_discs_at_once_are_no_action():
    bench = bench_at(MIDDLE, board=7)
    reading = bench.show(bench.game.layout(bench.position), {"b6": BLACK, "f4": BLACK})
    assert (reading.kind, reading.rule) == ("unlawful", "A4")
    assert "b6" in reading.text
    assert "f4" in reading.text


@pytest.mark.parametrize("extra", [WHITE, BLACK])
def test_what_no_action_would_have_put_there_is_named_beside_an_action_that_counts_without_it(extra):
    bench = bench_at("x5o/7/7/7/7/7/6x x 0 1", board=7)
    layout = bench.game.layout(bench.position)
    reading = bench.show(layout, {"a6": BLACK, "d4": extra})  # d4 is too far from every black disc
    assert reading.kind == "unlawful"
    assert bench.table.state.ruling.remedy == f"Take the {extra.colour} disc on d4 away again: then the rest counts."
    assert bench.show(layout, {"a6": BLACK}).moves == ("a6",)


@pytest.mark.parametrize("right", [(), ("c4",), ("c4", "c5", "d5")])
def test_a_disc_turned_by_mistake_is_named_whatever_else_is_turned(right):
    bench = bench_at(MIDDLE, board=7)
    reading = turned(bench, *right, "g7")
    assert (reading.kind, reading.rule, bench.table.state.ruling.fault) == ("unlawful", "AA9", "wrong-flip")
    assert "Turn g7 back" in bench.table.state.ruling.remedy
    assert turned(bench, *right).moves == ("d4",)


def test_a_disc_turned_by_mistake_later_is_named_beside_what_is_left():
    bench = bench_at(MIDDLE, board=7)
    turned(bench)
    reading = bench.show(bench.table.state.standing, {"c4": BLACK, "c5": BLACK, "g7": BLACK})
    assert (reading.kind, reading.rule) == ("unlawful", "AA9")
    assert reading.text.endswith("then turn the white disc on d5 over: black.")
    assert bench.clear().kind == "step"


def test_what_was_turned_by_mistake_and_put_right_is_no_longer_ruled_on():
    bench = bench_at(MIDDLE, board=7)
    turned(bench)
    bench.show(bench.table.state.standing, {"c4": BLACK, "g7": BLACK})
    assert bench.table.state.ruling is not None
    assert bench.show(bench.table.state.standing, {"c4": BLACK}).kind == "step"
    assert bench.table.state.ruling is None
    assert waiting(bench.table).text == "Hands, please"


def test_an_enemys_disc_replaced_or_turned_over_comes_back_by_the_remedy():
    bench = bench_at(MIDDLE, board=7)
    bench.act("c4")
    assert bench.table.state.ruling.remedy.startswith("Lay the piece on c4 white side up again.")
    bench.act("e3c5")
    assert "on c5 white side up again, and put the piece back on e3." in bench.table.state.ruling.remedy


def test_the_next_player_waits_until_the_discs_are_turned():
    bench = bench_at(MIDDLE, board=7)
    turned(bench)
    reading = bench.show(bench.table.state.standing, {"a2": WHITE})
    assert (reading.kind, reading.rule) == ("unlawful", "AA9")
    assert bench.clear().kind == "step"
    assert bench.act("a2").kind == "move"


@pytest.mark.parametrize(
    ("move", "start", "after"),
    [
        ("a7d7", MIDDLE.replace("2oo3", "2xx3"), "3x2o/7/2xx3/2o4/3xx2/7/o5x o 1 1"),
        ("c6=o", MIDDLE, "x5o/2o4/2oo3/2o4/3xx2/7/o5x x 0 2"),
        ("d4*g7", MIDDLE, "x5x/7/2xx3/2xx3/3xx2/7/o5x o 0 1"),
        ("d4*d3", MIDDLE, "x5o/7/2xx3/2xx3/3ox2/7/o5x o 0 1"),
        ("b6", MIDDLE.replace("x5o/7", "x5o/1-5"), "x5o/1x5/2xo3/2o4/3xx2/7/o5x o 0 1"),
    ],
)
def test_the_host_may_let_it_stand(move, start, after):
    bench = bench_at(start, board=7)
    assert bench.act(move).kind == "unlawful"
    order(bench, "allow")
    assert ataxx.write_position(bench.position) == after
    assert bench.clear().kind in ("nothing new", "step")
    assert not bench.table.state.awaiting
    assert bench.table.state.plies[0].text.startswith("Let stand by the host")


def test_a_corrected_cell_is_believed_over_the_eye():
    bench = bench_at(MIDDLE, board=7)
    order(bench, "correct", cell="b6", piece={"kind": "disc", "colour": "black"})
    assert bench.show(bench.game.layout(bench.position)).moves == ("b6",)


@pytest.mark.parametrize("size", [7, 13])
def test_a_crowded_board_is_weighed_with_few_tables(size, monkeypatch):
    """Hundreds of jumps are lawful, and nothing explains the view."""
    rows = ["".join("xo1"[(row + col) % 3] for col in range(size)) for row in range(size)]
    bench = bench_at("/".join(rows) + " x 0 1", board=size)
    lawful, tables = sum(1 for _ in bench.game.moves(bench.position)), []
    during = bench.game.during
    monkeypatch.setattr(bench.game, "during", lambda *given: tables.append(given) or during(*given))
    view = shown(bench.game.layout(bench.position), {"b1": BLACK, "b2": WHITE, "b3": BLACK, "a1": EMPTY})
    bench.once(view)
    assert 0 < len(tables) < lawful / 10


def test_what_was_turned_over_already_is_to_be_turned_back_when_the_drop_is_undone():
    bench = bench_at(MIDDLE, board=7)
    start = bench.position
    assert turned(bench).kind == "move"
    half = ataxx.during(start, ataxx.read_move(start, "d4"))
    assert bench.show(half, {"c4": BLACK}).kind in ("step", "nothing new")
    order(bench, "undo")
    assert [task.text for task in bench.table.steps] == [
        "turn the black disc on c4 over: white",
        "take the black disc on d4 off the board",
    ]
    assert bench.show(ataxx.layout(start), {"c4": BLACK}).kind == "step"  # the disc that was dropped is off again
    assert bench.table.state.ruling is None
    assert bench.show(ataxx.layout(start)).kind == "step"
    assert bench.table.state.awaiting is False
    (back,) = (e for e in bench.archive.events(1) if isinstance(e, TakenBack))
    assert back.done == ("c4",)
    assert from_json(back.to_json()) == back
