"""waitress without a network: its own parser, tasks and answers; a request is served here once it is whole."""

import socket
from typing import Any

from flask import Flask
from waitress.server import create_server

from companion.web.refusals import Channel
from companion.web.server import limits


class Wire:
    """A server's end for bytes that never saw a network."""

    def __init__(self, app: Flask) -> None:
        self._inner: Any = create_server(app, map={}, host="127.0.0.1", port=0, threads=1, **limits(app))
        self._sock, self._other = socket.socketpair()

    def exchange(self, data: bytes) -> bytes:
        """What one connection answers to these bytes; empty while it waits for more."""
        channel = _Channel(self._inner, self._sock)
        channel.received(data)
        while channel.waiting:
            channel.waiting -= 1
            channel.service()
        return bytes(channel.sent)

    def close(self) -> None:
        self._inner.task_dispatcher.shutdown()
        self._inner.close()
        self._sock.close()
        self._other.close()


class _Channel(Channel):
    def __init__(self, inner: Any, sock: socket.socket) -> None:
        super().__init__(inner, sock, ("127.0.0.1", 40000), inner.adj, {})
        self.server, self.sent, self.waiting = self, bytearray(), 0
        self.application, self.effective_port, self.effective_host = inner.application, 80, "127.0.0.1"
        self.server_name = inner.server_name

    def add_task(self, task: "_Channel") -> None:
        """Instead of handing it to a thread."""
        self.waiting += 1

    def pull_trigger(self) -> None:
        """Nobody sleeps."""

    def write_soon(self, data: Any) -> int:
        content = data
        if not isinstance(data, bytes | bytearray):  # a file
            content = b"".join(data)
            data.close()
        self.sent += content
        return len(content)

    def send_continue(self) -> None:
        self.sent += b"HTTP/1.1 100 Continue\r\n\r\n"
