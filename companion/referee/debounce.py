"""Believe nothing that was not read twice."""

from collections.abc import Hashable


class Debouncer:
    """Counts equal readings in a row; time is the caller's, in monotonic seconds."""

    def __init__(self) -> None:
        self._key: Hashable = None
        self._since = 0.0
        self._latest = 0.0
        self._count = 0

    def offer(self, key: Hashable, now_s: float) -> None:
        """One more reading."""
        if self._count == 0 or key != self._key:
            self._key, self._since, self._count = key, now_s, 0
        self._count += 1
        self._latest = now_s

    def agreed(self, needed: int, apart_s: float) -> bool:
        """True once the newest reading came `needed` times in a row over at least `apart_s`."""
        return self._count >= needed and self._latest - self._since >= apart_s

    def forget(self) -> None:
        """Something came between: start again."""
        self._count = 0
