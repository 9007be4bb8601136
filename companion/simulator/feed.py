"""How a camera process learns what its virtual table shows: over a local socket, whole states at a time."""

import contextlib
import logging
import secrets
import threading
from dataclasses import dataclass, field
from multiprocessing.connection import Client, Connection, Listener
from typing import Protocol

from companion.simulator.state import TableState
from companion.simulator.world import VirtualTable
from hardware.errors import CameraError

log = logging.getLogger(__name__)

POLL_S = 0.5  # how soon a server notices that it is to stop


class Feed(Protocol):
    """Where a simulated camera gets its states from."""

    def open(self) -> None:
        """Start; CameraError when there is no table at the other end."""

    def latest(self) -> TableState:
        """What the table shows now."""

    def close(self) -> None:
        """Stop; safe to call twice."""


@dataclass(frozen=True, slots=True)
class LocalFeed:
    """A table in the same process."""

    table: VirtualTable

    def open(self) -> None:
        """Nothing to do."""

    def latest(self) -> TableState:
        """The table's present state."""
        return self.table.state

    def close(self) -> None:
        """Nothing to do."""


@dataclass(slots=True)
class SocketFeed:
    """A table in another process; picklable before it is opened, so that a restarted camera finds its table again."""

    address: str | tuple[str, int]
    key: bytes
    _link: Connection | None = field(default=None, repr=False)
    _state: TableState = field(default_factory=TableState, repr=False)

    def open(self) -> None:
        """Connects and waits for the first state."""
        try:
            self._link = Client(self.address, authkey=self.key)
            self._state = self._received(self._link)
        except (OSError, EOFError) as error:
            raise CameraError(f"the virtual table cannot be reached: {error}") from error

    def latest(self) -> TableState:
        """The newest state that was sent; CameraError when the table is gone."""
        if self._link is None:
            raise CameraError("the virtual table is not open")
        try:
            while self._link.poll():
                self._state = self._received(self._link)
        except (OSError, EOFError) as error:
            raise CameraError(f"the virtual table is gone: {error}") from error
        return self._state

    @staticmethod
    def _received(link: Connection) -> TableState:
        state = link.recv()
        assert isinstance(state, TableState)
        return state

    def close(self) -> None:
        """Disconnects."""
        if self._link is not None:
            self._link.close()
            self._link = None


class TableServer:
    """Sends a virtual table's states to every camera process that connects, the present one first."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self._key = secrets.token_bytes(16)
        self._listener = Listener(authkey=self._key)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._accept, name="virtual table", daemon=True)
        self._thread.start()

    def feed(self) -> SocketFeed:
        """What a camera process is given."""
        return SocketFeed(self._listener.address, self._key)

    def close(self) -> None:
        """Stops serving; safe to call twice."""
        if self._stop.is_set():
            return
        self._stop.set()
        with contextlib.suppress(OSError, EOFError):  # wakes the accepting thread up
            Client(self._listener.address, authkey=self._key).close()
        self._listener.close()
        self._thread.join(timeout=2 * POLL_S)

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                link = self._listener.accept()
            except (OSError, EOFError) as error:
                if not self._stop.is_set():
                    log.warning("a camera of the virtual table was turned away: %s", error)
                continue
            threading.Thread(target=self._serve, args=(link,), name="virtual table feed", daemon=True).start()

    def _serve(self, link: Connection) -> None:
        version, state = self._table.version, self._table.state
        try:
            link.send(state)
            while not self._stop.is_set():
                newer, state = self._table.wait(version, POLL_S)
                if newer != version:
                    version = newer
                    link.send(state)
        except (OSError, EOFError):
            log.debug("a camera of the virtual table has gone")
        finally:
            link.close()
