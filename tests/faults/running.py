"""The whole service as a process, and a phone's view of it."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time

from ports import free_port

START_S = 40.0  # a loaded machine imports slowly
CODE = "import sys; from companion.cli import main; sys.exit(main())"


class Service:
    """`companion run` in a state folder of its own, without a camera; `before` is what its process does first."""

    def __init__(self, folder, config="", camera="usb:63", before=""):
        self.state, self.port = folder / "state", free_port()
        (folder / "companion.toml").write_text(f'[web]\nhost = "127.0.0.1"\nport = {self.port}\n{config}')
        environment = {**os.environ, "STATE_DIRECTORY": str(self.state), "OPENCV_LOG_LEVEL": "SILENT"}
        command = [sys.executable, "-c", before + CODE, "run", "--camera", camera, "--game", "khet"]
        self.process = subprocess.Popen(
            [*command, "--config", str(folder / "companion.toml")],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def __enter__(self):
        self.said = []  # before the page was up
        for line in self.process.stdout:
            self.said.append(line)
            if line.startswith("The page"):
                return self
        raise AssertionError("the service has not started")

    def __exit__(self, *details):
        if self.process.poll() is None:
            self.process.kill()
        self.process.stdout.close()
        self.process.wait()

    def state_json(self, until=lambda state: True):
        """What a phone is told, asked for until it is as wished."""
        ends = time.monotonic() + START_S
        while True:
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as link:
                link.request("GET", "/api/state")
                state = json.loads(link.getresponse().read())
            if until(state) or time.monotonic() > ends:
                return state
            time.sleep(0.1)

    def stop(self):
        """SIGTERM; the exit code and the seconds that it took."""
        start = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.stdout.read()
        return self.process.wait(timeout=30), time.monotonic() - start


class Phone:
    """Follows the stream: the newest event's number, and the moves of the record as the page shows it."""

    def __init__(self, port):
        self.number, self.moves, self._buffer = 0, [], b""
        self._sock = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._sock.sendall(b"GET /api/stream HTTP/1.0\r\nHost: localhost\r\n\r\n")

    def read(self, for_s, enough=lambda: False):
        """What comes within this time, until it is enough, or the line is dead."""
        ends = time.monotonic() + for_s
        while not enough() and (left := ends - time.monotonic()) > 0:
            self._sock.settimeout(left)
            try:
                data = self._sock.recv(65536)
            except (TimeoutError, ConnectionError):
                return
            if not data:
                return
            self._take(data)

    def _take(self, data):
        *messages, self._buffer = (self._buffer + data).split(b"\n\n")
        for message in messages:
            for line in message.splitlines():
                if b"event: state" in message and line.startswith(b"data: "):
                    state = json.loads(line[6:])
                    self.number = state["number"]
                    self.moves[state["record_from"] :] = [ply["move"] for ply in state["record"]]

    def close(self):
        self._sock.close()
