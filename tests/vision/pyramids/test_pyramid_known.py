"""Pyramids that the last look has told, and that lie there still; and where it has seen none."""

from dataclasses import replace

import numpy as np
import pytest
from table_seen_before import CAME, NOTHING, OLD, S, before, ground, likely, placed

from companion.pieces import PYRAMID_COLOURS
from companion.vision.ground.foreground import Past, Untouched
from companion.vision.pyramids import candidates as pyramid_candidates
from companion.vision.pyramids import judge
from companion.vision.pyramids.change import change_between
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import joined
from companion.vision.pyramids.known import against_new, colours_of, unchanged
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.proposals import given
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.since import since_last_look


def test_what_lies_still_is_looked_at_though_it_has_no_edges_and_nothing_proposes_it(monkeypatch):
    was = before()
    monkeypatch.setattr(judge, "log_odds", lambda columns, *_: np.full(len(columns), -20.0))
    monkeypatch.setattr(pyramid_candidates, "propose", lambda *_: given(NOTHING))
    now = ground(*OLD)
    assert not PyramidFinder().find(now)
    again = PyramidFinder().find(replace(now, past=Past(now, was)))
    assert {claim.sighting.piece for claim in again} == {claim.sighting.piece for claim in was}


@pytest.mark.parametrize("came", [False, True])
def test_what_lies_still_and_what_came_are_looked_at_where_they_are_though_edges_would_pull_them_away(
    came, monkeypatch
):
    now = replace(ground(*OLD), past=Past(ground(*OLD), before()))
    known = unchanged(now, change_between(now, now.past.ground, S.added), (), S.added).pieces
    aside = known.moved(known.place + np.array([[0.7, 0.0, 2.0, 0.0]]))
    given_so = {"came" if came else "known": aside}
    _, looked_at, _ = PyramidFinder().candidates.of(now, likely(now, **given_so))
    monkeypatch.setattr(pyramid_candidates, "propose", lambda *_: given(aside))
    _, fitted, _ = PyramidFinder().candidates.of(now, likely(now))
    for place in aside.place:
        assert (np.abs(looked_at.place - place) < 1e-9).all(axis=1).any()
        near = np.hypot(*(looked_at.place - place)[:, :2].T) < 1.5
        assert near.sum() > 1  # and where its edges are, in case it was measured badly
        assert not (np.abs(fitted.place - place) < 1e-9).all(axis=1).any()


@pytest.mark.parametrize("again", [True, False])
def test_what_two_looks_have_seen_is_likelier_there_still_where_nothing_has_changed(again):
    now, then = ground(*OLD, CAME[0]), ground(*OLD)
    now = replace(now, past=Past(then, [replace(claim, again=again) for claim in before()]))
    known = unchanged(now, change_between(now, then, S.added), (), S.added)
    assert sorted(CLASSES[kind] for kind in known.pieces.kind) == [("large", "upright"), ("medium", "lying")]
    gain = S.added.known if again else 0.0
    assert known.gains(known.pieces, S.added).tolist() == [gain, gain]
    moved = known.pieces.moved(known.pieces.place + np.array([[9.0, 0.0, 0.0, 0.0]]))
    assert known.gains(moved, S.added).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("look_before", "once", "may"),
    [(True, False, [False, True]), (True, True, [True, True]), (False, False, [True, True])],
)
def test_a_better_place_is_looked_for_of_what_may_have_come_since_and_in_a_photograph_of_all(look_before, once, may):
    now = ground(*OLD, CAME[0])
    if look_before:
        now = replace(now, past=Past(ground(*OLD), before(), once=once))
    lying = CLASSES.index(("small", "lying"))
    found = joined([placed(lying, *place) for place in ((-200.0, 90.0), CAME[0][3:5])])
    since = since_last_look(now, S)
    assert [since.may_be(found, i) for i in range(2)] == may


DOUBT = {CLASSES.index(("medium", "lying")): 0.6, CLASSES.index(("large", "lying")): 0.4}


def in_doubt(claim):
    """A lying claim as two looks may differ about it."""
    piece, _ = claim.sighting.beliefs[0]
    beliefs = tuple((replace(piece, size=CLASSES[kind][0]), p) for kind, p in DOUBT.items())
    return replace(claim, sighting=replace(claim.sighting, beliefs=beliefs))


@pytest.mark.parametrize(("changed", "by_change"), [(False, False), (True, False), (False, True)])
def test_of_what_lies_as_it_lay_the_class_is_in_doubt_still(changed, by_change):
    now = ground(*OLD)
    was = [in_doubt(claim) if claim.sighting.piece.pose == "lying" else claim for claim in before()]
    was = [replace(claim, by_change=by_change) for claim in was]
    seen = PyramidFinder().see(now)
    lying = next(i for i, kind in enumerate(seen.found.kind) if CLASSES[kind] == ("medium", "lying"))
    (medium, large), told = DOUBT, 0.9
    seen = replace(seen, rivals=tuple({medium: told} if i == lying else r for i, r in enumerate(seen.rivals)))
    then = ground(*(one for one in OLD if one[2] == "upright")) if changed else now
    classes = since_last_look(replace(now, past=Past(then, was)), S).classes(seen)
    steady = 0.0 if changed or by_change else S.added.doubted
    assert classes[lying][medium] == pytest.approx(told * (1 - steady * DOUBT[large]))
    assert classes[lying].get(large, 0.0) == pytest.approx(told * steady * DOUBT[large])
    assert [sum(c.values()) for c in classes] == pytest.approx([sum(r.values()) for r in seen.rivals])


def test_without_a_look_before_the_classes_are_as_they_were_seen():
    now = ground(*OLD)
    seen = PyramidFinder().see(now)
    assert since_last_look(now, S).classes(seen) == seen.rivals
    assert since_last_look(replace(now, past=Past(now, before(), once=True)), S).classes(seen) == seen.rivals


def test_what_came_over_a_piece_does_not_speak_against_it():
    below = ("green", "large", "upright", -26.3, -81.7, 0.0), ("green", "large", "lying", 9.0, -81.9, 359.0)
    over = "white", "large", "lying", 20.5, -67.3, 346.0
    then, now = ground(*below), ground(*below, over)
    found = [replace(claim, again=True) for claim in PyramidFinder().find(then)]
    (lying,) = [claim for claim in found if claim.sighting.piece.pose == "lying"]
    now = replace(now, past=Past(then, found))
    since = since_last_look(now, S)
    came = outlines_of(now, since.came.pieces)
    assert since.change.of(lying.outline_mm) > S.added.quiet
    assert since.change.beside(lying.outline_mm, came, S.added.seen) < S.added.quiet
    assert since.change.beside(lying.outline_mm, [lying.outline_mm], S.added.seen) == 1.0
    known = since.known.pieces
    odds = np.where(known.kind == CLASSES.index(("large", "lying")), -3.0, 9.0)
    as_likely = since.known.at_least(known, odds, S.added)
    assert sorted(as_likely.tolist()) == [S.added.held_of(lying.sure), 9.0]
    assert S.added.held_of(lying.sure) > 4.0
    aside = known.moved(known.place + np.array([[9.0, 0.0, 0.0, 0.0]]))
    assert since.known.at_least(aside, odds, S.added).tolist() == odds.tolist()


def test_of_what_was_measured_twice_only_the_better_is_as_likely_as_it_was():
    now = ground(*OLD)
    now = replace(now, past=Past(now, [replace(claim, again=True) for claim in before()]))
    known = since_last_look(now, S).known
    twice = joined([known.pieces, known.pieces.moved(known.pieces.place + np.array([[1.0, 0.0, 0.0, 0.0]]))])
    raised = known.at_least(twice, np.array([-2.0, -2.0, -1.0, -3.0]), S.added)
    assert (raised == [-2.0, known.held[1], known.held[0], -3.0]).all()


@pytest.mark.parametrize(
    ("rested", "new", "faint", "against"),
    [
        (True, False, None, S.added.nothing),
        (True, True, None, 0.0),
        (False, False, None, 0.0),
        (True, False, False, 0.0),  # a look has told it
        (True, False, True, S.added.nothing),  # it was only nearly told
    ],
)
def test_where_two_looks_have_seen_nothing_and_nothing_has_changed_hardly_a_piece_is(rested, new, faint, against):
    now, then = ground(*OLD, CAME[0]), ground(*OLD)
    first, was = then if new else now, before()
    if faint is not None:
        (small,) = (f for f in PyramidFinder().find(now) if f.sighting.piece.size == "small")
        was = [*was, replace(small, nearly=faint)]
    past = Past(now, was, rested=Past(first, was) if rested else None)
    seen = PyramidFinder().see(now)
    told = against_new(
        replace(now, past=past), change_between(now, now, S.added), seen.odds, list(seen.outlines), S.added
    )
    classes = [CLASSES[kind] for kind in seen.found.kind]
    assert {c: float(a) for c, a in zip(classes, told, strict=True)} == {
        ("large", "upright"): 0.0,
        ("medium", "lying"): 0.0,
        ("small", "lying"): against,
    }


@pytest.mark.parametrize(
    ("still", "seen", "against"),
    [(True, False, S.added.untouched), (False, False, S.added.nothing), (True, True, S.added.nothing)],
)
def test_where_nothing_at_all_has_changed_since_before_the_table_was_touched_no_piece_is(still, seen, against):
    now = ground(*OLD, CAME[0])
    found = PyramidFinder().see(now)
    at = [CLASSES[kind] for kind in found.found.kind].index(("small", "lying"))
    change = change_between(now, now, S.added)
    moved = ~change.drawn(found.outlines[at]) | still
    untouched = Untouched(PyramidFinder().find(now) if seen else before(), moved)
    past = Past(now, before(), rested=Past(now, before()), untouched=untouched)
    told = against_new(replace(now, past=past), change, found.odds, list(found.outlines), S.added)
    assert told[at] == against
    assert [told[i] for i in range(len(told)) if i != at] == [0.0, 0.0]


def test_the_colour_of_what_lies_as_it_lay_hardly_changes(monkeypatch):
    now, then = ground(*OLD, CAME[0]), ground(*OLD)
    found = [replace(claim, again=True) for claim in before()]
    red = np.eye(10)[PYRAMID_COLOURS.index("red")]
    monkeypatch.setattr(PyramidFinder, "_shares", lambda _, seen: (np.tile(red, (len(seen.found), 1)), np.zeros(9)))

    def colours(again):
        looked = PyramidFinder().find(replace(now, past=Past(then, again)))
        return {claim.sighting.piece.size: claim.sighting.piece.colour for claim in looked}

    assert colours(found) == {"large": "black", "medium": "black", "small": "red"}
    assert colours(before()) == {"large": "red", "medium": "red", "small": "red"}
    red_before = {claim.sighting.piece: colours_of(claim) for claim in found}
    assert all(shares[PYRAMID_COLOURS.index("black")] > 0.5 for shares in red_before.values())


def test_what_was_taken_away_is_not_there_still():
    now, then = ground(OLD[0]), ground(*OLD)
    now = replace(now, past=Past(then, before()))
    known = unchanged(now, change_between(now, then, S.added), (), S.added)
    assert [CLASSES[kind] for kind in known.pieces.kind] == [("large", "upright")]
    assert [claim.sighting.piece.pose for claim in PyramidFinder().find(now)] == ["upright"]


def test_between_photographs_too_much_may_differ():
    now = replace(ground(*OLD, CAME[0]), past=Past(ground(*OLD), before(), once=True))
    assert [claim.came for claim in PyramidFinder().find(now)] == [0.0, 0.0, 0.0]
