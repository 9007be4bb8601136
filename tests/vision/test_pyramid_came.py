"""A pyramid that came since the last look, told by what has changed, and those that stayed."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from cases import long
from pyramid_tables import on_table, table_picture

from companion.pieces import PYRAMID_COLOURS
from companion.vision import pyramid_came, pyramid_candidates, pyramid_judge
from companion.vision.foreground import Past, Untouched, see_ground
from companion.vision.pyramid_came import came_since
from companion.vision.pyramid_change import change_between
from companion.vision.pyramid_hypotheses import joined
from companion.vision.pyramid_known import Known, against_new, colours_of, unchanged
from companion.vision.pyramid_proposals import given
from companion.vision.pyramid_seen import feet_of, outlines_of
from companion.vision.pyramid_settings import PyramidSettings
from companion.vision.pyramid_shapes import CLASSES
from companion.vision.pyramid_since import since_last_look
from companion.vision.pyramids import PyramidFinder

S = PyramidSettings()
NOTHING = joined([])
OLD = (("black", "large", "upright", 60.0, 40.0, 0.0), ("black", "medium", "lying", 59.3, 8.2, 272.0))
CAME = [
    ("black", "small", "lying", 41.0, 4.2, 195.0),
    ("clear", "medium", "lying", 40.0, -60.0, 30.0),
    ("red", "large", "lying", 10.0, 40.0, 100.0),
    ("yellow", "medium", "upright", 84.0, 40.0, 0.0),
]


@cache
def ground(*pieces, view=4, surface="felt"):
    """The table with these on it."""
    return see_ground(table_picture(on_table(pieces), view, surface))


@cache
def before():
    """What was found of the old ones."""
    return tuple(PyramidFinder().find(ground(*OLD)))


def since(now, then, settings=S):
    """What came between two looks."""
    change = change_between(now, then, settings.added)
    return came_since(change, unchanged(now, change, (), settings.added).pieces, settings.came)


@pytest.mark.parametrize("table", [(4, "felt"), long((3, "felt"))])
@pytest.mark.parametrize("piece", CAME)
def test_what_has_changed_has_the_outline_of_what_came(piece, table):
    _, size, pose, x, y, heading = piece
    on = {"view": table[0], "surface": table[1]}
    now = ground(*OLD, piece, **on)
    came = since(now, ground(*OLD, **on))
    laid_out = came.pieces
    gains = came.gains(outlines_of(now, laid_out), feet_of(laid_out))
    (own,) = np.flatnonzero(laid_out.kind == CLASSES.index((size, pose)))
    place = laid_out.place[own]
    assert np.hypot(place[0] - x, place[1] - y) < 4.0
    if pose == "lying":
        assert abs((place[2] - heading + 180) % 360 - 180) < 15.0
    assert gains[own] > 1.0
    assert all(gain < gains[own] / 2 for i, gain in enumerate(gains) if i != own)


def test_what_its_neighbours_hide_of_it_does_not_speak_against_what_came():
    large = ("black", "large", "upright", 60.0, 40.0, 0.0), ("black", "large", "lying", 60.0, 4.2, 270.0)
    came = "black", "medium", "lying", 37.1, -0.4, 195.4  # flush against the side of the lying one, over which it leans
    then, now = (ground(*pieces, view=4, surface="wood") for pieces in (large, (*large, came)))
    now = replace(now, past=Past(then, tuple(PyramidFinder().find(then))))
    change = change_between(now, then, S.added)
    beside = unchanged(now, change, (), S.added).pieces
    seen, alone = (came_since(change, known, S.came) for known in (beside, NOTHING))
    laid_out = seen.pieces
    of = outlines_of(now, laid_out), feet_of(laid_out)
    own = laid_out.kind == CLASSES.index(("medium", "lying"))
    assert len(beside) == 2
    assert seen.gains(*of)[own] > alone.gains(*of)[own] + 0.5
    assert (seen.gains(*of)[~own] < seen.gains(*of)[own] / 2).all()


def test_a_piece_that_would_stand_in_its_neighbour_is_not_excused_by_it():
    now, then = ground(*OLD, CAME[0]), ground(*OLD)
    now = replace(now, past=Past(then, before()))
    change = change_between(now, then, S.added)
    beside = unchanged(now, change, (), S.added).pieces
    over = beside.moved(beside.place + np.array([[-6.0, -6.0, 0.0, 0.0]]))
    of = outlines_of(now, over), feet_of(over)
    seen, alone = (came_since(change, known, S.came) for known in (beside, NOTHING))
    for part, plain in zip(seen.parts, alone.parts, strict=True):
        assert [part.likeness(*one) for one in zip(*of, strict=True)] == [
            plain.likeness(*one) for one in zip(*of, strict=True)
        ]


def test_what_changed_beside_known_pieces_is_looked_through_by_itself(monkeypatch):
    """Those explain nearly all of the group, which as a whole is not looked through for what nothing proposes."""
    now, then = ground(*OLD, CAME[0]), ground(*OLD)
    now = replace(now, past=Past(then, before()))
    change = change_between(now, then, S.added)
    known = unchanged(now, change, (), S.added).pieces
    assert not came_since(change, NOTHING, S.came).regions()
    changed = came_since(change, known, S.came).regions()
    col, row = np.rint(now.fine_px(np.array(CAME[0][3:5])) / now.settings.coarse).astype(int)
    (own,) = (region for region in changed if region.mask[row - region.y, col - region.x])
    assert own.area_mm2 < sum(region.area_mm2 for region in now.regions) / 2
    searched = []

    def search(windows, regions, settings, numbers=None):
        searched.extend(regions[number] for number in (range(len(regions)) if numbers is None else numbers))
        return NOTHING, np.zeros(0)

    monkeypatch.setattr(pyramid_candidates, "search", search)
    monkeypatch.setattr(pyramid_candidates, "propose", lambda *_: given(NOTHING))
    PyramidFinder().candidates.of(now, known, NOTHING, changed)
    assert any(region is own for region in searched)


def test_without_a_change_nothing_came():
    same = ground(*OLD)
    assert not len(since(same, same).pieces)
    nothing, found = came_since(None, NOTHING, S.came), PyramidFinder().see(same).found
    assert not len(nothing.pieces)
    assert nothing.gains(outlines_of(same, found), feet_of(found)).tolist() == [0.0, 0.0]


def test_a_hand_that_is_still_there_is_no_piece():
    now, then = ground(*OLD), ground(*OLD)
    log = now.log.copy()
    high, wide = log.shape[:2]
    cv2.rectangle(log, (wide // 3, high // 3), (wide // 3 + 60, high - 1), (4.0, 4.3, 4.6), -1)
    assert not since(replace(now, log=log), then).parts


@pytest.mark.parametrize(("shadow", "sizes"), [(0.45, [340, 560]), (0.7, [560])])
def test_what_is_hardly_darker_than_a_shadow_is_told_from_its_own_by_being_darker(shadow, sizes):
    now, then = ground(*OLD), ground(*OLD)
    log = now.log.copy()
    high, wide = log.shape[:2]
    x, y = wide // 3, high // 3
    log[y : y + 14, x : x + 24] -= 0.75
    log[y + 14 : y + 24, x : x + 24] -= shadow
    parts = since(replace(now, log=log), then).parts
    assert sorted(int(part.change.mask.sum()) for part in parts) == pytest.approx(sizes, rel=0.12)


TINTS = {"another colour": ((-0.08, 0.04, 0.04), 1), "lighter": ((0.08,) * 3, 0), "darker": ((-0.09, -0.06, -0.04), 0)}


@pytest.mark.parametrize(("off", "count"), TINTS.values(), ids=TINTS)
def test_what_is_as_light_as_the_table_has_come_if_its_colour_is_another(off, count):
    now, then = ground(*OLD), ground(*OLD)
    outline = np.array([(-60.0, -50.0), (-36.0, -50.0), (-36.0, -36.0), (-60.0, -36.0)])
    parts = since(tinted(now, outline, off), then).parts
    assert len(parts) == count


def test_what_may_lie_one_way_or_another_is_looked_at_in_each():
    ways, middle = np.array([90.0, 210.0, 330.0]), np.array([-60.0, -50.0])
    corners = np.stack([np.cos(np.deg2rad(ways)), np.sin(np.deg2rad(ways))], axis=1) * 12.7  # as long as wide
    now = ground(*OLD)
    pieces = since(tinted(now, middle + corners, TINTS["another colour"][0]), ground(*OLD)).pieces
    headings = pieces.place[pieces.kind == CLASSES.index(("small", "lying")), 2]
    assert np.sort(headings % 360) == pytest.approx(ways, abs=15.0)


def test_what_has_hardly_changed_is_looked_at_but_speaks_for_nothing():
    small = joined([Known(CLASSES.index(("small", "lying")), -60.0, -50.0, 30.0).placed(0.0)])
    then, outlines = ground(*OLD), outlines_of(ground(*OLD), small)
    now = tinted(then, outlines[0], (-0.14,) * 3)
    came = since(now, then)
    assert not came.parts
    assert came.gains(outlines, feet_of(small)).tolist() == [0.0]
    assert not len(came.pieces)
    (own,) = np.flatnonzero(came.perhaps.kind == small.kind[0])
    assert came.perhaps.place[own] == pytest.approx(small.place[0], abs=6.0)
    elsewhere = replace(now, zone=np.zeros(now.log.shape[:2], bool))
    assert not len(since(elsewhere, then).perhaps)


def tinted(now, outline, off):
    """A ground on which that is seen by so little, of the logarithm of its channels."""
    log = now.log.copy()
    log[change_between(now, now, S.added).drawn(outline)] += np.float32(off)
    return replace(now, log=log)


def test_a_channel_that_is_hardly_lit_shows_no_other_colour_by_its_noise():
    """As the blue of a yellow cloth does, which differs by several grey levels from picture to picture."""
    now, then, rng = ground(*OLD), ground(*OLD), np.random.default_rng(5)
    dark = np.array([-2.5, 0.0, 0.0], np.float32)  # blue to a twelfth

    def seen(look):
        noise = np.exp(-look.log[..., 0] - dark[0]) * rng.normal(0.0, 4.0, look.log.shape[:2])
        log = look.log + dark
        log[..., 0] += noise.astype(np.float32)
        return replace(look, log=log)

    plain = change_between(seen(now), seen(then), replace(S.added, tint_usual=0.0, slight_usual=0.0))
    heard = change_between(seen(now), seen(then), S.added)
    assert plain.tinted.mean() > 0.3
    assert heard.tinted.mean() < plain.tinted.mean() / 6
    assert heard.slight.mean() < plain.slight.mean() / 6


@pytest.mark.parametrize("piece", [CAME[0], CAME[2]])
def test_of_pieces_of_all_sizes_those_explain_a_part_that_are_about_as_large(piece):
    came = since(ground(*OLD, piece), ground(*OLD))
    (part,) = (part for part in came.parts if part.change.reaches(np.array([piece[3:5]])))
    middle = part.change.middle_mm()
    sizes = {CLASSES[kind][0] for kind in range(len(CLASSES)) if part.may_explain(placed(kind, *middle), S.came.least)}
    assert piece[1] in sizes
    assert {"small", "large"} - sizes == {"small", "large"} - {piece[1]}
    assert {CLASSES[kind][0] for kind in came.pieces.kind} <= sizes


@pytest.mark.parametrize("piece", CAME)
def test_only_places_that_may_explain_enough_are_followed(piece, monkeypatch):
    started, finer, change = [], pyramid_came._finer, (ground(*OLD, piece), ground(*OLD))

    def followed(part, best, share, s):
        started.append(share)
        return finer(part, best, share, s)

    def came(rise, least=S.came.least):
        started.clear()
        return since(*change, replace(S, came=replace(S.came, rise=rise, least=least))).pieces

    monkeypatch.setattr(pyramid_came, "_finer", followed)
    every = came(1.0)
    some = came(S.came.rise)
    assert (some.kind == every.kind).all()
    assert (some.place == every.place).all()
    came(1.0, 0.85)
    all_places = list(started)
    came(0.1, 0.85)
    assert started == [share for share in all_places if share > 0.75]
    assert 0 < len(started) < len(all_places)


def test_the_change_that_a_piece_has_left_behind_is_none_of_its_kind():
    _, size, pose, x, y, heading = CAME[2]
    was = ground(*OLD, CAME[2])
    there = joined([Known(CLASSES.index((size, pose)), x, y, heading).placed(0.0)])

    def gain(found):
        now = replace(ground(*OLD), past=Past(was, found))
        return since_last_look(now, S).gains(there, outlines_of(now, there))[0]

    known = PyramidFinder().find(was)
    assert len(known) == len(OLD) + 1
    assert gain(known) == 0.0
    assert gain(before()) > 0.5  # nobody knows that something lay there


def test_where_nothing_changed_nothing_came():
    came = since(ground(*OLD), ground(*OLD))
    assert came.parts == ()
    assert len(came.pieces) == len(came.perhaps) == 0


def placed(kind, x_mm, y_mm):
    """A piece of that class at a place."""
    return joined([Known(kind, x_mm, y_mm, 0.0).placed(0.0)])


def test_what_came_far_beyond_the_markers_is_looked_at_as_no_piece(monkeypatch):
    now, looked_at = ground(*OLD), []
    monkeypatch.setattr(
        pyramid_candidates, "given", lambda pieces: looked_at.extend(pieces.place[:, 1]) or given(pieces)
    )
    low = float(np.vstack(now.covered_mm)[:, 1].min())
    PyramidFinder().candidates.of(now, NOTHING, joined([placed(0, 0.0, low - 60.0), placed(0, 0.0, low - 10.0)]), ())
    assert looked_at == [low - 10.0]


def test_what_came_is_known_by_the_next_look_though_nothing_changed_since():
    finder = PyramidFinder()
    first = replace(ground(*OLD, CAME[0]), past=Past(ground(*OLD), before()))
    found = finder.find(first)
    (new,) = [claim for claim in found if claim.sighting.piece.size == "small"]
    assert new.came > 1.0
    second = finder.find(replace(ground(*OLD, CAME[0]), past=Past(first, found)))
    (still,) = [claim for claim in second if claim.sighting.piece.size == "small"]
    assert still.came == new.came


def test_what_lies_still_is_looked_at_though_it_has_no_edges_and_nothing_proposes_it(monkeypatch):
    was = before()
    monkeypatch.setattr(pyramid_judge, "log_odds", lambda columns, *_: np.full(len(columns), -20.0))
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
    _, looked_at, _ = PyramidFinder().candidates.of(now, *((NOTHING, aside) if came else (aside, NOTHING)), ())
    monkeypatch.setattr(pyramid_candidates, "propose", lambda *_: given(aside))
    _, fitted, _ = PyramidFinder().candidates.of(now, NOTHING, NOTHING, ())
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
    ("rested", "new", "against"),
    [(True, False, S.added.nothing), (True, True, 0.0), (False, False, 0.0)],
)
def test_where_two_looks_have_seen_nothing_and_nothing_has_changed_hardly_a_piece_is(rested, new, against):
    now, then = ground(*OLD, CAME[0]), ground(*OLD)
    first = then if new else now
    past = Past(now, before(), rested=Past(first, before()) if rested else None)
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
