"""Doubtful pyramids are judged beside the others of their board."""

from pathlib import Path

import numpy as np
import pytest

from companion.vision.khet.judge import (
    NUMBERS,
    Judge,
    Witnesses,
    WitnessSettings,
    shipped_judge,
    turned_numbers,
)
from companion.vision.khet.network import CLASSES, FIRST
from companion.vision.khet.reader import SHAPE
from companion.vision.khet.shades import SLOPES, Pyramids, ShadeSettings, expected, sectors
from companion.vision.khet.together import Together
from companion.vision.khet.views import FACINGS, VIEWS, View
from companion.vision.reader import CellPatches

SIZE, MIDDLE = 96, 47.5
UP, LEVELS = 150.0, (100.0, 180.0, 70.0, 210.0)  # of a foot, and of slopes that face north, west, south and east


def _judge(fits: float) -> Judge:
    """One linear layer that adds the fits of the shades, so many times."""
    weight = np.zeros((FACINGS + 1, NUMBERS))
    weight[:FACINGS, :FACINGS] = fits * np.eye(FACINGS)
    return Judge(np.ones(NUMBERS), (weight,), (np.zeros(FACINGS + 1),))


def _board(facings: list[int]) -> CellPatches:
    """The first cells of a board with pyramids of these facings, as painted by the light from one window."""
    assert SHAPE is not None
    y, x = np.mgrid[:SIZE, :SIZE] - MIDDLE
    way = np.where(np.abs(y) >= np.abs(x), np.where(y < 0, 0, 2), np.where(x < 0, 1, 3))
    pixels = np.full((len(facings), SIZE, SIZE, 3), UP, np.float64)
    for cell, facing in zip(pixels, facings, strict=True):
        for slope in SLOPES[facing]:
            cell[way == slope] = LEVELS[slope]
    n = len(facings)
    glare = np.zeros((n, SIZE, SIZE), np.bool_)
    names = tuple(SHAPE.cells())[:n]
    return CellPatches(pixels.astype(np.uint8), names, np.zeros((n, 2), np.float32), 0.6, 38.0, 9.8, 800.0, glare)


def _seen(facings: list[int], share: float) -> tuple[np.ndarray, np.ndarray]:
    """Classes and sides: the last pyramid is taken for the one turned by half a turn with this share, the rest sure."""
    what = np.full((len(facings), len(CLASSES)), 1e-7)
    for cell, facing in zip(what, facings, strict=True):
        cell[FIRST["pyramid"] + facing] = 1.0
    what[-1, FIRST["pyramid"] + facings[-1]] = 0.9 - share
    what[-1, FIRST["pyramid"] + (facings[-1] + 2) % 4] = share
    return what, np.tile([1.0, 0.0], (len(facings), 1))


def test_sectors_run_from_north_counter_clockwise() -> None:
    seen = sectors(_board([0]), ShadeSettings())[0, ::2, 1]
    assert np.allclose(np.exp(seen) - 6, [UP, LEVELS[1], LEVELS[2], UP], atol=2)


def test_the_others_tell_how_each_facing_would_look() -> None:
    facings = [0, 1, 2, 3, 2, 0, 3]
    patches = _board(facings)
    shade = sectors(patches, ShadeSettings())[:, ::2, 1:].mean(axis=2)
    place = np.column_stack([np.linspace(-1, 0, 7), np.full(7, -1.0)])
    seen = Pyramids(place, np.zeros(7, np.int64), np.array(facings), np.ones(7), shade - shade.mean())
    fits = np.array([one.fits for one in expected(seen, np.arange(7), ShadeSettings())])
    assert fits.argmax(axis=1).tolist() == facings
    alone = Pyramids(place, seen.side, seen.facing, np.zeros(7), seen.shade)
    assert np.ptp(fits, axis=1).min() > 3 * np.ptp(expected(alone, np.arange(1), ShadeSettings())[0].fits)


def test_a_doubtful_pyramid_is_turned_round_by_its_neighbours() -> None:
    facings = [0, 1, 2, 3, 0, 1, 2, 3, 2]
    what, sides = _seen(facings, 0.6)
    judged = Witnesses(_judge(1.0)).judged(_board(facings), what, sides, whole=True, gain=1.0)
    pyramid = slice(FIRST["pyramid"], FIRST["pyramid"] + FACINGS)
    assert judged[-1, pyramid].argmax() == facings[-1]
    assert judged[-1, pyramid].sum() == pytest.approx(what[-1, pyramid].sum())
    assert np.array_equal(judged[:-1], what[:-1])
    assert np.allclose(
        Witnesses(_judge(0.0)).judged(_board(facings), what, sides, whole=True, gain=1.0), what, atol=1e-4
    )


def test_a_part_of_a_board_is_judged_by_what_was_seen_of_the_rest() -> None:
    facings = [0, 1, 2, 3, 0, 1, 2, 3, 2]
    patches, (what, sides) = _board(facings), _seen(facings, 0.6)
    last, pyramid = patches.only([8]), slice(FIRST["pyramid"], FIRST["pyramid"] + FACINGS)
    witnesses = Witnesses(_judge(1.0))
    assert np.array_equal(witnesses.judged(last, what[8:], sides[8:], whole=False, gain=1.0), what[8:])
    witnesses.judged(patches, what, sides, whole=True, gain=1.0)
    assert witnesses.judged(last, what[8:], sides[8:], whole=False, gain=1.0)[0, pyramid].argmax() == facings[-1]


def test_what_was_judged_is_a_witness_from_then_on() -> None:
    facings = [0, 1, 2, 3, 0, 1, 2, 3, 2]
    what, sides = _seen(facings, 0.6)
    witnesses = Witnesses(_judge(1.0))
    judged = witnesses.judged(_board(facings), what, sides, whole=True, gain=1.0)
    last = witnesses.known[_board(facings).cells[-1]]
    assert last.facing == facings[-1]
    assert last.sure == pytest.approx(witnesses.surety(judged[-1, FIRST["pyramid"] :][:FACINGS] / 0.9), abs=1e-3)


class _Comparing(Together):
    """Tells one facing of all pyramids that it is shown, and remembers which these were."""

    def __init__(self, facing: int) -> None:
        self.facing = facing
        self.shown: list[tuple[str, ...]] = []
        self.views: list[tuple[View, ...]] = []
        self.sure = 60.0

    def logits(self, patches: CellPatches, gain: float, views: tuple[View, ...] = VIEWS) -> np.ndarray:
        self.shown.append(patches.cells)
        self.views.append(views)
        return np.tile(np.eye(FACINGS, dtype=np.float32)[self.facing] * self.sure, (len(patches), 1))


def test_all_pyramids_are_compared_even_when_one_is_read_again() -> None:
    facings = [0, 1, 2, 3, 0, 1, 2, 3, 2]
    patches, (what, sides) = _board(facings), _seen(facings, 0.6)
    pyramid, comparing = slice(FIRST["pyramid"], FIRST["pyramid"] + FACINGS), _Comparing(1)
    witnesses = Witnesses(_judge(1.0), comparing)
    judged = witnesses.judged(patches, what, sides, whole=True, gain=1.0)
    assert judged[-1, pyramid].argmax() == 1
    assert np.array_equal(judged[:-1], what[:-1])
    witnesses.judged(patches.only([8]), what[8:], sides[8:], whole=False, gain=1.0)
    assert [sorted(cells) for cells in comparing.shown] == [sorted(patches.cells)] * 2


def test_only_where_doubt_is_left_the_board_is_compared_in_all_views() -> None:
    facings = [0, 1, 2, 3, 0, 1, 2, 3, 2]
    patches, (what, sides) = _board(facings), _seen(facings, 0.6)
    settings, comparing = WitnessSettings(), _Comparing(1)
    Witnesses(_judge(0.0), comparing).judged(patches, what, sides, whole=True, gain=1.0)
    assert comparing.views == [settings.views]
    doubting = _Comparing(1)
    doubting.sure = 1.0
    Witnesses(_judge(0.0), doubting).judged(patches, what, sides, whole=True, gain=1.0)
    assert doubting.views == [settings.views, settings.more_views]
    assert set(settings.views) | set(settings.more_views) == set(VIEWS)


def test_a_judgement_turns_with_the_table() -> None:
    judge = shipped_judge()
    given = np.random.default_rng(3).normal(0, 1, (5, NUMBERS))
    straight = judge.logits(given)
    for view in (View(1, False), View(3, False), View(0, True), View(2, True)):
        assert np.allclose(judge.logits(turned_numbers(given, view)), view.facings(straight))


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "khet_shades.npz"
    np.savez(path, scale=np.ones(7), weight0=np.ones((5, 7)), bias0=np.ones(5))
    with pytest.raises(ValueError, match="train it anew"):
        Judge.load(path)
