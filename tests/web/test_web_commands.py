"""What phones may ask, in which words, and what they are told."""

import json
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hostile_texts import HOSTILE
from web_fakes import FakeTable, playing, record, won
from web_helpers import GOOD, PIN, ask, sit

from companion.errors import CommandRefused
from companion.referee.commands import Command
from companion.referee.snapshot import Snapshot
from companion.web import WebSettings, build_app
from companion.web.parts import parts


def test_a_command_reaches_the_port_as_it_was_meant(host: FlaskClient, table: FakeTable) -> None:
    answer = ask(host, "correct", expects=40, key="k" * 16, cell="c4", piece={"kind": "pyramid", "facing": "NE"})
    assert answer.status_code == 200
    piece = {"kind": "pyramid", "facing": "NE"}
    assert table.asked == [Command("correct", {"cell": "c4", "piece": piece}, "host", 40, "k" * 16)]
    assert answer.json["number"] == 41
    assert answer.headers["X-Version"].endswith("-2")


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("undo", "nothing"),
        ("undo", "[]"),
        ("undo", '"undo"'),
        ("undo", {"arguments": {"ply": "3"}}),
        ("undo", {"arguments": {"ply": -1}}),
        ("undo", {"arguments": {"ply": True}}),
        ("undo", {"arguments": {"ply": 1, "more": 2}}),
        ("undo", {"arguments": {}, "more": 1}),
        ("undo", {"arguments": {}, "key": "short"}),
        ("undo", {"arguments": {}, "key": "with space" * 2}),
        ("undo", {"arguments": {}, "expects": "40"}),
        ("resign", {"arguments": {"seat": 99}}),
        ("resign", {"arguments": {}}),
        ("join", {"arguments": {"seat": 1, "player": ""}}),
        ("join", {"arguments": {"seat": 1, "player": "   "}}),
        ("join", {"arguments": {"seat": 1, "player": "x" * 41}}),
        ("join", {"arguments": {"seat": 1, "player": "a\u202eb"}}),
        ("join", {"arguments": {"seat": 1, "player": "a\nb"}}),
        ("new_game", {"arguments": {"game": "../khet"}}),
        ("new_game", {"arguments": {"game": "khet", "options": {"layout": [1]}}}),
        ("new_game", {"arguments": {"game": "khet", "options": {"a b": 1}}}),
        ("correct", {"arguments": {"cell": "A1", "piece": {"kind": "empty"}}}),
        ("correct", {"arguments": {"cell": "a1", "piece": {"kind": "empty", "owner": 1}}}),
        ("correct", {"arguments": {"cell": "a1", "piece": {"kind": "<b>"}}}),
        ("set_corners", {"arguments": {"corners": [[0, 0], [1, 0], [1, 1]]}}),
        ("set_corners", {"arguments": {"corners": [[0, 0], [1, 0], [1, 1], [0, 1e9]]}}),
        ("set_corners", '{"arguments": {"corners": [[0,0],[1,0],[1,1],[0,NaN]]}}'),
        ("set_quiet", {"arguments": {"on": 1}}),
        ("enter_move", {"arguments": {"move": "x" * 4001}}),
        ("enter_move", {"arguments": {"move": "a\x00b"}}),
    ],
)
def test_unshaped_bodies(host: FlaskClient, table: FakeTable, name: str, body: Any) -> None:
    data = body if isinstance(body, str) else json.dumps(body)
    answer = host.post(f"/api/commands/{name}", data=data, headers=GOOD)
    assert (answer.status_code, answer.json["error"]) == (400, "shape"), answer.text
    assert table.asked == []


def test_unknown_command(host: FlaskClient) -> None:
    assert ask(host, "cheat").json["text"] == "There is no such command."


def test_a_stale_phone_gets_the_new_state(host: FlaskClient, table: FakeTable) -> None:
    answer = ask(host, "undo", expects=39)
    assert answer.status_code == 409
    assert answer.json["error"] == "stale"
    assert answer.json["state"]["number"] == 40
    assert answer.json["state"]["title"] == "Khet, Classic 2.0"


def test_refusals_keep_their_words_and_status(host: FlaskClient, table: FakeTable) -> None:
    def refuse(command: Command) -> Snapshot:
        raise CommandRefused("no-game-runs", "start a game first", 422)

    table.answer = refuse
    answer = ask(host, "undo")
    assert (answer.status_code, answer.json) == (422, {"error": "no-game-runs", "text": "Start a game first."})


def test_a_fault_is_logged_and_not_shown(host: FlaskClient, table: FakeTable, caplog: pytest.LogCaptureFixture) -> None:
    def fail(command: Command) -> Snapshot:
        raise RuntimeError("secret path")

    table.answer = fail
    answer = ask(host, "undo")
    assert answer.status_code == 500
    assert "secret path" not in answer.text
    assert "Traceback" not in answer.text
    assert "secret path" in caplog.text


def test_debugging_cannot_be_switched_on_from_outside(
    table: FakeTable, settings: WebSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> Snapshot:
        raise RuntimeError("secret path")

    monkeypatch.setenv("FLASK_DEBUG", "1")
    app = build_app(table, table, settings)
    table.snapshot = fail  # type: ignore[method-assign]
    answer = app.test_client().get("/api/state")
    assert answer.status_code == 500
    assert "secret path" not in answer.text


def test_a_seat_speaks_for_itself_alone(app: Flask, table: FakeTable) -> None:
    player = sit(app, 1)
    table.asked.clear()
    assert ask(player, "resign", seat=0).status_code == 403
    assert ask(player, "answer_draw", seat=0, accept=True).status_code == 403
    assert table.asked == []
    assert ask(player, "resign", seat=1).status_code == 200
    assert table.asked[0].by == "seat 1"


def test_the_pin_of_a_join_stays_with_the_page(app: Flask, table: FakeTable) -> None:
    sit(app, 1)
    assert table.asked[0].arguments == {"seat": 1, "player": "Grace"}
    assert table.asked[0].by == "guest"


def test_join_without_or_with_a_wrong_pin(watcher: FlaskClient, table: FakeTable) -> None:
    assert ask(watcher, "join", seat=1, player="Eve").json["error"] == "pin-needed"
    assert ask(watcher, "join", seat=1, player="Eve", pin="9999").json["error"] == "wrong-pin"
    assert table.asked == []


def test_open_seats_take_whoever_comes_first(table: FakeTable, settings: WebSettings) -> None:
    app = build_app(table, table, replace(settings, open_seats=True))
    parts(app).pins.set(PIN)
    one, two = app.test_client(), app.test_client()
    one.get("/game")
    two.get("/game")
    assert ask(one, "join", seat=1, player="Grace").status_code == 200
    assert ask(two, "join", seat=1, player="Eve").json["error"] == "seat-taken"
    assert one.get("/api/me").json["seat"] == 1
    assert two.get("/api/me").json["seat"] is None


def test_who_is_replaced_holds_the_seat_no_more(app: Flask, host: FlaskClient, table: FakeTable) -> None:
    first = sit(app, 1)
    second = sit(app, 1, "Hedy")
    assert first.get("/api/me").json["seat"] is None
    assert second.get("/api/me").json["seat"] == 1
    assert ask(host, "withdraw", seat=1).status_code == 200
    assert second.get("/api/me").json["seat"] is None
    assert ask(second, "resign", seat=1).status_code == 403


def test_a_host_may_name_players_and_stay_without_a_seat(host: FlaskClient) -> None:
    assert ask(host, "join", seat=1, player="Grace", claim=False).status_code == 200
    assert host.get("/api/me").json == {"role": "host", "seat": None, "pin_set": True, "open_seats": False}
    assert ask(host, "join", seat=1, player="Grace").status_code == 200
    assert host.get("/api/me").json["seat"] == 1


def test_state_is_compact_and_whole(watcher: FlaskClient, table: FakeTable) -> None:
    state = watcher.get("/api/state").json
    assert state["record_from"] == 0
    assert [line["number"] for line in state["record"]] == list(range(1, 13))
    assert "pieces" not in state["record"][0]
    assert "ruling" not in state
    assert state["to_move"] == 0
    assert len(state["pieces"]) == 26
    assert state["beams"][0]["points"][0] == [9, 0]


def test_a_line_with_its_picture(watcher: FlaskClient, table: FakeTable) -> None:
    line = watcher.get("/api/ply/5").json
    assert line["text"] == record(5)[-1].text
    assert {"kind": "pharaoh", "colour": "silver", "cell": "e2", "count": 1}.items() <= next(
        piece for piece in line["pieces"] if piece["kind"] == "pharaoh" and piece["colour"] == "silver"
    ).items()
    assert watcher.get("/api/ply/99").status_code == 404


def test_recorded_games(watcher: FlaskClient) -> None:
    assert "Khet, Classic 2.0" in watcher.get("/games").text
    assert watcher.get("/api/games/7").json["result"] == won().to_json()["result"] | {"winners": [1]}
    assert watcher.get("/api/games/7?ply=3").json["number"] == 3
    assert watcher.get("/api/games/7?ply=three").status_code == 404
    export = watcher.get("/api/games/7/export.text")
    assert export.text == "1. c4+\n"
    assert export.mimetype == "text/plain"
    assert 'attachment; filename="game-7.txt"' in export.headers["Content-Disposition"]
    assert watcher.get("/api/games/7/export.exe").status_code == 404


def test_rules_in_words(watcher: FlaskClient) -> None:
    assert watcher.get("/api/rule?number=Khet 3b.2").json["text"] == "Reserved squares."
    assert watcher.get("/api/rule?number=K99").json["text"] == "There is no rule of this number."
    assert "<p>There is no such game in the journal.</p>" in watcher.get("/games/99").text
    assert watcher.get("/api/rule").status_code == 404


def test_the_picture_is_for_the_host(host: FlaskClient, watcher: FlaskClient, table: FakeTable) -> None:
    assert host.get("/api/picture.jpg").status_code == 404
    table.image = b"\xff\xd8jpeg"
    assert host.get("/api/picture.jpg").data == b"\xff\xd8jpeg"
    assert watcher.get("/api/picture.jpg").status_code == 403


def test_what_was_learned_is_shown_to_the_host_alone_and_nothing_else(host, watcher, table):
    table.image, table.guide = b"\x89PNG", {"pictures": ["red-anubis"]}
    assert host.get("/api/taught/red-anubis.png").data == b"\x89PNG"
    assert watcher.get("/api/taught/red-anubis.png").status_code == 403
    for name in ("red-pharaoh", "..%2Fhost", "%00", "a" * 3000):
        assert host.get(f"/api/taught/{name}.png").status_code in (400, 404)


def test_the_table_from_above_is_for_the_host(host: FlaskClient, watcher: FlaskClient, table: FakeTable) -> None:
    assert host.get("/api/table.jpg").status_code == 404
    table.image = b"\xff\xd8jpeg"
    assert host.get("/api/table.jpg?width_mm=640&height_mm=420").data == b"\xff\xd8jpeg"
    assert watcher.get("/api/table.jpg").status_code == 403
    for sides in ("width_mm=nan", "width_mm=1e9", "height_mm=-4", "height_mm=0"):
        assert host.get(f"/api/table.jpg?{sides}").status_code == 400


def test_hostile_names_stay_text(host: FlaskClient, table: FakeTable) -> None:
    assert len(HOSTILE) >= 200
    for text in HOSTILE:
        name = text[:40].strip()
        assert ask(host, "join", seat=0, player=name).status_code == 200
        table.publish(replace(table.state, title=text))
        answer = host.get("/api/state")
        assert answer.mimetype == "application/json"
        assert answer.json["seats"][0]["player"] == name
        check_recorded(host, table, text)


def check_recorded(host: FlaskClient, table: FakeTable, text: str) -> None:
    """A recorded game that bears this text as its title."""
    shown = playing(title=text)
    table.recorded = lambda game_id: shown  # type: ignore[method-assign]
    page = host.get("/games/7").text
    if "<" in text or '"' in text:
        assert text not in page
    assert "49" not in page.split("<title>")[1].split("</title>")[0]
