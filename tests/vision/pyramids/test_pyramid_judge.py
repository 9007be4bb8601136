"""The judge of hypotheses: what is chosen is looked at from all sides, unless it was known before."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from pyramid_tables import on_table, table_picture

from companion.simulator.odds_and_ends import cube
from companion.simulator.tables import TESTING
from companion.vision.ground.foreground import Past, see_ground
from companion.vision.pyramids import candidates as pyramid_candidates
from companion.vision.pyramids import look as pyramid_look
from companion.vision.pyramids.candidates import Candidates
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.judge import Judge
from companion.vision.pyramids.look import ALL, SECOND, Opinion, shipped_look
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.since import since_last_look
from companion.vision.pyramids.windows import windows_of
from companion.vision.weights import WEIGHTS

S = PyramidSettings()
PIECES = (("red", "large", "upright", -60.0, 30.0, 10.0), ("blue", "medium", "lying", 70.0, -20.0, 40.0))
needs_weights = pytest.mark.skipif(not (WEIGHTS / "pyramid_look.onnx").exists(), reason="the network is not here")


@cache
def ground():
    return see_ground(table_picture(on_table(PIECES), 2))


def near(found, piece):
    """True if something was found where a piece lies."""
    return any(np.hypot(f.sighting.x_mm - piece[3], f.sighting.y_mm - piece[4]) < 5.0 for f in found)


@needs_weights
def test_what_looks_like_no_piece_from_all_sides_is_none(monkeypatch):
    told = Judge.from_all_sides

    def from_all_sides(self, windows, there):
        odds = told(self, windows, there)
        return np.where(there.place[:, 0] > 0, -30.0, odds)

    monkeypatch.setattr(Judge, "from_all_sides", from_all_sides)
    found = PyramidFinder().find(ground())
    assert [near(found, piece) for piece in PIECES] == [True, False]


@needs_weights
def test_what_was_known_before_and_has_not_changed_is_not_doubted(monkeypatch):
    known = [replace(claim, again=True) for claim in PyramidFinder().find(ground())]
    asked = []
    monkeypatch.setattr(
        Judge, "from_all_sides", lambda _, __, there: asked.extend(there.place) or np.full(len(there), -30.0)
    )
    monkeypatch.setattr(Judge, "refused", lambda _, __, there: asked.extend(there.place) or np.ones(len(there), bool))
    assert not PyramidFinder().find(ground())
    assert len(asked) >= len(PIECES)
    asked.clear()
    found = PyramidFinder().find(replace(ground(), past=Past(ground(), known)))
    assert [near(found, piece) for piece in PIECES] == [True, True]
    assert not asked


@needs_weights
def test_what_the_second_network_refuses_is_no_piece(monkeypatch):
    monkeypatch.setattr(Judge, "refused", lambda _, __, there: there.place[:, 0] > 0)
    found = PyramidFinder().find(ground())
    assert [near(found, piece) for piece in PIECES] == [True, False]


@needs_weights
@pytest.mark.parametrize(("watched", "refused"), [(False, [True, True, False]), (True, [True, False, False])])
def test_of_a_watched_table_only_what_a_picture_shows_is_refused(monkeypatch, watched, refused):
    told = {shipped_look(SECOND): np.array([-5.0, -5.0, 2.0]), shipped_look(): np.array([3.0, -2.0, 3.0])}
    places = np.array([[x, 30.0, 10.0, 0.0] for x in (-60.0, 0.0, 60.0)])
    found = Hypotheses(np.zeros(3, np.intp), places, np.zeros(3, np.intp))

    def opinion(self, network, windows, there, *_):
        kept = [places[:, 0].tolist().index(x) for x in there.place[:, 0]]
        return Opinion(told[network][kept], np.zeros((len(kept), 3)))

    monkeypatch.setattr(Judge, "_opinion", opinion)
    windows = windows_of(ground(), ground().regions, S.search)
    windows = replace(windows, since=windows.log if watched else None)
    assert Judge(S).refused(windows, found).tolist() == refused


@needs_weights
def test_cubes_are_no_pyramids():
    rng = np.random.default_rng(TESTING.start)
    places = [(x, y) for x in (-140.0, -50.0, 40.0, 130.0) for y in (-60.0, 50.0)]
    cubes = tuple(cube(rng, f"cube {number}", *place) for number, place in enumerate(places))
    things = (*on_table((("red", "large", "upright", 0.0, 0.0, 10.0),)), *cubes)
    sure = [f for f in PyramidFinder().find(see_ground(table_picture(things, 2))) if f.sighting.why is None]
    assert [(f.sighting.piece.colour, f.sighting.piece.size) for f in sure] == [("red", "large")]


def test_better_places_are_looked_at_from_all_sides(monkeypatch):
    doubts = []

    def glanced_at(told, glance, found, *_):
        glance(found)
        return found, told(found)

    def look(self, windows, found, carriers=None, doubt=0.0, columns=None):
        doubts.append(doubt)
        return Opinion(np.zeros(len(found)), np.zeros((len(found), 3)))

    monkeypatch.setattr(Judge, "look", look)
    monkeypatch.setattr(pyramid_candidates, "look_of", lambda _: object())
    monkeypatch.setattr(pyramid_candidates, "climbed", glanced_at)
    windows = windows_of(ground(), ground().regions, S.search)
    found = Hypotheses(np.zeros(1, np.intp), np.array([[-60.0, 30.0, 10.0, 0.0]]), np.zeros(1, np.intp))
    _, odds = Candidates(Judge(S)).climbed(windows, since_last_look(ground(), S), found, np.zeros(1))
    assert doubts == [0.0, ALL]  # and only those that seem best at a glance
    assert odds.tolist() == [0.0, 0.0]


def test_without_a_network_nothing_speaks_against_what_is_chosen(own_weights):
    windows = windows_of(ground(), ground().regions, S.search)
    found = Hypotheses(np.zeros(1, np.intp), np.zeros((1, 4)), np.zeros(1, np.intp))
    assert Judge(S).from_all_sides(windows, found).tolist() == [np.inf]
    assert Judge(S).refused(windows, found).tolist() == [False]


def test_the_network_is_asked_once_where_a_hypothesis_rather_lies(monkeypatch):
    looked = []

    def look(self, patches, columns, kind, doubt=0.0):
        looked.append(len(kind))
        return Opinion(np.zeros(len(kind)), np.zeros((len(kind), 3)))

    monkeypatch.setattr(pyramid_look.LookNetwork, "look", look)
    windows = windows_of(ground(), ground().regions, S.search)
    found = Hypotheses(
        np.zeros(2, np.intp), np.array([[x, 30.0, 10.0, 0.0] for x in (-60.0, 60.0)]), np.zeros(2, np.intp)
    )
    judge = Judge(S)
    judge.measured(windows, found.only([0]))
    judge.measured(windows, found)
    judge.measured(windows, found)
    assert looked == [1, 1]


@needs_weights
@pytest.mark.parametrize("here", [1.0, -1.0, 0.0])
def test_what_is_likelier_where_it_was_tried_is_measured_there(here, monkeypatch):
    windows = windows_of(ground(), ground().regions, S.search)
    tried = Hypotheses(np.array([0, 0]), np.array([[x, 30.0, 10.0, 0.0] for x in (-62.0, -58.0)]), np.zeros(2, np.intp))
    judge = Judge(S)
    moved = judge.measured(windows, tried).place
    assert (np.hypot(*(moved - tried.place)[:, :2].T) > 0.1).all()
    odds = {at.tobytes(): told for at, told in ((tried.place[0], here), (moved[0], 0.0), (tried.place[1], -9.0))}
    monkeypatch.setattr(
        Judge, "from_all_sides", lambda _, __, found: np.array([odds.get(at.tobytes(), 9.0) for at in found.place])
    )
    judge.keep_likelier(windows, tried)
    stays = tried.place[0] if here > 0 else moved[0]
    assert judge.measured(windows, tried).place.tolist() == [stays.tolist(), moved[1].tolist()]


def test_without_a_network_every_place_is_measured(own_weights):
    windows = windows_of(ground(), ground().regions, S.search)
    found = Hypotheses(np.zeros(1, np.intp), np.zeros((1, 4)), np.zeros(1, np.intp))
    Judge(S).keep_likelier(windows, found)
    assert not windows.offs
