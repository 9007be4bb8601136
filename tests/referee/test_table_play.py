"""Play as it should go: actions, hits, removals, take-backs, the button, undo."""

from dataclasses import replace

import pytest
from referee_tables import Bench, comes_back, shown

from companion.errors import CommandRefused
from companion.events import Beam, Hit
from companion.pieces import EMPTY, Piece
from companion.referee.commands import Command
from companion.referee.evidence import cells_of
from companion.referee.happenings import Cleared, Plied, PutBack, Ruled, SetUp, TakenBack
from companion.referee.orders import carry_out
from companion.referee.picture import waiting
from companion.referee.steps import undone
from companion.view import BoardShape


def order(bench, name, by="host", **arguments):
    carry_out(bench.table, Command(name, arguments, by), "now")


def names(bench):
    return [e.name for e in bench.archive.events(bench.table.game_id)]


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
    one = shown(bench.game.during(bench.position, bench.game.read_move(bench.position, "c1b1")))
    other = shown(bench.game.during(bench.position, bench.game.read_move(bench.position, "c1b2")))
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
    with pytest.raises(CommandRefused) as refused:
        order(bench, "end_turn", by="seat 1")
    assert refused.value.name == "not-your-turn"


def test_a_hit_is_told_and_its_removal_waited_for():
    bench = Bench().begin()
    reading = bench.act(first_hit(bench))
    assert reading.kind == "move"
    assert len(reading.hits) == 1
    assert next(e for e in bench.events if isinstance(e, Hit)).cell == reading.hits[0]
    assert bench.table.state.awaiting
    assert reading.hits[0] in bench.table.steps[0].text
    same = bench.show(bench.table.state.standing)
    assert same.kind == "nothing new"
    assert bench.table.state.awaiting
    assert bench.clear().kind == "step"
    assert isinstance(bench.archive.events(1)[-1], Cleared)
    assert not bench.table.state.awaiting


def first_hit(bench):
    """A lawful action whose shot removes a piece."""
    for move in bench.game.moves(bench.position):
        turn = bench.game.play(bench.position, move)
        if any(isinstance(e, Hit) for e in turn.events) and bench.game.outcome(turn.position) is None:
            return bench.game.write_move(bench.position, move)
    raise AssertionError("no action hits anything")


def test_the_next_action_is_not_accepted_before_the_removal():
    bench = Bench().begin()
    hit = bench.act(first_hit(bench)).hits[0]
    lying = bench.table.state.standing
    move = next(m for m in bench.game.moves(bench.position) if m.kind == "step" and hit not in (m.origin, m.target))
    after = {p.cell: p.piece for p in bench.game.during(bench.position, move).pieces}
    standing = {p.cell: p.piece for p in lying.pieces}
    reading = bench.show(lying, {move.origin: EMPTY, move.target: after[move.target]})
    assert hit in standing
    assert reading.kind == "unlawful"
    assert reading.rule == "Khet Q22"
    assert len(bench.table.state.plies) == 1
    assert bench.show(lying).kind == "take-back"
    assert bench.clear().kind == "step"


def test_the_wrong_piece_taken_off_is_refused_and_put_back():
    bench = Bench().begin()
    hit = bench.act(first_hit(bench)).hits[0]
    lying = bench.table.state.standing
    wrong = next(p.cell for p in lying.pieces if p.cell != hit and p.piece.kind == "pyramid")
    reading = bench.show(lying, {wrong: EMPTY})
    assert (reading.kind, reading.rule) == ("unlawful", "Khet Q22")
    assert wrong in reading.text
    assert hit in reading.text
    back = bench.show(lying)
    assert back.kind == "take-back"
    assert back.text.startswith("Put back as it was: please take ")
    assert back.text.endswith(f" on {hit} off the board.")
    both = bench.show(lying, {wrong: EMPTY, hit: EMPTY})
    assert both.kind == "unlawful"
    assert bench.clear().kind == "step"
    assert bench.table.state.ruling is None


def test_an_action_with_its_removal_done_at_once_is_read_too():
    bench = Bench().begin()
    move = bench.game.read_move(bench.position, first_hit(bench))
    after = bench.game.layout(bench.game.play(bench.position, move).position)
    reading = bench.show(after)
    assert reading.kind == "move"
    assert reading.hits
    assert not bench.table.state.awaiting


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
    layout = bench.game.during(bench.position, bench.game.read_move(bench.position, "c1b1"))
    for _ in range(5):
        assert not bench.once(shown(layout)).decided
        bench.once(shown(layout, obstacles=("hand",)))
    assert not bench.table.state.plies


def test_a_changed_cell_that_is_not_seen_decides_nothing():
    bench = Bench().begin()
    layout = bench.game.during(bench.position, bench.game.read_move(bench.position, "c1b1"))
    reading = bench.show(layout, doubts={"b1": ()})
    assert reading.kind == "unclear"
    assert not bench.table.state.plies


def test_a_half_sure_cell_is_helped_by_what_is_lawful():
    bench = Bench().begin()
    layout = bench.game.during(bench.position, bench.game.read_move(bench.position, "h2+"))
    doubt = ((Piece("pyramid", "silver", facing="SE"), 0.55), (Piece("pyramid", "silver", facing="SW"), 0.43))
    assert bench.show(layout, doubts={"h2": doubt}).moves == ("h2+",)


def test_two_actions_that_fit_are_asked_about():
    bench = Bench().begin()
    layout = bench.game.during(bench.position, bench.game.read_move(bench.position, "h2+"))
    doubt = ((Piece("pyramid", "silver", facing="SE"), 0.5), (Piece("pyramid", "silver", facing="NW"), 0.49))
    reading = bench.show(layout, doubts={"h2": doubt})
    assert reading.kind == "unclear"
    assert len(bench.table.question.choices) == 2
    choice = next(c for c in bench.table.question.choices if "SE" in c.text or "+" in c.text)
    order(bench, "answer", question="which", choice=choice.id)
    assert bench.table.state.plies[0].move in ("h2+", "h2-")
    assert bench.table.question is None


def test_a_piece_put_down_askew_is_to_be_straightened():
    bench = Bench().begin()
    reading = bench.act("c1b1", skew={"b1": 27.0})
    assert reading.kind == "unclear"
    assert "straighten" in reading.text
    assert reading.rule == "Khet Q21"
    assert not bench.table.state.plies
    assert bench.act("c1b1", skew={"b1": 9.0}).kind == "move"


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
        order(bench, "answer", question="undo-1", choice="yes")
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
    bench.table.remembered = {}  # as after a restart
    assert bench.show(start, doubts={"d1": hardly_read}).kind == "take-back"
    assert not bench.table.state.plies


def test_an_action_put_back_while_what_it_hit_is_off_the_board_asks_for_that():
    bench = Bench(undo="take").begin().play("c1b1", "a5b5")
    before = bench.game.layout(bench.table.state.at(1))
    assert bench.table.state.plies[-1].hits == ("a4",)
    assert bench.show(before, {"a4": EMPTY}).kind == "take-back"
    assert [task.text for task in undone(bench.table.steps, bench.table.seen)] == [
        "put the red pyramid, mirror to SE, on a4"
    ]
    assert bench.show(before).kind == "step"
    assert comes_back(bench.archive)


def test_the_top_of_a_stack_that_was_hit_is_asked_for_though_no_camera_sees_it():
    bench = Bench(layout="dynasty-1.0").begin().play("j3+", "e6d5")
    assert bench.table.state.plies[-1].hits == ("f6",)
    asked = waiting(bench.table)
    assert (asked.text, [step.text for step in asked.steps]) == (
        "Silver to move",
        ["take the top red obelisk on f6 off: 1 stays"],
    )
    bench.play("h4h5")
    assert not waiting(bench.table).steps


def test_the_top_of_a_stack_that_was_hit_is_to_be_put_back_when_that_is_undone():
    bench = Bench(layout="dynasty-1.0").begin().play("j3+", "e6d5")
    order(bench, "undo")
    asked = [step.text for step in waiting(bench.table).steps]
    assert asked == ["move the red pyramid from d5 to e6", "put the top red obelisk back on f6: 2 stand there"]
    bench.clear()
    assert not waiting(bench.table).steps


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
    layout = bench.game.during(bench.position, bench.game.read_move(bench.position, "c1b1"))
    wrong = ((Piece("scarab", "red", facing="/"), 0.999),)
    assert bench.show(layout, doubts={"h2": wrong}).kind == "unclear" or not bench.table.state.plies
    order(bench, "correct", cell="h2", piece={"kind": "pyramid", "colour": "silver", "facing": "NE"})
    assert bench.show(layout, doubts={"h2": wrong}).moves == ("c1b1",)
    assert not bench.table.state.overrides


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
    layout = bench.game.during(bench.position, bench.game.read_move(bench.position, "g1"))
    wrong = {"g1": ((Piece("disc", "white"), 0.995),)}
    order(bench, "correct", cell="g1", piece={"kind": "disc", "colour": "black"})
    assert bench.show(layout, doubts=wrong).moves == ("g1",)
    assert {bench.show(layout, doubts=wrong).kind for _ in range(12)} == {"nothing new"}


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
    order(bench, "answer", question=question.id, choice=question.choices[0].id)
    assert [past.move for past in bench.table.state.plies] == ["f1g1", "a5-"]


def test_what_was_no_two_plies_is_refused_until_it_is_put_right() -> None:
    bench = Bench().begin()
    table = two_plies(bench, "f1g1", "a5-")
    bench.show(table)
    order(bench, "answer", question=bench.table.question.id, choice="no")
    assert bench.show(table).kind == "unlawful"
    assert bench.table.question is None
    assert bench.act("f1g1").moves == ("f1g1",)
