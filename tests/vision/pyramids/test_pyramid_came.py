"""A pyramid that came since the last look, told by what has changed."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from cases import long
from table_seen_before import CAME, NOTHING, OLD, S, before, ground, likely, placed

from companion.vision.ground.foreground import Past
from companion.vision.pyramids import came as pyramid_came
from companion.vision.pyramids import candidates as pyramid_candidates
from companion.vision.pyramids.came import anywhere_in, came_since
from companion.vision.pyramids.change import change_between
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import joined
from companion.vision.pyramids.known import Known, unchanged
from companion.vision.pyramids.placed import feet_of, outlines_of
from companion.vision.pyramids.proposals import given
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.since import since_last_look


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
    since = since_last_look(now, S)
    since = replace(since, came=replace(since.came, pieces=NOTHING, perhaps=NOTHING))
    PyramidFinder().candidates.of(now, since)
    assert any((region.x, region.y, region.area_mm2) == (own.x, own.y, own.area_mm2) for region in searched)


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
    assert not len(since(replace(elsewhere, taken=now), then).perhaps)  # of a cloth, too, whose pattern was taken out


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


def test_what_came_far_beyond_the_markers_is_looked_at_as_no_piece(monkeypatch):
    now, looked_at = ground(*OLD), []
    monkeypatch.setattr(
        pyramid_candidates, "given", lambda pieces: looked_at.extend(pieces.place[:, 1]) or given(pieces)
    )
    low = float(np.vstack(now.covered_mm)[:, 1].min())
    came = joined([placed(0, 0.0, low - 60.0), placed(0, 0.0, low - 10.0)])
    PyramidFinder().candidates.of(now, likely(now, came=came))
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


@pytest.mark.parametrize("piece", CAME[:3])
def test_what_came_between_photographs_is_found_where_nothing_proposes_it(monkeypatch, piece):
    then, now = ground(*OLD), ground(*OLD, piece)
    _, size, pose, x, y, _ = piece
    lay = joined([placed(CLASSES.index(old[1:3]), *old[3:5]) for old in OLD])
    monkeypatch.setattr(pyramid_candidates, "propose", lambda *_: given(lay))
    monkeypatch.setattr(pyramid_candidates, "search", lambda *_: (NOTHING,))

    def seen(past):
        found = PyramidFinder().find(replace(now, past=past))
        near = [f.sighting for f in found if np.hypot(f.sighting.x_mm - x, f.sighting.y_mm - y) < 4.0]
        return [(one.piece.size, one.piece.pose) for one in near]

    assert seen(None) == []
    assert seen(Past(then, before(), once=True)) == [(size, pose)]


def test_no_place_is_looked_at_all_over_where_the_light_has_changed():
    change = change_between(ground(*OLD, CAME[0], CAME[2]), ground(*OLD), S.added)
    lots = anywhere_in(change, S.came)
    assert len(lots) > 1
    assert all({int(kind) for kind in lot.kind} == set(range(len(CLASSES))) for lot in lots)
    assert anywhere_in(change, replace(S.came, most_parts=len(lots) - 1)) == ()
    assert anywhere_in(None, S.came) == ()
