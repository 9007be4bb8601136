"""What a look at pyramids on one another makes of what the last one told: that it came, stays, or was none."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from cases import long
from pyramid_tables import on_table, table_picture

from companion.pieces import PYRAMID_COLOURS
from companion.vision.ground.foreground import Past, see_ground
from companion.vision.pyramids.added import with_added
from companion.vision.pyramids.change import change_between
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import on_top
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES, TIP_RISE_MM

S = PyramidSettings()
LOWEST = ("blue", "medium", "lying", 20.0, -40.0, 200.0)
SECOND = ("yellow", "medium", "on", 0.0, 0.0, 0.0)
SMALL = ("green", "small", "on", 0.0, 0.0, 0.0)
LARGE = ("blue", "large", *LOWEST[2:])
BLACK = ("black", "large", *LOWEST[2:])
BESIDE = ("green", "small", "lying", -35.0, -40.0, 200.0)


@cache
def look(*pieces):
    """The table with these on it, and what is seen and told of it."""
    ground, finder = see_ground(table_picture(on_table(pieces), 2)), PyramidFinder()
    return ground, finder.see(ground), tuple(finder.find(ground))


def again(claims, seen_twice=True, **more):
    return [replace(claim, again=seen_twice, **more) for claim in claims]


def no_colours(seen):
    return np.full((len(seen.found), len(PYRAMID_COLOURS)), 1 / len(PYRAMID_COLOURS))


def no_odds(windows, lower, upper):
    return np.zeros(len(upper))


def after(seen, then, claims, once=False, odds=no_odds, now=None, s=S):
    """What becomes of `seen` where the last look, at `then`, told these claims, whatever the colours."""
    ground = replace(now or seen.windows.ground, past=Past(then, claims, once))
    seen = replace(seen, windows=replace(seen.windows, ground=ground))
    return with_added(seen, change_between(ground, then, s.added), odds, no_colours, s)


def kinds(told):
    return [CLASSES[kind] for kind in told.found.kind]


def only(seen, rows, **more):
    """These of what was seen, none of which lies on another."""
    rivals, outlines = (tuple(every[i] for i in rows) for every in (seen.rivals, seen.outlines))
    found, odds = seen.found.only(np.array(rows, np.intp)), seen.odds[np.array(rows, np.intp)]
    return replace(seen, found=found, odds=odds, rivals=rivals, on=(None,) * len(rows), outlines=outlines, **more)


def without_uppers(seen):
    """What was seen, but for what was seen to lie on others."""
    return only(seen, [i for i, below in enumerate(seen.on) if below is None])


@pytest.mark.parametrize(
    ("stack", "now", "then", "count"),
    [
        long((LOWEST, SMALL), 2.0, -3.0, 2),
        ((LOWEST, SMALL), -1.0, 1.0, 0),
        ((LOWEST, SECOND), -8.0, 1.0, 2),  # one of its kind in another colour was not taken off
        long((LOWEST, SECOND, SMALL), -1.0, 1.0, 3),
        ((LOWEST, SECOND, SMALL), -8.0, 1.0, 0),
    ],
)
def test_a_piece_came_only_if_it_looks_more_like_one_than_before(stack, now, then, count):
    finder, known = PyramidFinder(), None
    for count_before in range(1, len(stack)):
        before = replace(see_ground(table_picture(on_table(stack[:count_before]), 2)), past=known)
        known = Past(before, finder.find(before))

    def odds(windows, lower, upper):
        return np.full(len(upper), then if windows.ground is before else now)

    told = after(without_uppers(look(*stack)[1]), before, known.found, odds=odds)
    assert len(told.by_change) == count


def without_columns(picture, count):
    """The picture as a camera shows it that sees less of the table on the left."""
    lens = picture.pose.lens
    pose = replace(picture.pose, lens=replace(lens, cx=lens.cx - count, width=lens.width - count))
    covered = tuple(paper - (count, 0) for paper in picture.covered_px)
    return replace(picture, pixels=np.ascontiguousarray(picture.pixels[:, count:]), pose=pose, covered_px=covered)


def test_a_piece_is_looked_at_in_its_place_before_too_where_the_picture_showed_another_part_of_the_table():
    looked, before = [], see_ground(without_columns(table_picture(on_table((LOWEST,)), 2), 200))

    def odds(windows, lower, upper):
        at = windows.ground.fine_px(upper.place[:, :2]) - windows.corner[0]
        looked.append((windows.ground is before, bool(((at >= 0) & (at < windows.size[0])).all())))
        return np.zeros(len(upper))

    after(without_uppers(look(LOWEST, SMALL)[1]), before, PyramidFinder().find(before), odds=odds)
    assert (True, True) in looked
    assert all(inside for _, inside in looked)


@pytest.mark.parametrize(("once", "count"), [(True, 1), (False, 0)])
def test_in_photographs_what_lies_as_it_lay_is_not_missed(once, count):
    ground, seen, found = look(LOWEST)
    missed = only(seen, [], by_change=frozenset())
    told = after(missed, ground, [replace(claim, sure=0.8) for claim in found], once)
    assert len(told.found) == count
    assert [sum(rivals.values()) for rivals in told.rivals] == pytest.approx([0.8] * count)  # no surer than it was


@pytest.mark.parametrize(("odds", "twice", "count"), [(-10.0, True, 2), (-10.0, False, 1), (99.0, True, 1)])
def test_a_stack_that_nothing_has_changed_stays_if_two_looks_saw_it_and_it_is_seen_less_surely(odds, twice, count):
    ground, seen, found = look(LARGE, SMALL)
    assert [claim.on is None for claim in found] == [True, False]
    lower = without_uppers(seen)
    told = after(replace(lower, odds=lower.odds + odds), ground, again(found, twice))
    assert len(told.found) == count
    assert not told.by_change


@pytest.mark.parametrize(("twice", "count"), [(True, 2), (False, 1)])
def test_one_on_its_like_stays_however_surely_the_other_is_seen_where_nothing_has_changed(twice, count):
    ground, seen, found = look(LOWEST)
    (claim,) = again(found, twice)
    (upper,) = outlines_of(ground, on_top(seen.found, seen.found.kind, np.full(1, TIP_RISE_MM)))
    both = [claim, replace(claim, outline_mm=upper, on=0, z_mm=TIP_RISE_MM)]
    assert len(after(replace(seen, odds=seen.odds + 99.0), ground, both).found) == count


@pytest.mark.parametrize(
    ("odds", "twice", "once", "count"),
    [
        (-9.0, True, False, 1),
        long(-9.0, False, False, 2),
        (99.0, True, False, 2),
        (-9.0, False, True, 1),  # photographs
        long(99.0, False, True, 2),
    ],
)
def test_where_nothing_has_changed_no_more_is_there_unless_it_is_seen_more_surely(odds, twice, once, count):
    ground, seen, found = look(LARGE, SMALL)
    alone = again((claim for claim in found if claim.on is None), twice)
    assert len(after(replace(seen, odds=seen.odds + odds), ground, alone, once).found) == count


@pytest.mark.parametrize(("sure", "count"), [(0.5, 2), (-0.5, 1)])
def test_what_is_surely_seen_on_a_known_piece_of_its_colour_came_though_that_was_surer(sure, count):
    ground, seen, found = look(LARGE, SMALL)
    alone = again((claim for claim in found if claim.on is None), sure=1 - 1e-6)
    both = replace(seen, odds=np.full(len(seen.found), S.added.sure + sure))
    assert len(after(both, ground, alone).found) == count


def test_what_stands_beside_a_known_piece_and_hides_some_of_it_lies_not_on_it():
    ground, seen, found = look(LOWEST, BESIDE)
    assert sorted(kinds(seen)) == [("medium", "lying"), ("small", "lying")]
    known = again(c for c in found if c.sighting.piece.size == "medium")
    new = kinds(seen).index(("small", "lying"))
    aslant = [own if i != new else known[0].outline_mm for i, own in enumerate(seen.outlines)]
    told = after(replace(seen, odds=seen.odds - 9.0, outlines=tuple(aslant)), ground, known)
    assert len(told.found) == 2


@pytest.mark.parametrize(("came", "count"), [(True, 2), (False, 1)])
def test_what_came_beside_a_known_piece_that_hides_some_of_it_is_no_part_of_it(came, count):
    (then, *_), (now, seen, found) = look(BLACK), look(BLACK, BESIDE)
    assert sorted(kinds(seen)) == [("large", "lying"), ("small", "lying")]
    known = again(c for c in found if c.sighting.piece.size == "large")
    less_sure = replace(seen, odds=np.where(seen.found.kind == CLASSES.index(("small", "lying")), 1.0, seen.odds))
    aslant = replace(S.added, stacked=-1.0, apart=-1.0)  # a high piece is seen to reach into what stands beside it
    assert len(after(less_sure, then if came else now, known, s=replace(S, added=aslant)).found) == count


def test_a_small_one_over_the_tip_of_a_large_one_of_its_colour_came_though_that_hardly_changed():
    (then, _, before), (_, seen, _) = look(BLACK), look(BLACK, ("black", *SMALL[1:]))
    assert [below is None for below in seen.on] == [True, False]
    hardly = replace(S.added, quiet=0.6)  # so much of the large one may differ in a dim picture
    told = after(replace(seen, odds=seen.odds - 9.0), then, before, once=True, s=replace(S, added=hardly))
    assert len(told.found) == 2


@pytest.mark.parametrize(("twice", "kind"), [(True, ("medium", "lying")), (False, ("small", "upright"))])
def test_what_two_photographs_have_shown_is_no_other_piece_in_the_third_where_nothing_changed(twice, kind):
    ground, seen, found = look(LOWEST)
    small = replace(seen.found, kind=np.array([CLASSES.index(("small", "upright"))]))
    other = replace(seen, found=small, outlines=tuple(outlines_of(ground, small)))
    assert kinds(after(other, ground, again(found, twice), once=True)) == [kind]


def sized(before, size):
    """Odds by which only pieces of this size look like one, and none did before."""

    def odds(windows, lower, upper):
        if windows.ground is before:
            return np.full(len(upper), -9.0)
        return np.array([5.0 if CLASSES[kind][0] == size else -5.0 for kind in upper.kind])

    return odds


def on_another(told):
    """The one piece that lies on another."""
    (upper,) = [i for i, below in enumerate(told.on) if below is not None]
    return CLASSES[told.found.kind[upper]]


@pytest.mark.parametrize("size", ["small", "medium"])
def test_of_sizes_that_explain_a_change_alike_the_one_that_looks_most_like_a_piece_is_there(size):
    (before, _, found), (_, seen, _) = look(LOWEST), look(LOWEST, SECOND)
    any_of_them = replace(S, added=replace(S.added, nearly=1.0, explained=0.1, rather=-1.0, better=1.0))
    told = after(without_uppers(seen), before, found, odds=sized(before, size), s=any_of_them)
    assert on_another(told) == (size, "lying")


@pytest.mark.parametrize("size", ["small", "medium"])
def test_a_size_that_was_seen_there_is_weighed_though_it_explains_the_change_less(size):
    (before, _, found), (now, seen, _) = look(LOWEST), look(LOWEST, SECOND)
    low = seen.found.only([kinds(seen).index(("medium", "lying"))])
    small = on_top(low, np.array([CLASSES.index(("small", "lying"))]), np.full(1, TIP_RISE_MM))
    outlines = tuple(outlines_of(now, small))
    seen = replace(seen, found=small, odds=np.full(1, 7.0), rivals=({},), on=(None,), outlines=outlines)
    strict = replace(S, added=replace(S.added, nearly=1e-6, explained=0.1, rather=-1.0))
    told = after(seen, before, found, odds=sized(before, size), s=strict)
    assert on_another(told) == (size, "lying")
