"""Lessons of tables are made once, kept in a folder, and parted into those to learn from and those kept apart."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.training.lesson_folder import LessonFolder


@dataclass(frozen=True)
class Numbers:
    seeds: NDArray[np.intp]


def test_lessons_are_made_once_and_parted_by_their_seeds(tmp_path):
    made = []

    def make(seed, folder):
        made.append(seed)
        return Numbers(np.array([seed])) if seed % 2 else None  # even tables teach nothing

    lessons = LessonFolder("-numbers.npz", Numbers, make)
    for _ in range(2):
        told = [lessons.kept(seed, tmp_path) for seed in range(1, 6)]
        assert [None if one is None else one.seeds.tolist() for one in told] == [[1], None, [3], None, [5]]
    assert made == [1, 2, 3, 4, 5]
    apart, taught = lessons.split(tmp_path, (3, 5))
    assert [[int(one.seeds[0]) for one in side] for side in (apart, taught)] == [[3], [1, 5]]
    assert lessons.split(None, (0, 9)) == ([], [])


def test_tables_that_are_for_measuring_are_refused(tmp_path, monkeypatch):
    lessons = LessonFolder("-numbers.npz", Numbers, lambda seed, folder: Numbers(np.array([seed])))
    monkeypatch.setattr(sys, "argv", ["lessons.py", "--seeds", "999999", "1000001", "--folder", str(tmp_path)])
    with pytest.raises(SystemExit, match="seed 1000000 is not for training"):
        lessons.main(None)
    assert [path.name for path in tmp_path.glob("*.npz")] == ["0999999-numbers.npz"]
