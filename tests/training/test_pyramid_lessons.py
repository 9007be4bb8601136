"""What the networks of pyramids are taught: lessons of one picture, and of tables that are watched."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from companion.simulator.pyramid_tables import pyramid_table
from companion.training.pyramid_lessons import TREES as TREES_FROM
from companion.training.pyramid_lessons import table_of
from companion.training.pyramid_patch_lessons import PATCH_LESSONS, Recording, patch_lesson
from companion.training.pyramid_trees import Told, fitted, shares_of, told_lesson, tree_on
from companion.training.pyramid_watched_lessons import (
    LAID,
    TONED,
    _order,
    _scenes,
    _table,
    _toned,
    _with_card_turned,
    watched_lesson,
)
from companion.vision.pyramids.hypotheses import joined
from companion.vision.pyramids.judge import Judge
from companion.vision.pyramids.look import Opinion
from companion.vision.pyramids.patches import CHANNELS, SIDE_PX, SINCE
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.trees import TREES


@pytest.mark.parametrize(("lesson", "seed", "channels"), [(patch_lesson, 3, CHANNELS), (watched_lesson, 600_004, None)])
def test_a_lesson_has_pieces_at_their_places_and_what_is_none(lesson, seed, channels, tmp_path):
    made = lesson(seed, tmp_path)
    count = len(made.right)
    assert made.patches.shape == (count, channels or CHANNELS + SINCE, SIDE_PX, SIDE_PX)
    assert {len(getattr(made, name)) for name in made.__slots__} == {count}
    right = made.right == 1
    assert right.sum() >= 5
    assert (made.right == 0).sum() >= 20
    assert np.abs(made.off[right, :2]).max() < 0.3  # bases
    assert np.isnan(made.off[made.right == 0]).any()


def test_a_lesson_is_kept_and_read_again(tmp_path):
    made = PATCH_LESSONS.kept(4, tmp_path)
    again = PATCH_LESSONS.kept(4, tmp_path)
    assert all((getattr(made, name) == getattr(again, name)).all() for name in ("patches", "right", "kind"))


def test_a_lesson_of_trees_has_what_stands_on_each_piece_that_was_found(tmp_path):
    told, carried = told_lesson(TREES_FROM + 1, tmp_path), Counter()
    truth = table_of(TREES_FROM + 1).truth()["pieces"]
    for number, piece in enumerate(truth):
        if piece["kind"] == "pyramid" and piece["nested_on"] is None:
            carried[piece["size"], piece["pose"], TREES.index(tree_on(truth, number))] += 1
    assert {tree for *_, tree in carried} == set(range(len(TREES)))
    found = Counter((*CLASSES[kind], tree) for kind, tree in zip(told.kind.tolist(), told.tree.tolist(), strict=True))
    assert found <= carried
    assert found.total() > carried.total() / 2


def test_trees_are_fitted_to_what_is_told_of_them():
    rng, carrying = np.random.default_rng(1), CLASSES.index(("large", "upright"))
    tree = rng.integers(0, len(TREES), 400)
    medium, small = (np.array([size in TREES[t] for t in tree]) for size in (1, 0))
    odds = np.column_stack([6.0 * medium - 3, 4.0 * (medium & small) - 2, 5.0 * small - 2]) + rng.normal(0, 1, (400, 3))
    told = Told(np.full(400, carrying), odds, tree)
    shares = shares_of(fitted(told), told)
    assert (shares.argmax(axis=1) == tree).mean() > 0.95
    assert shares.sum(axis=1) == pytest.approx(np.ones(400))


def test_a_watched_table_is_laid_piece_by_piece_what_is_stacked_after_what_carries_it():
    table = pyramid_table(11, "pieces", stacking=0.5, count=14)
    pyramids = [t for t in table.scene.things if t.piece is not None and t.piece.kind == "pyramid"]
    assert any(t.nested_on for t in pyramids)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        order = _order(pyramids, rng)
        assert sorted(t.name for t in order) == sorted(t.name for t in pyramids)
        for i, thing in enumerate(order):
            assert thing.nested_on is None or thing.nested_on in {t.name for t in order[:i]}
        shown = [{t.name for t in scene.things if t in pyramids or t.piece} for scene in _scenes(table, rng)]
        assert 2 <= len(shown) <= LAID + 2
        for before, now in pairwise(shown[1:]):
            assert len(now - before) == 1
            assert len(before - now) <= 1
        for names in shown:  # nothing hangs in the air
            assert all(t.nested_on is None or t.nested_on in names for t in pyramids if t.name in names)


def test_what_is_looked_at_in_other_windows_is_no_row_of_a_lesson(monkeypatch):
    nothing, none = joined([]), np.zeros((0, 3))
    monkeypatch.setattr(Judge, "look", lambda *asked: Opinion(none[:, 0], none))
    judge, first, others = Recording(PyramidSettings()), object(), object()
    for windows in (first, others, first):
        judge.look(windows, nothing)
    assert judge.windows is first
    assert len(judge.looked) == 2
    judge.forget()
    judge.look(others, nothing)
    assert judge.windows is others
    assert len(judge.looked) == 1


def test_pieces_of_the_tone_of_the_cloth_are_laid():
    tables = [_table(seed, np.random.default_rng([seed, 83])) for seed in range(TONED, TONED + 12)]
    checked = [table for table in tables if table.scene.surface.kind == "check"]
    assert 4 <= len(checked) < 12
    red = next(table for table in checked if table.seed == TONED + 9)  # red and white cloth
    colours = [t.piece.colour for t in red.scene.things if t.piece is not None]
    assert max(set(colours), key=colours.count) == "red"
    assert _toned(red.scene, ("clear", "white"))[:2] == ("red", "red")
    assert {"clear", "white"} <= set(_toned(red.scene, ("clear", "white")))


def test_a_card_is_turned_while_pieces_are_laid():
    table = pyramid_table(12, "kaxxt")
    rng = np.random.default_rng(1)
    scenes = list(_with_card_turned(iter([table.scene] * 40), rng))
    headings = [scene.prints[-1].turn_deg for scene in scenes]
    assert 8 < sum(a != b for a, b in pairwise(headings)) < 25
    assert all(scene.prints[:-1] == table.scene.prints[:-1] for scene in scenes)
    assert max(abs(scene.prints[-1].x_mm - table.scene.prints[-1].x_mm) for scene in scenes) < 20
