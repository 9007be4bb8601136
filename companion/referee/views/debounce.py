"""Believe nothing that was not read twice."""

from collections.abc import Hashable
from dataclasses import dataclass


class Debouncer:
    """Counts equal readings in a row; time is the caller's, in monotonic seconds.

    A reading that says nothing (a piece that flickers, seen in one look and not in the next) ends no row, as long as
    the row has more readings than there were of those.
    """

    def __init__(self) -> None:
        self._rows: dict[Hashable, _Row] = {}
        self._newest: Hashable = None

    def offer(self, key: Hashable, now_s: float, says_nothing: bool = False) -> None:
        """One more reading."""
        self._newest = key
        for other, row in list(self._rows.items()):
            row.between += other != key
            if other != key and (row.says_nothing or not says_nothing or row.between >= row.count):
                del self._rows[other]
        row = self._rows.setdefault(key, _Row(now_s, says_nothing))
        row.count += 1
        row.latest_s = now_s

    def agreed(self, needed: int, apart_s: float) -> bool:
        """True once the newest reading came `needed` times over at least `apart_s`, with no other one between."""
        row = self._rows.get(self._newest)
        return row is not None and row.count >= needed and row.latest_s - row.since_s >= apart_s

    def forget(self) -> None:
        """Something came between: start again."""
        self._rows.clear()


@dataclass(slots=True)
class _Row:
    since_s: float
    says_nothing: bool
    count: int = 0
    between: int = 0  # readings that say nothing
    latest_s: float = 0.0
