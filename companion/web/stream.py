"""Server-sent events: the whole state first, then each newer state as it comes.

A phone that is too slow for every state skips to the newest one; nothing is queued for it. The record of a game is
sent whole once, then only the lines that are new (`record_from` says after how many lines they go).
"""

import dataclasses
import json
import random
import secrets
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

from companion.errors import CommandRefused
from companion.referee.commands import ReadModel
from companion.referee.snapshot import Ply, Snapshot
from companion.web.settings import WebSettings

_MEMO = 16  # encoded states kept for the other phones


class Encoder:
    """States as JSON, each encoded once for all phones; the record is added line by line."""

    def __init__(self) -> None:
        self.start = secrets.token_hex(4)  # an id of an earlier run of the program is nobody's newest
        self._memo: OrderedDict[int, tuple[Snapshot, str]] = OrderedDict()
        self._guard = threading.Lock()

    def state(self, snapshot: Snapshot, record_from: int = 0) -> str:
        """The snapshot as compact JSON with the record's lines after the first `record_from`."""
        with self._guard:
            if id(snapshot) not in self._memo:  # the memo holds the snapshot, so its id is nobody else's
                self._memo[id(snapshot)] = (snapshot, _encode(snapshot))
                while len(self._memo) > _MEMO:
                    self._memo.popitem(last=False)
            encoded = self._memo[id(snapshot)][1]
        return _with_record(encoded, snapshot.record, record_from)

    def event(self, snapshot: Snapshot, version: int, record_from: int = 0) -> str:
        """One message of the stream."""
        return f"id: {self.event_id(version)}\nevent: state\ndata: {self.state(snapshot, record_from)}\n\n"

    def event_id(self, version: int) -> str:
        """The id of a version in this run of the program."""
        return f"{self.start}-{version}"


def prune(value: Any) -> Any:
    """JSON without what is empty: null and "" are left out of objects; lists stay, however many they hold."""
    if isinstance(value, dict):
        return {key: prune(item) for key, item in value.items() if item is not None and item != ""}
    if isinstance(value, list | tuple):
        return [prune(item) for item in value]
    if isinstance(value, float):
        return round(value, 3)
    return value


def ply_json(ply: Ply) -> dict[str, Any]:
    """A line of the record; its picture is asked for one by one."""
    kept = {"number": ply.number, "seat": ply.seat, "move": ply.move, "text": ply.text, "hits": list(ply.hits)}
    return {**kept, "scores": list(ply.scores), "changes": list(ply.changes)}


def _encode(snapshot: Snapshot) -> str:
    """The state without its record, whose pictures are many and are asked for one by one."""
    first = snapshot.beginning
    data = prune(dataclasses.replace(snapshot, record=(), beginning=None).to_json())
    del data["record"]  # which comes behind it
    if first is not None:
        data["beginning"] = prune(ply_json(first))
    return json.dumps(data, separators=(",", ":"))


def _with_record(encoded: str, record: tuple[Ply, ...], record_from: int) -> str:
    lines = json.dumps([prune(ply_json(ply)) for ply in record[record_from:]], separators=(",", ":"))
    return f'{encoded[:-1]},"record":{lines},"record_from":{record_from}}}'


def same_lines(known: tuple[Ply, ...], record: tuple[Ply, ...]) -> int:
    """How many lines two records have in common from the start."""
    if known is record:
        return len(record)
    both = min(len(known), len(record))
    if known[:both] == record[:both]:
        return both
    return next(i for i in range(both) if known[i] != record[i])


class Streams:
    """Counts the open streams of each visitor and of all."""

    def __init__(self, each: int, in_all: int) -> None:
        self._each, self._in_all = each, in_all
        self._open: Counter[tuple[str, str]] = Counter()
        self._guard = threading.Lock()

    def take(self, visitor: tuple[str, str]) -> None:
        """Count one more; CommandRefused (429) when the visitor or all together have enough."""
        with self._guard:
            if self._open[visitor] >= self._each:
                raise CommandRefused("streams", "this phone has enough pages open: close one", 429)
            if self._open.total() >= self._in_all:
                raise CommandRefused("streams", "too many phones are watching: try again later", 429)
            self._open[visitor] += 1

    def give(self, visitor: tuple[str, str]) -> None:
        """One stream less."""
        with self._guard:
            self._open[visitor] -= 1
            if self._open[visitor] <= 0:
                del self._open[visitor]

    def total(self) -> int:
        """How many are open."""
        with self._guard:
            return self._open.total()


def here(who: str) -> str:
    """That the line is alive, and whose it is; pages hear no comments, and tell a quiet table from a dead line."""
    return f"event: here\ndata: {who}\n\n"


def follow(
    read_model: ReadModel,
    encoder: Encoder,
    settings: WebSettings,
    closing: threading.Event,
    last_id: str | None,
    whose: Callable[[], str] = lambda: "-",
) -> Iterator[str]:
    """The messages for one phone, until it goes or the server closes.

    `last_id` is the id of the state that a reconnecting phone already shows; it is not sent again. `whose` is asked
    for the phone's role and seat, which others may take.
    """
    yield f"retry: {random.randint(*settings.retry_ms)}\n\n"
    version = read_model.version()  # before the snapshot: at worst a state comes twice, never not at all
    snapshot = read_model.snapshot()
    yield ": up to date\n\n" if last_id == encoder.event_id(version) else encoder.event(snapshot, version)
    idle_s = 0.0
    while not closing.is_set():
        if read_model.wait(version, settings.stream_slice_s) is None:
            idle_s += settings.stream_slice_s
            if idle_s >= settings.stream_here_s:
                yield here(whose())
                idle_s = 0.0
            continue
        known = snapshot.record
        version, snapshot = read_model.version(), read_model.snapshot()
        yield encoder.event(snapshot, version, same_lines(known, snapshot.record))
        idle_s = 0.0
