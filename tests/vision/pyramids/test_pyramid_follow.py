"""What is proposed is followed to where the network sees its piece, as long as it believes in it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyramid_tables import on_table, table_picture

from companion.vision.ground.foreground import see_ground
from companion.vision.pyramids import candidates
from companion.vision.pyramids.finder import PyramidFinder
from companion.vision.pyramids.follow import FollowSettings, followed, unexplained
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.look import OFF_UNITS, Opinion
from companion.vision.pyramids.patches import BASES
from companion.vision.pyramids.proposals import Proposals
from companion.vision.pyramids.settings import PyramidSettings
from companion.vision.pyramids.shapes import CLASSES

S = FollowSettings()
PIECE = np.array([12.0, -7.0])
spots = st.lists(st.tuples(st.floats(-30, 30), st.floats(-30, 30)), min_size=0, max_size=6)


def hypotheses(at):
    place = np.array([(x, y, 0.0, 0.0) for x, y in at]).reshape(-1, 4)
    return Hypotheses(np.zeros(len(at), np.intp), place, np.arange(len(at), dtype=np.intp))


class Watcher:
    """Sees a piece at one place, half of the way to it at each look, and believes in what is near."""

    def __init__(self, reach_mm):
        self.reach_mm, self.looks = reach_mm, []

    def __call__(self, found):
        self.looks.append(len(found))
        gap = PIECE - found.place[:, :2]
        off = np.column_stack([gap / 2 / BASES[found.kind][:, None], np.zeros(len(found))])
        return Opinion(np.where(np.hypot(*gap.T) < self.reach_mm, 2.0, S.least - 1), off)


@given(spots, st.floats(1.0, 40.0))
def test_what_is_believed_comes_nearer_at_each_look_and_all_else_is_left(at, reach_mm):
    watcher = Watcher(reach_mm)
    found, odds = followed(watcher, hypotheses(at), S)
    assert len(found) == len(odds) == sum(watcher.looks)
    assert len(watcher.looks) <= S.looks
    away = np.hypot(*(found.place[:, :2] - PIECE).T)
    assert ((odds > S.least) == (away < reach_mm)).all()
    for number, (x, y) in enumerate(at):
        start = float(np.hypot(*(np.array([x, y]) - PIECE)))
        looks = away[found.window == number]
        moves = start < reach_mm and start / 2 > S.off_mm
        assert np.allclose(looks, start / 2.0 ** np.arange(len(looks)))
        assert (len(looks) > 1) == moves


def test_what_is_only_turned_is_looked_at_again():
    def turned(found):
        return Opinion(np.zeros(len(found)), np.tile([0.0, 0.0, OFF_UNITS[2]], (len(found), 1)))

    found, odds = followed(turned, hypotheses([(0.0, 0.0)]), S)
    assert found.place[:, 2].tolist() == [OFF_UNITS[2] * look for look in range(S.looks)]
    assert len(odds) == S.looks


@given(spots, spots, st.integers(0, 6))
def test_followed_are_the_likeliest_that_lie_near_nothing_found(proposed, found, most):
    away = [min((np.hypot(x - u, y - v) for u, v in found), default=np.inf) for x, y in proposed]
    wanted = [number for number, near in enumerate(away) if near >= S.near_mm][:most]
    got = unexplained(hypotheses(proposed), hypotheses(found), replace(S, most=most))
    assert got.tolist() == wanted


def test_nothing_proposed_is_not_looked_at():
    watcher = Watcher(5.0)
    found, odds = followed(watcher, hypotheses([]), S)
    assert len(found) == len(odds) == 0
    assert watcher.looks == []


@pytest.mark.parametrize("looks", [0, S.looks])
def test_a_piece_that_is_proposed_beside_its_place_is_found_without_its_edges(monkeypatch, looks):
    pieces = (("clear", "large", "lying", -60.0, 10.0, 25.0), ("clear", "medium", "lying", 50.0, -20.0, 40.0))
    kinds = np.array([CLASSES.index((size, pose)) for _, size, pose, *_ in pieces])
    place = np.array([(x + 3.0, y - 3.0, heading + 8.0, 0.0) for *_, x, y, heading in pieces])
    monkeypatch.setattr(candidates, "propose", lambda *_: Proposals(kinds, place, np.ones(len(kinds))))
    never = 99.0  # log-odds that the judge who goes by edges gives nothing
    settings = PyramidSettings(follow=FollowSettings(looks=looks), proposed_worth=never, worth_a_look=never)
    seen = PyramidFinder(settings).see(see_ground(table_picture(on_table(pieces))))
    right = sum(
        np.hypot(x - found[0], y - found[1]) < 4 and abs((heading - found[2] + 180) % 360 - 180) < 3
        for *_, x, y, heading in pieces
        for found in seen.found.place
    )
    assert right == (len(pieces) if looks else 0)
