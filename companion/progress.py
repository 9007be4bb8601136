"""How far a long piece of work is, said now and then while it goes on."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

TOLD_EVERY_S = 15.0
T = TypeVar("T")


def one_by_one(things: Sequence[T], what: str, say: Callable[[str], None]) -> Iterator[T]:
    """The things, with a line now and then that says how many are done: "120 of 600 games"."""
    told_s = time.monotonic()
    for done, thing in enumerate(things):
        if done and time.monotonic() - told_s >= TOLD_EVERY_S:
            told_s = time.monotonic()
            say(f"{done} of {len(things)} {what}")
        yield thing
