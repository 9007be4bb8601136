"""What the host lets stand is what lies there: an unlawful action, or a whole board."""

import random
from dataclasses import replace

import pytest
from free_benches import kaxxt_bench, seen
from free_views import SHARP, free_view
from referee_tables import Bench, comes_back, order

from companion.errors import CommandRefused
from companion.games import kaxxt
from companion.games.kaxxt.position import Position
from companion.games.kaxxt.pyramids import read_codes
from companion.games.kaxxt.stands import Stand, stand
from companion.pieces import EMPTY, Piece
from companion.referee.commands import Command
from companion.referee.evidence.layout import cells_of
from companion.referee.let_stand import let_stand
from companion.referee.orders import carry_out
from companion.referee.picture import Painter
from companion.referee.state import fold_all
from companion.view import TableView, square_at

MOVED = {"h8": EMPTY, "h7": Piece("pyramid", "red", facing="NE"), "f8": EMPTY, "f7": Piece("pharaoh", "red")}
TAKE_UP = Command("take_up", {"seat": 0})


def each_has_one(bench: Bench) -> None:
    """South's red pyramid and North's blue one lie there, and South is to play again."""
    for move in ("draw any", "=r3", "put r3@0.0,-120.0>270.0", "roll", "=6"):
        bench.table.enter(kaxxt.read_move(bench.position, move))
    for move in ("draw any", "=b3", "put b3@0.0,120.0>90.0", "roll", "=6"):
        bench.table.enter(kaxxt.read_move(bench.position, move))
    seen(bench, kaxxt.layout(bench.position))


def bare_around(position: Position) -> TableView:
    """The table, seen to be bare wherever nothing of this lies."""
    view = free_view(kaxxt.layout(position), random.Random(1), SHARP)
    return replace(view, covered=frozenset(square_at(s.x_mm, s.y_mm) for s in view.sightings))


@pytest.mark.parametrize("place", ["45.0,-120.0", "110.0,-120.0"])
def test_x30_a_pyramid_that_was_exchanged_for_anothers_is_in_the_hand_and_not_where_it_lay(place) -> None:
    bench = kaxxt_bench()
    each_has_one(bench)
    x, y = map(float, place.split(","))
    taken: tuple[Stand, ...] = (stand(read_codes("b3"), x, y, 270.0),)
    exchanged = bare_around(replace(bench.position, areas=(taken, ())))
    assert bench.look(exchanged).rule == "X6"
    order(bench, "allow")
    assert bench.position.areas == (taken, ())
    assert [pyramid.code for pyramid in bench.position.hands[0]] == ["r3"]
    assert bench.look(exchanged).kind == "nothing new"
    assert comes_back(bench.archive)


def test_the_host_takes_a_board_up_as_it_lies_whatever_happened_there() -> None:
    bench = Bench().begin()
    bench.play("c5-")
    assert bench.show(bench.game.layout(bench.position), MOVED).kind == "unlawful"
    assert Painter().snapshot(bench.table).ruling.allows == "table"
    with pytest.raises(CommandRefused):
        order(bench, "allow")
    order(bench, "take_up", seat=1)
    assert bench.game.to_move(bench.position) == 1
    assert {"h7", "f7"} <= {lying.cell for lying in bench.game.layout(bench.position).pieces}
    assert bench.table.state.plies[-1].text.endswith("face SE; then the host went on from what lay there.")
    assert bench.show(bench.game.layout(bench.position)).kind == "nothing new"
    assert bench.act("f7e7").kind == "move"
    assert comes_back(bench.archive)
    with pytest.raises(CommandRefused):
        order(bench, "take_up", seat=1)


def test_who_cannot_move_on_a_board_that_is_taken_up_passes() -> None:
    bench = Bench("ataxx", board=5).begin()
    black, white = (Piece("disc", colour) for colour in ("black", "white"))
    near = [f"{column}{row}" for column in "abc" for row in "123" if (column, row) != ("a", "1")]
    empty = dict.fromkeys(cells_of(bench.table.layout), EMPTY)
    shut_in = {**empty, "a1": black, **dict.fromkeys(near, white)}
    assert bench.show(bench.table.layout, shut_in).kind == "unlawful"
    order(bench, "take_up", seat=0)
    assert bench.moves == ["0000"]
    assert bench.game.to_move(bench.position) == 1
    order(bench, "undo")  # what happens by itself only happens again
    assert bench.game.to_move(bench.position) == 1
    assert comes_back(bench.archive)


def test_a_player_who_is_to_move_again_may_move_back_where_the_piece_came_from() -> None:
    bench = Bench().begin().play("c1b1")
    bench.show(bench.game.layout(bench.position), MOVED)
    order(bench, "take_up", seat=0)
    assert bench.act("b1c1").moves == ("b1c1",)


def test_an_unlawful_action_is_allowed_and_not_the_board() -> None:
    bench = Bench().begin()
    bench.act("d6d8")
    assert Painter().snapshot(bench.table).ruling.allows == "action"
    with pytest.raises(CommandRefused):
        order(bench, "take_up", seat=0)


@pytest.mark.parametrize(
    ("odd", "command"),
    [({"d6": EMPTY, "d8": Piece("pyramid", "silver", facing="NW")}, Command("allow")), (MOVED, TAKE_UP)],
)
def test_what_was_put_right_and_waits_for_the_button_cannot_be_let_stand_as_it_lay(odd, command) -> None:
    bench = Bench(end_turn=True).begin()
    assert bench.show(bench.game.layout(bench.position), odd).kind == "unlawful"
    bench.act("c1b1")
    assert bench.table.pending is not None
    with pytest.raises(CommandRefused):
        carry_out(bench.table, command, "")


def test_what_is_in_a_hand_is_not_gone_from_a_board_that_is_taken_up() -> None:
    bench = Bench().begin()
    assert bench.show(bench.game.layout(bench.position), {"c1": EMPTY}).kind == "unclear"
    with pytest.raises(CommandRefused):
        carry_out(bench.table, TAKE_UP, "")


def test_of_a_board_on_which_a_piece_was_turned_that_faces_nowhere_nothing_is_taken_up() -> None:
    bench = Bench().begin()
    assert bench.show(bench.game.layout(bench.position), facings={"e1": "E"}).kind == "unlawful"
    assert Painter().snapshot(bench.table).ruling.allows == ""


def test_a_board_that_is_not_surely_told_by_now_is_not_taken_up() -> None:
    bench = Bench().begin()
    bench.show(bench.game.layout(bench.position), MOVED)
    assert Painter().snapshot(bench.table).ruling.allows == "table"
    doubts = {"c1": ((Piece("pyramid", "silver", facing="SW"), 0.6), (Piece("pyramid", "silver", facing="NW"), 0.01))}
    bench.show(bench.game.layout(bench.position), MOVED, doubts=doubts)
    assert Painter().snapshot(bench.table).ruling.allows == ""
    with pytest.raises(CommandRefused):
        carry_out(bench.table, TAKE_UP, "")


def test_what_followed_from_an_action_that_was_let_stand_is_shown_as_that_of_any_other() -> None:
    bench = Bench().begin()
    bench.act("d6d8")
    order(bench, "allow")
    assert Painter().snapshot(bench.table).beams
    assert Painter().snapshot(bench.table).record[-1].beams
    assert comes_back(bench.archive)


def test_the_lawful_actions_before_one_that_is_let_stand_are_played() -> None:
    bench = Bench().begin()
    lawful, after = bench.game.read_move(bench.position, "c1b1"), Bench().begin().play("c1b1").position
    unlawful = bench.game.read_move(after, "e8e6")
    state = fold_all(let_stand(bench.table.state, (lawful, unlawful), ""), bench.table.state)
    assert [(past.seat, past.move) for past in state.plies] == [(0, "c1b1"), (1, "e8e6")]
    assert {"b1", "e6"} <= {lying.cell for lying in bench.game.layout(state.position).pieces}


@pytest.mark.parametrize("facing", ["SE", "NE"])
def test_a_pyramid_in_the_place_of_a_sphinx_is_refused_and_cannot_be_let_stand(facing) -> None:
    bench = Bench(layout="classic-2.0").begin().play("h2i2", "e8+", *(("i2+", "e8-") if facing == "SE" else ()))
    changes = {"i2": EMPTY, "j1": Piece("pyramid", "silver", facing=facing)}
    assert bench.show(bench.game.layout(bench.position), changes).kind == "unlawful"
    assert Painter().snapshot(bench.table).ruling.allows == ""
    with pytest.raises(CommandRefused, match="could be let stand"):
        order(bench, "allow")
