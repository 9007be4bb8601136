"""What the networks of pyramids are taught: lessons of one picture, and of tables that are watched."""

from itertools import pairwise

import numpy as np
import pytest

from companion.simulator.pyramid_tables import pyramid_table
from companion.training.pyramid_patch_lessons import PATCH_LESSONS, patch_lesson
from companion.training.pyramid_watched_lessons import LAID, _order, _scenes, watched_lesson
from companion.vision.pyramid_patches import CHANNELS, SIDE_PX, SINCE


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
        shown = [{t.name for t in scene.things if t in pyramids or t.piece} for scene in _scenes(table.scene, rng)]
        assert 2 <= len(shown) <= LAID + 2
        for before, now in pairwise(shown[1:]):
            assert len(now - before) == 1
            assert len(before - now) <= 1
        for names in shown:  # nothing hangs in the air
            assert all(t.nested_on is None or t.nested_on in names for t in pyramids if t.name in names)
