"""Stacked lying pyramids of which one was found: where the other lies, and what makes two of one."""

import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.training.pyramid_pair_lessons import FULL, pair_lesson, pair_rights
from companion.vision.ground.foreground import see_ground
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import Hypotheses, on_top
from companion.vision.pyramids.look import shipped_look
from companion.vision.pyramids.pair_look import NAME, PATCHES, looks_of_pairs, pair_odds
from companion.vision.pyramids.pairs import Pairs, pairs_of
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.seen import Seen
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES, TIP_RISE_MM
from companion.vision.pyramids.windows import windows_of

SMALL, LARGE = CLASSES.index(("small", "lying")), CLASSES.index(("large", "lying"))
AT = (-60.0, 30.0, 25.0)
LOWER = Hypotheses(np.array([LARGE]), np.array([[*AT, 0.0]]), np.zeros(1, np.intp))
ON_IT = on_top(LOWER, LOWER.kind, np.full(1, TIP_RISE_MM)).place[0]
PIECES = (
    ("red", "large", "lying", *AT),
    ("yellow", "large", "on", 0.0, 0.0, 0.0),
    ("blue", "small", "upright", 90, 9, 9),
)


@pytest.fixture(scope="module")
def windows():
    ground = see_ground(table_picture(on_table(PIECES), 1))
    return windows_of(ground, ground.regions, SearchSettings())


def lying(windows, kind, x, y, heading):
    at = windows.ground.fine_px(np.array([x, y]))
    inside = ((at >= windows.corner) & (at < windows.corner + windows.size)).all(axis=1)
    return Hypotheses(np.array([kind]), np.array([[x, y, heading, 0.0]]), np.flatnonzero(inside)[:1])


def tried(windows, found, carrying=True, carried=True):
    flags = (np.full(len(found), flag) for flag in (carrying, carried))
    return pairs_of(windows, found, *flags, SearchSettings())


def truth():
    x, y, _, z = ON_IT
    places = ((*AT[:2], 0.0, None), (x, y, z, 0))
    names = ("x_mm", "y_mm", "z_mm", "nested_on")
    return [
        {"index": i, "size": "large", "pose": "lying", "heading_deg": AT[2], **dict(zip(names, place, strict=True))}
        for i, place in enumerate(places)
    ]


def test_a_piece_is_tried_with_all_that_may_lie_on_it_or_under_it(windows):
    small = lying(windows, SMALL, *AT)
    assert [(CLASSES[p][0], bool(b)) for p, b in zip(*_sizes(tried(windows, small)), strict=True)] == [
        ("small", True),
        ("small", False),
        ("medium", False),
        ("large", False),
    ]
    assert len(tried(windows, small, carried=False)) == 1
    upright = Hypotheses(np.array([CLASSES.index(("small", "upright"))]), small.place, small.window)
    assert len(tried(windows, upright)) == 0


def _sizes(pairs):
    return pairs.lower.kind, pairs.below


@pytest.mark.parametrize("upper", [False, True])
def test_whichever_of_two_of_one_size_is_found_the_other_is_placed_where_it_lies(windows, upper):
    x, y = (ON_IT if upper else AT)[:2]
    pairs = tried(windows, lying(windows, LARGE, x + 0.5, y - 0.5, AT[2]))
    same = pairs.only(np.flatnonzero((pairs.kind == LARGE) & (pairs.lower.kind == LARGE) & (pairs.below != upper)))
    assert pair_rights(same, truth()).tolist() == [1.0]


def test_the_network_holds_two_of_two_colours_for_likelier_than_two_in_one(windows):
    if shipped_look(NAME) is None:
        pytest.skip("the weights of the network are absent")
    pairs = tried(windows, lying(windows, LARGE, *AT), carried=False)
    odds = pair_odds(windows, pairs, PyramidSettings())
    assert pairs.kind[odds.argmax()] == LARGE
    assert odds.max() > 0


@pytest.mark.parametrize(("least", "stacked"), [(PyramidSettings().paired, [["large", "large"]]), (1e9, [])])
def test_the_eye_sees_both_of_a_lying_pair_of_one_size(least, stacked):
    if shipped_look(NAME) is None:
        pytest.skip("the weights of the network are absent")
    seen = PyramidFinder(PyramidSettings(paired=least)).see(see_ground(table_picture(on_table(PIECES), 1)))
    stacks = [seen.chain(i) for i, below in enumerate(seen.on) if below is not None]
    assert [[CLASSES[seen.found.kind[i]][0] for i in stack] for stack in stacks] == stacked


def test_without_the_network_nothing_is_claimed(windows, monkeypatch):
    monkeypatch.setattr("companion.vision.pyramids.pair_look.shipped_look", lambda _: None)
    pairs = tried(windows, lying(windows, LARGE, *AT))
    assert pair_odds(windows, pairs, PyramidSettings()).max() < PyramidSettings().paired


def test_a_pair_is_looked_at_as_a_whole(windows):
    """What it lies on is in the picture, too, also where that is larger."""
    small = lying(windows, SMALL, *AT)
    pairs = tried(windows, small, carrying=False)
    looks, columns = looks_of_pairs(windows, pairs.lower, pairs.upper, PyramidSettings())
    assert looks.shape[0] == columns.shape[0] == len(pairs) == 3
    below = looks[:, 6] > 0
    assert below.any(axis=(1, 2)).all()
    for side in (below[:, 0], below[:, -1], below[:, :, 0], below[:, :, -1]):
        assert not side.any()


def test_a_lesson_shows_every_true_pair_and_what_the_eye_tries(tmp_path):
    lesson = pair_lesson(FULL[0], tmp_path)
    side = PATCHES.side_px
    assert lesson.patches.shape == (len(lesson.right), 8, side, side)
    assert len(lesson.columns) == len(lesson.kind) == len(lesson.right)
    shown = lesson.tried == 0
    assert (lesson.right[shown] == 1).all()
    assert shown.any()
    assert set(lesson.right[~shown]) >= {0.0, 1.0}


def test_what_is_put_under_a_piece_carries_it(windows):
    found = lying(windows, LARGE, *AT)
    seen = Seen(windows, found, np.array([5.0]), ({LARGE: 0.9},), (None,), (np.zeros((3, 2)),))
    pairs = tried(windows, found, carrying=False)
    pair: Pairs = pairs.only([0])
    more = seen.with_pair(0, pair.upper, pair.lower, 4.0, above=False)
    assert more.on == (1, None)
    assert more.found.place[1] == pytest.approx(pair.lower.place[0])
    assert not more.in_the_way(found, 0, PyramidSettings())  # its own stack is not in its way
    beside = seen.with_more(found, np.array([5.0]), [{LARGE: 0.9}], [None])
    assert beside.in_the_way(found, 0, PyramidSettings())
