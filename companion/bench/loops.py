"""The long loops of benches: they say how far they are, and Ctrl-C loses nothing of what they have measured."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from companion.progress import one_by_one

ONCE_MORE = "\nstopping after what is being measured now; Ctrl-C once more stops at once\n"
_T = TypeVar("_T")
_asked = threading.Event()  # by Ctrl-C, to end


def each(things: Sequence[_T], what: str, say: Callable[[str], None]) -> Iterator[_T]:
    """The things one by one, with a line now and then that says how many are done.

    After Ctrl-C the loop ends with the thing at hand, so that the figures so far are told; where the next one would
    begin the bench ends (KeyboardInterrupt). A second Ctrl-C ends it at once.
    """
    go_on()
    with _heard():
        for done, thing in enumerate(one_by_one(things, what, lambda text: say(f"  {text}")), start=1):
            yield thing
            if _asked.is_set():
                say(f"  stopped after {done} of {len(things)} {what}")
                return


def go_on() -> None:
    """KeyboardInterrupt if Ctrl-C ended the last loop."""
    if _asked.is_set():
        _asked.clear()
        raise KeyboardInterrupt


@contextlib.contextmanager
def _heard() -> Iterator[None]:
    """Ctrl-C is a wish, the second one an order; only the main thread can hear it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, _ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _ask(number: int, frame: object) -> None:
    if _asked.is_set():
        _asked.clear()
        raise KeyboardInterrupt
    _asked.set()
    os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, ONCE_MORE.encode())  # print may be what was interrupted
