"""Phones that leave the Wi-Fi without a word: a network of their own, whose link goes down."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from flask import Flask
from web_fakes import FakeTable, playing

from companion.web import serve
from companion.web.parts import parts

PHONES = 50
GONE_S = 30.0  # after which none of them may hold a thread
SPACE = f"companion-{os.getpid()}"
INSIDE, OUTSIDE = f"in{os.getpid()}", f"out{os.getpid()}"
NET = f"10.231.{os.getpid() % 250 + 1}"
# every phone is an address of its own; the streams are held until the link has long been down
PHONE = """
import socket, sys, time
held = []
for n in range(int(sys.argv[2])):
    sock = socket.create_connection((f"{sys.argv[1]}.1", int(sys.argv[3])), 20, (f"{sys.argv[1]}.{n + 2}", 0))
    sock.sendall(b"GET /api/stream HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n")
    answer = sock.recv(65536)
    assert b" 200 " in answer, answer
    held.append(sock)
print("all hear", flush=True)
time.sleep(600)
"""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@pytest.fixture
def elsewhere() -> Iterator[None]:
    """A network namespace that one cable leads to; skips where none may be made."""
    try:
        ip("netns", "add", SPACE)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no network may be made here: {error}")
    try:
        ip("link", "add", OUTSIDE, "type", "veth", "peer", "name", INSIDE, "netns", SPACE)
        ip("addr", "add", f"{NET}.1/24", "dev", OUTSIDE)
        ip("link", "set", OUTSIDE, "up")
        for n in range(PHONES):
            ip("-n", SPACE, "addr", "add", f"{NET}.{n + 2}/24", "dev", INSIDE)
        ip("-n", SPACE, "link", "set", INSIDE, "up")
        yield
        ip("link", "del", OUTSIDE)  # at once; the kernel takes its time over the rest
    finally:
        ip("netns", "del", SPACE)


@pytest.mark.long
def test_phones_that_leave_the_wifi_give_their_threads_back(app: Flask, table: FakeTable, elsewhere: None) -> None:
    server = serve(app, "0.0.0.0", 0)
    command = ["ip", "netns", "exec", SPACE, sys.executable, "-c", PHONE, NET, str(PHONES), str(server.address[1])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as phones:
        try:
            assert phones.stdout.readline() == "all hear\n"
            streams = parts(app).streams
            assert streams.total() == PHONES
            ip("-n", SPACE, "link", "set", INSIDE, "down")
            start = time.monotonic()
            while streams.total() and time.monotonic() < start + 2 * GONE_S:  # twice: the machine may be loaded
                table.publish(playing())
                time.sleep(1.0)
            print(f"{PHONES} phones gone: threads free after {time.monotonic() - start:.0f} s")
            assert streams.total() == 0
        finally:
            phones.kill()
            server.close()
