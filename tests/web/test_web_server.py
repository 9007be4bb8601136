"""The real server: crowds, slow and vanished phones, and requests that are none."""

import json
import os
import random
import resource
import socket
import threading
import time
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from http.client import HTTPConnection

import pytest
from flask import Flask
from phones import Crowd, Phone, call, percentile, request
from requests_made import SEEDS, mutated
from web_fakes import FakeTable, playing, record
from wire import Wire

from companion.web import Server, serve
from companion.web.parts import parts

HALF_OPEN = 900  # of the 1000 connections that the server accepts
MOST_MIB = 120.0  # that phones may cost, what they keep themselves included


def until(condition: Callable[[], bool], timeout_s: float) -> bool:
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def exchange(address: tuple[str, int], data: bytes, wait_s: float = 5.0) -> bytes:
    """Send bytes, half-close, and read what comes back."""
    with socket.create_connection(address, timeout=wait_s) as sock:
        try:
            sock.sendall(data)
            sock.shutdown(socket.SHUT_WR)
            answer = b""
            while chunk := sock.recv(65536):
                answer += chunk
        except OSError:  # refused so early that the connection was gone before all was sent
            return b""
        return answer


def load_s(address: tuple[str, int]) -> float:
    """Seconds that a page takes; fails when it does not come at all."""
    start = time.monotonic()
    with urllib.request.urlopen(f"http://127.0.0.1:{address[1]}/game", timeout=10) as answer:
        assert b"Companion" in answer.read()
    return time.monotonic() - start


def follow_a_game(table: FakeTable, crowd: Crowd, events: int, gap_s: float) -> list[float]:
    """Publish states one by one; the delays of every phone for every state, in seconds."""
    published: list[float] = []
    longest = record(events)
    assert crowd.read(lambda: all(phone.seen for phone in crowd.phones), 30)
    for phone in crowd.phones:
        phone.seen.clear()
    for number in range(1, events + 1):
        published.append(time.monotonic())
        table.publish(playing(number=100 + number, record=longest[:number]))
        crowd.read(lambda: False, gap_s)
    assert crowd.read(lambda: all(len(phone.lines) == events for phone in crowd.phones), 60)
    return [at - published[length - 1] for phone in crowd.phones for _, at, length in phone.seen]


def check_complete(crowd: Crowd, events: int) -> None:
    """Every phone has every line, once and in order, and no state twice."""
    for phone in crowd.phones:
        assert phone.lines == list(range(1, events + 1))
        ids = [event_id for event_id, _, _ in phone.seen]
        assert len(ids) == len(set(ids))


def test_forty_phones_follow_a_game(server: Server, table: FakeTable) -> None:
    table.publish(playing(record=()))
    crowd = Crowd([call(server.address, f"127.0.1.{i + 1}") for i in range(40)])
    delays = follow_a_game(table, crowd, 30, 0.03)
    check_complete(crowd, 30)
    crowd.close()
    print(f"40 phones: p50 {percentile(delays, 0.5) * 1e3:.1f} ms, p99 {percentile(delays, 0.99) * 1e3:.1f} ms")


@pytest.mark.long
@pytest.mark.timeout(300)
def test_two_hundred_phones_follow_a_long_game(server: Server, table: FakeTable) -> None:
    table.publish(playing(record=()))
    before_kib = resident_kib()
    crowd = Crowd([call(server.address, f"127.0.1.{i + 1}") for i in range(200)])
    events = 1000
    delays = follow_a_game(table, crowd, events, 0.08)
    check_complete(crowd, events)
    grown_mib = (resident_kib() - before_kib) / 1024
    print(
        f"200 phones, {events} events: p50 {percentile(delays, 0.5) * 1e3:.1f} ms, "
        f"p99 {percentile(delays, 0.99) * 1e3:.1f} ms, max {max(delays) * 1e3:.1f} ms, "
        f"{grown_mib:.1f} MiB more (clients included)"
    )
    assert grown_mib < MOST_MIB
    crowd.close()


def resident_kib() -> int:
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


@pytest.mark.long
def test_two_hundred_phones_come_back_after_a_break(app: Flask, server: Server, table: FakeTable) -> None:
    crowd = Crowd([call(server.address, f"127.0.1.{i + 1}") for i in range(200)])
    assert crowd.read(lambda: all(phone.seen for phone in crowd.phones), 30)
    last = crowd.phones[0].seen[-1][0]
    crowd.close()
    table.publish(playing(record=record(13)))
    assert until(lambda: parts(app).streams.total() == 0, 15)
    start = time.monotonic()
    crowd = Crowd([call(server.address, f"127.0.1.{i + 1}", last) for i in range(200)])
    assert crowd.read(lambda: all(len(phone.lines) == 13 for phone in crowd.phones), 10)
    print(f"200 phones back after {time.monotonic() - start:.2f} s")
    crowd.close()


def test_a_phone_that_comes_back_is_told_only_what_is_new(server: Server, table: FakeTable) -> None:
    crowd = Crowd([call(server.address)])
    assert crowd.read(lambda: bool(crowd.phones[0].seen), 10)
    last = crowd.phones[0].seen[-1][0]
    crowd.close()
    again = Crowd([call(server.address, last_id=last)])
    again.phones[0].lines = list(range(1, 13))  # the page still shows them
    again.read(lambda: False, 0.3)
    assert again.phones[0].seen == []
    table.publish(playing(record=record(13)))
    assert again.read(lambda: bool(again.phones[0].seen), 10)
    assert again.phones[0].lines == list(range(1, 14))
    again.close()


def test_streams_are_free_again_when_phones_go(app: Flask, server: Server, table: FakeTable) -> None:
    crowd = Crowd([call(server.address, f"127.0.1.{i + 1}") for i in range(20)])
    assert crowd.read(lambda: all(phone.seen for phone in crowd.phones), 20)
    assert parts(app).streams.total() == 20
    crowd.close()

    def all_free() -> bool:
        table.publish(playing())  # a closed socket shows itself when it is written to
        return parts(app).streams.total() == 0

    assert until(all_free, 15)


def test_phones_that_come_and_go_leave_nothing_behind(app: Flask, server: Server, table: FakeTable) -> None:
    def counted() -> tuple[int, int]:
        table.publish(playing())  # a closed socket shows itself when it is written to
        return len(os.listdir("/proc/self/fd")), threading.active_count()

    def nothing_left() -> bool:  # less than before is what earlier tests have left
        return all(now <= then for now, then in zip(counted(), before, strict=True))

    load_s(server.address)
    before = counted()
    for evening in range(5):
        crowd = Crowd([call(server.address, f"127.0.{evening + 1}.{i + 1}") for i in range(30)])
        assert crowd.read(lambda phones=crowd.phones: all(phone.seen for phone in phones), 20)
        crowd.close()
    assert until(lambda: nothing_left() and parts(app).streams.total() == 0, 20)


def test_slow_readers_hold_up_nobody(server: Server, table: FakeTable) -> None:
    table.publish(playing(record=()))
    slow: list[Phone] = []
    for i in range(20):
        phone = call(server.address, f"127.0.2.{i + 1}")
        phone.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        slow.append(phone)
    crowd = Crowd([call(server.address, f"127.0.1.{i + 1}") for i in range(10)])
    delays = follow_a_game(table, crowd, 30, 0.02)
    check_complete(crowd, 30)
    print(f"a page beside them: {load_s(server.address):.3f} s")
    print(f"10 phones beside 20 slow ones: p99 {percentile(delays, 0.99) * 1e3:.1f} ms")
    stalled = Crowd(slow)  # they catch up with the newest state, not with a backlog
    assert stalled.read(lambda: all(len(phone.lines) == 30 for phone in slow), 20)
    stalled.close()
    crowd.close()


def test_a_reader_that_stops_skips_to_the_newest(server: Server, table: FakeTable) -> None:
    table.publish(playing(record=()))
    phone = call(server.address)
    crowd = Crowd([phone])
    assert crowd.read(lambda: bool(phone.seen), 10)
    longest = record(400)
    for number in range(1, 401):
        table.publish(replace(playing(number=number), record=longest[:number], notices=("x" * 40000,)))
        time.sleep(0.002)
    assert crowd.read(lambda: len(phone.lines) == 400, 20)
    assert phone.lines == list(range(1, 401))
    assert len(phone.seen) < 300, "the states it was too slow for were queued"
    crowd.close()


@pytest.mark.skipif(resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 3 * HALF_OPEN, reason="too few open files allowed")
def test_half_open_connections_leave_the_page_up(server: Server) -> None:
    held = []
    for i in range(HALF_OPEN):
        sock = socket.create_connection(server.address, source_address=(f"127.0.3.{i % 250 + 1}", 0))
        sock.sendall(b"GET /game HTTP/1.1\r\nHost: localh")
        held.append(sock)
    times = [load_s(server.address) for _ in range(20)]  # each would fail after its time-out
    for sock in held:
        sock.close()
    print(f"20 pages beside {HALF_OPEN} half-open connections: the slowest took {max(times) * 1e3:.0f} ms")


def test_the_connection_gives_up_vanished_phones(server: Server) -> None:
    with socket.create_connection(server.address) as sock:
        sock.sendall(request("/api/stream"))
        sock.recv(100)
        option = socket.TCP_USER_TIMEOUT
        channels = [c for c in server._sockets.values() if hasattr(c, "connected") and hasattr(c, "request")]
        assert channels
        assert all(c.socket.getsockopt(socket.IPPROTO_TCP, option) == 15000 for c in channels)


def test_closing_ends_streams_and_frees_the_port(app: Flask, table: FakeTable) -> None:
    running = serve(app, "127.0.0.1", 0)
    crowd = Crowd([call(running.address)])
    assert crowd.read(lambda: bool(crowd.phones[0].seen), 10)
    running.close()
    running.close()
    crowd.close()
    again = serve(app, "127.0.0.1", running.address[1])
    again.close()


ODD = {
    "not http": b"hello\r\n\r\n",
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 40,
    "nul": b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "negative length": b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    "two lengths": b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "bad chunk": b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "space in name": b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.com\r\n\r\n",
    "same host twice": b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
    "huge header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 300000 + b"\r\n\r\n",
    "huge path": b"GET /" + b"a" * 300000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "huge body": b"POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n",
    "up the tree": b"GET /static/../../secret.key HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "coded tree": b"GET /static/%2e%2e/%2e%2e/secret.key HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "git": b"GET /.git/config HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "bad utf-8": b"GET /%ff%fe?number=%ff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "absolute": b"GET http://evil.com/ HTTP/1.1\r\nHost: evil.com\r\n\r\n",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_requests_are_refused_without_a_trace(server: Server, name: str) -> None:
    answer = exchange(server.address, ODD[name])
    status = answer.split(b" ", 2)[1] if answer else b""
    assert status == b"" or status.startswith(b"4"), answer[:200]
    assert b"Traceback" not in answer
    load_s(server.address)


REFUSED = {
    "huge body": (413, "request-entity-too-large", "The request is too large."),
    "bad chunk": (400, "bad-request", "The request cannot be read."),
    "huge header": (431, "request-header-fields-too-large", "The head of the request is too large."),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_waitress_refuses_is_said_as_all_that_is_refused(app: Flask, name: str) -> None:
    wire = Wire(app)
    head, body = wire.exchange(ODD[name]).split(b"\r\n\r\n", 1)
    wire.close()
    status, error, text = REFUSED[name]
    lines = head.decode().split("\r\n")
    assert lines[0].split(" ", 2)[1] == str(status)
    assert {"Content-Type: application/json", "X-Content-Type-Options: nosniff"} <= set(lines)
    assert json.loads(body) == {"error": error, "text": text}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_body_over_the_limit_is_refused_in_words_at_each_address(app: Flask, host: str) -> None:
    limit = parts(app).settings.max_body_bytes
    running = serve(app, host, 0)
    told = []
    for size in (limit - 1, limit, 2 * limit):
        line = HTTPConnection(*running.address, timeout=5)
        line.request("POST", "/api/login", b" " * size, {"Content-Type": "application/json", "X-Companion": "1"})
        told.append(json.loads(line.getresponse().read())["error"])
        line.close()
    running.close()
    assert told == ["shape", "request-entity-too-large", "request-entity-too-large"]


def mutate(server: Server, table: FakeTable, count: int, caplog: pytest.LogCaptureFixture) -> None:
    source = random.Random(20261121)
    for _ in range(count):
        answer = exchange(server.address, mutated(source, source.choice(SEEDS)), 2.0)
        if answer.startswith(b"HTTP"):
            assert not answer.split(b" ", 2)[1].startswith(b"5"), answer[:300]
        assert b"Traceback" not in answer
    assert table.asked == []
    assert "Traceback" not in caplog.text
    load_s(server.address)


def test_mutated_requests(server: Server, table: FakeTable, caplog: pytest.LogCaptureFixture) -> None:
    mutate(server, table, 300, caplog)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_many_mutated_requests(server: Server, table: FakeTable, caplog: pytest.LogCaptureFixture) -> None:
    mutate(server, table, 3000, caplog)  # over a real network; a hundred thousand go without one
