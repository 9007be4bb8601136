"""How long each stage of a reading takes."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Stages:
    """A stopwatch with named stages; a stage that runs twice is added up."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what is done inside."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
