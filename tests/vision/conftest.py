"""What tests of several readers begin with."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion.vision.pyramids import look


@pytest.fixture
def without_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Has a module read its weights from an empty folder, and what it has read before forgotten."""
    emptied: list[Any] = []

    def empty(module: ModuleType, *read: Any) -> Path:
        monkeypatch.setattr(module, "WEIGHTS", tmp_path)
        emptied.extend(read)
        for cached in read:
            cached.cache_clear()
        return tmp_path

    yield empty
    for cached in emptied:
        cached.cache_clear()


@pytest.fixture
def own_weights(without_weights: Callable[..., Path]) -> Path:
    """The folder that the networks which look at pyramids are read from: empty, in place of the shipped one."""
    return without_weights(look, look.shipped_look)
