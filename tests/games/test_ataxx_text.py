"""FEN, UAI, records and JSON of Ataxx: read, write, read again, and what cannot be read."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import IllegalMove, UnreadableText
from companion.games import ataxx, hexxagon
from companion.games.ataxx.board import Board, hexagon, square
from companion.games.ataxx.notation import read_fen
from companion.games.ataxx.position import ACCEPT, OFFER, PASS, Move, Position

boards = st.one_of(st.integers(3, 26).map(square), st.just(hexagon()))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position that can be written, played or not."""
    board: Board = draw(boards)
    letters = draw(st.lists(st.sampled_from("....xo-"), min_size=len(board.names), max_size=len(board.names)))
    masks = dict.fromkeys("xo-.", 0)
    for bit, letter in zip(board.names, letters, strict=True):
        masks[letter] |= 1 << bit
    return Position(
        board,
        masks["x"],
        masks["o"],
        masks["-"],
        draw(st.integers(0, 1)),
        draw(st.integers(0, 999)),
        draw(st.integers(1, 999)),
        draw(st.sampled_from(("offer", "nothing", "draw"))),
        draw(st.sampled_from((None, 0, 1))),
        draw(st.booleans()),
    )


def moves_on(board: Board) -> st.SearchStrategy[Move]:
    cells = st.sampled_from(sorted(board.bits))
    return st.one_of(
        st.sampled_from((PASS, OFFER, ACCEPT)),
        cells.map(lambda to: Move("drop", to)),
        st.tuples(cells, cells).map(lambda pair: Move("jump", *pair)),
    )


@given(positions())
def test_positions_survive_text_and_json(position: Position) -> None:
    assert read_fen(ataxx.write_position(position)) == position
    assert ataxx.from_json(json.loads(json.dumps(ataxx.to_json(position)))) == position
    assert hash(position) == hash(read_fen(ataxx.write_position(position)))


@given(boards.flatmap(lambda board: st.tuples(st.just(board), moves_on(board))))
def test_moves_survive_text_and_json(case: tuple[Board, Move]) -> None:
    board, move = case
    position = Position(board, 0, 0)
    assert ataxx.read_move(position, ataxx.write_move(position, move)) == move
    assert ataxx.from_json(json.loads(json.dumps(ataxx.to_json(move)))) == move


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a position is written"),
        ("x6o/8", "a position is written"),
        ("x6o/8 x", "no square"),
        ("x6o/8/8/8/8/8/8/o6q x", "is no row"),
        ("x6o/8/8/8/8/8/8/o5x x", "no square"),
        ("x0/3/3 x", "is no row"),
        ("x1o/3/3 z 0 1", "no side to move"),
        ("x1o/3/3 x 0 0", "counters"),
        ("x1o/3/3 x 0 1 2", "counters"),
        ("x1o/3/3 x 0 1 offer=z", "not understood"),
        ("x1o/3/3 x 0 1 without_drop=maybe", "not understood"),
        ("x1o/3/3 x -1 1", "counters"),
        ("2/2 x 0 1", "no square of 3 to 26"),
        ("x" * 1300 + " x", "a position is written"),
    ],
)
def test_what_is_wrong_with_a_fen_is_said(text: str, why: str) -> None:
    with pytest.raises(UnreadableText, match=why):
        ataxx.read_position(text)


@pytest.mark.parametrize(
    "text", ["", "a", "a0", "a9", "i1", "a1b", "a1b2c3", "a1+c3", "0 000", "pass!", "é1", "a1\nb2"]
)
def test_unreadable_moves(text: str) -> None:
    with pytest.raises(UnreadableText):
        ataxx.read_move(ataxx.start({}), text)


def test_counters_may_be_left_out_and_other_words_for_the_sides_are_read() -> None:
    assert ataxx.read_position("X6O/8/8/8/8/8/8/o6x b") == ataxx.start({})
    assert ataxx.read_position("x6o/8/8/8/8/8/8/o6x w").turn == 1
    assert ataxx.read_position("x6o/8/8/8/8/8/8/o6x W 7").half_moves == 7
    assert ataxx.read_position("x6o/8/8/8/8/8/8/o6x x 7 9").full_moves == 9


def test_hexxagon_reads_hexagons_only() -> None:
    assert hexxagon.read_position("x3o/6/7/8/o7x/8/7/6/x3o x") == hexxagon.start({})
    with pytest.raises(UnreadableText, match="rows of 5 to 9"):
        hexxagon.read_position("x6o/8/8/8/8/8/8/o6x x 0 1")
    with pytest.raises(UnreadableText, match="without_drop"):
        hexxagon.start({"board": 8})


def _changed(**changes: Any) -> dict[str, Any]:
    return {**ataxx.to_json(ataxx.start({})), **changes}


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"move": "leap"},
        {"move": "drop"},
        {"move": "drop", "to": "11"},
        {"move": "jump", "to": "a1"},
        {"move": "pass", "to": "a1"},
        {"move": ["drop"], "to": "a1"},
        _changed(position="khet"),
        _changed(board="hex"),
        _changed(size=2),
        _changed(size=2.5),
        _changed(board="round"),
        _changed(x=["z9"]),
        _changed(o=["h1"]),
        _changed(blocked=["h1"]),
        _changed(x=5),
        _changed(turn="z"),
        _changed(half_moves=-1),
        _changed(half_moves="1"),
        _changed(half_moves=True),
        _changed(full_moves=0),
        _changed(without_drop="never"),
        _changed(offered_by="z"),
        _changed(agreed=1),
    ],
)
def test_json_that_is_none_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(UnreadableText):
        ataxx.from_json(data)


def test_a_pass_is_counted_like_any_half_move() -> None:
    position = read_fen("7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 5")
    for text in ("0000", "a3a5"):
        position = ataxx.play(position, ataxx.read_move(position, text)).position
    assert position.full_moves == 6


def test_a_move_of_ataxx_has_one_spelling() -> None:
    start = ataxx.start({})
    lawful = next(move for move in ataxx.moves(start) if move.kind == "drop")
    text = ataxx.write_move(start, lawful)
    assert ataxx.read_move(start, f"{text}=x") == lawful
    nobody = ataxx.read_move(start, "d4c4")
    assert ataxx.write_move(start, nobody) == "d4c4"
    with pytest.raises(IllegalMove):
        ataxx.play(start, nobody)


def test_hexxagon_takes_no_square_board_from_json() -> None:
    with pytest.raises(UnreadableText, match="Hexxagon"):
        hexxagon.from_json(ataxx.to_json(ataxx.start({})))
    start = hexxagon.start({})
    assert hexxagon.from_json(hexxagon.to_json(start)) == start
    move = next(iter(hexxagon.moves(start)))
    assert hexxagon.from_json(hexxagon.to_json(move)) == move
