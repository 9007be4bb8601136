"""The PIN: none by default, set with the code at the device, guessed slowly, never written down."""

import contextlib
import errno
import itertools
import logging
import stat
import time
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_fakes import FakeTable
from web_helpers import GOOD, PIN, ask, sit

from companion.errors import CommandRefused, UnreadableText
from companion.web import WebSettings, build_app
from companion.web.files import secret_key
from companion.web.parts import parts
from companion.web.pin import PinStore, Throttle, check_pin
from companion.web.sessions import Sessions


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "12a4", "1111", "1234", "9876", "٣٤٥٦", "25 80"])
def test_unfit_pins(pin: str) -> None:
    with pytest.raises(UnreadableText):
        check_pin(pin)


def test_first_pin_needs_the_code_shown_at_the_device(fresh: Flask, codes: list[str]) -> None:
    client = fresh.test_client()
    assert len(codes) == 1
    wrong = "0" * 8 if codes[0] != "0" * 8 else "1" * 8
    assert client.post("/api/setup", json={"code": wrong, "pin": PIN}, headers=GOOD).status_code == 403
    assert client.post("/api/setup", json={"code": codes[0], "pin": "1111"}, headers=GOOD).status_code == 400
    assert client.post("/api/setup", json={"code": codes[0], "pin": PIN}, headers=GOOD).status_code == 200
    assert client.get("/api/me").json["role"] == "host"
    again = client.post("/api/setup", json={"code": codes[0], "pin": "1928"}, headers=GOOD)
    assert again.status_code == 409
    assert parts(fresh).pins.fits(PIN)


def test_no_code_is_shown_once_a_pin_is_set(
    app: Flask, table: FakeTable, settings: WebSettings, codes: list[str]
) -> None:
    codes.clear()
    second = build_app(table, table, settings)
    assert codes == []
    client = second.test_client()
    assert client.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 200


def test_the_code_counts_no_more_once_a_pin_was_set_beside_the_running_service(
    fresh: Flask, settings: WebSettings, codes: list[str]
) -> None:
    PinStore(settings.state_dir / "pin.json").set(PIN)
    asked = {"code": codes[0], "pin": "1928"}
    assert fresh.test_client().post("/api/setup", json=asked, headers=GOOD).status_code == 409
    assert parts(fresh).pins.fits(PIN)


def test_a_thousand_guesses_in_ten_minutes(tmp_path: Path) -> None:
    now = [0.0]
    evaluated = []
    throttle = Throttle(5, 60.0, 3600.0, lambda: now[0])
    for _ in range(1000):
        now[0] += 0.6
        try:
            throttle.attempt(lambda: bool(evaluated.append(now[0])), "192.0.2.7")
        except CommandRefused as refused:
            assert refused.status == 429
    assert 5 <= len(evaluated) <= 30
    waits = [after - before for before, after in itertools.pairwise(evaluated[4:8])]
    assert waits == pytest.approx([60.0, 120.0, 240.0], abs=1.2)


def test_a_guest_who_guesses_keeps_no_host_out_who_calls_from_elsewhere(app: Flask) -> None:
    def log_in(address: str, pin: str) -> int:
        client = app.test_client()
        where = {"REMOTE_ADDR": address}
        return client.post("/api/login", json={"pin": pin}, headers=GOOD, environ_base=where).status_code

    assert [log_in("192.0.2.66", "9999") for _ in range(7)] == [403] * 5 + [429] * 2
    assert log_in("192.0.2.7", "9998") == 403  # a slip of the finger
    assert log_in("192.0.2.7", PIN) == 200
    assert log_in("192.0.2.66", PIN) == 429


def test_who_guesses_from_many_addresses_is_stopped_all_the_same(tmp_path: Path) -> None:
    now, evaluated = [0.0], []
    throttle = Throttle(5, 60.0, 3600.0, lambda: now[0], addresses=50)
    for number in range(1000):
        now[0] += 0.6
        with contextlib.suppress(CommandRefused):
            throttle.attempt(lambda: bool(evaluated.append(now[0])), f"192.0.2.{number % 250}")
    assert 20 <= len(evaluated) <= 30
    assert throttle._each.keys() >= {"192.0.2.249"}
    assert len(throttle._each) == 50


def test_guessing_over_http_locks_even_the_right_pin(app: Flask, watcher: FlaskClient) -> None:
    wrong = [watcher.post("/api/login", json={"pin": "9999"}, headers=GOOD).status_code for _ in range(8)]
    assert wrong == [403] * 5 + [429] * 3
    assert watcher.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 429
    assert ask(watcher, "join", seat=1, player="Eve", pin=PIN).status_code == 429


def test_guessing_costs_work(slow_hash: None, tmp_path: Path) -> None:
    pins = PinStore(tmp_path / "pin.json")
    pins.set(PIN)
    before_s = time.process_time()
    assert not pins.fits("9999")
    assert time.process_time() - before_s > 0.01


def test_secret_files_are_private(app: Flask, settings: WebSettings, host: FlaskClient) -> None:
    names = {path.name for path in settings.state_dir.iterdir()}
    assert names == {"pin.json", "secret.key", "sessions.json"}
    for path in settings.state_dir.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
        assert f'"{PIN}"'.encode() not in path.read_bytes()  # in a hash the four digits may stand by chance


def test_the_key_stays_and_differs(tmp_path: Path) -> None:
    one = secret_key(tmp_path / "a" / "secret.key")
    assert secret_key(tmp_path / "a" / "secret.key") == one
    assert secret_key(tmp_path / "b" / "secret.key") != one


COSTLESS = '{"n": 3, "r": 8, "p": 1, "salt": "", "hash": ""}'
DAMAGED = ("{", "[" * 100_000, COSTLESS, COSTLESS.replace("3", "1e999"))


@pytest.mark.parametrize("damaged", DAMAGED, ids=range(len(DAMAGED)))
def test_a_broken_pin_file_opens_no_door(app: Flask, settings: WebSettings, watcher: FlaskClient, damaged: str) -> None:
    (settings.state_dir / "pin.json").write_text(damaged)
    assert watcher.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 503
    assert watcher.get("/api/me").json["pin_set"] is True


def test_a_full_disk_is_said_and_keeps_the_old_pin(host: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("companion.web.pin.write_safely", full)
    answer = host.post("/api/pin", json={"old": PIN, "new": "805172"}, headers=GOOD)
    assert answer.status_code == 507
    assert answer.json["text"].endswith("No space left on device.")
    monkeypatch.undo()
    assert host.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 200


def test_each_login_has_its_own_token_and_logout_ends_it(app: Flask) -> None:
    client = app.test_client()
    client.get("/game")
    before = client.get_cookie("companion").value
    client.post("/api/login", json={"pin": PIN}, headers=GOOD)
    inside = client.get_cookie("companion").value
    assert inside != before
    client.post("/api/logout", json={}, headers=GOOD)
    assert client.get("/api/me").json["role"] == "watcher"
    client.set_cookie("companion", inside)
    assert client.get("/api/me").json["role"] == "watcher"


def test_log_all_out(app: Flask, host: FlaskClient) -> None:
    player = sit(app, 1)
    assert host.post("/api/logout-all", json={}, headers=GOOD).status_code == 200
    assert host.get("/api/me").json["role"] == "watcher"
    assert player.get("/api/me").json == {"role": "watcher", "seat": None, "pin_set": True, "open_seats": False}


def test_changing_the_pin_logs_the_others_out(app: Flask, host: FlaskClient) -> None:
    other = app.test_client()
    other.post("/api/login", json={"pin": PIN}, headers=GOOD)
    assert host.post("/api/pin", json={"old": "9999", "new": "1928"}, headers=GOOD).status_code == 403
    assert host.post("/api/pin", json={"old": PIN, "new": "1928"}, headers=GOOD).status_code == 200
    assert host.get("/api/me").json["role"] == "host"
    assert other.get("/api/me").json["role"] == "watcher"
    assert PinStore(parts(app).pins.path).fits("1928")


def test_sessions_outlive_a_restart(app: Flask, host: FlaskClient, table: FakeTable, settings: WebSettings) -> None:
    second = build_app(table, table, settings).test_client()
    second.set_cookie("companion", host.get_cookie("companion").value)
    assert second.get("/api/me").json["role"] == "host"


@pytest.mark.parametrize("damaged", ["", "[]", '{"a": 1}', "[" * 100_000], ids=range(4))
def test_a_damaged_list_of_sessions_is_an_empty_one(tmp_path: Path, damaged: str) -> None:
    path = tmp_path / "sessions.json"
    path.write_text(damaged)
    sessions = Sessions(path, b"k" * 32, days=1)
    token = sessions.new_token()
    assert not sessions.grant(token).host
    sessions.give(token, host=True)
    assert Sessions(path, b"k" * 32, days=1).grant(token).host


def test_sessions_end(tmp_path: Path) -> None:
    now = [0.0]
    sessions = Sessions(tmp_path / "s.json", b"k" * 32, 30, lambda: now[0])
    token = sessions.new_token()
    sessions.give(token, host=True)
    now[0] = 29 * 86400.0
    assert sessions.grant(token).host
    now[0] = 31 * 86400.0
    assert not sessions.grant(token).host


def test_a_clock_that_jumps_logs_nobody_out_and_nobody_in(tmp_path: Path) -> None:
    steady, wall = [100.0], [1.8e9]

    def opened() -> Sessions:
        return Sessions(tmp_path / "s.json", b"k" * 32, 30, lambda: steady[0], lambda: wall[0])

    sessions = opened()
    token = sessions.new_token()
    sessions.give(token, host=True)
    for jump in (3600.0, -3600.0, -1.8e9, 3.0e8):
        wall[0] += jump
        assert sessions.grant(token).host
    wall[0] = 1.0e9  # and it is started again years too early
    again = opened()
    assert again.grant(token).host
    steady[0] += 31 * 86400.0
    assert not again.grant(token).host


def test_a_made_up_token_counts_for_nothing(app: Flask, host: FlaskClient) -> None:
    token = host.get_cookie("companion").value
    client = app.test_client()
    for forged in ("x", "a.b", token[:-1] + ("0" if token[-1] != "0" else "1"), token.split(".")[0], "é"):
        client.set_cookie("companion", forged)
        assert client.get("/api/me").json["role"] == "watcher"
    assert not parts(app).sessions.genuine("a.b")


def test_neither_pin_nor_token_is_logged(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    client = app.test_client()
    client.post("/api/login", json={"pin": "86420"}, headers=GOOD)
    client.post("/api/login", json={"pin": PIN}, headers=GOOD)
    ask(client, "undo")
    assert "wrong PIN" in caplog.text
    assert "86420" not in caplog.text
    assert client.get_cookie("companion").value not in caplog.text
