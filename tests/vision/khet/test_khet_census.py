"""What the box holds: a piece too many is made unlikely, never impossible, and doubt stays doubt."""

import numpy as np
import pytest

from companion.vision.khet.census import CensusSettings, at_least, census
from companion.vision.khet.network import CLASSES, FIRST

NOWHERE = np.zeros((0, len(CLASSES), 2))


def _cells(*rows: dict[str, float]) -> np.ndarray:
    """Silver pieces by kind, the rest of each row empty."""
    cells = np.zeros((len(rows), len(CLASSES), 2))
    for cell, row in zip(cells, rows, strict=True):
        for kind, share in row.items():
            cell[FIRST[kind], 0] = share
        cell[FIRST["empty"], 0] += 1 - sum(row.values())
    return cells


def _kind(cells: np.ndarray, row: int, kind: str) -> float:
    return float(cells[row, FIRST[kind], 0])


def test_counts_agree_with_all_cases():
    shares = np.array([0.9, 0.5, 0.2])
    assert at_least(shares, 1) == pytest.approx([1 - 0.5 * 0.8, 1 - 0.1 * 0.8, 1 - 0.1 * 0.5])
    assert at_least(shares, 2) == pytest.approx([0.5 * 0.2, 0.9 * 0.2, 0.9 * 0.5])


def test_a_second_sphinx_is_more_likely_the_pharaoh():
    told = census(_cells({"sphinx": 0.99}, {"sphinx": 0.6, "pharaoh": 0.4}), NOWHERE, CensusSettings())
    assert _kind(told, 0, "sphinx") > 0.97
    assert _kind(told, 1, "pharaoh") > 0.9


def test_two_pieces_that_are_surely_there_are_told():
    told = census(_cells({"pharaoh": 0.9999}, {"pharaoh": 0.9999}), NOWHERE, CensusSettings())
    assert min(_kind(told, 0, "pharaoh"), _kind(told, 1, "pharaoh")) > 0.9


def test_a_set_within_its_numbers_is_left_alone():
    seen = _cells(*[{"pyramid": 0.8, "obelisk": 0.1}] * 6)
    assert census(seen, NOWHERE, CensusSettings()) == pytest.approx(seen, abs=1e-3)


def test_cells_that_are_not_read_now_count_too():
    seen, known = _cells({"sphinx": 0.6, "pharaoh": 0.4}), _cells({"sphinx": 1.0})
    assert _kind(census(seen, known, CensusSettings()), 0, "pharaoh") > 0.9
    assert census(seen, known, CensusSettings()).sum() == pytest.approx(1.0)


def test_a_side_that_plays_has_its_pharaoh_somewhere():
    doubtful, others = {"pharaoh": 0.3, "anubis": 0.7}, [{"pyramid": 1.0}] * 5
    told = census(_cells(doubtful, *others), NOWHERE, CensusSettings())
    assert _kind(told, 0, "pharaoh") > 0.7
    told = census(_cells(doubtful, *others, {"pharaoh": 1.0}), NOWHERE, CensusSettings())
    assert _kind(told, 0, "pharaoh") < 0.05
    lone = _cells(doubtful)
    assert census(lone, NOWHERE, CensusSettings()) == pytest.approx(lone)


def test_a_lost_pharaoh_is_not_seen_where_another_piece_surely_is():
    told = census(_cells({"pharaoh": 0.002, "anubis": 0.998}, *[{"pyramid": 1.0}] * 5), NOWHERE, CensusSettings())
    assert _kind(told, 0, "anubis") > 0.98
