"""Tiles that were seen and lie face-down are named on no phone while the game is on, whatever it asks for."""

import json
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_helpers import GOOD, PIN, sit

from companion.exports import EXPORTS
from companion.games import kdak
from companion.games.kdak import tower
from companion.journal.archive import MemoryArchive
from companion.journal.restore import read_game
from companion.referee.commands import Command
from companion.referee.consequences import acted_out
from companion.referee.happenings import Cleared, SetUp, TakenUp
from companion.referee.readmodel import Desk
from companion.web import WebSettings, build_app
from companion.web import pin as pins
from companion.web.parts import parts
from companion.web.stream import follow

CLIMB = "0a =S4 0a 0c =S2 1a =S3 1c =C2 2a =Cn 2c =Aa 3a =Ma 3c =Mn 4a =M4 4c =Ca 5a =C5"  # then all are turned down
SEEN = {move[1:] for move in CLIMB.split() if move.startswith("=")}


@pytest.fixture
def desk() -> Desk:
    desk = Desk(MemoryArchive(), exports=EXPORTS)
    desk.submit(Command("new_game", {"game": "kdak", "options": {"variant": "talisman"}}))
    desk.table.record(SetUp())
    return desk


@pytest.fixture
def app(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Flask:
    monkeypatch.setitem(pins.SCRYPT, "n", 2)
    app = build_app(desk, desk, WebSettings(tmp_path, stream_slice_s=0.01))
    parts(app).pins.set(PIN)
    return app


def play(desk: Desk, moves: str, settled: bool = True) -> None:
    """By hands on the table, which do at once what is asked for; but for the last move unless `settled`."""
    words = moves.split()
    for at, word in enumerate(words, start=1):
        done = settled or at < len(words)
        state = desk.table.state
        if state.position.phase == "coin":
            desk.table.record(*acted_out(state, [kdak.read_move(state.position, "end")], True))
            state = desk.table.state
        desk.table.record(*acted_out(state, [kdak.read_move(state.position, word)], done))
    desk.tick()


def told(app: Flask, client: FlaskClient) -> dict[str, str]:
    """All that can be read without changing anything, by its address; the stream's first message, too."""
    web, addresses = parts(app), set()
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint in ("static", "api.stream"):
            continue
        for number in range(30) if "<int:number>" in rule.rule else (0,):
            for form in EXPORTS if "<form>" in rule.rule else ("",):
                address = rule.rule.replace("<int:game_id>", "1").replace("<int:number>", str(number))
                addresses.add(address.replace("<form>", form).replace("<name>", "tile"))
    addresses |= {f"/api/games/1?ply={number}" for number in range(30)}
    texts = {address: client.get(address).text for address in addresses}
    messages = follow(web.read_model, web.encoder, web.settings, web.closing, "")
    next(messages)
    return {**texts, "/api/stream": next(messages)}


def named(text: str) -> set[str]:
    """The tiles that a text names: in words, as a move, in a position, or drawn."""
    found = set()
    for name in tower.TILES:
        suit, value = tower.suit(name), tower.value(name)
        drawn = rf'"suit": ?"{suit}", ?"value": ?"{value}"'
        if re.search(rf"\b{value} of {suit}\b|={name}\b|\({name}\)|{drawn}", text):
            found.add(name)
    return found


def leaks(app: Flask, client: FlaskClient) -> dict[str, set[str]]:
    texts = told(app, client)
    assert {"/api/state", "/api/ply/2", "/api/games/1", "/games/1", "/api/games/1/export.html"} <= texts.keys()
    return {address: names for address, text in texts.items() if (names := named(text))}


def test_no_phone_is_told_of_a_tile_that_lies_face_down_again_until_the_game_is_over(app: Flask, desk: Desk) -> None:
    watcher, seat = app.test_client(), sit(app, 0)
    play(desk, CLIMB)
    assert leaks(app, watcher) == {}
    assert leaks(app, seat) == {}
    desk.submit(Command("resign", {"seat": 0}))
    after = leaks(app, watcher)
    for address in ("/api/state", "/api/stream", "/api/games/1", *(f"/api/games/1/export.{form}" for form in EXPORTS)):
        assert after[address] == SEEN, address
    assert after["/api/ply/2"] == {"S4"}


def test_no_phone_is_told_by_the_closed_record_of_a_game_that_is_gone_on_with(app: Flask, desk: Desk) -> None:
    watcher = app.test_client()
    play(desk, CLIMB)
    desk.submit(Command("new_game", {"game": "khet"}))
    assert leaks(app, watcher)["/api/games/1"] == SEEN, "closed, it tells everything"
    desk.submit(Command("go_on_with", {"number": 1}))
    assert leaks(app, watcher) == {}
    assert watcher.get("/api/games/1/export.json").json["error"] == "withheld"
    desk.submit(Command("resign", {"seat": 0}))
    assert leaks(app, watcher)["/api/games/1"] == SEEN


def test_that_a_tile_was_a_null_is_not_told_either(app: Flask, desk: Desk) -> None:
    play(desk, " ".join(CLIMB.split()[:-1]))
    assert "A null tile" in app.test_client().get("/api/state").text
    play(desk, "=C5")
    assert "A null tile" not in "".join(told(app, app.test_client()).values())


def test_what_lies_face_up_is_told_and_what_was_seen_before_once_it_lies_face_up_again(app: Flask, desk: Desk) -> None:
    watcher = app.test_client()
    play(desk, " ".join(CLIMB.split()[:-1]))
    assert named(watcher.get("/api/state").text) == SEEN - {"C5"}
    play(desk, "=C5 r0 x0a")  # where the first tile lay: it leaves the game, which is shown to all
    assert named(watcher.get("/api/state").text) == {"S4"}
    assert named(watcher.get("/api/ply/2").text) == {"S4"}
    play(desk, "3c")
    assert named(watcher.get("/api/state").text) == {"S4", "Mn"}


def test_a_tile_is_told_of_until_hands_have_turned_it_down(app: Flask, desk: Desk) -> None:
    play(desk, CLIMB, settled=False)
    assert named(app.test_client().get("/api/state").text) == SEEN


def test_the_record_says_that_a_tile_was_turned_up_and_draws_it_so_without_its_face(app: Flask, desk: Desk) -> None:
    play(desk, CLIMB)
    line = app.test_client().get("/api/ply/2").json
    assert (line["move"], line["text"]) == ("=?", "The tile was turned up, and lies face-down again by now.")
    tile = next(piece for piece in line["pieces"] if piece["cell"] == "0a" and piece["kind"] == "tile")
    assert (tile["face"], tile.get("suit"), tile.get("value")) == ("front", None, None)
    assert tile["words"] == "a face-up tile on level 0, front left (0a)"


def test_what_was_seen_is_withheld_also_after_play_was_taken_up_from_the_table(app: Flask, desk: Desk) -> None:
    play(desk, CLIMB)
    state = desk.table.state
    position = kdak.seen_by(state.position, None)
    desk.table.record(TakenUp("then the host went on from what lay there", json.dumps(kdak.to_json(position))))
    desk.tick()
    assert leaks(app, app.test_client()) == {}


def test_the_host_alone_saves_all_of_a_game_that_is_on_and_it_comes_back_whole(app: Flask, desk: Desk) -> None:
    play(desk, CLIMB)
    host, seat = app.test_client(), sit(app, 1)
    assert host.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 200
    refused = seat.get("/api/games/1/export.json")
    assert refused.status_code == 403
    assert "only the host may save it as JSON" in refused.text
    assert "export.json" not in seat.get("/games/1").text
    assert "export.json" in host.get("/games/1").text
    whole = host.get("/api/games/1/export.json")
    assert read_game(whole.data).events == tuple(desk.events())
    assert set(leaks(app, host)) == {"/api/games/1/export.json"}


def test_a_game_in_which_nothing_lies_hidden_is_anybodys_to_save(app: Flask, desk: Desk) -> None:
    play(desk, "0a =S4")
    assert app.test_client().get("/api/games/1/export.json").status_code == 200


def test_undo_and_a_restart_know_what_phones_are_not_told(app: Flask, desk: Desk) -> None:
    play(desk, CLIMB)
    again = Desk(desk._archive, exports=EXPORTS)
    again.resume()
    assert again.table.state.position == desk.table.state.position
    assert again.snapshot().record == desk.snapshot().record
    assert named(app.test_client().get("/api/state").text) == set()
    desk.submit(Command("undo", {"ply": len(desk.table.state.plies) - 1}))
    assert named(app.test_client().get("/api/state").text) == SEEN - {"C5"}


def test_what_was_taken_back_is_told_by_nothing_that_a_watcher_may_save(app: Flask, desk: Desk) -> None:
    play(desk, CLIMB)
    desk.submit(Command("undo", {"ply": 0}))
    desk.table.record(Cleared())  # all tiles lie face-down again
    desk.tick()
    assert leaks(app, app.test_client()) == {}
    assert "export.json" not in app.test_client().get("/games/1").text
