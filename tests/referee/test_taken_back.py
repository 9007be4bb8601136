"""An action taken back and another made before the camera saw the table in between, and what is said of either."""

import random
from dataclasses import replace

import pytest
from free_benches import arranged, begun, chaos_view, kaxxt_bench, roll, seen, thrown_round
from free_views import SHARP, free_view
from hypothesis import given, settings
from hypothesis import strategies as st
from kdak_players import Evening
from referee_tables import Bench, comes_back, order, shown
from towers import Tower

from companion.games import chaos
from companion.games.kdak.tower import Place
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.picture import Painter
from companion.view import square_at

TURNED, MOVED = "c5-", "c1d2"


def made_otherwise(undo: str):
    """Silver has turned a pyramid, turns it back and moves another one."""
    bench = Bench(layout="classic-2.0", undo=undo).begin()
    start = bench.position
    other = bench.game.during(start, bench.game.read_move(start, MOVED))
    bench.play(TURNED)
    return bench, other, bench.show(other)


def test_another_action_made_instead_of_the_last_is_asked_about() -> None:
    bench, other, reading = made_otherwise("offer")
    assert (reading.kind, bench.moves) == ("take-back", [TURNED])
    assert reading.text.endswith("and another made? Silver moves the pyramid from c1 to d2.")
    bench.answer("yes")
    assert bench.moves == [MOVED]
    assert bench.show(other).kind == "nothing new"
    assert comes_back(bench.archive)


def test_another_action_made_instead_of_the_last_is_taken_where_everything_may_be_taken_back() -> None:
    bench, _, reading = made_otherwise("take")
    assert (reading.kind, reading.moves) == ("move", (MOVED,))
    assert reading.text.startswith("What was done before was taken back. Silver moves")
    assert bench.moves == [MOVED]


def test_another_action_made_instead_waits_for_the_button_where_there_is_one() -> None:
    bench = Bench(layout="classic-2.0", undo="take", end_turn=True).begin()
    start = bench.position
    bench.act(TURNED)
    bench.table.button.press(bench.table)
    assert bench.moves == [TURNED]
    other = bench.game.during(start, bench.game.read_move(start, MOVED))
    assert bench.show(other).kind == "take-back"
    assert "button makes it final" in bench.show(other).text
    bench.now += 2.0
    bench.table.button.press(bench.table)
    assert bench.moves == [MOVED]


def ended(undo: str) -> Bench:
    """Ataxx on a small board, played to its end."""
    bench, choice = Bench("ataxx", board=4, undo=undo).begin(), random.Random(2)
    while bench.table.state.over is None:
        before = bench.position
        bench.play(choice.choice([bench.game.write_move(before, move) for move in bench.game.moves(before)]))
    return bench


def test_another_action_made_instead_of_the_one_that_ended_the_game_is_asked_about() -> None:
    bench = ended("offer")
    before = bench.table.state.plies[-1].before
    moves = [bench.game.write_move(before, move) for move in bench.game.moves(before)]
    other = bench.game.read_move(before, next(move for move in moves if move != bench.moves[-1]))
    after = bench.game.layout(bench.game.play(before, other).position)
    assert "and another made?" in bench.show(after).text
    bench.answer("yes")
    assert (bench.table.state.phase, bench.moves[-1]) == ("play", bench.game.write_move(before, other))
    assert comes_back(bench.archive)


@pytest.mark.parametrize("undo", ["offer", "take", "refuse"])
def test_pieces_put_away_after_the_end_take_it_back_only_when_people_say_so_and_are_never_refused(undo) -> None:
    bench = ended(undo)
    earlier = bench.game.layout(bench.table.state.plies[-1].before)
    reading = bench.show(earlier)
    assert bench.table.state.phase == "over"
    if undo != "refuse":
        assert reading.text.endswith("Is all that followed taken back?")
        assert bench.table.question.choices[-1].text == "No: the game stays over"
        bench.answer("no")
        reading = bench.show(earlier)
    assert (reading.kind, reading.text) == ("nothing new", "The game is over.")
    assert (bench.table.state.phase, bench.table.state.ruling, bench.table.question) == ("over", None, None)


def test_a_correction_after_the_end_that_no_action_explains_is_told_to_change_nothing() -> None:
    bench = ended("offer")
    end, layout = Painter().snapshot(bench.table).waiting, bench.game.layout(bench.position)
    cell, there = next(iter(cells_of(layout).items()))
    order(bench, "correct", cell=cell, piece={"kind": "disc", "colour": "red"})
    bench.show(layout)
    said = Painter().snapshot(bench.table).waiting
    assert said.text == end.text == "The game is over"
    assert said.why == "What the host said of the table is explained by no action: the end stands until it is undone."
    order(bench, "correct", cell=cell, piece=there.to_json())
    bench.show(layout)
    assert Painter().snapshot(bench.table).waiting == end


def test_the_button_pressed_early_makes_another_action_made_instead_final() -> None:
    bench = Bench(layout="classic-2.0", undo="take", end_turn=True).begin()
    start = bench.position
    bench.act(TURNED)
    bench.table.button.press(bench.table)
    bench.now += 2.0
    bench.table.button.press(bench.table)
    other = bench.game.during(start, bench.game.read_move(start, MOVED))
    assert bench.show(other).kind == "move"
    assert bench.moves == [MOVED]


@pytest.mark.parametrize("undo", ["offer", "refuse"])
def test_another_action_made_instead_is_refused_where_an_action_is_final_and_asked_about_no_more(undo) -> None:
    bench, other, reading = made_otherwise(undo)
    if undo == "offer":
        bench.answer("no")
        reading = bench.show(other)
    assert (reading.kind, bench.moves) == ("unlawful", [TURNED])
    assert "final. Turn the silver pyramid on c5" in reading.text
    assert "move the silver pyramid from d2 to c1" in reading.text
    for _ in range(20):
        bench.once(shown(other))
    assert bench.table.question is None


@pytest.mark.parametrize("undo", ["take", "offer"])
def test_what_is_unlawful_is_no_other_action_instead_of_one_that_was_answered(undo) -> None:
    bench = Bench(layout="classic-2.0", undo=undo).begin()
    for text in (MOVED, "h8g7"):
        bench.play(text)
    standing = bench.game.layout(bench.position)
    pyramid = next(lying.piece for lying in standing.pieces if lying.cell == "d2")
    assert bench.look(shown(standing, {"d2": EMPTY, "b2": pyramid})).kind == "unlawful"  # c1 to b2 was lawful before
    assert (bench.moves, bench.table.question) == ([MOVED, "h8g7"], None)
    assert bench.show(standing).kind == "take-back"


def test_what_is_unlawful_takes_back_nothing_that_was_said_on_the_page() -> None:
    bench = kaxxt_bench(undo="take", dice="entered")
    thrown_round(bench)
    for text in (
        "draw any",
        "=r3",
        "put r3@0,-120>270",
        "roll",
        "=6",
        "draw any",
        "=b3",
        "put b3@0,120>90",
        "roll",
        "=6",
    ):
        bench.table.enter(bench.game.read_move(bench.position, text))
    assert seen(bench, bench.game.layout(bench.position)).kind in ("nothing new", "step")
    assert arranged(bench, "put r3@0.0,-120.0^").kind == "move"
    bench.table.enter(bench.game.read_move(bench.position, "draw any"))
    before, standing = bench.moves, bench.game.layout(bench.position)
    pushed = tuple(replace(p, x_mm=91.0, y_mm=-36.0) if p.piece.colour == "red" else p for p in standing.pieces)
    view = free_view(replace(standing, pieces=pushed), random.Random(1), SHARP)
    bare = replace(view, covered=frozenset(square_at(s.x_mm, s.y_mm) for s in view.sightings))
    assert bench.look(bare).kind == "unlawful"
    assert bench.moves == before


def test_what_lies_there_still_was_not_taken_back_and_no_other_action_is_looked_for(monkeypatch) -> None:
    """Each look for one takes as long as the view itself."""
    bench = Bench(layout="classic-2.0").begin()
    for text in (TURNED, "h8+", "c1d2"):
        bench.play(text)
    looked = []
    explain = bench.table.explainer.explain
    monkeypatch.setattr(bench.table.explainer, "explain", lambda *given: looked.append(given) or explain(*given))
    bench.once(shown(bench.game.layout(bench.position), {"e1": EMPTY, "a4": EMPTY}))
    assert len(looked) == 1


def test_who_plays_on_though_the_table_was_put_back_is_not_asked_again() -> None:
    bench = Bench(layout="classic-2.0").begin()
    start = bench.game.layout(bench.position)
    bench.play(TURNED)
    assert bench.show(start).kind == "take-back"
    bench.answer("no")
    assert bench.show(start).kind == "unlawful"
    for _ in range(20):
        bench.once(shown(start))
    assert bench.table.question is None
    bench.clear()
    assert bench.show(start).kind == "take-back"  # that is done anew


def placed(bench: Bench, *codes: str):
    """Pieces of Chaos on a table that is seen to be bare elsewhere."""
    pieces = tuple(chaos.read_move(bench.position, code).piece for code in codes)
    view = free_view(chaos.layout(replace(bench.position, pieces=pieces)), random.Random(1), SHARP)
    return replace(view, covered=frozenset(square_at(s.x_mm, s.y_mm) for s in view.sightings))


def test_a_free_piece_that_was_put_elsewhere_is_asked_about_and_no_dice_with_it() -> None:
    bench = begun(Bench("chaos"))
    bench.table.enter(chaos.Move("roll", (3, 3)))
    assert bench.look(placed(bench, "r3^0,0,0")).kind == "move"
    reading = bench.look(placed(bench, "r3^60,80,0"))
    assert (reading.kind, len(bench.table.state.plies)) == ("take-back", 2)
    bench.answer("yes")
    assert bench.moves[1:] == ["r3^60.0,80.0,0.0"]
    assert bench.look(placed(bench, "g3^-60,80,0")).kind != "take-back"


@pytest.mark.parametrize(("instead", "colour"), [("r3^12,8,0", "red"), ("g3^12,8,0", "green")])
def test_a_free_piece_that_lies_where_the_last_one_lay_is_no_second_one_in_its_place(instead, colour) -> None:
    bench = begun(Bench("chaos", undo="take"))
    bench.table.enter(chaos.Move("roll", (3, 6)))
    assert bench.look(placed(bench, "r3^0,0,0")).kind == "move"
    view = placed(bench, instead)
    covered = view.covered | {square_at(x, y) for x in range(-1, 25) for y in range(-5, 21)}
    assert bench.look(replace(view, covered=covered)).kind == "move"
    assert [piece.colour for piece in bench.position.pieces] == [colour]


def at_the_roll(undo: str, level: int) -> Evening:
    evening = Evening(Tower(seed=1), {"undo": undo}).begin().until("roll")
    evening.enter(f"r{level}")
    return evening


DOWN = "take the tile on 3a away and move the tiles on 4a and 5a one level down, with the pawn on them."


@pytest.mark.parametrize("dropped", [False, True])
@pytest.mark.parametrize("other", [None, Place(3, 1)])
def test_a_tile_that_was_put_back_is_taken_away_again_where_it_lay_and_its_column_moved_down(other, dropped) -> None:
    evening = at_the_roll("refuse", 3)
    tower, hole = evening.tower, Place(3, 0)
    before = dict(tower.tiles), list(tower.pawns)
    tower.take(hole)
    if dropped:
        evening.look(lambda: evening.read[-1] == "x3a")
        tower.drop(hole)
    tower.beside.pop()  # its face is not shown
    evening.look(lambda: evening.read[-1] == "x3a" and evening.table.state.awaiting is not dropped)
    tower.tiles, tower.pawns = dict(before[0]), list(before[1])
    if other is not None:
        tower.take(other)
        tower.beside.pop()
    reading = evening.look(lambda: evening.table.state.ruling is not None)
    assert evening.table.state.ruling is not None
    assert reading.text.lower().endswith(DOWN)
    assert ("put the face-down tile on 3b" in reading.text.lower()) is (other is not None)


@pytest.mark.parametrize("undo", ["offer", "take"])
def test_what_another_seat_has_answered_is_not_read_as_another_action_for_a_disc_that_was_put_there(undo) -> None:
    """White jumped from c2; had it dropped a disc instead, Black's reply would have turned the one on c2."""
    bench = Bench("ataxx", board=5, undo=undo).begin()
    bench.play("e2", "d4", "e1c2", "a1b3", "e3", "d3", "a4", "c1", "c4", "c2e4", "b2")
    record, lying = bench.moves, bench.game.layout(bench.position)
    reading = bench.show(lying, {"c2": Piece("disc", "black")})
    assert (reading.kind, reading.rule, bench.moves) == ("unlawful", "A4", record)
    assert bench.table.question is None
    assert bench.show(lying).kind == "take-back"
    assert bench.moves == record


@pytest.mark.parametrize("game", ["ataxx", "hexxagon"])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_is_half_put_back_is_not_played_once_more(game: str, data: st.DataObject) -> None:
    bench = Bench(game).begin()
    for _ in range(data.draw(st.integers(2, 5))):
        moves = [bench.game.write_move(bench.position, m) for m in bench.game.moves(bench.position)]
        bench.play(data.draw(st.sampled_from(moves)))
    ply = data.draw(st.integers(0, len(bench.moves) - 1))
    order(bench, "undo", ply=ply)
    tasks, lies = bench.table.steps, bench.table.state.standing
    done = data.draw(st.sets(st.sampled_from(range(len(tasks)))))
    reading = bench.show(lies, {cell: tasks[at].after[cell] for at in done for cell in tasks[at].cells})
    assert reading.kind in ("step", "nothing new")
    assert (len(bench.moves), bench.table.state.ruling, bench.table.question) == (ply, None, None)
    bench.clear()
    assert not bench.table.state.awaiting


def test_a_free_piece_that_is_still_to_be_taken_off_is_not_placed_once_more() -> None:
    bench = begun(Bench("chaos"))
    bench.table.enter(roll(3, 8))
    for placed in ("r3^0,0,0", "b3^160,0,0"):
        assert bench.look(chaos_view(bench, placed)).kind == "move"
    first = chaos_view(bench).sightings[:1]
    order(bench, "undo", ply=1)
    assert bench.look(replace(chaos_view(bench), sightings=first)).kind == "step"
    assert len(bench.moves) == 1
    assert bench.look(chaos_view(bench)).kind == "step"
    assert not bench.table.state.awaiting


def test_what_is_half_put_back_is_no_earlier_table_that_looked_like_it() -> None:
    bench = Bench("ataxx").begin()
    bench.play("a8c8", "a1a3", "c8a8", "a3a1")
    black = Piece("disc", "black")
    order(bench, "undo", ply=2)
    reading = bench.show(bench.table.state.standing, {"a8": EMPTY, "c8": black})
    assert (reading.kind, reading.text) == ("step", "Still to do: move the white disc from a1 to a3.")
    assert bench.table.question is None
