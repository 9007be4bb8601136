"""What is nearly told on a watched table is told as faint, beside what was seen, and as long as it lies as it lay."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from pyramid_tables import table_picture

from companion.pieces import Piece
from companion.view import Sighting
from companion.vision.chances import odds_of
from companion.vision.found import Found
from companion.vision.ground.foreground import see_ground
from companion.vision.pyramids.faint import faint_beside, still_faint
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.placed import Placed, feet_of
from companion.vision.pyramids.proposals import region_round
from companion.vision.pyramids.seen import Seen
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.windows import windows_of

S = PyramidSettings()
PLACES = ((-80.0, 40.0), (90.0, -30.0))
WINDOWS = SimpleNamespace(ground=SimpleNamespace(seen_at=lambda corners: corners[..., :2]))
LARGE = Piece("pyramid", "white", "large", "lying")


def at(*places, kind: int = 2):
    """Large upright pieces there."""
    place = np.array([(x, y, 0.0, 0.0) for x, y in places]).reshape(-1, 4)
    return Hypotheses(np.full(len(place), kind), place, np.zeros(len(place), np.intp))


def seen_of(found):
    n = len(found)
    return Seen(None, found, np.full(n, 6.0), ({2: 0.99},) * n, (None,) * n, tuple(feet_of(found)))


def faint(seen, found, *odds, s=S):
    feet = feet_of(found)
    return faint_beside(seen_of(seen), WINDOWS, Placed(None, found, feet, feet), np.array(odds), s)


def test_what_is_nearly_told_is_faint_the_likeliest_first():
    tried = at((0, 0), (60, 0), (120, 0), (180, 0), (240, 0))
    told = faint(at(), tried, 0.5, S.faint - 0.1, -1.0, 0.9, -2.0)
    assert told.found.place[:, 0].tolist() == [180, 0, 120]
    assert told.odds.tolist() == [0.9, 0.5, -1.0]
    assert [p[2] for p in told.rivals] == pytest.approx([1 / (1 + np.exp(-x)) for x in told.odds])


def test_of_several_at_one_place_one_is_told_with_the_others_as_its_rivals():
    both = Hypotheses(np.array([2, 1]), at((0, 0), (2, 1)).place, np.zeros(2, np.intp))
    told = faint(at(), both, 0.5, -0.5)
    assert told.found.kind.tolist() == [2]
    assert told.rivals[0][2] > told.rivals[0][1] > 0.1


@pytest.mark.parametrize(("x", "count"), [(0.0, 0), (12.0, 0), (17.0, 1), (26.0, 1)])
def test_beside_what_was_seen_that_may_be_measured_badly(x, count):
    assert len(faint(at((0, 0)), at((x, 0)), 0.5).found) == count


def test_beside_the_pieces_they_are_told_after_them():
    seen = seen_of(at((0, 0)))
    told = faint(at((0, 0)), at((60, 0)), 0.5)
    seen = Seen(
        WINDOWS,
        *(getattr(seen, name) for name in ("found", "odds", "rivals", "on", "outlines")),
        came=np.array([1.5]),
    )
    both = told.beside(seen, S)
    assert both.found.place[:, 0].tolist() == [0, 60]
    assert both.came.tolist() == [1.5, 0.0]
    assert both.on == (None, None)


def test_what_was_found_in_other_windows_is_seen_in_one_with_the_pieces():
    ground = see_ground(table_picture((), 1))
    one, two = (windows_of(ground, [region_round(ground, np.array([p]), S.proposals)], S.search) for p in PLACES)
    feet = [feet_of(at(place)) for place in PLACES]
    seen = Seen(one, at(PLACES[0]), np.full(1, 6.0), ({2: 0.99},), (None,), tuple(feet[0]), came=np.zeros(1))
    other = Placed(ground, replace(at(PLACES[1]), window=np.full(1, 2)), feet[1], feet[1])
    told = faint_beside(seen, two, other, np.zeros(1), S)
    both = told.beside(seen, S)
    assert both.found.place[:, :2].tolist() == [list(place) for place in PLACES]
    high, wide = both.windows.logs[0].shape[:2]
    at_px = ground.fine_px(np.array(PLACES)) - both.windows.corner[both.found.window]
    assert ((at_px > 0) & (at_px < (wide, high))).all()


SQUARE = np.array([(0.0, 0.0), (20.0, 0.0), (20.0, 20.0), (0.0, 20.0)])


def claim(x: float = 0.0, faint: bool = True, piece: Piece = LARGE, on: int | None = None):
    return Found(Sighting(((piece, 0.3),), x, 0.0, faint=faint), 0.3, SQUARE + np.array([x, 0.0]), on)


def since(*found, changed: float = 0.0, watched: bool = True):
    """A look after one with these claims, since when so much of each outline has changed."""
    change = SimpleNamespace(of=lambda outline: changed) if watched else None
    return SimpleNamespace(watched=change, ground=SimpleNamespace(past=SimpleNamespace(found=found)))


def test_what_was_faint_is_so_still_while_nothing_has_changed_there():
    one, two = claim(0.0), claim(60.0)
    assert still_faint(since(one, two), [], S) == [one, two]
    assert still_faint(since(one, two), [SQUARE + 1.0], S) == [two]
    assert still_faint(since(one, changed=S.added.quiet), [], S) == []
    assert still_faint(since(one, watched=False), [], S) == []


@pytest.mark.parametrize("other", [claim(faint=False), claim(piece=Piece("die", value="3")), claim(on=0)])
def test_what_was_told_or_is_no_pyramid_or_stands_on_one_is_not_kept(other):
    assert still_faint(since(other), [], S) == []


def test_what_is_told_is_likelier_than_what_is_faint():
    assert odds_of(S.perhaps) > S.faint
