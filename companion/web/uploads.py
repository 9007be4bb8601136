"""A file that the host sends in pieces, each of which passes every gate as a request of its own.

So no request has to be allowed to be large, and nobody without the PIN makes the companion keep anything.
"""

import contextlib
import threading
from collections.abc import Iterator

from companion.errors import CommandRefused
from companion.web.shapes import RestoreBody


class Uploads:
    """One file at a time: who begins another one lets go of what came before."""

    def __init__(self) -> None:
        self._guard, self._reading = threading.Lock(), threading.Lock()
        self._upload = ""
        self._pieces: list[str] = []

    def take(self, body: RestoreBody) -> bytes | None:
        """The whole file with its last piece, None before; CommandRefused (409) for a piece out of its turn."""
        with self._guard:
            if body.part == 0:
                self._upload, self._pieces = body.upload, []
            if body.upload != self._upload or body.part != len(self._pieces) or body.part >= body.parts:
                raise CommandRefused("out-of-turn", "another file came between: send this one again")
            self._pieces.append(body.text)
            if len(self._pieces) < body.parts:
                return None
            content = "".join(self._pieces).encode(errors="replace")  # half of a sign fits no seal
            self._upload, self._pieces = "", []
            return content

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """While a file is read; CommandRefused (409) where another one is."""
        if not self._reading.acquire(blocking=False):
            raise CommandRefused("busy", "another file is being read: try again in a moment")
        try:
            yield
        finally:
            self._reading.release()
