"""Drawn band by band, a table looks as if it were drawn at once."""

import numpy as np
import pytest

from companion.vision.ground import pattern_bands
from companion.vision.ground.pattern_bands import Layers, drawn_without
from companion.vision.ground.pattern_settings import PatternSettings


def layers(rows: int) -> Layers:
    """A coarsely woven cloth in uneven light, and something on it."""
    rng = np.random.default_rng(rows)
    then = rng.integers(30, 220, (2 * rows, 120, 3)).astype(np.uint8)
    now = np.clip(then * rng.uniform(0.8, 1.2, then.shape), 0, 255).astype(np.uint8)
    surface, light = (rng.normal(mean, 0.1, (rows, 60, 3)).astype(np.float32) for mean in (4.7, 0.1))
    kept, calm = (rng.uniform(0, 1, (rows, 60)).astype(np.float32).round(1) for _ in range(2))
    kept[rows // 3 :, 20:] = 0.0
    return Layers(now, then, surface, light, kept, calm)


@pytest.mark.parametrize("askew", [True, False])
@pytest.mark.parametrize("rows", [1, 31, 32, 33, 200])
def test_bands_fit_to_one_another(rows: int, askew: bool, monkeypatch) -> None:
    table, settings = layers(rows), PatternSettings()
    in_bands = drawn_without(table, 10.0, askew, settings)
    monkeypatch.setattr(pattern_bands, "ROWS", 10_000)
    assert (in_bands == drawn_without(table, 10.0, askew, settings)).all()
    assert (in_bands != table.now).any()
