"""waitress in a thread of this process, set up for many phones that hold a stream each."""

import socket
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import BaseWSGIServer, create_server

from companion.web.parts import parts
from companion.web.refusals import Channel

THREADS = 240
CONNECTIONS = 1000
CHANNEL_TIMEOUT_S = 30
OUTBUF_BYTES = 65536  # a slow phone holds this much and no more
HEADER_BYTES = 32 * 1024
LOOP_S = 0.5  # how soon the server notices that it is closed
USER_TIMEOUT_MS = 15000  # a phone that left the Wi-Fi is given up after this


class Server:
    """A running server. `address` is the (host, port) it listens on."""

    def __init__(self, app: Flask, host: str, port: int) -> None:
        self._closing = parts(app).closing
        self._sockets: dict[int, Any] = {}
        self._inner: Any = create_server(
            app,
            map=self._sockets,
            host="*" if host == "::" else host,  # by itself, "::" would be heard over IPv6 alone
            port=port,
            threads=THREADS,
            connection_limit=CONNECTIONS,
            channel_timeout=CHANNEL_TIMEOUT_S,
            **limits(app),
        )
        for listening in self._sockets.values():
            if isinstance(listening, BaseWSGIServer):  # one for each address of the host
                listening.channel_class = Channel
        adjustments = self._inner.adj
        adjustments.socket_options = [*adjustments.socket_options, *_patience()]
        self.address: tuple[str, int] = _address(self._inner)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End all streams and stop listening; safe to call twice."""
        self._closing.set()
        self._stop.set()
        self._thread.join(timeout=15)

    def _run(self) -> None:
        """The loop of waitress, with a way out of it."""
        while not self._stop.is_set():
            wasyncore.loop(timeout=LOOP_S, use_poll=True, map=self._sockets, count=1)
        self._inner.task_dispatcher.shutdown()
        wasyncore.close_all(self._sockets, ignore_all=True)


def limits(app: Flask) -> dict[str, Any]:
    """What waitress takes of a request, and keeps of an answer."""
    return {
        "outbuf_high_watermark": OUTBUF_BYTES,
        "max_request_header_size": HEADER_BYTES,
        "max_request_body_size": parts(app).settings.max_body_bytes,
        "ident": "companion",
    }


def serve(app: Flask, host: str, port: int) -> Server:
    """Serve `app` in a thread; port 0 takes a free one. OSError when the port is taken."""
    return Server(app, host, port)


def _patience() -> list[tuple[int, int, int]]:
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux only
    return [] if option is None else [(socket.IPPROTO_TCP, option, USER_TIMEOUT_MS)]


def _address(inner: Any) -> tuple[str, int]:
    if hasattr(inner, "effective_listen"):
        host, port = inner.effective_listen[0]
    else:
        host, port = inner.effective_host, inner.effective_port
    return str(host), int(port)
