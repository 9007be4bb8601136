"""`companion bench phones`: how soon phones hear of each move of a game, and what memory they cost the server.

The phones live in a process of their own and read the stream of the page's real server; a random game of Ataxx is
entered move by move. COMPANION_BENCH_PHONES says how many phones, default 200.
"""

import json
import multiprocessing
import selectors
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.bench.asked import whole_number
from companion.bench.loops import each
from companion.errors import UnreadableText
from companion.games import game
from companion.journal.archive import MemoryArchive
from companion.referee.commands import Command
from companion.referee.readmodel import Desk
from companion.simulator.random_games import random_steps, view_of
from companion.web import WebSettings, build_app, serve

PHONES, PLIES, GAP_S = 200, 300, 0.15
GAME, OPTIONS = "ataxx", {"board": 16}
LOOK_S, LOOKS = 0.25, 40  # the set-up is seen in so many views at most
PATIENCE_S = 30.0
ADDRESSES = 250  # of 127.0.0.0/8, all of which is this machine: each phone calls from its own
READ_BYTES = 1 << 16


@dataclass(slots=True)
class Phone:
    """One stream: when which version of the state came, and how many lines of the record are known."""

    versions: list[int]
    arrived_s: list[float]
    lines: int = 0
    left: bytes = b""

    def feed(self, data: bytes) -> None:
        """Take bytes as they come."""
        now = time.monotonic()
        *messages, self.left = (self.left + data).split(b"\n\n")
        for message in messages:
            fields = dict(line.split(b": ", 1) for line in message.splitlines() if b": " in line)
            if fields.get(b"event") != b"state":
                continue
            state = json.loads(fields[b"data"])
            if state["record_from"] <= self.lines:
                self.lines = state["record_from"] + len(state["record"])
            self.versions.append(int(fields[b"id"].rpartition(b"-")[2]))
            self.arrived_s.append(now)


def run(say: Callable[[str], None]) -> None:
    """Play a game before the phones and print."""
    count = whole_number("COMPANION_BENCH_PHONES", PHONES, least=1)
    rules = game(GAME)
    steps, _ = random_steps(rules, rules.start(OPTIONS), PLIES, seed=1)
    desk = _ready(Desk(MemoryArchive()))
    with tempfile.TemporaryDirectory() as folder:
        server = serve(build_app(desk, desk, WebSettings(Path(folder))), "127.0.0.1", 0)
        before_mib = resident_mib()
        here, there = multiprocessing.Pipe()
        crowd = multiprocessing.get_context("spawn").Process(
            target=follow, args=(there, server.address, count), daemon=True
        )
        crowd.start()
        there.close()  # the crowd has its own: where it fails, waiting for it ends
        try:
            here.recv()  # all phones have the first state
        except EOFError as error:
            server.close()
            raise UnreadableText(f"COMPANION_BENCH_PHONES is {count}: this machine has no room for so many") from error
        told: list[tuple[int, float]] = []
        desk.listen(lambda events, snapshot: told.append((desk.version(), time.monotonic())))
        moves = 0
        for step in each(steps, "moves", say):
            desk.submit(Command("enter_move", {"move": step.move}))
            moves += 1
            time.sleep(GAP_S)
        grown_mib = resident_mib() - before_mib
        here.send(desk.version())
        phones: list[Phone] = here.recv()
        crowd.join()
        server.close()
    whole = sum(phone.lines == moves for phone in phones)
    waits = np.concatenate([delays(phone, told) for phone in phones]) * 1000
    say(
        f"  {count} phones, {moves} moves: {whole} phones have every one; from move to phone "
        f"{np.median(waits):.0f} ms median, {np.percentile(waits, 99):.0f} ms 99 %, {waits.max():.0f} ms longest; "
        f"the server grew by {grown_mib:.0f} MiB"
    )


def delays(phone: Phone, told: list[tuple[int, float]]) -> NDArray[np.float64]:
    """(changes) seconds from each change to the first state on the phone that holds it."""
    versions, times = np.array(phone.versions), np.array(phone.arrived_s)
    first = np.searchsorted(versions, [version for version, _ in told])
    reached = first < len(versions)
    waits = np.full(len(told), np.inf)
    waits[reached] = times[first[reached]] - np.array([at for _, at in told])[reached]
    return waits


def follow(parent: Connection, address: tuple[str, int], count: int) -> None:
    """So many phones until all have the version that is named last. Ctrl-C is the parent's matter."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    phones = [Phone([], []) for _ in range(count)]
    selector = selectors.DefaultSelector()
    for number, phone in enumerate(phones):
        source = f"127.0.{1 + number // ADDRESSES}.{1 + number % ADDRESSES}"
        sock = socket.create_connection(address, timeout=PATIENCE_S, source_address=(source, 0))
        sock.sendall(b"GET /api/stream HTTP/1.0\r\nHost: localhost\r\n\r\n")
        selector.register(sock, selectors.EVENT_READ, phone)
    _read(selector, lambda: all(phone.versions for phone in phones))
    parent.send(None)
    _read(selector, parent.poll)
    last = parent.recv()
    end = time.monotonic() + PATIENCE_S
    _read(selector, lambda: time.monotonic() > end or all(phone.versions[-1] >= last for phone in phones))
    parent.send(phones)


def _read(selector: selectors.DefaultSelector, enough: Callable[[], bool]) -> None:
    while not enough():
        for key, _ in selector.select(0.05):
            sock = key.fileobj
            assert isinstance(sock, socket.socket)
            if data := sock.recv(READ_BYTES):
                key.data.feed(data)
            else:
                selector.unregister(sock)


def _ready(desk: Desk) -> Desk:
    """The desk with the set-up seen."""
    desk.submit(Command("new_game", {"game": GAME, "options": OPTIONS}))
    view = view_of(desk.table.layout)
    for _ in range(LOOKS):
        if desk.snapshot().phase == "play":
            return desk
        desk.observe(view)
        time.sleep(LOOK_S)
    raise RuntimeError("the set-up was not accepted")


def resident_mib() -> float:
    """Memory of this process; Linux only."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024
