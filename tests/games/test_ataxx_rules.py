"""The numbered rules of Ataxx and Hexxagon but those of the end, by their numbers."""

from dataclasses import replace

import pytest
from ataxx_positions import after, played, refused

from companion.errors import IllegalMove, OddPosition, UnreadableText
from companion.events import TurnBegan
from companion.games import ataxx, hexxagon
from companion.games.ataxx.board import hexagon, square
from companion.games.ataxx.notation import read_fen
from companion.games.ataxx.play import Flipped
from companion.games.ataxx.position import ACCEPT, OFFER, PASS, Move
from companion.games.options import placed
from companion.pieces import EMPTY
from companion.view import BoardShape, Sighting, TableView


@pytest.mark.parametrize("size", [3, 4, 7, 8, 9, 10, 19, 26])
def test_A1_any_size_from_3_to_26(size: int) -> None:
    position = ataxx.start({"board": size})
    assert len(position.board.names) == size * size
    assert len(ataxx.layout(position).pieces) == 4
    assert ataxx.read_position(ataxx.write_position(position)) == position


def test_A1_eight_by_eight_is_usual_and_others_are_refused() -> None:
    assert ataxx.start({}) == ataxx.start({"board": 8})
    for size in (2, 27, 0, "x"):
        with pytest.raises(UnreadableText):
            ataxx.start({"board": size})
    for size in (2, 27):
        with pytest.raises(UnreadableText, match="3 to 26"):
            square(size)


def test_A2_the_hexagon_has_61_cells_and_three_pieces_each() -> None:
    position = hexxagon.start({})
    assert len(position.board.names) == 61
    assert (position.x.bit_count(), position.o.bit_count()) == (3, 3)
    assert [len(row) for row in position.board.rows] == [5, 6, 7, 8, 9, 8, 7, 6, 5]
    assert tuple(hexxagon.layout(position).board.cells()) == tuple(  # type: ignore[union-attr]
        position.board.names[bit] for row in reversed(position.board.rows) for bit in row
    )


def test_A2_holes_are_an_option() -> None:
    position = hexxagon.start({"holes": True})
    assert position.board.names_of(position.blocked) == ("d5", "e4", "f6")
    assert {position.board.distance("e5", hole) for hole in ("d5", "e4", "f6")} == {1}
    assert hexxagon.start({"holes": "no"}) == hexxagon.start({"holes": False}) == hexxagon.start({})
    assert hexxagon.layout(position).marked == {"d5": "blocked", "e4": "blocked", "f6": "blocked"}


def test_A3_AA1_two_pieces_each_in_opposite_corners_and_x_begins() -> None:
    assert ataxx.write_position(ataxx.start({})) == "x6o/8/8/8/8/8/8/o6x x 0 1"
    position = ataxx.start({})
    assert position.board.names_of(position.x) == ("h1", "a8")
    assert ataxx.to_move(position) == 0
    assert ataxx.seats(position) == ("black", "white")


def test_A4_the_sides_take_turns() -> None:
    turn = played("x3o/5/5/5/o3x x 0 1", "b5", "d5", "b4")
    assert [ataxx.to_move(turn.position), turn.events[-1]] == [1, TurnBegan(1)]
    assert after("x3o/5/5/5/o3x x 0 1", "b5", "d5") == "xx1oo/5/5/5/o3x x 0 2"


def test_A5_a_drop_needs_an_own_neighbour() -> None:
    fen = "x3o/5/5/5/o3x x 0 1"
    drops = {m.to for m in ataxx.moves(read_fen(fen)) if m.kind == "drop"}
    assert drops == {"b5", "a4", "b4", "d1", "d2", "e2"}
    refusal = refused(fen, "c3")
    assert (refusal.name, refusal.rule, refusal.figures) == ("no-own-neighbour", "A5", {"distance": 2})
    assert refusal.text.startswith("No piece of Black stands next to")
    refusal = refused(fen, "a5")
    assert (refusal.name, refusal.rule, refusal.text) == ("occupied", "A5", "The cell a5 is occupied.")
    refusal = refused(fen, "e5")
    only = "the piece there is turned over only when one is put down next to it"
    assert (refusal.name, refusal.rule, refusal.text) == ("occupied", "A5", f"The cell e5 is occupied, and {only}.")


def test_A5_hexagons_have_six_neighbours() -> None:
    assert hexagon().names_of(hexagon().near_of[hexagon().bit("e5")]) == ("d4", "d5", "e4", "e6", "f5", "f6")
    assert hexagon().names_of(hexagon().near_of[hexagon().bit("a1")]) == ("a2", "b1", "b2")


def test_A6_a_move_goes_exactly_two_cells() -> None:
    board = square(7)
    assert board.far_of[board.bit("d4")].bit_count() == 16
    assert {board.distance("d4", cell) for cell in board.names_of(board.far_of[board.bit("d4")])} == {2}
    fen = "x5o/7/7/7/7/7/o5x x 0 1"
    refusal = refused(fen, "a7d7")
    assert (refusal.name, refusal.rule, refusal.figures) == ("wrong-distance", "A6", {"distance": 3, "allowed": 2})
    refusal = refused(fen, "b7c7")
    assert (refusal.name, refusal.rule) == ("not-your-piece", "A6")
    refusal = refused(fen, "g7e7")
    assert refusal.name == "not-your-piece"
    refusal = refused("x1x3o/7/7/7/7/7/o5x x 0 1", "a7c7")
    assert (refusal.name, refusal.rule) == ("occupied", "A6")
    refusal = refused(fen, "a7a7")
    assert refusal.name in ("wrong-distance", "occupied")


def test_A6_hexagons_have_twelve_cells_at_distance_two() -> None:
    board = hexagon()
    far = board.names_of(board.far_of[board.bit("e5")])
    assert far == ("c3", "c4", "c5", "d3", "d6", "e3", "e7", "f4", "f7", "g5", "g6", "g7")
    assert {board.distance("e5", cell) for cell in far} == {2}
    assert board.distance("a1", "i9") == 8
    assert board.distance("a5", "i5") == 8
    assert board.distance("a5", "e1") == 8


def test_A7_pieces_in_between_do_not_matter() -> None:
    assert after("xo1/xo1/2o x 0 1", "a3c3").startswith("1xx/xx1/2o ")
    assert after("xx1/2o/2o x 0 1", "a3c3").startswith("1xx/2x/2o ")


def test_A8_a_move_empties_its_origin_and_a_drop_does_not() -> None:
    assert after("x3o/5/5/5/o3x x 0 1", "a5c4") == "4o/2x2/5/5/o3x o 1 1"
    assert after("x3o/5/5/5/o3x x 0 1", "b4") == "x3o/1x3/5/5/o3x o 0 1"


def test_A9_neighbours_change_sides_without_a_chain() -> None:
    turn = played("x4/1ooo1/5/5/o3x x 0 1", "b5")
    assert ataxx.write_position(turn.position) == "xx3/1xxo1/5/5/o3x o 0 1"
    flipped = [event for event in turn.events if isinstance(event, Flipped)]
    assert flipped == [Flipped(0, ("b4", "c4"))]
    assert not [e for e in played("x3o/5/5/5/o3x x 0 1", "b5").events if isinstance(e, Flipped)]


def test_A10_at_most_eight_flips() -> None:
    turn = played("5/1ooo1/xo1o1/1ooo1/5 x 0 1", "a3c3")
    assert [len(event.cells) for event in turn.events if isinstance(event, Flipped)] == [8]
    assert max(mask.bit_count() for mask in square(26).near_of.values()) == 8
    assert max(mask.bit_count() for mask in hexagon().near_of.values()) == 6


def test_AA2_corners_of_the_hexagon() -> None:
    position = hexxagon.start({})
    assert set(position.board.names_of(position.x)) == {"a1", "e9", "i5"}
    assert set(position.board.names_of(position.o)) == {"a5", "i9", "e1"}
    assert hexxagon.write_position(position) == "x3o/6/7/8/o7x/8/7/6/x3o x 0 1"
    assert ataxx.start({"board": "hex"}) == position


def test_AA3_a_drop_next_to_several_pieces_is_one_move() -> None:
    moves = ataxx.moves(read_fen("xx3/xx3/5/5/4o x 0 1"))
    assert moves.count(Move("drop", "c4")) == 1
    assert len(moves) == len(set(moves))


def test_AA4_the_long_spelling_of_a_drop_is_read_and_never_written() -> None:
    position = read_fen("x3o/5/5/5/o3x x 0 1")
    move = ataxx.read_move(position, "a5b5")
    assert move == Move("drop", "b5")
    assert ataxx.write_move(position, move) == "b5"
    assert refused("x3o/5/5/5/o3x x 0 1", "e5d5").name == "not-your-piece"


@pytest.mark.parametrize("text", ["A5C5", " a5c5 ", "a5-c5", "a5 c5", "a5:c5", "a5->c5", "a5xc5"])
def test_moves_are_read_tolerantly(text: str) -> None:
    assert ataxx.read_move(read_fen("x3o/5/5/5/o3x x 0 1"), text) == Move("jump", "c5", "a5")


def test_AA9_only_neighbours_are_turned_over_and_the_hands_may_be_halfway() -> None:
    position = read_fen("x4/1ooo1/5/5/o3x x 0 1")
    move = ataxx.read_move(position, "b5")
    with pytest.raises(IllegalMove, match="d4 may not be turned over") as wrong:
        ataxx.play(position, replace(move, turned=("d4",)))
    assert (wrong.value.name, wrong.value.rule) == ("wrong-flip", "AA9")
    hand = {lying.cell: lying.piece.colour for lying in ataxx.during(position, move).pieces}
    assert hand["b5"] == "black"
    assert hand["b4"] == hand["c4"] == "white"
    jump = ataxx.read_move(position, "a5c5")
    hand = {lying.cell: lying.piece.colour for lying in ataxx.during(position, jump).pieces}
    assert hand == {"c5": "black", "e1": "black", "b4": "white", "c4": "white", "d4": "white", "a1": "white"}
    assert ataxx.during(position, PASS) == ataxx.layout(position)


def test_AA10_two_digit_runs_and_ranks() -> None:
    position = ataxx.start({"board": 12})
    assert ataxx.write_position(position).startswith("x10o/12/")
    move = ataxx.read_move(position, "a12c10")
    assert move == Move("jump", "c10", "a12")
    assert ataxx.write_position(ataxx.play(position, move).position).startswith("11o/12/2x9/")
    assert ataxx.start({"board": 26}).board.last == "z26"


def test_offers_are_described_and_not_listed() -> None:
    position = read_fen("x3o/5/5/5/o3x x 100 60")
    assert OFFER not in ataxx.moves(position)
    assert ataxx.describe(position, OFFER) == "Black offers a draw."
    assert ataxx.describe(position, ACCEPT) == "Black accepts the draw."
    assert ataxx.describe(position, Move("drop", "b5")) == "Black drops a piece on b5."
    assert ataxx.describe(position, Move("jump", "c5", "a5")) == "Black moves the piece on a5 to c5."
    assert ataxx.write_move(position, OFFER) == "draw?"


def test_an_odd_position_is_neither_unreadable_nor_unlawful() -> None:
    with pytest.raises(OddPosition, match="offered before 100"):
        ataxx.read_position("x3o/5/5/5/o3x x 0 1 offer=x")
    with pytest.raises(OddPosition, match="no room"):
        ataxx.read_position("---/---/--x x 0 1")


def test_a_board_shape_of_the_hexagon_names_its_cells() -> None:
    assert set(BoardShape(9, 9, 30.0, kind="hex").cells()) == set(hexagon().bits)
    assert next(BoardShape(9, 9, 30.0, kind="hex").cells()) == "a1"


def test_boards_are_drawn() -> None:
    text = ataxx.draw(ataxx.start({"board": 5, "blocked": "corners"}))
    assert text.splitlines()[0] == " 5 x . . . o"
    assert text.splitlines()[1] == " 4 . # . # ."
    assert text.splitlines()[-2] == "   a b c d e"
    assert text.splitlines()[-1] == "x 2, o 2; x (black) to move"
    assert hexxagon.draw(hexxagon.start({})).splitlines()[4] == "e1 o . . . . . . . x e9"
    assert hexxagon.draw(hexxagon.start({})).splitlines()[0] == "    i5 x . . . o i9"


def view_of(fen: str, *obstacles: str) -> TableView:
    """A sure view of a board with these pieces on it."""
    at = read_fen(fen)
    standing = {lying.cell: lying.piece for lying in ataxx.layout(at).pieces}
    cells = [Sighting(((standing.get(cell, EMPTY), 1.0),), cell=cell) for cell in at.board.bits]
    return TableView(0.0, tuple(cells), obstacles)


def test_what_a_hand_did_unlawfully_is_a_candidate_so_that_it_is_explained() -> None:
    position = read_fen("x3o/5/5/5/o3x x 0 1")
    lawful = ataxx.moves(position)
    assert tuple(ataxx.candidates(position, view_of("x3o/5/5/5/o3x x 0 1"))) == lawful
    far = tuple(ataxx.candidates(position, view_of("4o/5/5/5/o2xx x 0 1")))
    assert far[: len(lawful)] == lawful
    assert far[len(lawful) :] == (Move("jump", "d1", "a5"),)
    lone = tuple(ataxx.candidates(position, view_of("x3o/5/2x2/5/o3x x 0 1")))
    assert lone[len(lawful) :] == (Move("drop", "c3"),)
    theirs = tuple(ataxx.candidates(position, view_of("x3o/5/2o2/5/o3x x 0 1")))
    assert theirs[len(lawful) :] == (Move("drop", "c3", shows="o"),)
    hidden = tuple(ataxx.candidates(position, view_of("4o/5/5/5/o2xx x 0 1", "hand")))
    assert hidden == lawful


def test_boards_are_values_of_kind_and_size() -> None:
    square.cache_clear()
    before = square(4)
    square.cache_clear()
    after_clearing = square(4)
    assert before is not after_clearing
    assert before == after_clearing
    assert hash(before) == hash(after_clearing)
    assert repr(before) == "Board(kind='square', size=4)"
    assert repr(hexagon()) == "Board(kind='hex', size=5)"
    assert before != square(5)


@pytest.mark.parametrize(
    ("word", "meant"),
    [("7x7", {"board": 7}), ("7", {"board": 7}), ("hex", {"board": "hex"}), ("sides", {"blocked": "sides"})],
)
def test_a_variant_is_the_option_that_has_such_a_choice(word: str, meant: dict[str, object]) -> None:
    assert placed(ataxx.OPTIONS, "variant", word) == meant


def test_a_described_board_says_which_game_is_played_on_it() -> None:
    assert ataxx.options_for(BoardShape(9, 9, 40.0)) == {"board": 9}
    assert ataxx.options_for(BoardShape(9, 9, 40.0, kind="hex")) == {"board": "hex"}
    with pytest.raises(UnreadableText):
        ataxx.start(placed(ataxx.OPTIONS, "variant", "7x8"))
