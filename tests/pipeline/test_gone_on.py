"""The program starts in the middle of a game, on a table that hands have left as it was, half done, or otherwise."""

from dataclasses import replace

import pytest
from cases import long
from mid_games import MidGame

from companion.simulator.carry import Player, hovering

PLAYED = [
    ("khet", {"layout": "classic-2.0"}, 8, 1),
    ("khet", {"layout": "classic-1.0"}, 25, 4),  # a move is lawful that no camera sees
    ("kaxxt", {"seats": 2}, 18, 12),  # of a stack that lies the eye sees only that something lies there
    long("ataxx", {}, 25, 2),
    long("hexxagon", {}, 25, 3),
    long("kaxxt", {"seats": 2}, 30, 2),
    long("chaos", {"seats": 2}, 30, 3),
    long("kdak", {"variant": "duel"}, 30, 3),
    long("kdak", {"variant": "talisman"}, 30, 2),
    long("kdak", {"variant": "solitaire"}, 30, 4),
    long("kdak", {"variant": "cooperative"}, 12, 1),
]


@pytest.mark.parametrize(("name", "options", "plies", "seed"), PLAYED)
def test_a_game_goes_on_unasked_on_the_table_as_it_was_left(tmp_path, name, options, plies, seed) -> None:
    played = MidGame(name, plies, seed, tmp_path, **options)
    before = played.archive.events(1)
    snapshot = played.start().snapshot()
    assert (snapshot.phase, snapshot.question, snapshot.ruling) == ("play", None, None)
    assert "until it is put down" not in snapshot.waiting.why
    assert played.archive.events(1) == before  # nothing is invented
    move = played.game.read_move(played.position, played.next)
    during = played.game.during(played.position, move)
    if during != played.game.layout(played.position):
        record = played.hands(during).snapshot().record
        assert len(record) > len(snapshot.record)


@pytest.mark.parametrize("name", ["khet", long("ataxx"), long("chaos"), "kdak"])
def test_a_hand_that_is_in_the_first_pictures_is_seen_to_go(tmp_path, name) -> None:
    played = MidGame(name, 6, 3, tmp_path)
    before, whole = played.archive.events(1), played.state
    film = [state for state in hovering(whole, 20.0, -20.0, Player(-90.0), 9) if state.hands]
    snapshot = played.start(*[film[len(film) // 2]] * 12, whole).snapshot()
    assert (snapshot.sight, snapshot.question, snapshot.ruling) == ("seeing", None, None)
    assert played.archive.events(1) == before


def test_a_piece_that_was_taken_from_beside_another_while_nobody_looked_is_missed(tmp_path) -> None:
    played = MidGame("chaos", 8, 1, tmp_path, seats=2)
    whole = played.state
    (taken,) = (s for s in whole.standing if s.piece.colour == "white" and s.x_mm > 0)
    played.state = whole.without(taken.name)
    waiting = played.start().snapshot().waiting
    assert "The large upright white pyramid is not 105 mm to the right and 40 mm below the middle" in waiting.why
    assert "pyramid" not in played.look(whole).snapshot().waiting.why


def test_of_a_pyramid_that_another_player_has_it_is_said_where_it_belongs(tmp_path) -> None:
    played = MidGame("kaxxt", 8, 1, tmp_path, seats=2)
    whole = played.state
    (red,) = (s for s in whole.standing if s.piece.kind == "pyramid" and s.piece.colour == "red")
    played.state = whole.with_piece(replace(red, heading_deg=red.heading_deg + 100.0))
    ruling = played.start().snapshot().ruling
    assert ruling.remedy == "Put the large red pyramid back 70 mm below the middle, pointing away from Kaxxt."
    assert played.look(whole).snapshot().ruling is None


DOWN = "move the tiles on 2b, 3b, 4b and 5b one level down, with the pawn on them"


def test_where_nothing_is_sure_enough_to_be_told_the_place_that_is_in_doubt_is_named(tmp_path) -> None:
    played = MidGame("kdak", 42, 20, tmp_path, variant="duel")
    before, take = played.position, played.game.read_move(played.position, played.next)
    (_, second, *_) = (layout for layout, _ in played.game.under_way(before, take))  # the gap is on 3b by now
    played.lay(played.game.during(before, take), second)
    snapshot = played.start().snapshot()
    assert "what stands on 3b cannot be told" in snapshot.waiting.why
    assert len(snapshot.record) == 42


@pytest.mark.parametrize("fallen", [1, long(2), long(3)])
def test_a_column_that_has_come_down_half_way_is_still_to_come_down(tmp_path, fallen) -> None:
    played = MidGame("kdak", 42, 20, tmp_path, variant="duel")
    before, take = played.position, played.game.read_move(played.position, played.next)
    on_the_way = [layout for layout, _ in played.game.under_way(before, take)]
    played.lay(played.game.during(before, take), *on_the_way[:fallen])
    played.record(played.next, done=False)
    snapshot = played.start().snapshot()
    assert (snapshot.question, snapshot.ruling) == (None, None)
    assert [(step.text, step.done) for step in snapshot.waiting.steps] == [(DOWN, False)]
    for layout in on_the_way[fallen:]:
        snapshot = played.hands(layout).snapshot()
    assert (snapshot.question, snapshot.ruling, snapshot.waiting.steps) == (None, None, ())
