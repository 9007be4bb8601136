"""Notices a program that starts again and again without ever running well: then the next start is in safe mode."""

import contextlib
import json
import time
from collections.abc import Callable
from pathlib import Path

FAILED_STARTS = 3  # as many unfinished starts ...
WITHIN_S = 120.0  # ... as lie within this time ask for safe mode
GOOD_AFTER_S = 60.0  # a program that ran for so long has started well


class StartCounter:
    """Remembers starts in a file until one is called good. Wall clock: a boot resets any other."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._clock = path, clock
        self._starts: list[float] = []

    def begin(self) -> bool:
        """Write this start down; True when it should be in safe mode. A file that cannot be used counts as none."""
        now = self._clock()
        with contextlib.suppress(OSError, ValueError, TypeError, OverflowError, RecursionError):
            self._starts = [float(s) for s in json.loads(self._path.read_text(encoding="utf-8"))]
        self._starts = [s for s in self._starts if 0 <= now - s <= WITHIN_S]
        failed = len(self._starts) >= FAILED_STARTS - 1
        self._starts.append(now)
        self._write()
        return failed

    def good(self) -> None:
        """This start went well: forget the others."""
        if self._starts:
            self._starts = []
            self._write()

    def _write(self) -> None:
        with contextlib.suppress(OSError):  # a full disk must not keep the program from starting
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(self._starts), encoding="utf-8")
