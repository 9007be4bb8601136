"""The virtual table as the program's other parts act on it: one current state, changed from any thread."""

import threading
from collections.abc import Callable

from companion.simulator.design import Furniture, TableDesign, furnish
from companion.simulator.state import TableState


class VirtualTable:
    """Holds the current state of a table. The referee never reads it: it learns of it through frames alone."""

    def __init__(self, design: TableDesign, state: TableState | None = None) -> None:
        self.design = design
        self.furniture: Furniture = furnish(design)
        self._state = state or TableState()
        self._changed = threading.Condition()
        self._version = 0

    @property
    def state(self) -> TableState:
        """What the table shows now."""
        with self._changed:
            return self._state

    @property
    def version(self) -> int:
        """Counts every change."""
        with self._changed:
            return self._version

    def show(self, state: TableState) -> None:
        """The table shows this from now on."""
        with self._changed:
            self._state = state
            self._version += 1
            self._changed.notify_all()

    def change(self, how: Callable[[TableState], TableState]) -> TableState:
        """Changes the state in one step; returns the new one."""
        with self._changed:
            self._state = how(self._state)
            self._version += 1
            self._changed.notify_all()
            return self._state

    def wait(self, after: int, timeout_s: float) -> tuple[int, TableState]:
        """Version and state once the version is above `after`, or after the timeout."""
        with self._changed:
            self._changed.wait_for(lambda: self._version > after, timeout_s)
            return self._version, self._state
