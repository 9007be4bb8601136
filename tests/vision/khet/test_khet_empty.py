"""Cells that are surely empty are told before anything else is looked at."""

import json
from pathlib import Path

import numpy as np
import pytest
from khet_tables import cut_table

from companion.vision.khet.empty import NAME, EmptyCells, EmptySettings, shipped_empty
from companion.vision.khet.judge import shipped_judge
from companion.vision.khet.network import shipped
from companion.vision.khet.reader import KhetReader, new_reader
from companion.vision.khet.windows import BrightnessSettings, board_gain, windows
from companion.vision.weights import WEIGHTS


def _windows(view: int) -> tuple[tuple[str, ...], set[str], np.ndarray]:
    """Cells of a drawn board, those that hold a piece, and windows of all."""
    table = cut_table(view)
    eyes = shipped().embedder
    cut, _ = windows(table.patches, eyes.window_px, eyes.window_cells, board_gain(table.patches, BrightnessSettings()))
    return table.patches.cells, set(table.pieces), cut


@pytest.mark.parametrize("view", [0, 1, 2])
def test_pieces_are_looked_at_one_by_one_and_one_empty_cell_for_most_others(view: int) -> None:
    network = shipped_empty()
    cells, pieces, cut = _windows(view)
    looked = network.looked_at(cut)
    for i, cell in enumerate(cells):
        if cell in pieces:
            assert looked[i] == i, f"{cell} was taken for empty"
    others = [looked[i] for i, cell in enumerate(cells) if cell not in pieces]
    assert len(set(others)) < 0.4 * len(others)
    assert not pieces & {cells[i] for i in others}


def test_a_few_cells_are_all_looked_at() -> None:
    network = shipped_empty()
    few = network.settings.least_cells - 1
    assert network.looked_at(_windows(0)[2][:few]).tolist() == list(range(few))


def test_more_cells_than_a_batch_are_asked_in_parts() -> None:
    network = shipped_empty()
    cut = _windows(1)[2]
    assert np.allclose(network.logits(np.concatenate([cut, cut[:5]]))[80:], network.logits(cut[:5]), atol=1e-3)


def test_a_board_is_read_alike_with_and_without() -> None:
    patches = cut_table(1).patches
    with_it, without = new_reader().read(patches), KhetReader(shipped(), judge=shipped_judge()).read(patches)
    assert [r.beliefs[0][0].kind for r in with_it] == [r.beliefs[0][0].kind for r in without]


def test_without_its_files_every_cell_is_looked_at(tmp_path: Path) -> None:
    assert shipped_empty(tmp_path) is None


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.onnx").write_bytes(b"no network")
    with pytest.raises(ValueError, match="cannot be used"):
        EmptyCells(tmp_path)


def test_no_piece_kept_apart_from_the_training_comes_near_the_threshold() -> None:
    apart = json.loads((WEIGHTS / f"{NAME}.json").read_text(encoding="utf-8"))["apart"]
    assert apart["pieces"] > 5000
    assert max(apart["highest_of_pieces"]) < EmptySettings().least_logit
