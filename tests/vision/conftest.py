"""What tests of several readers begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.vision.pyramids import look


@pytest.fixture
def own_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The folder that the networks which look at pyramids are read from: empty, in place of the shipped one."""
    monkeypatch.setattr(look, "WEIGHTS", tmp_path)
    look.shipped_look.cache_clear()
    yield tmp_path
    look.shipped_look.cache_clear()
