"""What came to a watched table is seen by itself, where the table as it was is taken out of the picture."""

from dataclasses import replace

import numpy as np
import pytest
from pyramid_tables import on_table, table_picture
from table_seen_before import OLD, S, ground

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.found import Found
from companion.vision.ground.foreground import Past, see_ground
from companion.vision.pyramids import candidates as pyramid_candidates
from companion.vision.pyramids import finder as pyramids
from companion.vision.pyramids.alone import NOTHING, Alone, came_alone, unseen
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import Hypotheses, joined
from companion.vision.pyramids.look import NAME
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.since import since_last_look
from companion.vision.weights import WEIGHTS

CLEAR = ("clear", "large", "lying", 20.0, 12.0, 200.0)
needs_weights = pytest.mark.skipif(not (WEIGHTS / f"{NAME}.onnx").exists(), reason="the network is not here")


def at(*pieces):
    """They as hypotheses."""
    kinds = [CLASSES.index((size, pose)) for _, size, pose, *_ in pieces]
    places = np.array([(x, y, heading, 0.0) for *_, x, y, heading in pieces]).reshape(-1, 4)
    return Hypotheses(np.array(kinds, np.intp), places, np.zeros(len(pieces), np.intp))


def claim(piece, nearly=False):
    """It as it was told."""
    colour, size, pose, x, y, heading = piece
    (outline,) = outlines_of(ground(*OLD), at(piece))
    told = Sighting(((Piece("pyramid", colour, size, pose), 0.9),), x, y, heading)
    return Found(told, 0.9, outline, nearly=nearly)


def after(*pieces, last=(), calm=(), **more):
    """The table with these put beside the old ones; what the looks before saw."""
    before = ground(*OLD)
    past = Past(before, last, calm=Past(before, calm))
    return replace(ground(*OLD, *pieces), past=past, **more)


def alone(now):
    return came_alone(now, PyramidFinder().candidates.on_bare, S)


@needs_weights
def test_what_came_is_seen_and_nothing_that_lay_there():
    seen = alone(after(CLEAR))
    assert len(seen.pieces)
    assert {CLASSES[kind] for kind in seen.pieces.kind} == {CLEAR[1:3]}
    off = np.hypot(*(seen.pieces.place[:, :2] - CLEAR[3:5]).T)
    assert off.min() < 3.0
    assert S.alone.least < seen.odds.max() <= S.alone.most


@needs_weights
def test_where_nothing_came_nothing_is_seen():
    assert not len(alone(after()).pieces)


@needs_weights
@pytest.mark.parametrize("which", ["last", "calm"])
@pytest.mark.parametrize("nearly", [False, True])
def test_what_was_told_there_before_has_not_come(which, nearly):
    assert bool(len(alone(after(CLEAR, **{which: (claim(CLEAR, nearly),)})).pieces)) == nearly


@needs_weights
def test_what_another_family_has_found_there_is_no_pyramid():
    assert not len(alone(after(CLEAR, claimed_mm=(claim(CLEAR).outline_mm,))).pieces)


def test_a_camera_that_was_moved_shows_nothing_by_itself():
    now, other = after(CLEAR), see_ground(table_picture(on_table(OLD), 6))
    moved = replace(now, past=Past(other, (), calm=Past(other, ())))
    assert came_alone(moved, lambda bare: pytest.fail("nothing is to be looked at"), S) is NOTHING


def test_it_is_looked_for_where_the_table_was_touched_and_nothing_new_is_sure():
    now, sure = after(CLEAR, calm=(claim(OLD[0]),)), np.array([5.0])
    assert unseen(now, at(OLD[0]), sure, 1.4, S)
    assert unseen(now, at(CLEAR), np.array([1.0]), 1.4, S)
    assert not unseen(now, at(CLEAR), sure, 1.4, S)
    assert not unseen(replace(now, past=replace(now.past, calm=None)), at(OLD[0]), sure, 1.4, S)
    assert not unseen(replace(now, past=None), at(OLD[0]), sure, 1.4, S)


@needs_weights
@pytest.mark.parametrize("came", [False, True])
def test_what_is_seen_by_itself_is_looked_for_among_the_others_and_where_it_is_likeliest(came, monkeypatch):
    finder, asked, enough = PyramidFinder(), [], []
    of, climbed = finder.candidates.of, pyramid_candidates.climbed
    monkeypatch.setattr(finder.candidates, "of", lambda *given: asked.append(given[1].alone.pieces) or of(*given))
    monkeypatch.setattr(pyramid_candidates, "climbed", lambda *given: enough.append(given[5].enough) or climbed(*given))
    monkeypatch.setattr(pyramids, "came_alone", lambda *_: Alone(at(CLEAR), np.array([3.0])) if came else NOTHING)
    known = tuple(map(claim, OLD))
    finder.find(after(last=known, calm=known))
    assert [CLEAR[3:5] in map(tuple, given.place[:, :2].tolist()) for given in asked] == [False, True][: 1 + came]
    assert enough == [S.climb.enough, S.climb.enough + S.alone.most][: 1 + came]


@needs_weights
def test_only_what_is_seen_by_itself_stays_where_it_is_likelier_among_the_others(monkeypatch):
    finder, kept = PyramidFinder(), []
    monkeypatch.setattr(finder.judge, "keep_likelier", lambda _, found: kept.append(found))
    monkeypatch.setattr(pyramids, "unseen", lambda *_: True)
    monkeypatch.setattr(pyramids, "came_alone", lambda *_: Alone(at(CLEAR), np.array([5.0])))
    finder.find(after(CLEAR, ("red", "large", "upright", -60.0, -40.0, 0.0), last=tuple(map(claim, OLD))))
    assert sum(map(len, kept))
    for found in kept:
        assert Alone(at(CLEAR), np.array([5.0])).gains(found, S).all()


@needs_weights
def test_a_bare_table_is_climbed_as_a_photograph_is(monkeypatch):
    asked, climbed = [], pyramid_candidates.climbed
    monkeypatch.setattr(pyramid_candidates, "climbed", lambda *given: asked.append(given[5]) or climbed(*given))
    finder, bare = PyramidFinder(), ground(CLEAR)
    found, odds = finder.candidates.on_bare(bare)
    assert asked == [S.climb]
    assert len(found) == len(odds)
    alone = finder.candidates._found(bare, since_last_look(bare, S))[1]
    assert len(found) >= len(alone)


@pytest.mark.parametrize(
    ("other", "gain"),
    [
        (CLEAR, 3.0),
        ((*CLEAR[:3], 20.0, 17.0, 210.0), 3.0),
        ((*CLEAR[:3], 20.0, 19.0, 200.0), 0.0),
        ((*CLEAR[:3], 20.0, 12.0, 240.0), 0.0),
        (("clear", "medium", "lying", 20.0, 12.0, 200.0), 0.0),
    ],
)
def test_hypotheses_are_likelier_that_are_it(other, gain):
    seen = Alone(at(CLEAR), np.array([3.0]))
    assert seen.gains(at(other), S).tolist() == [gain]
    since = replace(since_last_look(after(), S), alone=seen)
    assert since.gains(at(other), outlines_of(since.ground, at(other))).tolist() == [gain]
    assert since.may_be(at(other), 0) == (gain > 0)


def test_that_nothing_has_changed_speaks_not_against_it():
    before = ground(*OLD)
    rested = Past(before, ())
    now = replace(before, past=Past(before, (), rested=rested, calm=rested))
    since, tried = since_last_look(now, S), at(CLEAR)
    shown = outlines_of(now, tried)
    assert since.against(tried, np.array([2.0]), shown).tolist() == [S.added.nothing]
    since = replace(since, alone=Alone(tried, np.array([3.0])))
    assert since.against(tried, np.array([2.0]), shown).tolist() == [0.0]


def test_without_one_there_is_no_gain():
    assert NOTHING.gains(at(CLEAR), S).tolist() == [0.0]
    assert not len(joined([NOTHING.pieces]))
