"""An exported game comes back by the page, in pieces: from the host alone, checked as a whole, or refused in words."""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from desks import begun
from flask import Flask
from flask.testing import FlaskClient
from web_fakes import FakeTable
from web_helpers import GOOD, ask, real_house, sit

from companion.journal.export import seal
from companion.referee.commands import Command
from companion.referee.happenings import SetUp
from companion.referee.readmodel import Desk
from companion.web.parts import parts
from companion.web.shapes import MOST_PIECES, PIECE_SIGNS

KEYS = (f"upload-{number}" for number in count())


def piece(client: FlaskClient, text: str, part: int = 0, of: int = 1, upload: str | None = None) -> Any:
    body = {"upload": upload or next(KEYS), "part": part, "parts": of, "text": text}
    return client.post("/api/restore", json=body, headers=GOOD)


def send(client: FlaskClient, text: str) -> Any:
    """The whole of it, as the page cuts it."""
    upload, cut = next(KEYS), [text[at : at + PIECE_SIGNS] for at in range(0, len(text), PIECE_SIGNS)] or [""]
    answers = [piece(client, part, number, len(cut), upload) for number, part in enumerate(cut)]
    assert all((answer.status_code, answer.json) == (200, {}) for answer in answers[:-1])
    return answers[-1]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[FlaskClient, Desk]]:
    """The host's phone, and a real referee with two games in its journal, the newest of which goes on."""
    with real_house(tmp_path) as (client, desk):
        for player in ("Zoë </script>", "Grace"):
            begun(desk, players=(player,)).submit(Command("resign", {"seat": 0}))
        yield client, desk


def changed(text: str, **fields: Any) -> str:
    """The export with its first event's fields changed, and a seal that fits."""
    data = json.loads(text)
    data["events"][0] |= fields
    data["seal"] = seal(data["events"])
    return json.dumps(data)


def test_a_game_is_erased_on_the_page_and_brought_back(house: tuple[FlaskClient, Desk]) -> None:
    client, desk = house
    kept = client.get("/api/games/1/export.json").get_data(as_text=True)
    assert ask(client, "erase_game", number=1).status_code == 200
    assert [line["id"] for line in client.get("/api/games").json] == [2]
    assert "Zoë" not in client.get("/games").get_data(as_text=True)
    assert client.get("/games/1").status_code == 404
    answer = send(client, kept)
    assert (answer.status_code, answer.json) == (200, {"game": 1, "new": True})
    assert "Zoë &lt;/script&gt;" in client.get("/games").get_data(as_text=True)
    assert send(client, kept).json == {"game": 1, "new": False}
    assert desk.export(1, "json").partition('"game"')[2] == kept.partition('"game"')[2]


def test_a_phone_plays_for_nobody_else_in_a_game_that_lies_on_the_table_again(house: tuple[FlaskClient, Desk]) -> None:
    client, desk = house
    assert ask(client, "new_game", game="khet").status_code == 200
    for seat, player in enumerate(("Ada", "Bo")):
        assert ask(client, "join", seat=seat, player=player, claim=False).status_code == 200
    unfinished = desk.export(3, "json")
    assert ask(client, "new_game", game="khet").status_code == 200
    desk.table.record(SetUp())
    grace, bo = sit(client.application, 0, "Grace"), sit(client.application, 1, "Bo")
    assert ask(client, "resign", seat=0).status_code == 200
    assert ask(client, "erase_game", number=3).status_code == 200
    assert send(client, unfinished).json == {"game": 5, "new": True}
    assert [seat.player for seat in desk.snapshot().seats] == ["Ada", "Bo"]
    assert [phone.get("/api/me").json["seat"] for phone in (grace, bo)] == [None, 1]


def test_the_game_on_the_table_is_not_erased(house: tuple[FlaskClient, Desk]) -> None:
    client, _ = house
    answer = ask(client, "erase_game", number=2)
    assert (answer.status_code, answer.json["error"]) == (409, "on-the-table")
    assert answer.json["text"] == "This game is on the table: start another one before you erase it."
    assert ask(client, "erase_game", number=99).status_code == 404


@pytest.mark.parametrize(
    ("bend", "words"),
    [
        (lambda text: text[: len(text) // 2], "torn"),
        (lambda text: "", "torn"),
        (lambda text: "GIF89a", "torn"),
        (lambda text: "[" * 15000, ""),
        (lambda text: '{"a":' * 3000, ""),
        (lambda text: text.replace("Zoë", "Zoo"), "do not fit the file's seal"),
        (lambda text: changed(text, game="chess"), "chess"),
        (lambda text: changed(text, game="../../etc/passwd"), "passwd"),
        (lambda text: changed(text, game="chaos"), ""),
        (lambda text: changed(text, game="\x1b[2J"), "cannot be printed"),
        (lambda text: changed(text, event="reset"), ""),
        (lambda text: text.replace('"format": "', '"format": "other '), "this version reads"),
    ],
    ids=range(12),
)
def test_what_is_unfit_is_refused_in_words_and_changes_nothing(
    house: tuple[FlaskClient, Desk], bend: Any, words: str
) -> None:
    client, desk = house
    before = desk.snapshot().number, client.get("/api/games").json
    answer = send(client, bend(client.get("/api/games/1/export.json").get_data(as_text=True)))
    assert answer.status_code == 400, answer.text
    assert words.casefold() in answer.json["text"].casefold()
    assert (desk.snapshot().number, client.get("/api/games").json) == before


def test_pieces_out_of_their_turn_are_refused_and_the_file_may_be_sent_again(
    host: FlaskClient, table: FakeTable
) -> None:
    table.restored.clear()
    assert piece(host, "{", 0, 3, "upload-a").json == {}
    for part, of, upload in ((2, 3, "upload-a"), (0 + 1, 3, "upload-b"), (1, 1, "upload-a")):
        answer = piece(host, "x", part, of, upload)
        assert (answer.status_code, answer.json["error"]) == (409, "out-of-turn")
    assert piece(host, "{", 0, 2, "upload-b").json == {}, "another one takes its place"
    assert piece(host, "x", 1, 3, "upload-a").status_code == 409
    assert piece(host, "}", 1, 2, "upload-b").json == {"game": 8, "new": True}
    assert table.restored == [b"{}"]


def test_what_is_too_large_or_of_another_shape_is_refused(host: FlaskClient, table: FakeTable) -> None:
    table.restored.clear()
    for text, part, of in (("x" * (PIECE_SIGNS + 1), 0, 1), ("x", 0, MOST_PIECES + 1), ("x", -1, 1), ("x", 0, 0)):
        assert piece(host, text, part, of).status_code == 400
    assert piece(host, "ä" * 70000).status_code == 413
    assert host.post("/api/restore", data='{"text": "\\ud800"}', headers=GOOD).status_code == 400
    assert table.restored == []


def test_two_files_are_not_read_at_once(host: FlaskClient, app: Flask, table: FakeTable) -> None:
    table.restored.clear()
    with parts(app).uploads.reading():
        answer = piece(host, "{}")
    assert (answer.status_code, answer.json["error"]) == (409, "busy")
    assert table.restored == []
    assert piece(host, "{}").status_code == 200


def test_nobody_else_sends_a_file_or_sees_how(app: Flask, watcher: FlaskClient, host: FlaskClient) -> None:
    assert piece(watcher, "{}").status_code == 403
    for path in ("/games", "/games/7"):
        for words in ('id="restore"', 'id="erase"'):
            assert words not in watcher.get(path).get_data(as_text=True)
    assert 'id="restore"' in host.get("/games").get_data(as_text=True)
    assert 'id="erase"' in host.get("/games/7").get_data(as_text=True)
