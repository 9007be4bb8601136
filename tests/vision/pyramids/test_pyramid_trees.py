"""Stacks weighed as one against what else may lie in their place; where pieces are looked for."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.vision.ground.foreground import see_ground
from companion.vision.pyramids.choice import Trees, chosen_set
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.placed import Placed, feet_of
from companion.vision.pyramids.proposals import ProposalSettings, in_reach
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES, outline
from companion.vision.pyramids.stacks import uppers

PIECES = (
    ("blue", "large", "upright", 120.0, -60.0, 20.0),
    ("yellow", "small", "on", 0.0, 0.0, 0.0),
    ("red", "large", "lying", -60.0, 30.0, 25.0),
)
NO_TREES = Trees(np.zeros(0, np.intp), np.zeros(0), ())


@pytest.fixture(scope="module")
def ground():
    return see_ground(table_picture(on_table(PIECES), 1))


def laid(*places):
    kinds = [CLASSES.index(kind) for kind, *_ in places]
    return Hypotheses(np.array(kinds), np.array([[*place, 0.0] for _, *place in places]), np.zeros(len(kinds), np.intp))


def chosen(found, odds, trees=NO_TREES):
    feet = feet_of(found)
    told = chosen_set(Placed(None, found, feet, feet), np.array(odds), trees, PyramidSettings())
    return sorted(told[0].tolist()), told


def storeys(pose, sizes):
    """What the highest stack was seen as, of one that stands so."""
    pieces = [("red", "large", pose, -60.0, 30.0, 25.0)]
    pieces += [({"medium": "black", "small": "green"}[size], size, "on", 0.0, 0.0, 0.0) for size in sizes]
    seen = PyramidFinder().see(see_ground(table_picture(on_table(tuple(pieces)), 1)))
    stack = max((seen.chain(i) for i in range(len(seen.found))), key=len)
    assert all(seen.found.place[a, 3] < seen.found.place[b, 3] or pose == "lying" for a, b in pairwise(stack))
    return [CLASSES[seen.found.kind[i]][0] for i in stack[1:]]


@pytest.mark.parametrize("pose", ["upright", "lying"])
@pytest.mark.parametrize("sizes", [[], ["medium", "small"], ["small"], ["medium"]])
def test_a_large_piece_carries_what_was_put_on_it(pose, sizes):
    assert storeys(pose, sizes) == sizes


@pytest.mark.parametrize("found", ["small", "medium"])
def test_what_was_found_on_a_large_piece_gets_what_is_under_or_on_it(found):
    """Single pieces may be found on one another before anything is looked for on them."""
    pieces = [("red", "large", "lying", -60.0, 30.0, 25.0), ("black", "medium", "on", 0.0, 0.0, 0.0)]
    finder = PyramidFinder()
    whole = finder.see(see_ground(table_picture(on_table((*pieces, ("green", "small", "on", 0.0, 0.0, 0.0))), 1)))
    (top,) = (i for i in range(len(whole.found)) if len(whole.chain(i)) == 3)
    lowest, middle, highest = whole.chain(top)
    rows = [lowest, highest if found == "small" else middle]
    seen = replace(
        whole,
        found=whole.found.only(rows),
        odds=whole.odds[rows],
        rivals=tuple(whole.rivals[i] for i in rows),
        on=(None, 0),
        outlines=tuple(whole.outlines[i] for i in rows),
    )
    grown = finder._with_trees(seen, frozenset())
    assert len(grown.found) == 3
    (top,) = (i for i in range(3) if len(grown.chain(i)) == 3)
    assert [CLASSES[grown.found.kind[i]][0] for i in grown.chain(top)] == ["large", "medium", "small"]


def test_pieces_alike_are_shown_to_the_network_only_where_they_are_of_use():
    finder = PyramidFinder()
    ground = see_ground(table_picture(on_table(PIECES), 1))
    windows, judge = finder.see(ground).windows, finder.judge
    lower = laid((("large", "lying"), -60.0, 30.0, 25.0))
    upper, on = uppers(windows, lower, finder.settings.search)
    told, other = (judge.stacked(windows, lower.only(on), upper, alike) for alike in (True, False))
    alike = upper.kind == lower.kind[on]
    assert alike.any()
    assert not alike.all()
    assert told[~alike] == pytest.approx(other[~alike])
    assert (other[alike] <= finder.settings.worth_a_look).all()
    assert (told[alike] != other[alike]).all()


def test_a_stack_counts_as_much_as_both_its_pieces():
    found = laid((("large", "upright"), 0.0, 0.0, 10.0), (("small", "upright"), 0.0, 0.0, 10.0))
    assert chosen(found, [2.0, 5.0])[0] == [1]  # alone, the small one is likelier
    top = outline(found.corners()[1][:, :2])
    kept, told = chosen(found, [2.0, 5.0], Trees(np.array([0]), np.array([2.0 + 6.0]), (top,)))
    assert kept == [0]
    assert told[1][0] == pytest.approx(PyramidSettings().backed_to)
    assert max(told[2][0], key=told[2][0].get) == CLASSES.index(("large", "upright"))  # the top is no rival of it


def test_a_piece_beside_another_is_no_top_of_a_stack_if_both_are_likelier_alone():
    found = laid(
        (("large", "upright"), 0.0, 0.0, 0.0),
        (("small", "lying"), 30.0, 0.0, 0.0),
        (("large", "lying"), 12.0, 0.0, 0.0),
    )
    beside = outline(found.corners()[1][:, :2])
    assert chosen(found, [8.0, 8.0, 1.0], Trees(np.array([2]), np.array([1.0 + 9.0]), (beside,)))[0] == [0, 1]
    assert chosen(found, [-9.0, 4.0, 1.0], Trees(np.array([2]), np.array([1.0 + 9.0]), (beside,)))[0] == [2]


def test_pieces_are_looked_for_between_the_markers_and_hardly_beyond(ground):
    papers = np.vstack(ground.covered_mm)
    rim = papers.max(axis=0)
    places = np.array([[0.0, 0.0], rim + 20.0, rim + 40.0])
    assert in_reach(ground, places, ProposalSettings(beyond_mm=30.0)).tolist() == [True, True, False]
