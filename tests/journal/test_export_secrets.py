"""What an export tells of a game that goes on: to read, no more than the table shows; to bring it back, everything."""

import json

from desks import CLIMB, in_memory

from companion.games import kdak
from companion.journal.export import as_json, as_text
from companion.journal.restore import read_game
from companion.pieces import EMPTY
from companion.referee.commands import Command
from companion.referee.evidence.layout import cells_of
from companion.referee.happenings import Allowed, Reset
from companion.referee.let_stand import taken_up

REMEMBERED = "(S4)"  # a tile that lies face-down and was seen before, as a position spells it


def test_the_text_of_a_running_game_names_no_tile_that_lies_face_down():
    desk, archive = in_memory("kdak", *CLIMB)
    assert REMEMBERED in kdak.write_position(desk.table.state.position)
    position = json.dumps(kdak.to_json(desk.table.state.position))
    desk.table.record(Allowed(0, "stay", "allowed", position))
    text = as_text(1, archive.events(1))
    assert "2. Baba =?  ; The tile was turned up, and lies face-down again by now." in text
    assert not [told for told in (REMEMBERED, "=S4", "4 of suns", "=C5", "5 of crowns") if told in text]
    desk.table.record(Reset("enough"))
    assert "2. Baba =S4  ; The tile is the 4 of suns." in as_text(1, archive.events(1))


def test_a_running_game_comes_back_from_its_file_with_all_that_its_players_remember():
    desk, archive = in_memory("kdak", *CLIMB)
    position = json.dumps(kdak.to_json(desk.table.state.position))
    desk.table.record(Allowed(desk.table.state.position.seat, "stay", "allowed", position))
    desk.submit(Command("enter_move", {"move": "r1"}))
    exported = as_json(1, archive.events(1))
    assert read_game(exported.encode()).events == tuple(archive.events(1))
    assert kdak.read_position(json.loads(exported)["end"]) == kdak.seen_by(desk.table.state.position, None)


def test_a_running_game_that_was_taken_up_comes_back_though_tiles_lie_face_down_that_were_seen():
    desk, archive = in_memory("kdak", *CLIMB)
    state = desk.table.state
    event = taken_up(state, {**cells_of(kdak.layout(state.position)), "5d": EMPTY}, 0, "then the host went on")
    assert event is not None
    desk.table.record(event)
    desk.submit(Command("enter_move", {"move": "3c"}))  # onto a tile that was seen before
    text = as_json(1, archive.events(1))
    assert read_game(text.encode()).events == tuple(archive.events(1))


def test_a_game_that_is_closed_keeps_in_its_events_all_that_it_takes_to_replay_it():
    desk, archive = in_memory("kdak", *CLIMB)
    position = json.dumps(kdak.to_json(desk.table.state.position))
    desk.table.record(Allowed(0, "stay", "allowed", position), Reset("enough"))
    events = json.loads(as_json(1, archive.events(1)))["events"]
    assert position in [event["position"] for event in events if event["event"] == "allowed"]
