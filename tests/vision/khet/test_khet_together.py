"""The pyramids of a board are compared with each other."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.vision.khet.together import GRID, NAME, shipped_together, thumbnails
from companion.vision.khet.views import MIRRORED, VIEWS, View
from companion.vision.reader import CellPatches
from companion.vision.weights import WEIGHTS

SIZE = 96
CELLS = ("b2", "e4", "e5", "h7", "j1")


def _pyramids() -> CellPatches:
    """Cells with slopes of several shades."""
    random, middle = np.random.default_rng(4), (SIZE - 1) / 2
    y, x = np.mgrid[:SIZE, :SIZE] - middle
    way = np.where(np.abs(y) >= np.abs(x), np.where(y < 0, 0, 2), np.where(x < 0, 1, 3))
    way[np.maximum(np.abs(x), np.abs(y)) > 26] = 4
    shades = random.integers(40, 220, (len(CELLS), 5, 3))
    pixels = shades[:, way].astype(np.uint8)
    glare = np.zeros(pixels.shape[:3], np.bool_)
    lean = random.normal(0, 0.1, (len(CELLS), 2)).astype(np.float32)
    return CellPatches(pixels, CELLS, lean, 0.6, 38.0, 9.8, 800.0, glare)


def _turned(board: CellPatches) -> CellPatches:
    """The same board turned by half a turn."""
    cells = tuple(f"{chr(ord('a') + ord('j') - ord(c[0]))}{9 - int(c[1])}" for c in board.cells)
    pixels = np.ascontiguousarray(board.pixels[:, ::-1, ::-1])
    return replace(board, pixels=pixels, cells=cells, lean=-board.lean)


def test_a_board_turned_round_is_read_as_turned_round() -> None:
    network = shipped_together()
    board = _pyramids()
    straight, turned = network.logits(board, 1.0), network.logits(_turned(board), 1.0)
    assert np.allclose(np.roll(straight, 2, axis=1), turned, atol=1e-3)
    assert np.ptp(straight, axis=1).min() > 0.1


def test_what_a_pyramid_is_taken_for_depends_on_the_others() -> None:
    network = shipped_together()
    board = _pyramids()
    among, alone = network.logits(board, 1.0, VIEWS[:1]), network.logits(board.only([2]), 1.0, VIEWS[:1])
    assert np.abs(among[2] - alone[0]).max() > 0.05
    shuffled = [3, 0, 4, 2, 1]
    assert np.allclose(network.logits(board.only(shuffled), 1.0, VIEWS[:1]), among[shuffled], atol=1e-4)


def test_views_count_alike() -> None:
    network = shipped_together()
    board = _pyramids()
    one, other = (network.logits(board, 1.0, (view,)) for view in VIEWS[::5])
    assert np.allclose(network.logits(board, 1.0, VIEWS[::5]), (one + other) / 2, atol=1e-4)


def test_views_are_undone() -> None:
    logits = np.arange(4, dtype=np.float32)[None]  # of NE, NW, SW, SE
    assert View(1, False).back(logits).tolist() == [[1, 2, 3, 0]]  # what faces NE is seen facing NW
    assert View(0, True).back(logits).tolist() == [list(MIRRORED)]
    arrow = np.array([[1, 0]], np.float32)
    assert View(1, False).arrows(arrow).tolist() == [[0, 1]]
    assert np.allclose(View(2, True).arrows(arrow), [[1, 0]])


def test_thumbnails_hold_the_logarithm_of_brightness() -> None:
    window = np.zeros((1, 64, 64, 3), np.float32)
    window[0, :8, 8:16] = 0.5
    thumb = thumbnails(window).reshape(GRID, GRID)
    assert thumb[0, 1] == pytest.approx(np.log(0.53), abs=1e-5)
    assert np.delete(thumb.ravel(), 1) == pytest.approx(np.log(0.03), abs=1e-5)


def test_without_its_files_there_is_no_network(tmp_path: Path) -> None:
    assert shipped_together(tmp_path) is None


def test_arrays_of_other_layers_are_refused(tmp_path: Path) -> None:
    for end in ("json", "onnx"):
        shutil.copy(WEIGHTS / f"{NAME}.{end}", tmp_path)
    np.savez(tmp_path / f"{NAME}.npz", **{"token.bias": np.zeros(7)})
    with pytest.raises(ValueError, match="its layers are not those of this program"):
        shipped_together(tmp_path)
    assert json.loads((WEIGHTS / f"{NAME}.json").read_text(encoding="utf-8"))["window_px"] == 64
