"""Whether a record says what was played: exactly on a board, within the error of hands and camera on a free table."""

import json

import pytest

from companion.agreement import same_moves, same_position
from companion.demo.players import understood
from companion.demo.table import simulated_table
from companion.games import game
from companion.referee.snapshot import Snapshot, Step, Waiting
from companion.simulator.playbook import load

ROLLED = ["r3,6", "r3^-70.0,40.0,0.0", "g3^50.0,60.0,0.0"]


@pytest.mark.parametrize(
    ("read", "same"),
    [
        (["r3,6", "r3^-70.6,40.9,89.2", "g3^49.8,60.4,0.0"], True),
        (["r3,6", "r3^-70.6,40.9,89.2", "g3^50.0,92.0,0.0"], False),
        (["r3,6", "r3^-70.0,40.0,45.0", "g3^50.0,60.0,0.0"], False),
        (["r3,6", "g3^-70.0,40.0,0.0", "r3^50.0,60.0,0.0"], False),
        (["r3,6", "r3^-70.0,40.0,0.0"], False),
        (["r3,5", "r3^-70.0,40.0,0.0", "y3^50.0,60.0,0.0"], False),
    ],
)
def test_free_pieces_may_lie_a_little_elsewhere_but_are_the_same(read, same):
    chaos = game("chaos")
    assert same_moves(chaos, chaos.start({}), ROLLED, read) is same


def test_positions_are_compared_beyond_their_millimetres():
    kaxxt = game("kaxxt")
    text = (
        "shields=30,30 kaxxt=30 turn=south target=south phase=act bag=r1r2r3b1b2b3g1y1y2y3k1k2k3 "
        "area.south=g3@-60.0,-100.0^;g2@60.0,-100.0>90.0"
    )
    one = kaxxt.read_position(text)
    assert same_position(kaxxt, one, kaxxt.read_position(text.replace("-60.0,-100.0", "-58.2,-101.0")))
    assert not same_position(kaxxt, one, kaxxt.read_position(text.replace("-60.0,-100.0", "-20.0,-101.0")))
    assert not same_position(kaxxt, one, kaxxt.read_position(text.replace(">90.0", ">270.0")))
    assert not same_position(kaxxt, one, kaxxt.read_position(text.replace("shields=30,30", "shields=30,27")))
    assert not same_position(kaxxt, one, kaxxt.read_position(text.replace("phase=act", "phase=roll")))


def test_cells_are_compared_exactly():
    ataxx = game("ataxx")
    start = ataxx.start({"board": 7})
    assert same_moves(ataxx, start, ["a7c7"], ["a7c7"])
    assert not same_moves(ataxx, start, ["a7c7"], ["a7c6"])


def test_throws_are_compared_though_no_table_shows_them():
    chaos = game("chaos")
    start = chaos.start({})
    assert same_moves(chaos, start, ["r3,6"], ["r3,6"])
    assert not same_moves(chaos, start, ["r3,6"], ["r3,5"])


def test_players_wait_for_what_the_referee_has_to_understand():
    busy = Snapshot(1, phase="play", waiting=Waiting("", steps=(Step("turn c5"), Step("turn d5"))))
    half = Snapshot(1, phase="play", waiting=Waiting("", steps=(Step("turn c5", done=True), Step("turn d5"))))
    idle = Snapshot(1, phase="play")
    assert [understood("half cleared after d4", s, 0) for s in (busy, half, idle)] == [False, True, False]
    assert [understood("forgot after d4", s, 0) for s in (busy, half, idle)] == [True, True, False]
    assert [understood("cleared after d4", s, 0) for s in (busy, half, idle)] == [False, False, True]
    assert not understood("roll =4", idle, 0)
    assert not understood("moved draw any; =r3; put r3@0.0,-110.0>90.0", idle, 0)


@pytest.mark.parametrize(
    ("name", "options", "told"), [("kdak", {}, {"markers": "740,440"}), ("khet", {}, {}), ("ataxx", {"board": 5}, 5)]
)
def test_a_simulated_table_is_that_of_its_game_and_the_eye_is_told_of_it(name, options, told):
    with simulated_table(name, options, lambda: None) as (_, pages, look):
        assert pages.blueprint.name == "virtual_table"
        if isinstance(told, dict):
            assert {name: value for name, value in look.items() if name != "lens"} == told
            assert look["lens"].is_file()
        else:
            assert json.loads(look["board"].read_text())["cols"] == told


def test_the_first_script_of_a_game_is_found_by_either_name():
    assert load("chaos").name == load("chaos", "classic").name == load("chaos", "chaos_classic").name
