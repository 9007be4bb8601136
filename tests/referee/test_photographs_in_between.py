"""Photographed games of which not every step was photographed, or not well: what happened between two pictures."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from kdak_players import Evening
from photograph_folders import Views
from referee_tables import Bench
from towers import Eye, Lies, Tower

from companion.folder_run import FolderRun
from companion.games import game as game_named
from companion.games.base import Layout
from companion.games.kdak.tower import Place
from companion.photographs import photograph_settings
from companion.pieces import EMPTY, Piece
from companion.referee.evidence.layout import cells_of
from companion.referee.reading import Reading

WHITE = Piece("disc", "white")
MIDDLE = "x5o/7/2oo3/2o4/4x2/7/o5x x 0 1"
LEFT = "7/7/7/7/1x5/2xo3/1x1x3 x 0 1"
LAST = "xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xooooox/xoooo2 x 0 1"


class Album:
    """Photographs of a game on a board, from a position or from its start."""

    def __init__(self, game: str, start: str = "", **options: object) -> None:
        self.bench = Bench(game, settings=photograph_settings(), dice="camera", undo="take", **options)
        self.game = game_named(game)
        if start:
            position = self.game.read_position(start)
            table = self.bench.table
            layout = self.game.layout(position)
            table.state = replace(table.state, position=position, first=position, phase="play", standing=layout)
        else:
            assert self.photograph().kind == "set-up"

    def after(self, *moves: str) -> Layout:
        position = self.bench.table.state.first
        for text in moves:
            position = self.game.play(position, self.game.read_move(position, text)).position
        return self.game.layout(position)

    def photograph(self, *moves: str, changes=None, **how):
        """The table after these moves from the start."""
        return self.bench.show(self.after(*moves), changes, **how)

    @property
    def record(self) -> list[str]:
        return [past.move for past in self.bench.table.state.plies]


def test_a_die_and_what_it_led_to_are_read_from_one_photograph(tmp_path) -> None:
    tower, entered = Tower(5, "cooperative", Lies(), Eye(0.8)), Place(0, 2)
    views = [tower.view()]
    tower.put(0, entered)
    tower.turn_up(entered)
    views.append(tower.view())
    tower.dice = [(150.0, 200.0, "2", 0.95)]
    tower.take(Place(2, 0))
    views.append(tower.view())
    for number in range(len(views)):
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), np.full((480, 640, 3), 120, np.uint8))
    options = {"variant": "cooperative"}
    run = FolderRun(Views(*views), "kdak", options, None, photograph_settings())
    *_, last = run.run(sorted(tmp_path.iterdir()))
    assert (last.reading.kind, last.reading.moves) == ("move", ("r2", "x2a"))


@pytest.mark.parametrize(
    ("game", "start", "moves"),
    [
        ("khet", "", ("c4b4", "h8+")),
        ("khet", "", ("j5-", "h8+")),
        ("khet", "", ("c4b4", "h8h7")),
        ("ataxx", MIDDLE, ("d4", "b1")),
        ("ataxx", MIDDLE, ("d4", "g7f5")),
        ("ataxx", MIDDLE, ("d3", "b4")),  # a disc was turned over by the first and back by the second
        ("ataxx", LEFT, ("c2a3", "c2")),  # the second went where the first came from: a cell left, four turned over
    ],
)
def test_two_plies_of_which_one_changes_a_single_cell_are_read_from_one_photograph(game, start, moves) -> None:
    album = Album(game, start)
    reading = album.photograph(*moves)
    assert reading.kind == "move"
    assert album.record == list(moves)


@pytest.mark.parametrize(
    ("game", "start", "first", "instead", "then"),
    [
        ("khet", "", "c5-", "d6-", "h8+"),
        ("khet", "", "c5-", "c5+", "h8+"),
        ("ataxx", MIDDLE, "d4", "e3e5", "b1"),
        ("ataxx", MIDDLE, "a6", "g2", "b1"),  # no disc goes so far, and it is not that side's turn
    ],
)
def test_what_was_taken_back_and_made_otherwise_between_two_photographs_is_read_so(
    game, start, first, instead, then
) -> None:
    album = Album(game, start)
    album.photograph(first)
    reading = album.photograph(instead)
    assert reading.kind == "move"
    assert reading.text.startswith("What was done before was taken back.")
    assert album.record == [instead]
    assert album.photograph(instead, then).kind == "move"
    assert album.record == [instead, then]


def test_a_disc_that_its_own_side_may_have_moved_on_is_refused_and_not_read_as_put_down_elsewhere() -> None:
    album = Album("ataxx", MIDDLE)
    album.photograph("f3")
    reading = album.photograph("d2")
    assert (reading.kind, reading.rule) == ("unlawful", "A6")
    assert "it is White's turn" in reading.text
    assert album.record == ["f3"]


@pytest.mark.parametrize("hidden", [("h8",), ("h8", "f8"), ("d7", "d6")])
def test_what_a_hand_hides_after_a_move_does_not_make_it_a_second_time(hidden) -> None:
    album = Album("khet")
    album.photograph("c5-")
    assert album.photograph("c5-", doubts=dict.fromkeys(hidden, ())).kind != "move"
    assert album.record == ["c5-"]
    assert album.photograph("c5-", "h8+").kind == "move"


def test_nothing_is_taken_back_while_hands_have_work_to_do() -> None:
    album = Album("khet")
    hit = album.game.read_move(album.bench.position, "j5-")
    assert album.bench.show(album.game.during(album.bench.position, hit)).kind == "move"
    assert album.photograph("c5-").kind in ("unclear", "unlawful")  # so it would look if that was misread, too
    assert album.record == ["j5-"]
    assert album.photograph("j5-").kind == "step"


def test_a_disc_that_was_misread_once_is_no_unlawful_action_that_was_let_stand() -> None:
    album = Album("ataxx", MIDDLE)
    assert album.photograph("d4", changes={"a7": WHITE}).kind == "unlawful"
    assert album.photograph("d4", "b1").kind == "move"
    assert album.record == ["d4", "b1"]


@pytest.mark.parametrize(
    ("game", "start", "move", "hidden"), [("khet", "", "c4b4", "c4"), ("ataxx", MIDDLE, "d4", "d4")]
)
def test_where_a_hand_hides_what_would_tell_nothing_is_ruled(game, start, move, hidden) -> None:
    album = Album(game, start)
    assert album.photograph(move, doubts={hidden: ()}).kind == "unclear"
    assert album.record == []
    assert album.photograph(move).kind == "move"


def test_pieces_that_are_set_up_anew_after_the_end_take_nothing_back() -> None:
    album = Album("ataxx", LAST, board=7)
    assert album.photograph("g1").kind == "move"
    assert album.photograph("g1", "f1").kind == "move"
    assert album.bench.table.state.phase == "over"
    assert album.photograph().kind != "take-back"
    assert album.record == ["g1", "f1"]
    assert album.bench.table.state.phase == "over"


def test_a_die_thrown_between_two_photographs_is_read_though_none_showed_the_table_at_rest() -> None:
    tower, _, photograph = entered("cooperative")
    tower.dice = [(150.0, 200.0, "2", 0.95)]
    assert photograph().moves == ("r2",)


def test_a_piece_in_whose_mirror_another_one_shows_was_moved_all_the_same() -> None:
    album = Album("khet")
    piece = next(lying.piece for lying in album.after("c4b4").pieces if lying.cell == "b4")
    beliefs = {"b4": ((replace(piece, colour="red"), 0.996), (piece, 0.003))}
    assert album.photograph("c4b4", doubts=beliefs).kind == "move"
    assert album.record == ["c4b4"]
    assert album.photograph("c4b4", doubts=beliefs).kind == "nothing new"
    assert album.photograph("c4b4", "h8+", doubts=beliefs).kind == "move"


def test_what_has_changed_beside_a_move_is_no_misreading_of_it() -> None:
    album = Album("khet")
    piece = next(lying.piece for lying in album.after("c4b4").pieces if lying.cell == "b4")
    beliefs = {"b4": ((replace(piece, colour="red"), 0.996), (piece, 0.003))}
    assert album.photograph("c4b4", changes={"h8": EMPTY}, doubts=beliefs).kind != "move"
    scarab = {"b4": ((Piece("scarab", "silver", facing="/"), 0.996), (piece, 0.003))}
    assert album.photograph("c4b4", doubts=scarab).kind != "move"
    assert album.record == []


def test_a_disc_in_the_hand_is_no_other_action_than_the_last_but_one() -> None:
    album = Album("ataxx", MIDDLE)
    assert album.photograph("e2").kind == "move"
    assert album.photograph("e2", "b1").kind == "move"
    assert album.photograph("e2", "b1", changes={"g1": EMPTY}).kind == "unclear"  # as if g1 had gone to e2
    assert album.record == ["e2", "b1"]


def tower_album(variant: str) -> tuple[Tower, Evening, Callable[[], Reading]]:
    """A tower, and a camera that photographs it from its set-up on."""
    tower = Tower(5, variant, Lies(), Eye(0.8))
    evening = Evening(tower, {"dice": "camera", "undo": "take"}, photograph_settings())

    def photograph() -> Reading:
        view = tower.view()
        for _ in range(40):
            evening.now += 0.5
            reading = evening.desk.observe(view)
            if reading.decided:
                return reading
        raise AssertionError("no decision")

    while photograph().kind != "set-up" or evening.table.state.phase != "play":
        pass
    return tower, evening, photograph


def entered(variant: str) -> tuple[Tower, Evening, Callable[[], Reading]]:
    """The same, once the first explorer was photographed on 0c."""
    tower, evening, photograph = tower_album(variant)
    tower.put(0, Place(0, 2))
    tower.turn_up(Place(0, 2))
    assert photograph().kind == "move"
    return tower, evening, photograph


def test_a_pawn_in_the_hand_is_no_action_that_was_taken_back_and_made_again() -> None:
    tower, evening, photograph = entered("duel")
    record = [past.move for past in evening.table.state.plies]
    seen = tower.view
    tower.view = lambda: replace(v := seen(), sightings=tuple(s for s in v.sightings if s.piece.suit != "arms"))
    reading = photograph()
    assert reading.kind in ("unclear", "nothing new")
    assert [past.move for past in evening.table.state.plies] == record


def test_a_pawn_that_was_not_seen_before_is_read_to_move_once_it_is() -> None:
    tower, evening, photograph = tower_album("duel")
    tower.put(0, Place(0, 2))
    assert photograph().moves == ("0c",)
    seen, pawn = tower.view, Piece("pawn", suit="arms")
    tower.view = lambda: replace(v := seen(), sightings=tuple(s for s in v.sightings if s.piece != pawn))
    tower.turn_up(Place(0, 2))
    assert "Just as well it may have been" in photograph().text  # it may stand anywhere
    tower.view = seen
    tower.put(1, Place(0, 3))
    reading = photograph()
    assert (reading.kind, reading.moves) == ("move", ("0d",))
    assert [past.move for past in evening.table.state.plies] == ["0c", "=M5", "0d"]


def test_play_goes_on_though_no_photograph_shows_the_face_of_a_taken_tile() -> None:
    tower, _, photograph = entered("cooperative")
    tower.take(Place(5, 0))
    tower.beside.clear()
    assert photograph().moves == ("r5", "x5a")
    tower.put(1, Place(2, 2))
    assert photograph().rule == "K1"
    tower.put(1, None)
    assert photograph().kind == "take-back"
    tower.put(1, Place(0, 2))
    assert photograph().moves == ("=?", "0c")


def test_what_was_refused_stays_so_though_something_odd_is_seen_before_play_goes_on() -> None:
    album = Album("hexxagon", holes=True)
    for moves in (["i5g5"], ["i5g5", "a5c6"], ["i5g5", "a5c6", "b2"]):
        assert album.photograph(*moves, sure=0.99).kind == "move"
    refused = album.game.read_move(album.bench.position, "a1e4")  # it is not Black's turn
    lies = album.game.during(album.bench.position, refused)
    assert album.bench.show(lies, sure=0.99).rule == "A6"
    assert album.bench.show(lies, {"i9": EMPTY}, sure=0.99).kind == "unlawful"
    assert album.bench.show(lies, {"i9": EMPTY, "g8": WHITE}, sure=0.99).moves == ("i9g8",)


def test_an_own_piece_in_the_hand_is_waited_for_though_a_move_would_have_lost_it() -> None:
    album = Album("khet", layout="dynasty-2.0")
    reading = album.photograph(changes={"g5": EMPTY})
    assert (reading.kind, album.record) == ("unclear", [])
    assert album.photograph().kind == "nothing new"


def test_an_own_piece_that_was_lost_and_taken_off_between_two_photographs_is_read_with_the_next_action() -> None:
    album = Album("khet", layout="dynasty-2.0")
    assert album.photograph("g5g4").kind == "unclear"  # just so it would look in the hand
    assert album.photograph("g5g4", "a5-").kind == "move"
    assert album.record == ["g5g4", "a5-"]


def test_an_own_piece_that_was_lost_is_taken_off_when_that_was_seen() -> None:
    album = Album("khet", layout="dynasty-2.0")
    moved = album.game.during(album.bench.position, album.game.read_move(album.bench.position, "g5g4"))
    assert album.bench.show(moved).kind == "move"
    assert album.photograph("g5g4").kind == "step"


@pytest.mark.parametrize("column", ["##.###", "#..###", "##..##", "####..", "#....."])
def test_a_column_that_is_photographed_while_it_is_moved_down_is_a_step(column) -> None:
    tower, evening, photograph = entered("cooperative")
    tower.take(Place(1, 1))
    tower.beside.clear()
    assert photograph().moves == ("r1", "x1b")
    resting = dict(tower.tiles)
    name = tower.tiles[Place(2, 1)]
    for level, there in enumerate(column):
        tower.tiles.pop(Place(level, 1), None)
        if there == "#":
            tower.tiles[Place(level, 1)] = name  # face-down they look alike
    reading = photograph()
    assert (reading.kind, reading.rule) == ("step", None)
    assert reading.text == "Still to do: move the tiles on 2b, 3b, 4b and 5b one level down."
    tower.tiles = resting
    tower.drop(Place(1, 1))
    assert photograph().kind == "step"
    assert [past.move for past in evening.table.state.plies][-1] == "x1b"
    assert not evening.table.state.awaiting


@pytest.mark.parametrize(("game", "moves"), [("ataxx", ("g1",)), ("khet", ("c1b2",))])
def test_another_board_among_the_photographs_is_no_news(game, moves) -> None:
    album = Album(game)
    cells = cells_of(album.after())
    upside_down = dict(zip(cells, reversed(cells.values()), strict=True))
    more = dict.fromkeys([f"{file}{rank}" for file in "bcde" for rank in "345"], WHITE) if game == "ataxx" else {}
    reading = album.photograph(changes=upside_down | more)
    assert (reading.kind, reading.rule) == ("unclear", None)
    assert "another table" in reading.text
    assert album.photograph().kind == "nothing new"
    assert album.photograph(*moves).kind == "move"
    assert album.record == list(moves)


def test_another_board_after_the_end_is_no_news() -> None:
    album = Album("ataxx", LAST, board=7)
    for moves in (("g1",), ("g1", "f1")):
        assert album.photograph(*moves).kind == "move"
    swept = dict.fromkeys(cells_of(album.after("g1", "f1")), EMPTY)
    assert album.photograph("g1", "f1", changes=swept).kind == "nothing new"
    assert album.photograph("g1", "f1", doubts={"a1": ((EMPTY, 0.6), (WHITE, 0.4))}).kind == "nothing new"
    assert album.bench.table.hint == ""


def test_what_was_refused_and_lies_there_first_was_not_made_after_what_followed() -> None:
    album = Album("ataxx", MIDDLE)
    refused, black = {"f7": WHITE}, Piece("disc", "black")
    assert album.photograph(changes=refused).kind == "unlawful"  # it is Black's turn
    reading = album.photograph(changes={**refused, "b7": black})
    assert (reading.kind, reading.moves) == ("move", ("b7",))
    assert album.record == ["f7=o", "b7"]
    assert album.game.to_move(album.bench.position) == 1


def test_an_own_piece_that_two_photographs_lack_was_lost_by_its_move() -> None:
    album = Album("khet", layout="imhotep-2.0")
    assert album.photograph("j4+").kind == "unclear"
    reading = album.photograph("j4+")
    assert (reading.kind, reading.moves) == ("move", ("j4+",))
    assert album.photograph("j4+").kind == "nothing new"


@pytest.mark.parametrize(("game", "move", "lifted"), [("khet", "c1b2", "h8"), ("ataxx", "g1", "a1")])
def test_the_next_piece_in_the_hand_makes_no_action_unlawful(game, move, lifted) -> None:
    album = Album(game)
    reading = album.photograph(move, changes={lifted: EMPTY})
    assert (reading.kind, album.bench.table.state.ruling) == ("unclear", None)
    assert album.photograph(move).kind == "move"
    assert album.record == [move]
