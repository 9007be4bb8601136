"""Play as it should go: actions, what is not seen, take-backs, the button."""

from dataclasses import replace

import pytest
from referee_tables import Bench, names, order, refused, shown

from companion.events import Beam, Hit
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Plied, PutBack, Ruled, SetUp, TakenBack
from companion.view import ASKEW, BoardShape, Sighting


def test_the_set_up_is_helped_and_then_play_begins():
    bench = Bench()
    layout = bench.game.layout(bench.position)
    reading = bench.show(layout, {"c1": EMPTY, "d5": Piece("scarab", "red", facing="/"), "e1": EMPTY})
    states = {f.cell: f.state for f in bench.table.faults}
    assert reading.kind == "set-up"
    assert states == {"c1": "missing", "d5": "extra", "e1": "missing"}
    assert "on c1" in reading.text
    turned = bench.show(layout, {"c1": Piece("pyramid", "silver", facing="SE")})
    assert [f.state for f in bench.table.faults] == ["turned"]
    assert turned.kind == "set-up"
    assert bench.table.state.phase == "set-up"
    assert bench.show(layout).kind == "set-up"
    assert bench.table.state.phase == "play"
    assert names(bench) == ["started", "set-up", "turn"]


def test_a_set_up_that_cannot_be_seen_is_not_complete():
    bench = Bench()
    view = shown(bench.game.layout(bench.position), doubts={"c1": ()})
    assert bench.look(view).kind == "set-up"
    assert bench.table.state.phase == "set-up"
    assert [f.state for f in bench.table.faults] == ["unclear"]


def test_an_action_is_read_only_when_seen_twice():
    bench = Bench().begin()
    move = bench.game.read_move(bench.position, "c1b1")
    view = shown(bench.game.during(bench.position, move))
    bench.hand()
    assert not bench.once(view).decided
    assert not bench.table.state.plies
    assert bench.once(view).moves == ("c1b1",)


def test_two_readings_that_differ_are_none():
    bench = Bench().begin()
    one = shown(bench.during("c1b1"))
    other = shown(bench.during("c1b2"))
    for view in (one, other) * 5:
        assert not bench.once(view).decided
    assert not bench.table.state.plies


def test_the_beam_is_not_told_before_the_action_is_final():
    bench = Bench(end_turn=True).begin()
    assert bench.act("c1b1").kind == "nothing new"
    assert bench.table.pending is not None
    assert not [e for e in bench.events if isinstance(e, Beam)]
    order(bench, "end_turn", by="seat 0")
    assert [e for e in bench.events if isinstance(e, Beam)]
    assert bench.table.state.plies[0].move == "c1b1"


def test_before_the_button_everything_can_be_taken_back():
    bench = Bench(end_turn=True).begin()
    bench.act("c1b1")
    reading = bench.clear()
    assert reading.kind == "take-back"
    assert bench.table.pending is None
    assert not bench.table.state.plies
    bench.act("c1b2")
    order(bench, "end_turn")
    assert bench.table.state.plies[0].move == "c1b2"


def test_the_button_pressed_while_the_hand_is_still_there_counts():
    bench = Bench(end_turn=True).begin()
    order(bench, "end_turn")
    assert bench.act("c1b1").kind == "move"


@pytest.mark.parametrize("obstacles", [(), ("hand",)])
def test_the_button_makes_nothing_final_that_is_not_seen_any_more(obstacles):
    bench = Bench(end_turn=True).begin()
    bench.act("c1b1")
    start = cells_of(bench.game.layout(bench.position))
    elsewhere = shown(bench.game.layout(bench.position), {"c1": EMPTY, "c2": start["c1"]}, obstacles=obstacles)
    bench.once(elsewhere)
    order(bench, "end_turn")
    assert not bench.table.state.plies
    assert bench.look(replace(elsewhere, obstacles=())).moves == ("c1c2",)


def test_the_button_pressed_twice_does_not_count_for_the_next_player():
    bench = Bench(end_turn=True).begin()
    bench.act("c1b1")
    bench.now += 1.0
    order(bench, "end_turn", by="button")
    order(bench, "end_turn", by="button")
    assert len(bench.table.state.plies) == 1
    bench.now += 1.0
    assert bench.act("e8e7").kind == "nothing new"
    order(bench, "end_turn", by="button")
    assert len(bench.table.state.plies) == 2


def test_the_button_pressed_early_and_once_more_does_not_count_for_the_next_player():
    bench = Bench(end_turn=True).begin()
    order(bench, "end_turn", by="button")
    assert bench.act("c1b1").kind == "move"
    order(bench, "end_turn", by="button")
    assert bench.act("e8e7").kind == "nothing new"
    assert len(bench.table.state.plies) == 1


def test_only_the_mover_may_press_the_button():
    bench = Bench(end_turn=True).begin()
    assert refused(bench, "end_turn", by="seat 1") == "not-your-turn"


def test_two_plies_unseen_in_between_are_read_when_only_one_pair_explains_them():
    bench = Bench().begin()
    first = bench.game.read_move(bench.position, "c1b1")
    middle = bench.game.play(bench.position, first).position
    second = bench.game.read_move(middle, "e8e7")
    reading = bench.show(bench.game.during(middle, second))
    assert reading.moves == ("c1b1", "e8e7")
    assert [p.seat for p in bench.table.state.plies] == [0, 1]


def test_a_half_made_move_waits():
    bench = Bench().begin()
    reading = bench.show(bench.game.layout(bench.position), {"c1": EMPTY})
    assert reading.kind == "unclear"
    assert "c1" in reading.text
    assert bench.act("c1b1").kind == "move"


@pytest.mark.parametrize("obstacle", ["hand", "moving", "dark", "moved", "frozen", "markers", "board", "blurred"])
def test_nothing_is_ruled_on_what_was_not_seen(obstacle):
    bench = Bench().begin()
    move = bench.game.read_move(bench.position, "c1b1")
    view = shown(bench.game.during(bench.position, move), obstacles=(obstacle,))
    for _ in range(20):
        assert bench.once(view).kind == "unclear"
    assert not bench.table.state.plies
    assert bench.table.sight.state != "seeing"
    assert bench.act("c1b1").kind == "move"


def test_a_hand_between_two_readings_starts_the_count_again():
    bench = Bench().begin()
    layout = bench.during("c1b1")
    for _ in range(5):
        assert not bench.once(shown(layout)).decided
        bench.once(shown(layout, obstacles=("hand",)))
    assert not bench.table.state.plies


def test_a_changed_cell_that_is_not_seen_decides_nothing():
    bench = Bench().begin()
    layout = bench.during("c1b1")
    reading = bench.show(layout, doubts={"b1": ()})
    assert reading.kind == "unclear"
    assert not bench.table.state.plies


def test_a_half_sure_cell_is_helped_by_what_is_lawful():
    bench = Bench().begin()
    layout = bench.during("h2+")
    doubt = ((Piece("pyramid", "silver", facing="SE"), 0.55), (Piece("pyramid", "silver", facing="SW"), 0.43))
    assert bench.show(layout, doubts={"h2": doubt}).moves == ("h2+",)


def test_two_actions_that_fit_are_asked_about():
    bench = Bench().begin()
    layout = bench.during("h2+")
    doubt = ((Piece("pyramid", "silver", facing="SE"), 0.5), (Piece("pyramid", "silver", facing="NW"), 0.49))
    reading = bench.show(layout, doubts={"h2": doubt})
    assert reading.kind == "unclear"
    assert len(bench.table.question.choices) == 3
    choice = next(c for c in bench.table.question.choices if "SE" in c.text or "+" in c.text)
    bench.answer(choice.id)
    assert bench.table.state.plies[0].move in ("h2+", "h2-")
    assert bench.table.question is None


def test_of_two_actions_that_fit_neither_needs_to_have_been_made():
    bench = Bench().begin()
    layout = bench.during("h2+")
    doubt = ((Piece("pyramid", "silver", facing="SE"), 0.5), (Piece("pyramid", "silver", facing="NW"), 0.49))
    bench.show(layout, doubts={"h2": doubt})
    assert bench.table.question.choices[-1].text.startswith("None of these")
    bench.answer(bench.table.question.choices[-1].id)
    again = bench.show(layout, doubts={"h2": doubt})
    assert (again.kind, bench.table.question, bench.table.state.plies) == ("unlawful", None, ())
    assert "h2" in again.text
    assert bench.act("h2+").moves == ("h2+",)


def test_a_piece_put_down_askew_is_to_be_straightened():
    bench = Bench().begin()
    reading = bench.act("c1b1", skew={"b1": 27.0})
    assert reading.kind == "unclear"
    assert "straighten" in reading.text
    assert reading.rule == "Khet Q21"
    assert not bench.table.state.plies
    assert bench.act("c1b1", skew={"b1": 9.0}).kind == "move"


def too_askew(view, cell):
    """The view with a piece on this cell of which only its standing askew is told."""
    crooked = Sighting((), cell=cell, why=ASKEW, skew_deg=45.0)
    return replace(view, sightings=tuple(crooked if s.cell == cell else s for s in view.sightings))


def test_a_piece_so_askew_that_it_cannot_be_told_is_to_be_straightened():
    bench = Bench().begin()
    layout = bench.game.layout(bench.position)
    reading = bench.look(too_askew(shown(layout, {"c1": EMPTY}), "b1"))
    assert (reading.text, reading.rule) == ("Please straighten the piece on b1.", "Khet Q21")
    assert not bench.table.state.plies
    assert bench.act("c1b1").kind == "move"


def test_in_the_set_up_a_piece_askew_is_to_be_straightened():
    bench = Bench()
    layout = bench.game.layout(bench.position)
    reading = bench.look(too_askew(shown(layout), layout.pieces[0].cell))
    assert f"traighten what stands on {layout.pieces[0].cell}" in reading.text
    assert "glare" not in reading.text


def test_a_piece_askew_that_did_not_move_stops_nobody():
    bench = Bench().begin()
    assert bench.act("c1b1", skew={"h2": 30.0}).kind == "move"


@pytest.mark.parametrize(
    ("undo", "kind", "plies"), [("take", "take-back", 1), ("offer", "take-back", 2), ("refuse", "unlawful", 2)]
)
def test_a_table_put_back_to_an_earlier_position(undo, kind, plies):
    bench = Bench(undo=undo).begin().play("c1b1", "e8e7")
    earlier = bench.game.layout(bench.table.state.at(1))
    reading = bench.show(earlier)
    assert reading.kind == kind
    assert len(bench.table.state.plies) == plies
    if undo == "offer":
        bench.answer("yes")
        assert len(bench.table.state.plies) == 1
        assert bench.show(earlier).kind == "nothing new"
    if undo == "take":
        assert isinstance(bench.archive.events(1)[-1], TakenBack)


@pytest.mark.parametrize("undo", ["take", "offer"])
def test_a_step_too_far_is_no_table_put_back_for_that_its_piece_stood_there_long_ago(undo):
    bench = Bench(undo=undo).begin().play("c1b2", "e8e7", "b2b3", "e7e8")
    reading = bench.show(bench.game.layout(bench.table.state.at(0)))
    assert (reading.kind, len(bench.table.state.plies)) == ("unlawful", 4)
    assert (reading.moves, reading.rule) == (("b3c1",), "Khet 3a.pyramid")


def test_a_piece_turned_back_takes_its_action_back():
    bench = Bench(undo="take").begin().play("h2+")
    start, hardly_read = (
        bench.game.layout(bench.table.state.first),
        (
            (Piece("anubis", "silver", facing="N"), 0.2),
            (Piece("anubis", "silver", facing="E"), 0.7),
        ),
    )
    bench.table.known.looks = {}  # as after a restart
    assert bench.show(start, doubts={"d1": hardly_read}).kind == "take-back"
    assert not bench.table.state.plies


def test_ruled_and_put_back_are_events():
    bench = Bench().begin()
    bench.act("h2h4")
    events = bench.archive.events(1)
    assert isinstance(events[-1], Ruled)
    bench.clear()
    assert isinstance(bench.archive.events(1)[-1], PutBack)
    assert [type(e) for e in bench.archive.events(1)[:2]][1] is SetUp
    assert not any(isinstance(e, Plied) for e in events)


def test_a_board_of_another_size_is_named_and_nothing_is_ruled_on():
    bench = Bench().begin()
    view = shown(bench.game.layout(bench.position))
    small = replace(view, shape=BoardShape(8, 8, 38.0))
    reading = bench.once(small)
    assert reading.kind == "unclear"
    assert "8x8 cells, and this game is played on 10x8" in reading.text
    assert bench.table.sight.state == "lost"
    assert bench.look(replace(view, shape=BoardShape(10, 8, 50.0))).kind == "nothing new"


def test_a_piece_that_is_lifted_is_no_action_although_turning_it_could_have_lost_it():
    bench = Bench(layout="classic-2.0").begin().play("h2h3")
    before = bench.game.layout(bench.position)
    lost = [m for m in bench.game.moves(bench.position) if hits_itself(bench.game, bench.position, m)]
    assert lost
    assert bench.show(before, {lost[0].origin: EMPTY}).kind == "unclear"
    assert len(bench.table.state.plies) == 1
    assert bench.show(before).kind == "nothing new"


def hits_itself(game, position, move):
    hits = [event.cell for event in game.play(position, move).events if isinstance(event, Hit)]
    return move.kind == "turn" and hits == [move.origin]


def two_plies(bench: Bench, first: str, second: str):
    """The table after two plies of which nobody saw the first."""
    after = bench.game.play(bench.position, bench.game.read_move(bench.position, first)).position
    return bench.game.during(after, bench.game.read_move(after, second))


def test_whether_a_turn_followed_upon_an_action_that_nobody_saw_is_asked() -> None:
    bench = Bench().begin()
    table = two_plies(bench, "f1g1", "a5-")
    assert bench.show(table).kind == "unclear"
    question = bench.table.question
    assert [choice.id for choice in question.choices][1:] == ["no"]
    bench.answer(question.choices[0].id)
    assert bench.moves == ["f1g1", "a5-"]


def test_what_was_no_two_plies_is_refused_until_it_is_put_right() -> None:
    bench = Bench().begin()
    table = two_plies(bench, "f1g1", "a5-")
    bench.show(table)
    bench.answer("no")
    assert bench.show(table).kind == "unlawful"
    assert bench.table.question is None
    assert bench.act("f1g1").moves == ("f1g1",)
