"""What the laser hits: told, waited for until it is off the board, put back when that is undone."""

from referee_tables import Bench, comes_back, first_hit, order

from companion.events import Hit
from companion.pieces import EMPTY
from companion.referee.happenings import Cleared
from companion.referee.picture import waiting
from companion.referee.steps import undone


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
