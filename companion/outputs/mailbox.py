"""A bounded queue between the referee and a device's own thread: a stuck device stops nobody."""

import threading
from collections import deque
from typing import Generic, TypeVar

_M = TypeVar("_M")


class Mailbox(Generic[_M]):
    """At most `size` messages; the oldest is dropped when a further one comes, for the newest is what counts."""

    def __init__(self, size: int) -> None:
        self._messages: deque[_M] = deque(maxlen=size)
        self._ready = threading.Condition()
        self._closed = False
        self.dropped = 0

    def put(self, *messages: _M) -> None:
        """Never waits. Several that are put together are taken together."""
        with self._ready:
            for message in messages:
                self.dropped += len(self._messages) == self._messages.maxlen
                self._messages.append(message)
            self._ready.notify()

    def take(self, timeout_s: float | None) -> list[_M]:
        """All messages; an empty list after the timeout or once closed."""
        with self._ready:
            self._ready.wait_for(lambda: self._messages or self._closed, timeout_s)
            messages = list(self._messages)
            self._messages.clear()
            return messages

    def close(self) -> None:
        """Wake the reader for the last time."""
        with self._ready:
            self._closed = True
            self._ready.notify_all()

    @property
    def closed(self) -> bool:
        """True once `close` was called."""
        return self._closed
