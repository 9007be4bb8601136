"""The stream of states: whole first, nothing lost, nothing queued for the slow, bounded."""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from web_fakes import FakeTable, playing, record
from web_helpers import PIN, ask, sit

from companion.errors import CommandRefused
from companion.referee.snapshot import Snapshot
from companion.web import WebSettings, build_app
from companion.web.parts import parts
from companion.web.stream import Encoder, Streams, follow, prune, same_lines


def open_stream(
    table: FakeTable, settings: WebSettings, last_id: str | None = None, encoder: Encoder | None = None, **limits: Any
) -> tuple[Iterator[str], threading.Event]:
    closing = threading.Event()
    limited = replace(settings, stream_slice_s=0.01, **limits)
    return follow(table, encoder or Encoder(), limited, closing, last_id), closing


def data_of(message: str) -> dict[str, Any]:
    fields = dict(line.split(": ", 1) for line in message.strip().splitlines())
    assert fields["event"] == "state"
    return {"id": fields["id"], **json.loads(fields["data"])}


def test_retry_is_jittered_and_the_whole_state_comes_first(table: FakeTable, settings: WebSettings) -> None:
    waits = set()
    for _ in range(20):
        messages, _ = open_stream(table, settings)
        waits.add(next(messages))
        state = data_of(next(messages))
        assert state["number"] == 40
        assert len(state["record"]) == 12
    assert len(waits) > 5
    assert all(1000 <= int(wait.split()[1]) <= 4000 for wait in waits)


def test_only_new_lines_of_the_record_follow(table: FakeTable, settings: WebSettings) -> None:
    messages, _ = open_stream(table, settings)
    next(messages), next(messages)
    table.publish(playing(record=record(13)))
    state = data_of(next(messages))
    assert (state["record_from"], [line["number"] for line in state["record"]]) == (12, [13])
    table.publish(playing(record=record(5)))  # an undo
    state = data_of(next(messages))
    assert (state["record_from"], state["record"]) == (5, [])


def test_a_slow_phone_skips_to_the_newest_state(table: FakeTable, settings: WebSettings) -> None:
    messages, _ = open_stream(table, settings)
    next(messages), next(messages)
    for length in range(13, 113):
        table.publish(playing(number=length, record=record(length)))
    state = data_of(next(messages))
    assert state["number"] == 112
    assert state["record_from"] == 12
    assert [line["number"] for line in state["record"]] == list(range(13, 113))


def test_a_quiet_table_says_where_pages_hear_it_that_the_line_is_alive(table: FakeTable, settings: WebSettings) -> None:
    messages, closing = open_stream(table, settings, stream_here_s=0.03)
    next(messages), next(messages)
    assert next(messages) == "event: here\ndata: -\n\n"  # no comment: a page is not told of those
    closing.set()
    assert list(messages) == []


def test_the_stream_says_whose_it_is_by_now(tmp_path: Path, table: FakeTable) -> None:
    app = build_app(table, table, WebSettings(tmp_path, stream_slice_s=0.01, stream_here_s=0.02))
    parts(app).pins.set(PIN)
    phone, another = sit(app, 1), app.test_client()
    with phone.get("/api/stream") as stream:
        messages = (part for part in map(bytes.decode, stream.iter_encoded()) if part.startswith("event: here"))
        assert next(messages) == "event: here\ndata: seat 1\n\n"
        another.get("/game")
        assert ask(another, "join", seat=1, player="Grace", pin=PIN).status_code == 200  # by the same name
        assert "event: here\ndata: watcher None\n\n" in islice(messages, 5)


def test_a_phone_that_is_up_to_date_gets_nothing_twice(table: FakeTable, settings: WebSettings) -> None:
    encoder = Encoder()
    messages, _ = open_stream(table, settings, encoder.event_id(1), encoder)
    next(messages)
    assert next(messages).startswith(":")
    table.publish(playing(record=record(13)))
    state = data_of(next(messages))
    assert state["id"] == encoder.event_id(2)
    assert [line["number"] for line in state["record"]] == [13]


@pytest.mark.parametrize("last_id", ["", "x", "1", "00000000-1", None])
def test_a_phone_from_an_earlier_run_gets_the_whole(table: FakeTable, settings: WebSettings, last_id: Any) -> None:
    messages, _ = open_stream(table, settings, last_id)
    next(messages)
    assert data_of(next(messages))["record_from"] == 0


def test_one_message_has_no_line_breaks_inside(table: FakeTable, settings: WebSettings) -> None:
    table.publish(playing(last_text="a\n\ndata: x\r\rid: 9\u2028", title="id: 7\n\n"))
    messages, _ = open_stream(table, settings)
    next(messages)
    message = next(messages)
    assert message.count("\n") == 4
    assert "\r" not in message
    assert data_of(message)["last_text"] == "a\n\ndata: x\r\rid: 9\u2028"


def test_a_state_is_encoded_once_for_all(table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = Encoder()
    first = encoder.state(table.state)
    monkeypatch.setattr("companion.web.stream._encode", lambda *a: pytest.fail("encoded again"))
    assert encoder.state(table.state) == first
    assert json.loads(encoder.state(table.state, 11))["record_from"] == 11


def test_a_long_record_costs_little_to_send() -> None:
    encoder, long_game = Encoder(), playing(record=record(300))
    for length in range(300):  # with every ply's picture encoded it would be minutes
        sent = encoder.state(replace(long_game, number=length), 299)
        assert len(sent) < len(encoder.state(long_game)) / 5


def test_common_lines() -> None:
    assert same_lines(record(5), record(5)) == 5
    assert same_lines(record(5), record(7)) == 5
    assert same_lines(record(7), record(5)) == 5
    other = (*record(3), replace(record(4)[3], move="x"), *record(6)[4:])
    assert same_lines(record(6), other) == 3
    assert same_lines((), record(2)) == 0


def test_zero_and_false_are_not_empty() -> None:
    kept = {"seat": 0, "quiet": False, "x": 0.0, "list": [{"why": ""}], "pair": (0, "")}
    assert prune({**kept, "none": None, "text": ""}) == {**kept, "list": [{}], "pair": [0, ""]}
    assert prune({"none": ()}) == {"none": []}


def test_of_a_state_every_list_is_told_and_each_once() -> None:
    told = json.loads(Encoder().state(Snapshot(1)), object_pairs_hook=list)
    names = [name for name, _ in told]
    assert len(names) == len(set(names))
    lists = {field.name for field in fields(Snapshot) if isinstance(getattr(Snapshot(1), field.name), tuple)}
    assert lists <= set(names)


def test_streams_are_bounded() -> None:
    streams = Streams(4, 6)
    a, b = ("10.0.0.1", "a"), ("10.0.0.1", "b")
    for _ in range(4):
        streams.take(a)
    with pytest.raises(CommandRefused) as refused:
        streams.take(a)
    assert refused.value.status == 429
    streams.take(b)
    streams.take(b)
    with pytest.raises(CommandRefused):
        streams.take(b)
    streams.give(a)
    streams.take(b)
    for visitor in (a, a, a, b, b, b):
        streams.give(visitor)
    assert streams.total() == 0


@pytest.mark.parametrize(("each", "every"), [(1, 2), (2, 1)])
def test_streams_are_bounded_as_is_configured(table: FakeTable, settings: WebSettings, each: int, every: int) -> None:
    streams = parts(build_app(table, table, replace(settings, streams_per_visitor=each, streams_in_all=every))).streams
    streams.take(("10.0.0.1", "a"))
    with pytest.raises(CommandRefused):
        streams.take(("10.0.0.1", "a"))
    with contextlib.nullcontext() if every > 1 else pytest.raises(CommandRefused):
        streams.take(("10.0.0.1", "b"))


def test_the_fifth_stream_of_a_phone_is_refused(app: Flask, watcher: FlaskClient) -> None:
    opened = [watcher.get("/api/stream", buffered=False) for _ in range(4)]
    refused = watcher.get("/api/stream")
    assert (refused.status_code, refused.json["error"]) == (429, "streams")
    for answer in opened:
        answer.close()
    assert parts(app).streams.total() == 0
    head = watcher.head("/api/stream")
    head.close()
    assert head.mimetype == "text/event-stream"
    assert parts(app).streams.total() == 0
