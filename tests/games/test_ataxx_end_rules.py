"""The numbered rules of how Ataxx and Hexxagon go on and end, by their numbers."""

import random

import pytest
from ataxx_positions import played, refused

from companion.errors import UnreadableText
from companion.events import GameOver, Told
from companion.games import ataxx
from companion.games.ataxx.board import each, hexagon
from companion.games.ataxx.notation import read_fen
from companion.games.ataxx.position import PASS

STUCK = "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1"


def test_A11_who_can_act_must() -> None:
    refusal = refused("x3o/5/5/5/o3x x 0 1", "0000")
    assert (refusal.name, refusal.rule) == ("must-act", "A11")


def test_A12_AA7_who_cannot_act_is_skipped_and_may_act_later() -> None:
    position = read_fen(STUCK)
    assert ataxx.moves(position) == (PASS,)
    assert ataxx.chance(position) == ((PASS, 1.0),)
    assert ataxx.write_move(position, PASS) == "0000"
    turn = played(STUCK, "0000", "a3a5")
    assert ataxx.moves(turn.position) != (PASS,)
    assert ataxx.chance(turn.position) == ()
    assert ataxx.write_position(played(STUCK, "0000").position) == STUCK.replace("x 0 1", "o 1 1")
    refusal = refused(STUCK, "d4")
    assert refusal.remedy.endswith("Nothing can be done: pass (0000).")


def test_A13_a_full_board_ends_the_game_and_most_pieces_win() -> None:
    turn = played("xxo/xxo/oo1 x 0 1", "c1")
    outcome = ataxx.outcome(turn.position)
    assert (outcome.reason, outcome.winners, outcome.rule) == ("full-board", (0,), "A13")
    assert outcome.text == "The board is full: Black wins, 7\u00a0:\u00a02."
    assert isinstance(turn.events[-1], GameOver)
    assert ataxx.to_move(turn.position) is None
    assert ataxx.moves(turn.position) == ()
    assert ataxx.chance(turn.position) == ()
    fen = ataxx.write_position(turn.position)
    assert refused(fen, "a1").name == "game-over"


def test_A13_the_published_score_is_38_to_26() -> None:
    rows = "oooooooo/oooooooo/oooooooo/oooooooo/ooooooxx/xxxxxxxx/xxxxxxxx/xxxxxxxx x 0 60"
    outcome = ataxx.outcome(read_fen(rows))
    assert (outcome.winners, outcome.text) == ((1,), "The board is full: White wins, 38\u00a0:\u00a026.")


def test_A14_equal_is_a_tie() -> None:
    outcome = ataxx.outcome(read_fen("xxoo/xxoo/xxoo/xxoo x 0 1"))
    assert (outcome.winners, outcome.rule, outcome.reason) == ((), "A14", "full-board")


def test_A15_no_pieces_left_is_lost_at_once() -> None:
    turn = played("xo3/5/5/5/5 x 0 1", "b4")
    outcome = ataxx.outcome(turn.position)
    assert (outcome.reason, outcome.winners, outcome.rule) == ("no-pieces", (0,), "A15")
    nobody = ataxx.outcome(read_fen("3/3/3 x 0 1"))
    assert nobody.winners == ()


@pytest.mark.parametrize("board", [3, 4, 5, "hex"])
def test_A16_on_an_open_board_two_passes_never_follow_each_other(board: int | str) -> None:
    source, passes = random.Random(16), 0
    for _ in range(30):
        position, passed = ataxx.start({"board": board}), False
        while ataxx.outcome(position) is None:
            move = source.choice(ataxx.moves(position))
            assert not (passed and move == PASS)
            passed = move == PASS
            passes += passed
            position = ataxx.play(position, move).position
            assert position.can_act(position.x) or position.can_act(position.o) or not position.empty
    assert passes or board != 4


def test_AA8_a_full_board_without_enemies_is_counted() -> None:
    outcome = ataxx.outcome(played("xxx/xxx/xo1 x 0 1", "c1").position)
    assert (outcome.reason, outcome.winners) == ("full-board", (0,))
    assert "9\u00a0:\u00a00" in outcome.text


def test_A17_a_full_hexagon_cannot_tie() -> None:
    assert len(hexagon().names) % 2 == 1
    assert len(ataxx.start({}).board.names) == 64


@pytest.mark.parametrize("pattern", ["corners", "sides"])
@pytest.mark.parametrize("size", [5, 6, 7, 8, 26])
def test_AA5_blocked_cells_lie_alike_for_both_players_and_leave_the_middle_and_the_corners_free(size, pattern) -> None:
    begun = ataxx.start({"board": size, "blocked": pattern})
    blocked = {divmod(bit, begun.board.stride) for bit in each(begun.blocked)}
    last = size - 1
    assert blocked == {(last - row, col) for row, col in blocked} == {(col, row) for row, col in blocked}
    around = {abs(2 * row - last) for row, _ in blocked} | {abs(2 * col - last) for _, col in blocked}
    assert max(around) == (3 if size % 2 == 0 else 2)
    assert not begun.blocked & (begun.x | begun.o)


def test_AA5_blocked_cells_stay_empty_and_nobody_able_to_act_ends_the_game() -> None:
    fen = "x-o/---/o-x x 0 1"
    outcome = ataxx.outcome(read_fen(fen))
    assert outcome.reason == "full-board"
    outcome = ataxx.outcome(read_fen("x--1/----/----/o--- x 0 1"))
    assert (outcome.reason, outcome.winners) == ("nobody-can-act", ())
    outcome = ataxx.outcome(read_fen("xx--1/-----/-----/-----/o---- x 0 1"))
    assert (outcome.winners, outcome.rule) == ((0,), "AA5")
    for text in ("b3", "a3b3"):
        refusal = refused("x-1/3/2o x 0 1", text)
        assert (refusal.name, refusal.rule) == ("blocked", "AA5")
    assert ataxx.start({"board": 7, "blocked": "corners"}).blocked.bit_count() == 4
    assert ataxx.write_position(ataxx.start({"board": 7, "blocked": "sides"})) == ("x5o/7/3-3/2-1-2/3-3/7/o5x x 0 1")
    for options in ({"board": 4, "blocked": "corners"}, {"board": "hex", "blocked": "sides"}):
        with pytest.raises(UnreadableText, match="5 cells or more"):
            ataxx.start(options)
    assert ataxx.start({"board": 5, "blocked": "corners"}).blocked.bit_count() == 4


LONG = "x3o/5/5/5/o3x x 99 60"


def test_AA6_endless_jumping_is_pointed_out_and_a_draw_may_be_offered() -> None:
    turn = played(LONG, "a5c5")
    assert [event.rule for event in turn.events if isinstance(event, Told)] == ["AA6"]
    assert not [event for event in played(LONG, "b5").events if isinstance(event, Told)]
    at = ataxx.write_position(turn.position)
    assert at.split()[2] == "100"
    offered = played(at, "draw?")
    assert offered.position.offered_by == ataxx.to_move(offered.position) == 1
    assert refused(ataxx.write_position(offered.position), "draw?").name == "already-offered"
    assert refused(ataxx.write_position(offered.position), "draw!").name == "nothing-offered"
    moved = played(ataxx.write_position(offered.position), "a1c1")
    assert moved.position.offered_by == 1
    agreed = played(ataxx.write_position(moved.position), "draw!")
    outcome = ataxx.outcome(agreed.position)
    assert (outcome.reason, outcome.winners, outcome.rule) == ("agreed-draw", (), "AA6")
    assert isinstance(agreed.events[-1], GameOver)
    declined = played(ataxx.write_position(moved.position), "c5a5")
    assert declined.position.offered_by is None
    assert ataxx.perft(agreed.position, 1) == 0


@pytest.mark.parametrize("half_moves", [98, 99, 100, 149, 199, 299])
def test_AA6_endless_jumping_is_pointed_out_every_100_half_moves(half_moves: int) -> None:
    events = played(f"x3o/5/5/5/o3x x {half_moves} 60", "a5c5").events
    assert any(isinstance(event, Told) for event in events) is (half_moves % 100 == 99)


def test_AA6_no_offer_before_its_time_or_where_it_is_switched_off() -> None:
    refusal = refused(LONG, "draw?")
    assert (refusal.name, refusal.figures) == ("too-early-to-offer", {"half_moves": 99, "needed": 100})
    assert refused("x3o/5/5/5/o3x x 100 60", "draw!").name == "nothing-offered"
    assert refused("x3o/5/5/5/o3x x 100 60 without_drop=nothing", "draw?").name == "no-draw-offers"
    assert ataxx.outcome(read_fen("x3o/5/5/5/o3x x 100 60 without_drop=nothing")) is None
    assert not [e for e in played(f"{LONG} without_drop=nothing", "a5c5").events if isinstance(e, Told)]


def test_AA6_a_draw_after_100_half_moves_is_a_house_rule_and_wins_go_before_it() -> None:
    house = ataxx.start({"without_drop": "draw"})
    assert house.without_drop == "draw"
    assert ataxx.outcome(read_fen("x3o/5/5/5/o3x x 99 60 without_drop=draw")) is None
    outcome = ataxx.outcome(read_fen("x3o/5/5/5/o3x x 100 60 without_drop=draw"))
    assert (outcome.reason, outcome.winners) == ("no-drop", ())
    outcome = ataxx.outcome(read_fen("x4/5/5/5/4x x 100 60 without_drop=draw"))
    assert outcome.winners == (0,)
