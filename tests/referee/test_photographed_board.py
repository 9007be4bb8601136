"""Photographed games on boards: a set-up of which some pieces were misread, and a move that was taken back."""

from dataclasses import replace

import pytest
from photograph_folders import lines, photographed, readings
from referee_tables import Bench, shown

from companion.games import khet
from companion.games.base import Layout
from companion.photographs import photograph_settings
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.let_stand import taken_up
from companion.referee.photographs.played_on import TAKEN_UP
from companion.referee.words import sentence
from companion.view import TableView

SCARAB = Piece("scarab", "silver", facing="/")
PHARAOH = Piece("pharaoh", "silver", facing="N")
ANUBIS = Piece("anubis", "red", facing="N")


def after(*moves: str) -> Layout:
    position = khet.start({"layout": "classic-2.0"})
    for text in moves:
        position = khet.play(position, khet.read_move(position, text)).position
    return khet.layout(position)


@pytest.mark.parametrize(
    ("seen_first", "begun"),
    [
        ({"e1": SCARAB}, True),
        ({"e1": SCARAB, "f8": ANUBIS, "c1": replace(SCARAB, facing="\\")}, True),
        ({"e1": EMPTY, "f8": EMPTY, "c1": EMPTY}, False),  # not yet there, they were not misread
        ({"e1": replace(SCARAB, colour="red"), "f8": EMPTY, "d1": EMPTY}, False),
    ],
)
def test_a_set_up_that_was_misread_was_one_if_a_lawful_move_follows(tmp_path, seen_first, begun) -> None:
    kinds = readings(tmp_path, shown(after(), seen_first), shown(after("c5-")), shown(after("c5-", "h8+")))
    assert kinds[0] == "set-up"
    assert (kinds[1] == "move") is begun


@pytest.mark.parametrize("side", ["silver", "red"])
def test_what_is_put_right_in_a_set_up_is_no_unlawful_action(tmp_path, side) -> None:
    cell, piece = next((c, p) for c, p in cells_of(after()).items() if (p.kind, p.colour) == ("pyramid", side))
    wrong = [replace(piece, facing=facing) for facing in ("NE", "SE", "SW", "NW") if facing != piece.facing]
    views = [shown(after(), {cell: turned}) for turned in wrong[:2]]
    assert readings(tmp_path, *views, shown(after()), shown(after("c5-")))[1:] == ["set-up", "set-up", "move"]


def test_a_move_taken_back_needs_not_be_quite_sure_where_nobody_can_be_asked() -> None:
    def put_back(**settings: float) -> str:
        bench = Bench(settings=replace(photograph_settings(), **settings), layout="classic-2.0", undo="take").begin()
        bench.play("c5-", "h8+")
        looks = {"f8": ((ANUBIS, 0.79), (Piece("pharaoh", "red", facing="E"), 0.2))}
        return bench.show(after("c5-"), doubts=looks).kind

    assert put_back() == "take-back"
    assert put_back(put_back=1.0) != "take-back"


TWO = {"c1": EMPTY, "c5": replace(SCARAB, facing="/")}
UNREADABLE = TableView(0.0, (), ("markers",))


def doubted(view: TableView, belief: float) -> TableView:
    """The view, in which an eye that was never taught is as sure of each cell as this, and else of nothing."""
    faint = tuple(replace(s, beliefs=((s.beliefs[0][0], belief),)) if s.piece != EMPTY else s for s in view.sightings)
    return replace(view, sightings=faint)


def test_after_a_photograph_that_could_not_be_read_two_plies_are_as_likely_as_one(tmp_path) -> None:
    two = doubted(shown(after("c5-", "h8+")), 0.6)
    assert readings(tmp_path, shown(after()), UNREADABLE, two) == ["set-up", "unclear", "move"]


def test_what_the_camera_shows_badly_is_said_where_something_seems_wrong(tmp_path) -> None:
    incomplete, begun, unlawful = lines(
        tmp_path, shown(after(), {"e1": EMPTY}), shown(after()), shown(after("c5-"), TWO)
    )
    assert incomplete.reading.text.endswith("(the table is dark)")
    assert "dark" not in begun.reading.text
    assert (unlawful.reading.kind, unlawful.reading.text[-19:]) == ("unlawful", "(the table is dark)")


def test_a_game_is_begun_from_its_first_actions_where_no_photograph_shows_the_set_up(tmp_path) -> None:
    views = [shown(after(*played)) for played in (("c5-",), ("c5-", "h8+"), ("c5-", "h8+", "j4-"))]
    run, told = photographed(tmp_path, *views)
    assert [line.reading.kind for line in told] == ["set-up", "move", "move"]
    assert told[1].reading.moves == ("c5-", "h8+")
    assert [past.move for past in run.desk.table.state.plies] == ["c5-", "h8+", "j4-"]


def test_one_action_that_is_photographed_again_begins_no_game_without_its_set_up(tmp_path) -> None:
    assert readings(tmp_path, shown(after("c5-")), shown(after("c5-"))) == ["set-up", "set-up"]


def test_a_table_without_the_set_up_begins_no_game_though_a_move_would_explain_the_next(tmp_path) -> None:
    other = {"e1": EMPTY, "a8": SCARAB}  # of another layout
    kinds = readings(tmp_path, shown(after(), other), shown(after("c5-"), other))
    assert kinds == ["set-up", "set-up"]


def test_play_goes_on_from_what_lay_there_where_more_was_done_than_anybody_can_tell(tmp_path) -> None:
    unseen, seen = ("c5-", "h8+", "j4-"), "h5h6"
    *_, gap, on, again = lines(
        tmp_path,
        shown(after()),
        shown(after(*unseen)),
        shown(after(*unseen, seen)),
        shown(after(*unseen, seen, "h2h3")),
    )
    assert gap.reading.kind == "unlawful"
    assert (on.reading.kind, on.reading.moves) == ("move", (seen,))
    assert on.reading.text.startswith(sentence(TAKEN_UP))
    assert (again.reading.kind, again.reading.moves) == ("move", ("h2h3",))


def test_a_board_of_which_a_cell_is_not_surely_told_is_no_table_to_go_on_from(tmp_path) -> None:
    unseen = ("c5-", "h8+", "j4-")
    doubtful = shown(after(*unseen), doubts={"h8": ((Piece("pyramid", "red", facing="NE"), 0.6),)})
    *_, on = lines(tmp_path, shown(after()), doubtful, shown(after(*unseen, "h5h6")))
    assert on.reading.kind != "move"


def test_of_one_photograph_it_is_asked_but_once_whether_play_went_on_from_what_lay_there(tmp_path, monkeypatch) -> None:
    seats = []

    def asked(state, cells, seat, words):
        seats.append(seat)
        return taken_up(state, cells, seat, words)

    monkeypatch.setattr("companion.referee.photographs.played_on.taken_up", asked)
    lay = ("c5-", "h8+", "j4-")
    more = after(*lay, "h5h6", "c1d2", "a4-")
    *_, on = lines(tmp_path, shown(after()), shown(after(*lay)), shown(more))
    assert on.reading.kind == "unlawful"
    assert seats == [0, 1]


def test_what_was_chosen_before_play_was_taken_up_is_not_put_right(tmp_path) -> None:
    """Else the plies since would be played again from a table that was another one."""
    taken, other, unseen, seen = "c5-", "c5+", ("a5a6", "j5i6", "c7d7", "e1e2"), "g3g4"
    as_taken, as_it_was = (cells_of(after(move))["c5"] for move in (taken, other))
    doubts = {"c5": ((as_taken, 0.45), (as_it_was, 0.449))}
    end = after(taken, *unseen, seen)
    tables = (after(taken), after(taken, *unseen), end)
    run, _ = photographed(
        tmp_path, shown(after()), *(shown(table, doubts=doubts) for table in tables), shown(end, {"c5": as_it_was})
    )
    assert khet.layout(run.desk.table.state.position) == end


def test_what_was_misread_once_is_no_table_to_go_on_from(tmp_path) -> None:
    misread = {"a4": EMPTY, "h8": SCARAB, "d4": ANUBIS}
    *_, odd, right = lines(tmp_path, shown(after()), shown(after("c5-"), misread), shown(after("c5-", "h8+")))
    assert odd.reading.kind == "unlawful"
    assert TAKEN_UP not in right.reading.text.lower()
    assert right.reading.moves[-1] == "h8+"  # c5 is gone, whatever it did


def test_the_layout_that_is_set_up_is_taken_where_none_was_chosen(tmp_path) -> None:
    other = shown(khet.layout(khet.start({"layout": "imhotep-2.0"})))
    chosen, left = (lines(tmp_path, other, **options)[0] for options in ({"layout": "dynasty-2.0"}, {"first": "red"}))
    assert "This is the set-up of layout imhotep-2.0" in chosen.reading.text
    assert left.reading.text == "The set-up is complete: Red begins."
    assert left.position == khet.write_position(khet.start({"layout": "imhotep-2.0", "first": "red"}))


def test_a_sphinx_that_left_its_corner_is_let_stand_and_fires_from_where_it_stands(tmp_path) -> None:
    position = khet.start({"layout": "classic-2.0"})
    strayed = khet.carry_out(position, khet.read_move(position, "j1j2")).position
    answered = khet.play(strayed, khet.read_move(strayed, "c7c6")).position
    fired = khet.play(answered, khet.read_move(answered, "j2-")).position
    views = [shown(khet.layout(p)) for p in (position, strayed, answered, fired)]
    *_, refused, on, turned = lines(tmp_path, *views)
    assert (refused.reading.rule, on.reading.moves, turned.reading.moves) == ("Khet 3a.sphinx", ("c7c6",), ("j2-",))
    assert turned.position == khet.write_position(fired)
