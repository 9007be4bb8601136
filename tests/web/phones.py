"""Many phones on one selector: each opens a stream over a raw socket and notes what arrives when."""

import json
import selectors
import socket
import time
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Phone:
    """One stream. `seen` are (event id, seconds, the record's length as the phone knows it)."""

    sock: socket.socket
    buffer: bytes = b""
    head: bytes = b""
    lines: list[int] = field(default_factory=list)
    seen: list[tuple[str, float, int]] = field(default_factory=list)

    def feed(self, data: bytes) -> None:
        """Take bytes as they come; HTTP chunk sizes lie between the lines of the stream."""
        now = time.monotonic()
        self.buffer += data
        if not self.head and b"\r\n\r\n" in self.buffer:
            self.head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        while b"\n\n" in self.buffer:
            message, self.buffer = self.buffer.split(b"\n\n", 1)
            fields = dict(line.split(b": ", 1) for line in message.splitlines() if b": " in line)
            if fields.get(b"event") == b"state":
                self._state(json.loads(fields[b"data"]), fields[b"id"].decode(), now)

    def _state(self, state: dict[str, Any], event_id: str, now: float) -> None:
        assert state["record_from"] <= len(self.lines), "lines of the record were lost"
        self.lines = self.lines[: state["record_from"]] + [line["number"] for line in state["record"]]
        self.seen.append((event_id, now, len(self.lines)))


def request(path: str, cookie: str = "", extra: str = "") -> bytes:
    """A GET as bytes. HTTP/1.0 spares the chunk sizes."""
    sent = f"Cookie: {cookie}\r\n" if cookie else ""
    return f"GET {path} HTTP/1.0\r\nHost: localhost\r\n{sent}{extra}\r\n".encode()


def call(address: tuple[str, int], source: str = "127.0.0.1", last_id: str = "") -> Phone:
    """Open a stream from an address of its own (all of 127/8 is this machine)."""
    sock = socket.create_connection(address, timeout=20, source_address=(source, 0))
    extra = f"Last-Event-ID: {last_id}\r\n" if last_id else ""
    sock.sendall(request("/api/stream", extra=extra))
    sock.setblocking(False)
    return Phone(sock)


class Crowd:
    """Phones that are read together."""

    def __init__(self, phones: list[Phone]) -> None:
        self.phones = phones
        self._selector = selectors.DefaultSelector()
        for phone in phones:
            self._selector.register(phone.sock, selectors.EVENT_READ, phone)

    def read(self, until: Any, timeout_s: float) -> bool:
        """Read until `until()` is true; False after the timeout."""
        end = time.monotonic() + timeout_s
        while not until():
            left = end - time.monotonic()
            if left <= 0:
                return False
            for key, _ in self._selector.select(min(left, 0.2)):
                data = key.data.sock.recv(65536)
                if data:
                    key.data.feed(data)
                else:
                    self._selector.unregister(key.data.sock)
        return True

    def close(self) -> None:
        """All phones go."""
        self._selector.close()
        for phone in self.phones:
            phone.sock.close()


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
