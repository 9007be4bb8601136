"""What systemd hears: ready after the first look, beats only while the loop runs."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.service.notify import Notifier


class Listener:
    """systemd's end of the socket."""

    def __init__(self, path: Path) -> None:
        self.door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.door.bind(str(path))
        self.door.settimeout(0.0)
        self.environment = {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}

    def heard(self) -> list[str]:
        messages = []
        while True:
            try:
                messages.append(self.door.recv(4096).decode())
            except BlockingIOError:
                return messages


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    listener = Listener(tmp_path / "notify")
    yield listener
    listener.door.close()


def test_ready_is_said_once(listener: Listener) -> None:
    notifier = Notifier(listener.environment)
    notifier.status("looking for\nthe table")
    notifier.ready("sees the table")
    notifier.ready("sees it again")
    notifier.stopping()
    assert listener.heard() == [
        "STATUS=looking for the table",
        "READY=1\nSTATUS=sees the table",
        "STATUS=sees it again",
        "STOPPING=1",
    ]


def test_beats_come_four_times_an_interval_however_often_the_loop_turns(listener: Listener) -> None:
    now = [1000.0]
    notifier = Notifier(listener.environment, clock=lambda: now[0])
    notifier.ready()
    for _ in range(400):  # 40 s at ten rounds a second
        notifier.beat()
        now[0] += 0.1
    assert listener.heard() == ["READY=1", *["WATCHDOG=1"] * 8]


def test_a_blocked_loop_beats_no_more(listener: Listener) -> None:
    now = [1000.0]
    notifier = Notifier(listener.environment, clock=lambda: now[0])
    notifier.ready()
    notifier.beat()
    listener.heard()
    now[0] += 60.0  # nobody turns the loop
    assert listener.heard() == []


def test_what_takes_long_is_announced_and_the_next_beat_is_as_strict_as_ever(listener: Listener) -> None:
    now = [1000.0]
    notifier = Notifier(listener.environment, clock=lambda: now[0])
    notifier.take_time()
    assert listener.heard() == ["EXTEND_TIMEOUT_USEC=180000000"]
    notifier.ready()
    notifier.beat()
    listener.heard()
    notifier.take_time()
    assert listener.heard() == ["WATCHDOG_USEC=180000000\nWATCHDOG=1"]
    now[0] += 1.0
    for _ in range(2):
        notifier.beat()
    assert listener.heard() == ["WATCHDOG_USEC=20000000\nWATCHDOG=1"]
    Notifier({}).take_time()  # where nobody watches


def test_before_it_is_ready_the_loop_asks_for_time(listener: Listener) -> None:
    now = [1000.0]
    notifier = Notifier(listener.environment, clock=lambda: now[0])
    for _ in range(3):
        notifier.beat()
        now[0] += 5.0
    assert listener.heard() == ["EXTEND_TIMEOUT_USEC=20000000"] * 3


def test_an_abstract_socket_is_found(tmp_path: Path) -> None:
    name = f"companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind(f"\0{name}")
        door.settimeout(1.0)
        Notifier({"NOTIFY_SOCKET": f"@{name}"}).ready()
        assert door.recv(100) == b"READY=1"


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"NOTIFY_SOCKET": "/nowhere/at/all", "WATCHDOG_USEC": "1000"},
        {"NOTIFY_SOCKET": "/nowhere/at/all", "WATCHDOG_USEC": "soon"},
    ],
)
def test_without_systemd_nothing_happens(environment: dict[str, str]) -> None:
    notifier = Notifier(environment)
    notifier.ready("x")
    notifier.beat()
    notifier.stopping()


def test_a_watchdog_meant_for_another_process_is_not_fed(listener: Listener) -> None:
    notifier = Notifier({**listener.environment, "WATCHDOG_PID": "1"})
    notifier.ready()
    notifier.beat()
    assert listener.heard() == ["READY=1"]


def test_a_full_socket_does_not_stop_the_loop(listener: Listener) -> None:
    notifier = Notifier(listener.environment)
    for number in range(5000):
        notifier.status(f"message {number} " + "x" * 500)
    assert listener.heard()[0].startswith("STATUS=message 0")
