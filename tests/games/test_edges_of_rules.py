"""What only rare combinations show, in several games: each of these was wrong once."""

import pytest

from companion.errors import IllegalMove, UnreadableText
from companion.events import Event, GameOver, Told, TurnBegan
from companion.games import ataxx, hexxagon, kdak, khet
from companion.games.base import Game, Position, Turn


def played(game: Game, position: Position, *texts: str) -> Turn:
    """The last turn after these moves."""
    turn = Turn(position)
    for text in texts:
        turn = game.play(turn.position, game.read_move(turn.position, text))
    return turn


def kinds(events: tuple[Event, ...]) -> set[type]:
    return {type(event) for event in events}


# --- Ataxx --------------------------------------------------------------------------------------------------------


AT_100 = "x5o/7/7/7/7/7/o5x x 100 51"


def test_aa6_a_drop_ends_what_a_draw_was_offered_for() -> None:
    offered = played(ataxx, ataxx.read_position(AT_100), "draw?").position
    dropped = played(ataxx, offered, "b7").position
    assert dropped.offered_by is None
    assert ataxx.read_position(ataxx.write_position(dropped)) == dropped
    assert played(ataxx, offered, "a7c7").position.offered_by == 0


def test_aa7_a_pass_that_nobody_chose_declines_no_draw() -> None:
    walled = ataxx.read_position("x6/7/7/7/---4/---4/o--4 x 100 51")
    offered = played(ataxx, walled, "draw?", "a7c7").position
    passed = played(ataxx, offered, "0000").position
    assert (passed.turn, passed.offered_by) == (0, 0)
    again = played(ataxx, passed, "c7e7").position
    assert ataxx.outcome(played(ataxx, again, "draw!").position).rule == "AA6"


def test_aa6_no_draw_is_offered_in_a_game_that_is_over() -> None:
    turn = played(ataxx, ataxx.read_position("x2o3/7/7/7/7/7/7 x 99 50"), "a7c7")
    assert GameOver in kinds(turn.events)
    assert Told not in kinds(turn.events)


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


# --- Khet ---------------------------------------------------------------------------------------------------------


def test_a_drawn_position_of_khet_keeps_its_house_rules() -> None:
    chosen = {"swap_into_reserved": "yes", "both_pharaohs": "draw", "repetition": "automatic"}
    position = khet.start({"layout": "osiris-1.0", **chosen})
    again = khet.read_position(khet.draw(position))
    assert again.house == position.house
    assert khet.write_position(again) == khet.write_position(position)


# --- K'Dak --------------------------------------------------------------------------------------------------------


def test_ka8_nobody_stays_on_a_tile_that_the_switch_turned_down_though_he_fell_onto_it() -> None:
    start = "cooperative S5.?.?.?.?.?/?.?.?.?.C3.?/?.?.?.?.?.?/?.?.?.?.?.? 0a,4b 0 move shut 0,0 0,0 - -"
    fallen = played(kdak, kdak.read_position(start), "1a", "=A2", "r1", "x1a").position
    assert fallen.pawns[0].fallen
    switched = played(kdak, fallen, "5b", "=M4", "r2", "x2d", "=Mn").position
    assert not switched.tower[0][0].up
    assert "stay" not in [kdak.write_move(switched, move) for move in kdak.moves(switched)]


def test_k27_the_next_turn_of_one_who_is_alone_begins() -> None:
    start = "solitaire S5.?.?.?.?.?/C3.?.?.?.?.?/?.?.?.?.?.?/?.?.?.?.?.? 0a 0 move open 0 1 - -"
    turn = played(kdak, kdak.read_position(start), "coin", "0b")
    assert TurnBegan in kinds(turn.events)


def test_two_explorers_have_pawns_of_two_suits() -> None:
    for chosen in ({"first_pawn": "arms"}, {"second_pawn": "moons"}):
        pawns = kdak.start(chosen).house.pawns
        assert len(set(pawns)) == 2
        assert set(chosen.values()) <= set(pawns)
    with pytest.raises(UnreadableText, match="both pawns"):
        kdak.start({"first_pawn": "suns", "second_pawn": "suns"})
    kdak.start({"variant": "solitaire", "first_pawn": "arms", "second_pawn": "arms"})
