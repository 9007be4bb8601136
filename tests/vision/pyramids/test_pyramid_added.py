"""Lying pyramids put upon others while the table is watched, or between two photographs."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from cases import long
from pyramid_tables import on_table, table_picture

from companion.pieces import PYRAMID_COLOURS
from companion.vision.ground.foreground import Past, see_ground
from companion.vision.kaxxt_finder import new_reader
from companion.vision.pyramids.added import with_added
from companion.vision.pyramids.change import change_between
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import on_top
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES, TIP_RISE_MM

LOWEST = ("blue", "medium", "lying", 20.0, -40.0, 200.0)
SECOND = ("yellow", "medium", "on", 0.0, 0.0, 0.0)
THIRD = ("black", "medium", "on", 0.0, 0.0, 0.0)
BESIDE = ("red", "small", "upright", -90.0, 40.0, 10.0)
MOVED = ("red", "small", "upright", 95.0, 70.0, 40.0)


def added(seen, odds, s):
    """What is known from the last look put right, whatever the colours."""
    ground = seen.windows.ground
    change = change_between(ground, ground.past.ground, s.added)
    return with_added(seen, change, odds, no_colours, s)


class Table:
    """A reader before a table on which hands lay pieces; each look tells those of one pose, lowest first."""

    def __init__(self, watched=True, pose="lying"):
        self.reader, self.watched, self.now_s, self.pose = new_reader(), watched, 0.0, pose

    def look(self, *stack, beside=(BESIDE,), bright=1.0):
        picture = table_picture(on_table((*stack, *beside)), 2)
        pixels = np.clip(picture.pixels * bright, 0, 255).astype(np.uint8)
        self.now_s += 1.0
        taken_s = self.now_s if self.watched else None
        found = self.reader.find(replace(picture, pixels=pixels, taken_s=taken_s, one_table=True))
        own = [i for i, s in enumerate(found) if s.piece.pose == self.pose and not s.faint]
        lowest = [i for i in own if found[i].nested_on is None]
        assert len(lowest) <= 1
        chain = lowest
        while more := [i for i in own if found[i].nested_on == chain[-1:][0]] if chain else []:
            chain = [*chain, more[0]]
        assert len(chain) == len(own)
        return [(found[i].piece.colour, found[i].piece.size) for i in chain]


MEDIUM = [(colour, "medium") for colour in ("blue", "yellow", "black")]


@pytest.mark.parametrize("watched", [True, long(False)])
def test_pieces_put_on_known_ones_are_seen_one_by_one(watched):
    table = Table(watched)
    table.look(beside=())
    for count in (1, 2, 3):
        stack = (LOWEST, SECOND, THIRD)[:count]
        for _ in range(3):
            assert table.look(*stack) == MEDIUM[:count]


TALL = [
    ("green", "large", "lying", 0.0, 116.0, 180.0),
    ("blue", "medium", "on", 0.0, 0.0, 0.0),
    ("red", "medium", "on", 0.0, 0.0, 0.0),
    ("green", "small", "on", 0.0, 0.0, 0.0),
]


@pytest.mark.parametrize("x", [-160.0, long(-80.0), long(0.0), long(80.0)])
def test_the_uppermost_is_told_though_alone_it_looks_as_if_it_lay_on_the_table(x):
    table = Table()
    stack = [(*TALL[0][:3], x, *TALL[0][4:]), *TALL[1:]]
    table.look(beside=())
    for count in (1, 2, 3, 4, 4):
        assert table.look(*stack[:count]) == [piece[:2] for piece in stack[:count]]


def test_they_stay_while_other_pieces_move_and_time_passes():
    table = Table()
    table.look(beside=())
    for count in (1, 2, 3):
        assert table.look(*(LOWEST, SECOND, THIRD)[:count]) == MEDIUM[:count]
    assert table.look(LOWEST, SECOND, THIRD, beside=(MOVED,)) == MEDIUM
    table.now_s += 30.0  # everything is read anew
    assert table.look(LOWEST, SECOND, THIRD, beside=(MOVED,)) == MEDIUM


def test_what_was_taken_off_is_no_piece_that_came():
    table = Table()
    table.look(beside=())
    for stack in ((LOWEST,), (LOWEST, SECOND), (LOWEST,), (LOWEST,)):
        assert table.look(*stack) == MEDIUM[: len(stack)]


@pytest.mark.parametrize("pushed", [(-4.1, -1.0), long((3.0, -4.0))])
@pytest.mark.parametrize(
    "piece",
    [("yellow", "medium", 60.0, 120.0), long(("blue", "small", -60, -110)), long(("green", "small", 110, -60))],
)
def test_a_piece_that_is_pushed_a_little_carries_no_other(piece, pushed):
    colour, size, x, y = piece
    table = Table(pose="upright")
    table.look(beside=())
    for dx, dy in ((0.0, 0.0), (0.0, 0.0), pushed, pushed):
        assert table.look((colour, size, "upright", x + dx, y + dy, 0.0), beside=()) == [(colour, size)]


def no_colours(seen):
    return np.full((len(seen.found), len(PYRAMID_COLOURS)), 1 / len(PYRAMID_COLOURS))


def without_uppers(seen):
    """What was seen, but for what was seen to lie on others."""
    low = [i for i, below in enumerate(seen.on) if below is None]
    rivals, outlines = (tuple(every[i] for i in low) for every in (seen.rivals, seen.outlines))
    found = seen.found.only(np.array(low))
    return replace(seen, found=found, odds=seen.odds[low], rivals=rivals, on=(None,) * len(low), outlines=outlines)


SMALL = ("green", "small", "on", 0.0, 0.0, 0.0)


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
    finder, s = PyramidFinder(), PyramidSettings()
    known = None
    for count_before in range(1, len(stack)):
        before = replace(see_ground(table_picture(on_table(stack[:count_before]), 2)), past=known)
        known = Past(before, finder.find(before))
    after = see_ground(table_picture(on_table(stack), 2))
    seen = without_uppers(finder.see(after))

    def odds(windows, lower, upper):
        return np.full(len(upper), then if windows.ground is before else now)

    windows = replace(seen.windows, ground=replace(after, past=known))
    told = added(replace(seen, windows=windows), odds, s)
    assert len(told.by_change) == count


def without_columns(picture, count):
    """The picture as a camera shows it that sees less of the table on the left."""
    lens = picture.pose.lens
    pose = replace(picture.pose, lens=replace(lens, cx=lens.cx - count, width=lens.width - count))
    covered = tuple(paper - (count, 0) for paper in picture.covered_px)
    return replace(picture, pixels=np.ascontiguousarray(picture.pixels[:, count:]), pose=pose, covered_px=covered)


def test_a_piece_is_looked_at_in_its_place_before_too_where_the_picture_showed_another_part_of_the_table():
    finder, s, looked = PyramidFinder(), PyramidSettings(), []
    before = see_ground(without_columns(table_picture(on_table((LOWEST,)), 2), 200))
    known = Past(before, finder.find(before))
    after = see_ground(table_picture(on_table((LOWEST, SMALL)), 2))
    seen = without_uppers(finder.see(after))

    def odds(windows, lower, upper):
        at = windows.ground.fine_px(upper.place[:, :2]) - windows.corner[0]
        looked.append((windows.ground is before, bool(((at >= 0) & (at < windows.size[0])).all())))
        return np.zeros(len(upper))

    added(replace(seen, windows=replace(seen.windows, ground=replace(after, past=known))), odds, s)
    assert (True, True) in looked
    assert all(inside for _, inside in looked)


def test_a_brighter_lamp_puts_nothing_anywhere_and_takes_nothing():
    table = Table()
    table.look(beside=())
    assert table.look(LOWEST) == MEDIUM[:1]
    for bright in (1.0, 1.25, 0.85):
        assert table.look(LOWEST, SECOND, bright=bright) == MEDIUM[:2]


@pytest.mark.parametrize(("once", "count"), [(True, 1), (False, 0)])
def test_in_photographs_what_lies_as_it_lay_is_not_missed(once, count):
    finder, s = PyramidFinder(), PyramidSettings()
    ground = see_ground(table_picture(on_table((LOWEST,)), 2))
    found = [replace(claim, sure=0.8) for claim in finder.find(ground)]
    seen = finder.see(ground)
    none = replace(
        seen,
        found=seen.found.only(np.zeros(0, np.intp)),
        odds=seen.odds[:0],
        rivals=(),
        on=(),
        outlines=(),
        by_change=frozenset(),
    )  # as if it had been missed
    windows = replace(seen.windows, ground=replace(ground, past=Past(ground, found, once)))
    told = added(replace(none, windows=windows), lambda *_: np.zeros(1), s)
    assert len(told.found) == count
    assert [sum(rivals.values()) for rivals in told.rivals] == pytest.approx([0.8] * count)  # no surer than it was


@pytest.mark.parametrize(("odds", "again", "count"), [(-10.0, True, 2), (-10.0, False, 1), (99.0, True, 1)])
def test_a_stack_that_nothing_has_changed_stays_if_two_looks_saw_it_and_it_is_seen_less_surely(odds, again, count):
    finder, s = PyramidFinder(), PyramidSettings()
    ground = see_ground(table_picture(on_table(((*LOWEST[:1], "large", *LOWEST[2:]), SMALL)), 2))
    seen = finder.see(ground)
    found = [replace(claim, again=again) for claim in finder.find(ground)]
    assert [claim.on is None for claim in found] == [True, False]
    lower = without_uppers(seen)
    lower = replace(lower, odds=lower.odds + odds)
    windows = replace(lower.windows, ground=replace(ground, past=Past(ground, found)))
    told = added(replace(lower, windows=windows), lambda *_: np.zeros(1), s)
    assert len(told.found) == count
    assert not told.by_change


@pytest.mark.parametrize(("again", "count"), [(True, 2), (False, 1)])
def test_one_on_its_like_stays_however_surely_the_other_is_seen_where_nothing_has_changed(again, count):
    finder, s = PyramidFinder(), PyramidSettings()
    ground = see_ground(table_picture(on_table((LOWEST,)), 2))
    seen = finder.see(ground)
    (claim,) = (replace(claim, again=again) for claim in finder.find(ground))
    (upper,) = outlines_of(ground, on_top(seen.found, seen.found.kind, np.full(1, TIP_RISE_MM)))
    both = [claim, replace(claim, outline_mm=upper, on=0, z_mm=TIP_RISE_MM)]
    windows = replace(seen.windows, ground=replace(ground, past=Past(ground, both)))
    told = added(replace(seen, windows=windows, odds=seen.odds + 99.0), lambda *_: np.zeros(1), s)
    assert len(told.found) == count


@pytest.mark.parametrize(
    ("odds", "again", "once", "count"),
    [
        (-9.0, True, False, 1),
        long(-9.0, False, False, 2),
        (99.0, True, False, 2),
        (-9.0, False, True, 1),  # photographs
        long(99.0, False, True, 2),
    ],
)
def test_where_nothing_has_changed_no_more_is_there_unless_it_is_seen_more_surely(odds, again, once, count):
    finder, s = PyramidFinder(), PyramidSettings()
    ground = see_ground(table_picture(on_table(((*LOWEST[:1], "large", *LOWEST[2:]), SMALL)), 2))
    seen = finder.see(ground)
    alone = [replace(claim, again=again) for claim in finder.find(ground) if claim.on is None]
    both = replace(seen, odds=seen.odds + odds)
    windows = replace(both.windows, ground=replace(ground, past=Past(ground, alone, once)))
    told = added(replace(both, windows=windows), lambda *_: np.zeros(1), s)
    assert len(told.found) == count


@pytest.mark.parametrize(("sure", "count"), [(0.5, 2), (-0.5, 1)])
def test_what_is_surely_seen_on_a_known_piece_of_its_colour_came_though_that_was_surer(sure, count):
    finder, s = PyramidFinder(), PyramidSettings()
    ground = see_ground(table_picture(on_table(((*LOWEST[:1], "large", *LOWEST[2:]), SMALL)), 2))
    seen = finder.see(ground)
    alone = [replace(claim, again=True, sure=1 - 1e-6) for claim in finder.find(ground) if claim.on is None]
    both = replace(seen, odds=np.full(len(seen.found), s.added.sure + sure))
    windows = replace(both.windows, ground=replace(ground, past=Past(ground, alone)))
    assert len(added(replace(both, windows=windows), lambda *_: np.zeros(1), s).found) == count


def test_what_stands_beside_a_known_piece_and_hides_some_of_it_lies_not_on_it():
    finder, s = PyramidFinder(), PyramidSettings()
    small = ("green", "small", "lying", -35.0, -40.0, 200.0)
    ground = see_ground(table_picture(on_table((LOWEST, small)), 2))
    seen = finder.see(ground)
    assert sorted(CLASSES[kind] for kind in seen.found.kind) == [("medium", "lying"), ("small", "lying")]
    known = [c for c in finder.find(ground) if c.sighting.piece.size == "medium"]
    (new,) = (i for i, kind in enumerate(seen.found.kind) if CLASSES[kind][0] == "small")
    aslant = [own if i != new else known[0].outline_mm for i, own in enumerate(seen.outlines)]
    hiding = replace(seen, odds=seen.odds - 9.0, outlines=tuple(aslant))
    past = Past(ground, [replace(claim, again=True) for claim in known])
    windows = replace(hiding.windows, ground=replace(ground, past=past))
    told = added(replace(hiding, windows=windows), lambda *_: np.zeros(1), s)
    assert len(told.found) == 2


@pytest.mark.parametrize(("came", "count"), [(True, 2), (False, 1)])
def test_what_came_beside_a_known_piece_that_hides_some_of_it_is_no_part_of_it(came, count):
    finder, s = PyramidFinder(), PyramidSettings()
    large, small = ("black", "large", *LOWEST[2:]), ("green", "small", "lying", -35.0, -40.0, 200.0)
    then, now = (see_ground(table_picture(on_table(pieces), 2)) for pieces in ((large,), (large, small)))
    seen = finder.see(now)
    assert sorted(CLASSES[kind] for kind in seen.found.kind) == [("large", "lying"), ("small", "lying")]
    known = [replace(c, again=True) for c in finder.find(now) if c.sighting.piece.size == "large"]
    less_sure = replace(seen, odds=np.where(seen.found.kind == CLASSES.index(("small", "lying")), 1.0, seen.odds))
    aslant = replace(s.added, stacked=-1.0, apart=-1.0)  # a high piece is seen to reach into what stands beside it
    windows = replace(seen.windows, ground=replace(now, past=Past(then if came else now, known)))
    told = added(replace(less_sure, windows=windows), lambda *_: np.zeros(1), replace(s, added=aslant))
    assert len(told.found) == count


def test_a_small_one_over_the_tip_of_a_large_one_of_its_colour_came_though_that_hardly_changed():
    finder, s = PyramidFinder(), PyramidSettings()
    large, small = ("black", "large", *LOWEST[2:]), ("black", "small", "on", 0.0, 0.0, 0.0)
    then, now = (see_ground(table_picture(on_table(stack), 2)) for stack in ((large,), (large, small)))
    seen, before = finder.see(now), finder.find(then)
    assert [below is None for below in seen.on] == [True, False]
    less_sure = replace(seen, odds=seen.odds - 9.0)
    hardly = replace(s.added, quiet=0.6)  # so much of the large one may differ in a dim picture
    windows = replace(seen.windows, ground=replace(now, past=Past(then, before, once=True)))
    told = added(replace(less_sure, windows=windows), lambda *_: np.zeros(1), replace(s, added=hardly))
    assert len(told.found) == 2


@pytest.mark.parametrize(("again", "kind"), [(True, ("medium", "lying")), (False, ("small", "upright"))])
def test_what_two_photographs_have_shown_is_no_other_piece_in_the_third_where_nothing_changed(again, kind):
    finder, s = PyramidFinder(), PyramidSettings()
    ground = see_ground(table_picture(on_table((LOWEST,)), 2))
    seen, found = finder.see(ground), [replace(claim, again=again) for claim in finder.find(ground)]
    small = replace(seen.found, kind=np.array([CLASSES.index(("small", "upright"))]))
    other = replace(seen, found=small, outlines=tuple(outlines_of(ground, small)))
    windows = replace(other.windows, ground=replace(ground, past=Past(ground, found, once=True)))
    told = added(replace(other, windows=windows), lambda *_: np.zeros(1), s)
    assert [CLASSES[kind] for kind in told.found.kind] == [kind]


@pytest.mark.parametrize("colour", ["blue", long("purple"), long("green")])
def test_one_of_the_same_size_is_seen_on_another_although_it_hides_it(colour):
    table = Table(watched=False)
    table.look(beside=())
    stack = [(colour, "large", "lying", 0.0, -116.0, 90.0), ("black", "large", "on", 0.0, 0.0, 0.0)]
    for count in (1, 1, 2, 2):
        assert table.look(*stack[:count]) == [piece[:2] for piece in stack[:count]]


UPRIGHT = [
    [("yellow", "large"), ("blue", "large"), ("red", "medium")],
    [("red", "small"), ("yellow", "small"), ("green", "small")],
    [("black", "large"), ("green", "medium"), ("yellow", "medium")],
]


@pytest.mark.parametrize(
    ("pieces", "watched"),
    [
        (UPRIGHT[1], True),  # of one size: what is told of one is not told of the one above it
        *(long(*case) for case in itertools.product(UPRIGHT, (True, False)) if case != (UPRIGHT[1], True)),
    ],
)
def test_upright_ones_are_put_on_one_another_and_taken_off(pieces, watched):
    table = Table(watched, "upright")
    (colour, size), *others = pieces
    stack = [(colour, size, "upright", 42.0, 29.0, 0.0), *((*piece, "on", 0.0, 0.0, 0.0) for piece in others)]
    table.look(beside=())
    for count in (1, 1, 2, 2, 3, 3, 2, 2, 1, 1):
        assert table.look(*stack[:count], beside=()) == pieces[:count]


TWO = (("yellow", "blue", 42.0), ("green", "yellow", -90.0))


def test_two_stacks_that_change_at_once_are_each_told():
    reader = new_reader()
    stacks = [[(a, "large", "upright", x, 29.0, 0.0), (b, "large", "on", 0.0, 0.0, 0.0)] for a, b, x in TWO]
    for count in (0, 1, 1, 2):
        pieces = [piece for stack in stacks for piece in stack[:count]]
        found = reader.find(replace(table_picture(on_table(tuple(pieces)), 2), one_table=True))
    carried = {found[s.nested_on].piece.colour: s.piece.colour for s in found if s.nested_on is not None}
    assert carried == {a: b for a, b, _ in TWO}


@pytest.mark.parametrize("size", ["small", "medium"])
def test_of_sizes_that_explain_a_change_alike_the_one_that_looks_most_like_a_piece_is_there(size):
    finder, s = PyramidFinder(), PyramidSettings()
    before = see_ground(table_picture(on_table((LOWEST,)), 2))
    known = Past(before, finder.find(before))
    after = see_ground(table_picture(on_table((LOWEST, SECOND)), 2))
    seen = without_uppers(finder.see(after))

    def odds(windows, lower, upper):
        if windows.ground is before:
            return np.full(len(upper), -9.0)
        return np.array([5.0 if CLASSES[kind][0] == size else -5.0 for kind in upper.kind])

    any_of_them = replace(s.added, nearly=1.0, explained=0.1, rather=-1.0, better=1.0)
    seen = replace(seen, windows=replace(seen.windows, ground=replace(after, past=known)))
    told = added(seen, odds, replace(s, added=any_of_them))
    (upper,) = [i for i, below in enumerate(told.on) if below is not None]
    assert CLASSES[told.found.kind[upper]] == (size, "lying")


@pytest.mark.parametrize(("looks", "told_size"), [("small", "small"), ("medium", "medium")])
def test_a_size_that_was_seen_there_is_weighed_though_it_explains_the_change_less(looks, told_size):
    finder, s = PyramidFinder(), PyramidSettings()
    before = see_ground(table_picture(on_table((LOWEST,)), 2))
    known = Past(before, finder.find(before))
    after = see_ground(table_picture(on_table((LOWEST, SECOND)), 2))
    seen = without_uppers(finder.see(after))
    (low,) = [i for i in range(len(seen.found)) if CLASSES[seen.found.kind[i]] == ("medium", "lying")]
    small = on_top(seen.found.only([low]), np.array([CLASSES.index(("small", "lying"))]), np.full(1, TIP_RISE_MM))
    outlines = outlines_of(after, small)
    seen = replace(seen, found=small, odds=np.full(1, 7.0), rivals=({},), on=(None,), outlines=tuple(outlines))

    def odds(windows, lower, upper):
        if windows.ground is before:
            return np.full(len(upper), -9.0)
        return np.array([5.0 if CLASSES[kind][0] == looks else -5.0 for kind in upper.kind])

    strict = replace(s.added, nearly=1e-6, explained=0.1, rather=-1.0)
    seen = replace(seen, windows=replace(seen.windows, ground=replace(after, past=known)))
    told = added(seen, odds, replace(s, added=strict))
    (upper,) = [i for i, below in enumerate(told.on) if below is not None]
    assert CLASSES[told.found.kind[upper]] == (told_size, "lying")
