"""How fast something is, measured against something else at the same time."""

import contextlib
import time
from collections.abc import Callable, Iterator

import cv2

ROUNDS = 5  # interleaved, the best of each counts: a busy machine slows single rounds, never speeds one up


def beside(fast: Callable[[], int], plain: Callable[[], int], rounds: int = ROUNDS) -> tuple[float, float]:
    """Units of work per second of both, run in turns on the same machine; each call returns its units."""
    best = [0.0, 0.0]
    for _ in range(rounds):
        for index, work in enumerate((fast, plain)):
            began = time.perf_counter()
            units = work()
            best[index] = max(best[index], units / (time.perf_counter() - began))
    return best[0], best[1]


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """OpenCV computes in one thread meanwhile: what a picture takes does not hang on how many cores are free."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(threads)
