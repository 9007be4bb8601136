"""Games in the journal: read back equal, exported, resumed."""

import json
import re
from contextlib import closing
from dataclasses import replace

import pytest
from desks import desk_over, in_memory
from journal_events import journal_of, khet_events

from companion.app import built, merged_look
from companion.config import Config, PinsConfig
from companion.errors import CommandRefused, RecordError
from companion.events import from_json
from companion.exports import EXPORTS
from companion.games import kdak, khet
from companion.journal.archive import MemoryArchive, open_archive
from companion.journal.database import link
from companion.journal.export import as_json, as_text
from companion.journal.log import Log
from companion.referee.commands import Command
from companion.referee.happenings import Joined, TakenUp
from companion.referee.picture import Painter, set_up_of
from companion.referee.readmodel import Desk
from companion.referee.record import finished, summary
from companion.web.stream import Encoder

MOVES = ("c5-", "h8+", "c1d2", "h5i5")


def test_events_come_back_equal(tmp_path):
    events = khet_events(*MOVES)
    with closing(open_archive(tmp_path / "j.sqlite3")) as archive:
        archive.append(1, events)
    with closing(open_archive(tmp_path / "j.sqlite3")) as again:
        assert again.events(1) == events
        assert again.next_game() == 2


def test_before_anything_is_recorded_there_is_no_game(tmp_path):
    kept = open_archive(tmp_path / "j.sqlite3")
    for archive in (MemoryArchive(), kept):
        assert (archive.games(), archive.last_game(), archive.last_number()) == ([], 0, 0)
        assert archive.next_game() == 1
    kept.close()


def test_every_event_survives_json():
    for event in khet_events(*MOVES):
        assert from_json(json.loads(json.dumps(event.to_json()))) == event


def test_a_restarted_desk_goes_on_where_it_was(tmp_path):
    archive = open_archive(tmp_path / "j.sqlite3")
    events = khet_events(*MOVES)
    archive.append(1, events)
    desk = Desk(archive)
    assert "4 plies" in desk.resume()
    state = finished(events)
    assert desk.table.state.position == state.position
    assert desk.table.state.awaiting == state.awaiting
    assert desk.snapshot().number == len(events)
    desk.submit(Command("enter_move", {"move": "d2c1"}))
    assert len(archive.events(1)) > len(events)
    archive.close()


def test_the_end_of_a_finished_game_is_still_shown_after_a_restart():
    archive = journal_of(MOVES)
    desk = Desk(archive)
    desk.resume()
    desk.submit(Command("resign", {"seat": 0}))
    again = Desk(archive)
    assert "4 plies" in again.resume()
    shown = again.snapshot()
    assert (shown.phase, shown.result, len(shown.record)) == ("over", desk.snapshot().result, 4)
    assert again.submit(Command("new_game", {"game": "ataxx"})).phase == "set-up"
    assert archive.games() == [1, 2]


def test_a_quiet_table_is_quiet_after_a_restart_too():
    archive = MemoryArchive()
    for on in (True, False, True):
        desk = Desk(archive)
        desk.resume()
        desk.submit(Command("set_quiet", {"on": on}))
        again = Desk(archive)
        assert again.resume() is None
        assert again.snapshot().quiet is on
    desk.submit(Command("new_game", {"game": "khet"}))
    desk.submit(Command("reset"))
    for on in (False, True):
        desk = Desk(archive)
        desk.resume()
        desk.submit(Command("set_quiet", {"on": on}))
        again = Desk(archive)
        again.resume()
        assert (again.snapshot().quiet, again.snapshot().phase) == (on, "idle")
    assert archive.games() == [1]


@pytest.mark.parametrize("odd", ['{"event":"of a later version"}', '{"event":"ply","number":5,"seat":0,"move":"a1a9"}'])
def test_what_another_version_wrote_is_left_and_the_game_goes_on_beside_it(tmp_path, odd):
    path, events = tmp_path / "j.sqlite3", khet_events(*MOVES)
    with Log(path, ballast_bytes=0) as log:
        log.append(1, events)
        no = log.last + 1
        log._db.execute("INSERT INTO events VALUES (?, 1, ?, ?)", (no, odd, link(log._chain, no, 1, odd)))
    for moves in (5, 6, 7):  # each start goes on where the last one ended
        with desk_over(path) as desk:
            assert "Khet" in desk.resume()
            game, position = desk.table.state.module, desk.table.state.position
            desk.submit(Command("enter_move", {"move": game.write_move(position, next(iter(game.moves(position))))}))
            assert len(desk.table.state.plies) == moves
            assert desk.table.game_id == 2
            assert bool(desk.snapshot().notices) is (moves == 5)
        with closing(open_archive(path)) as archive:
            assert archive.events(1)[: len(events)] == events


def test_the_text_names_players_moves_and_hits():
    text = as_text(1, khet_events(*MOVES))
    assert "h8+ x c5" in text
    assert "[result unfinished]" in text
    assert "[layout classic-2.0]" in text
    assert text.count("\n1. ") == 1


def test_the_text_tells_what_the_rules_had_told_of_an_action():
    south, north = "draw any; =r3; put r3 left; roll; =6", "draw any; =r2; put r2 right; roll; =6"
    _, archive = in_memory("kaxxt", *f"{south}; {north}; roll; =1".split("; "))
    shot = "The die shows 1: the red laser. Stack overflow: South is annihilated."
    assert f"12. south =1  ; {shot}\n" in as_text(1, archive.events(1))


def test_a_tile_that_is_taken_away_was_not_hit():
    desk, archive = in_memory("kdak")
    while "takes the tile" not in desk.snapshot().last_text:
        position = desk.table.state.position
        desk.submit(Command("enter_move", {"move": kdak.write_move(position, list(kdak.moves(position))[-1])}))
    assert desk.snapshot().record[-1].hits == ()
    assert " x " not in as_text(1, archive.events(1))


@pytest.mark.parametrize(("moves", "line"), [((), "0.  ; then the host"), (MOVES[:1], "SE; then the host")])
def test_the_text_tells_where_play_was_taken_up(moves, line):
    events = khet_events(*moves)
    position = json.dumps(khet.to_json(finished(events).position))
    text = as_text(1, [*events, TakenUp("then the host went on", position)])
    assert text.count(line) == 1
    assert ("\n0. " in text) == (not moves)


def test_the_json_holds_every_event():
    events = khet_events(*MOVES)
    data = json.loads(as_json(1, events))
    assert data["moves"] == list(MOVES)
    assert [from_json(e) for e in data["events"]] == events


def test_the_html_stands_alone():
    page = EXPORTS["html"](1, khet_events(*MOVES), True)
    for line in finished(khet_events(*MOVES)).plies:
        assert line.text in page
    assert re.findall(r"(?:src|href)=|url\((?!#)|https://", page) == []
    assert set(re.findall(r"http://[^\s\"')]+", page)) <= {"http://www.w3.org/2000/svg"}


def test_no_name_of_a_player_gets_out_of_the_html():
    events = [*khet_events(*MOVES), Joined(0, "</script><script>alert(1)</script>")]
    assert "</script><script>alert" not in EXPORTS["html"](1, events, True)


def test_the_game_that_runs_has_the_line_before_its_first_action_as_a_recorded_one_has():
    archive = journal_of(MOVES)
    desk = Desk(archive)
    desk.resume()
    running, recorded = desk.snapshot(), desk.recorded(1)
    assert (running.beginning, *running.record) == recorded.record
    assert recorded.beginning is None
    told = json.loads(Encoder().state(running))
    assert told["beginning"] == {"number": 0, "text": "The set-up.", "hits": [], "scores": [13, 13], "changes": []}


def test_the_desk_lists_shows_and_exports_games():
    desk = Desk(journal_of(MOVES), exports=EXPORTS)
    assert desk.games()[0]["plies"] == 4
    assert [line.number for line in desk.recorded(1).record] == [0, 1, 2, 3, 4]
    assert desk.recorded(2) is None
    assert desk.export(1, "text").startswith("[game khet 1]")
    with pytest.raises(CommandRefused):
        desk.export(1, "pdf")
    with pytest.raises(CommandRefused):
        desk.export(5, "text")


def test_a_recorded_game_is_shown_from_its_set_up_on():
    events = khet_events(*MOVES)
    opening = Painter().recorded(events).record[0]
    assert (opening.seat, opening.text) == (None, "The set-up.")
    assert {p.cell: p.words for p in opening.pieces} == {p.cell: p.words for p in set_up_of(events[0]).pieces}
    taken_up = TakenUp("then the host went on", json.dumps(khet.to_json(finished(events).position)))
    (opening,) = Painter().recorded([*khet_events(), taken_up]).record
    assert opening.text == "Then the host went on."
    assert Painter().recorded(khet_events()).record == ()


def test_a_game_in_one_line_tells_what_was_chosen_and_who_played():
    usual = khet_events(*MOVES)
    assert summary(1, usual)["about"] == ""
    begun = khet_events(layout="imhotep-2.0")
    assert (
        summary(1, [*begun, Joined(1, "Bob"), Joined(0, "Ada")])["about"]
        == "Set-up: Imhotep 2.0 · Ada (Silver) · Bob (Red)"
    )
    switch = next(option for option in khet.OPTIONS if option.default is False)
    on = replace(usual[0], options=((switch.name, True),))
    assert summary(1, [on, *usual[1:]])["about"] == switch.label
    assert summary(1, [replace(usual[0], game="go")])["about"] == ""  # a game of another version


def test_games_that_are_closed_are_played_through_once_for_the_list(monkeypatch):
    archive, read = journal_of(MOVES[:1], MOVES[:2]), []
    events = archive.events
    monkeypatch.setattr(archive, "events", lambda game: read.append(game) or events(game))
    desk = Desk(archive)
    lists = [desk.games() for _ in range(3)]
    assert read == [2, 1, 2, 2]
    assert [line["plies"] for line in lists[0]] == [2, 1]
    assert lists[0] == lists[1] == lists[2]


def test_closed_games_are_played_through_before_the_list_is_opened(monkeypatch):
    archive, read, waited = journal_of(MOVES[:1], MOVES[:2], MOVES[:3]), [], []
    events = archive.events
    monkeypatch.setattr(archive, "events", lambda game: read.append(game) or events(game))
    desk = Desk(archive)
    desk.list_ahead(lambda seconds: waited.append(seconds) or len(waited) == 2)
    assert read == [2]  # asked to end before the first one
    desk.list_ahead(lambda seconds: False)
    assert read == [2, 1]
    assert [line["plies"] for line in desk.games()] == [3, 2, 1]
    assert read == [2, 1, 3]
    assert all(seconds >= 0 for seconds in waited)


def test_a_journal_that_cannot_be_read_ahead_is_left_to_who_opens_the_list(monkeypatch):
    archive = journal_of((), ())

    def torn(game):
        raise RecordError("the journal cannot be read")

    monkeypatch.setattr(archive, "events", torn)
    desk = Desk(archive)
    desk.list_ahead(lambda seconds: False)
    with pytest.raises(RecordError):
        desk.games()


def test_a_reset_game_is_still_shown():
    desk = Desk(journal_of(MOVES), exports=EXPORTS)
    desk.resume()
    desk.submit(Command("reset"))
    assert desk.snapshot().game is None
    assert desk.games()[0]["result"] == "no result: the host ended it"
    assert [line.number for line in desk.recorded(1).record] == [0, 1, 2, 3, 4]


def test_the_house_reads_its_closed_games_ahead_and_stops_when_it_closes(tmp_path, monkeypatch):
    stopped = []
    monkeypatch.setattr(Desk, "list_ahead", lambda desk, pause: stopped.append(pause(60.0)))
    config = Config(pins=PinsConfig(factory="mock"))
    with built(config, None, merged_look(config, {}), state=tmp_path, port=0):
        assert stopped == []
    assert stopped == [True]
