"""A hundred thousand requests that went wrong on the way: no fault, nothing changed, nothing kept of them."""

import logging
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from requests_made import SEEDS, mutated, odd_body, post
from web_fakes import FakeTable
from web_helpers import GOOD, PIN
from wire import Wire

from companion.events import from_json
from companion.exports import EXPORTS
from companion.journal.archive import MemoryArchive
from companion.referee.commands import COMMANDS
from companion.referee.happenings import SetUp
from companion.referee.readmodel import Desk
from companion.web import WebSettings, build_app
from companion.web.parts import parts

GROWN_MIB = 8.0  # what an allocator may keep for itself; one leaked kilobyte a request would be ten times that
SENSIBLE: dict[str, list[dict[str, Any]]] = {
    "new_game": [{"game": "khet", "options": {"layout": "imhotep-2.0"}}, {"game": "ataxx"}, {"game": "kdak"}],
    "join": [{"seat": 1, "player": "Grace"}],
    "withdraw": [{"seat": 1}],
    "resign": [{"seat": 0}],
    "offer_draw": [{"seat": 0}],
    "claim_draw": [{"seat": 1}],
    "answer_draw": [{"seat": 1, "accept": True}],
    "answer": [{"question": "which", "choice": "yes"}],
    "undo": [{}, {"ply": 2}],
    "correct": [
        {"cell": "a1", "piece": {"kind": "pyramid", "colour": "red", "facing": "NE"}},
        {"x_mm": 1.5, "y_mm": -20.0, "heading_deg": 45.0, "piece": {"kind": "empty"}},
    ],
    "enter_move": [{"move": "h2h3"}, {"move": "c5-"}, {"move": "a1b2"}],
    "play_move": [{"move": "h2h3"}],
    "calibrate": [{"step": "start"}],
    "keep_sets": [{"step": "keep", "name": "Travel set"}, {"step": "use", "set": "1"}],
    "set_corners": [{"corners": [[0, 0], [9, 0], [9, 9.5], [0, 9]]}, {}],
    "set_quiet": [{"on": True}],
    "set_options": [{"options": {"dice": "camera", "end_turn": True}}],
}


class Faults(logging.Handler):
    """Keeps what was logged as a fault."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR or record.exc_info:
            self.heard.append(self.format(record))


@pytest.fixture
def faults() -> Iterator[Faults]:
    handler = Faults()
    logging.getLogger().addHandler(handler)
    yield handler
    logging.getLogger().removeHandler(handler)


@pytest.fixture
def wire(app: Flask) -> Iterator[Wire]:
    wire = Wire(app)
    yield wire
    wire.close()


def resident_mib() -> float:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 / 2**20


def check(answer: bytes, sent: bytes) -> str:
    """The status; a fault is none that may be given."""
    status = answer[9:12].decode() if answer.startswith(b"HTTP/1.") else ""
    assert not status.startswith("5"), (sent, answer[-300:])
    assert b"Traceback" not in answer
    return status


def strangers(wire: Wire, table: FakeTable, count: int) -> tuple[Counter[str], float]:
    """So many requests of people without a PIN; how they were answered, and MiB that the last three quarters cost."""
    source, statuses, before = random.Random(20261121), Counter[str](), 0.0
    for number in range(count):
        if number == count // 4:
            before = resident_mib()
        sent = mutated(source, source.choice(SEEDS))
        statuses[check(wire.exchange(sent), sent)] += 1
    assert table.asked == []
    return statuses, resident_mib() - before


def hosts(wire: Wire, app: Flask, desk: Desk, count: int) -> Counter[str]:
    """So many commands of the host with odd contents, at a real table."""
    source, statuses = random.Random(7), Counter[str]()
    client = app.test_client()
    assert client.post("/api/login", json={"pin": PIN}, headers=GOOD).status_code == 200
    kept = client.get_cookie("companion")
    assert kept is not None
    names = sorted(COMMANDS)
    for number in range(count):
        if desk.snapshot().phase in ("idle", "over"):
            sent = post("/api/commands/new_game", b'{"arguments": {"game": "khet"}}', f"companion={kept.value}")
            check(wire.exchange(sent), sent)
        if desk.snapshot().phase == "set-up" and number % 5 == 0:
            desk.table.record(SetUp())
        name = source.choice(names)
        body = odd_body(source, source.choice(SENSIBLE.get(name, [{}])))
        sent = post(f"/api/commands/{name}", body, f"companion={kept.value}")
        statuses[check(wire.exchange(sent), sent)] += 1
    return statuses


@pytest.fixture
def real(tmp_path: Path) -> Iterator[tuple[Wire, Flask, Desk, MemoryArchive]]:
    """A page over a real referee."""
    archive = MemoryArchive()
    desk = Desk(archive, exports=EXPORTS)
    app = build_app(desk, desk, WebSettings(tmp_path, changes_per_s=1e9, pin_tries=10**9))
    parts(app).pins.set(PIN)
    wire = Wire(app)
    yield wire, app, desk, archive
    wire.close()


def check_record(archive: MemoryArchive) -> None:
    """Whatever was asked: what was written can be read again."""
    for game in archive.games():
        for event in archive.events(game):
            assert from_json(event.to_json()) == event
    last = archive.games()[-1]
    assert Desk(archive).recorded(last) is not None
    assert all(make(last, archive.events(last), True) for make in EXPORTS.values())


def test_a_good_request_is_answered_without_a_network_as_with_one(wire: Wire, table: FakeTable) -> None:
    assert b"Companion" in wire.exchange(SEEDS[0])
    both = SEEDS[1].replace(b"HTTP/1.0", b"HTTP/1.1") * 2
    assert wire.exchange(both).count(b"HTTP/1.1 200") == 2
    assert wire.exchange(SEEDS[0][:-2]) == b""


def test_requests_that_went_wrong(wire: Wire, table: FakeTable, faults: Faults) -> None:
    statuses, _ = strangers(wire, table, 2000)
    assert set(statuses) >= {"200", "400", "403", "404", "415", "421"}
    assert not faults.heard


def test_commands_with_odd_contents(real: tuple[Wire, Flask, Desk, MemoryArchive], faults: Faults) -> None:
    wire, app, desk, archive = real
    statuses = hosts(wire, app, desk, 1000)
    assert set(statuses) >= {"200", "400", "409", "422"}
    assert not faults.heard
    check_record(archive)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_hundred_thousand_requests(
    wire: Wire, table: FakeTable, real: tuple[Wire, Flask, Desk, MemoryArchive], faults: Faults
) -> None:
    statuses, grown_mib = strangers(wire, table, 80_000)
    asked = hosts(*real[:3], 20_000)
    print(f"100000 requests that went wrong: {dict(statuses)}, {dict(asked)}; {grown_mib:.1f} MiB more")
    assert not faults.heard
    assert grown_mib < GROWN_MIB
    check_record(real[3])
