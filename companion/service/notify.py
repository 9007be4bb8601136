"""Tells systemd how the service fares: one datagram to $NOTIFY_SOCKET for each message (man sd_notify).

Everywhere else every call does nothing. The watchdog must be fed by the loop that does the work, never by a
thread of its own, or a loop that stands still would look alive.
"""

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

BEATS = 4  # in each watchdog interval; systemd asks for at least two
LONG_S = 180.0  # for what the loop does in one piece: learning a set takes a small machine a minute


class Notifier:
    """Ready once, alive often, a status line for `systemctl status`. Reads its environment when it is made."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, clock: Callable[[], float] = time.monotonic
    ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._clock = clock
        self._pause_s = _watchdog_s(environment) / BEATS
        self._beaten_s = float("-inf")
        self._ready = self._takes_time = False

    def ready(self, status: str = "") -> None:
        """The first look was had, or there is no camera; further calls only change the status."""
        self._send(*([] if self._ready else ["READY=1"]), *([f"STATUS={_line(status)}"] if status else []))
        self._ready = True

    def status(self, text: str) -> None:
        """One line for `systemctl status`."""
        self._send(f"STATUS={_line(text)}")

    def beat(self) -> None:
        """Call it in every round of the loop: sends as often as the watchdog needs.

        Before it is ready it asks for more time instead, so that a companion that waits for its camera (with its
        page up) is not taken for one that fails to start.
        """
        now = self._clock()
        if self._pause_s and (self._takes_time or now - self._beaten_s >= self._pause_s):
            self._beaten_s = now
            patience_us = round(self._pause_s * BEATS * 1e6)
            usual = [f"WATCHDOG_USEC={patience_us}"] if self._takes_time else []
            self._takes_time = False
            self._send(*[*usual, "WATCHDOG=1"] if self._ready else [f"EXTEND_TIMEOUT_USEC={patience_us}"])

    def take_time(self) -> None:
        """Something begins in which the loop cannot beat: the watchdog waits longer, until the next beat."""
        if self._pause_s:
            long_us = round(LONG_S * 1e6)
            self._takes_time = self._ready
            self._send(f"WATCHDOG_USEC={long_us}\nWATCHDOG=1" if self._ready else f"EXTEND_TIMEOUT_USEC={long_us}")

    def stopping(self) -> None:
        """The end was asked for and has begun."""
        self._send("STOPPING=1")

    def _send(self, *lines: str) -> None:
        if not self._address or not lines:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.setblocking(False)  # a full socket must not stop the loop; the next message comes soon
            door.sendto("\n".join(lines).encode(), self._address)


def _watchdog_s(environment: Mapping[str, str]) -> float:
    """The watchdog's interval in seconds, 0.0 when there is none or it is meant for another process."""
    wanted = environment.get("WATCHDOG_PID", "")
    if wanted and wanted != str(os.getpid()):
        return 0.0
    digits = environment.get("WATCHDOG_USEC", "")
    return int(digits) / 1e6 if digits.isdecimal() else 0.0


def _line(text: str) -> str:
    return " ".join(text.split())
