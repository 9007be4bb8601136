"""What a request must be before a view sees it: host, method, origin, content type, role, pace."""

import itertools
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_fakes import FakeTable
from web_helpers import GOOD, PIN, ask, sit, urls

from companion.referee.commands import COMMANDS
from companion.web import WebSettings, build_app
from companion.web.hosts import host_allowed
from companion.web.parts import parts
from companion.web.roles import CHANGING, READING, Role
from companion.web.security import Bucket
from companion.web.shapes import ARGUMENTS

OURS = ["localhost", "localhost:8000", "companion.local", "raspberrypi.local:80", "192.168.1.7", "10.0.0.2:8000",
        "[::1]", "[fe80::1]:8000", "games.example", "Games.Example:80", "COMPANION.LOCAL"]  # fmt: skip
FOREIGN = ["", "evil.com", "evil.com:8000", "localhost.evil.com", "192.168.1.7.evil.com", "companion.local.evil.com",
           "local", ".local", "a, b", "localhost, evil.com", "localhost localhost", "user@localhost", "1.2.3.4.5",
           "[::1", "[evil.com]", "localhost:", "localhost:8000:1", "localhost/", "évil.local", "0x7f.1", "-.local",
           "localhost\x00", "::1"]  # fmt: skip


@pytest.mark.parametrize("host", OURS)
def test_own_hosts(watcher: FlaskClient, host: str) -> None:
    assert watcher.get("/api/state", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_foreign_hosts(host: str) -> None:
    assert not host_allowed(host, ("games.example",))


@pytest.mark.parametrize("host", [host for host in FOREIGN if host.isascii() and host.isprintable() and host])
def test_foreign_hosts_get_no_page(watcher: FlaskClient, host: str) -> None:
    answer = watcher.get("/game", headers={"Host": host})
    assert (answer.status_code, answer.mimetype) == (421, "application/json")


def test_a_rebound_name_is_refused_on_every_route(app: Flask, host: FlaskClient) -> None:
    for _, method, url in urls(app):
        answer = host.open(url, method=method, headers={**GOOD, "Host": "evil.com"}, data="{}")
        assert answer.status_code == 421, url


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_other_methods(app: Flask, watcher: FlaskClient, method: str) -> None:
    for _, _, url in urls(app):
        assert watcher.open(url, method=method).status_code == 405


ORIGINS = [None, "http://localhost", "http://evil.com", "null", "https://localhost", "http://localhost:81"]
TYPES = ["application/json", "text/plain", "application/x-www-form-urlencoded", None]
SITES = [None, "same-origin", "cross-site", "same-site", "none"]


@pytest.mark.parametrize("origin", ORIGINS)
def test_only_our_own_page_changes_anything(host: FlaskClient, table: FakeTable, origin: str | None) -> None:
    for kind, mark, site in itertools.product(TYPES, [None, "1", "2"], SITES):
        table.asked.clear()
        named = {"Origin": origin, "Content-Type": kind, "X-Companion": mark, "Sec-Fetch-Site": site}
        headers = {name: value for name, value in named.items() if value is not None}
        answer = host.post("/api/commands/undo", data="{}", headers=headers)
        trusted = origin in (None, "http://localhost") and site in (None, "same-origin")
        ours = trusted and kind == "application/json" and mark == "1"
        assert (answer.status_code == 200) == ours, headers
        assert [command.name for command in table.asked] == (["undo"] if ours else []), headers


def test_reading_changes_nothing(app: Flask, host: FlaskClient, table: FakeTable) -> None:
    for endpoint, method, url in urls(app):
        if method == "GET":
            for _ in range(2):
                host.get(url, buffered=endpoint != "api.stream").close()
    assert table.asked == []
    assert table.version() == 1


def arguments_of(name: str) -> dict[str, Any]:
    return {
        "new_game": {"game": "khet"},
        "join": {"seat": 1, "player": "Grace"},
        "withdraw": {"seat": 1},
        "resign": {"seat": 1},
        "offer_draw": {"seat": 1},
        "claim_draw": {"seat": 1},
        "answer_draw": {"seat": 1, "accept": True},
        "answer": {"question": "q", "choice": "c"},
        "correct": {"cell": "a1", "piece": {"kind": "empty"}},
        "enter_move": {"move": "a1b2"},
        "take_up": {"seat": 1},
        "play_move": {"move": "a1b2"},
        "calibrate": {"step": "start"},
        "keep_sets": {"step": "use", "set": "1"},
        "set_corners": {"corners": [[0, 0], [9, 0], [9, 9], [0, 9]]},
        "set_quiet": {"on": True},
        "set_options": {"options": {"dice": "camera"}},
        "go_on_with": {"number": 7},
        "erase_game": {"number": 7},
    }.get(name, {})


def test_players_may_give_these_commands_and_the_host_alone_all_others() -> None:
    draws = {"offer_draw", "answer_draw", "claim_draw"}
    seats = {name for name, (whose, _) in COMMANDS.items() if whose == "seat"}
    assert seats == draws | {"withdraw", "resign", "play_move", "end_turn", "roll"}
    assert {name for name, (whose, _) in COMMANDS.items() if whose == "anyone"} == {"join"}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("who", [Role.WATCHER, Role.SEAT, Role.HOST])
def test_the_table_of_roles(app: Flask, table: FakeTable, host: FlaskClient, name: str, who: Role) -> None:
    client = {Role.WATCHER: lambda: app.test_client(), Role.SEAT: lambda: sit(app, 1), Role.HOST: lambda: host}[who]()
    table.asked.clear()
    answer = ask(client, name, **arguments_of(name))
    needed = {"anyone": Role.HOST, "seat": Role.SEAT, "host": Role.HOST}[COMMANDS[name][0]]  # a join needs the PIN
    assert (answer.status_code == 200) == (who >= needed), answer.text
    assert bool(table.asked) == (who >= needed)


def test_every_command_has_a_shape() -> None:
    assert set(ARGUMENTS) == set(COMMANDS)


@pytest.mark.parametrize(("endpoint", "needed"), [(e, r) for e, r in (READING | CHANGING).items() if r > Role.WATCHER])
def test_host_routes_turn_watchers_and_seats_away(app: Flask, endpoint: str, needed: Role) -> None:
    assert needed == Role.HOST
    method, url = next((m, u) for e, m, u in urls(app) if e == endpoint)
    for client in (app.test_client(), sit(app, 1)):
        assert client.open(url, method=method, headers=GOOD, data="{}").status_code == 403


def test_a_route_without_a_role_is_not_served(table: FakeTable, settings: WebSettings, monkeypatch: Any) -> None:
    monkeypatch.delitem(READING, "api.state")
    with pytest.raises(ValueError, match=r"api\.state"):
        build_app(table, table, settings)


def test_a_fresh_installation_refuses_every_change(fresh: Flask, table: FakeTable) -> None:
    client = fresh.test_client()
    client.get("/")
    for endpoint, method, url in urls(fresh):
        if method == "POST" and endpoint != "logins.setup":
            answer = client.post(url, headers=GOOD, data="{}")
            assert (answer.status_code, answer.json["error"]) == (403, "pin-unset"), url
    assert table.asked == []


def test_changes_are_paced(table: FakeTable, settings: WebSettings) -> None:
    app = build_app(table, table, replace(settings, changes_per_s=10))
    parts(app).pins.set(PIN)
    client = app.test_client()
    assert client.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 200
    answers = [ask(client, "undo").status_code for _ in range(40)]
    assert answers.count(200) <= 15
    assert answers.count(429) >= 25
    assert len(table.asked) == answers.count(200)


def test_a_second_worth_of_changes_may_come_at_once_and_then_as_many_as_time_allows() -> None:
    now = [0.0]
    bucket, visitor = Bucket(4.0, lambda: now[0], visitors=1), ("10.0.0.1", "a")
    assert [bucket.take(visitor) for _ in range(6)] == [True] * 4 + [False] * 2
    now[0] += 0.5
    assert [bucket.take(visitor) for _ in range(3)] == [True, True, False]
    now[0] += 60.0
    assert [bucket.take(visitor) for _ in range(5)] == [True] * 4 + [False]


def test_large_bodies(host: FlaskClient, table: FakeTable) -> None:
    answer = host.post("/api/commands/undo", data="{" + " " * 70000 + "}", headers=GOOD)
    assert answer.status_code == 413
    assert table.asked == []


def test_deep_json(host: FlaskClient, table: FakeTable) -> None:
    for body in ("[" * 30000, '{"arguments":' * 5000, '{"arguments":{"ply":' + "[" * 20000):
        assert host.post("/api/commands/undo", data=body, headers=GOOD).status_code == 400
    assert table.asked == []


@pytest.mark.parametrize(
    ("path", "words"), [("/nowhere", "There is nothing at this address."), ("/games/x", "nothing at")]
)
def test_an_address_that_leads_nowhere_is_told_in_plain_words(watcher: FlaskClient, path: str, words: str) -> None:
    answer = watcher.get(path)
    assert answer.status_code == 404
    assert words in answer.text
    assert "URL" not in answer.text


@pytest.mark.parametrize(("name", "words"), [("set_quiet", "Only the host"), ("end_turn", "Only who has a seat")])
def test_who_may_not_do_something_is_told_who_may(watcher: FlaskClient, name: str, words: str) -> None:
    assert ask(watcher, name, **({"on": True} if name == "set_quiet" else {})).json["text"].startswith(words)
