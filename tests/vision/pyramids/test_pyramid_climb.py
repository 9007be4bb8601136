"""What is nearly told is looked for where most speaks for it."""

import numpy as np
import pytest

from companion.vision.pyramids.climb import ClimbSettings, climbed
from companion.vision.pyramids.hypotheses import Hypotheses

S = ClimbSettings()
PEAK = np.array([40.0, -20.0, 75.0])


def off_by(*off):
    """A place so far off the peak."""
    return PEAK + np.array(off)


def at(*places):
    """Small lying pieces there."""
    place = np.array([(*p, 0.0) for p in places])
    return Hypotheses(np.full(len(place), 3), place, np.zeros(len(place), np.intp))


def odds_of(found):
    """Seven at the peak, and one less for each mm and each three degrees off it."""
    off = np.abs(found.place[:, :3] - PEAK)
    return np.asarray(7.0 - off[:, 0] - off[:, 1] - off[:, 2] / 3)


def climb(found, odds=None, may_be=lambda _: True):
    return climbed(odds_of, odds_of, found, odds_of(found) if odds is None else odds, feet(found), S, may_be)


def feet(found):
    return [np.array([(-5.0, -5.0), (5.0, -5.0), (0.0, 10.0)]) + place[:2] for place in found.place]


@pytest.mark.parametrize("off", [(3.0, -2.0, 6.0), (-4.0, 1.0, 8.0)])
def test_a_doubtful_one_ends_where_most_speaks_for_it(off):
    start = at(off_by(*off))
    assert S.least < odds_of(start)[0] < S.enough
    better, odds = climb(start)
    assert odds_of(better) == pytest.approx(odds)
    assert odds[0] > odds_of(start)[0] + 3.0
    assert np.hypot(*(better.place[0, :2] - PEAK[:2])) < np.hypot(*off[:2])


@pytest.mark.parametrize("off", [(0.5, 0.5, 3.0), (9.0, 6.0, 0.0)])
def test_what_is_sure_stays_and_what_is_unlikely_too(off):
    start = at(off_by(*off))
    assert not S.least < odds_of(start)[0] < S.enough
    assert not len(climb(start)[0])


def test_where_nothing_may_have_come_doubt_is_no_piece():
    assert not len(climb(at(off_by(3.0, -2.0, 6.0)), may_be=lambda _: False)[0])


def test_near_a_likelier_one_it_stays():
    both = at(off_by(3.0, -2.0, 6.0), off_by(5.0, 0.0, 0.0))
    assert not len(climb(both, np.array([0.0, 4.0]))[0])
    better, _ = climb(both, np.array([0.0, -1.0]))
    assert len(better) == 1


def test_a_likelier_one_stops_it_only_where_it_stands_itself():
    row = at(off_by(3.0, -2.0, 6.0), off_by(6.0, -2.0, 6.0), off_by(9.0, -2.0, 6.0))
    assert not len(climb(row, np.array([0.0, 4.0, -9.0]))[0])
    better, _ = climb(row, np.array([0.0, 4.0, 5.0]))
    assert len(better) == 1


@pytest.mark.parametrize(("told", "count"), [(S.sure - 0.5, 1), (S.sure + 0.5, 0)])
def test_one_of_another_class_is_tried_where_one_stands_that_is_not_sure(told, count):
    both = at(off_by(3.0, -2.0, 6.0), off_by(4.0, -2.0, 6.0))
    other = Hypotheses(np.array([3, 4]), both.place, both.window)
    assert not len(climb(both, np.array([0.0, told]))[0])
    assert len(climb(other, np.array([0.0, told]))[0]) == count


def test_only_so_many_are_followed():
    many = at(*(off_by(30.0 * k, 0.0, 0.0) for k in range(S.most + 3)))
    told = np.linspace(0.0, -1.0, len(many))
    looked, glanced = [], []

    def counted(counts):
        return lambda found: counts.append(len(found)) or np.full(len(found), -9.0)

    climbed(counted(looked), counted(glanced), many, told, feet(many), S, lambda _: True)
    assert glanced == [2 * S.most, *[6 * S.most] * len(S.steps)]
    assert looked == [S.most] * (1 + len(S.steps))


def test_what_seems_likelier_from_one_side_only_is_not_believed():
    start = at(off_by(3.0, -2.0, 6.0))
    flat = np.zeros(1)
    assert not len(
        climbed(lambda found: np.full(len(found), -1.0), odds_of, start, flat, feet(start), S, lambda _: True)[0]
    )


@pytest.mark.parametrize("kind", [3, 4])
def test_another_size_is_tried_where_one_is_doubtful(kind):
    def as_medium(found):
        return odds_of(found) - 6.0 * np.abs(found.kind - 4)

    start = Hypotheses(np.array([kind]), at(off_by(3.0, -2.0, 6.0)).place, np.zeros(1, np.intp))
    better, odds = climbed(as_medium, as_medium, start, np.full(1, -1.0), feet(start), S, lambda _: True)
    assert better.kind.tolist() == [4]
    assert as_medium(better) == pytest.approx(odds)
    small = Hypotheses(np.array([0]), start.place, start.window)  # there is no smaller one, and none of another pose
    assert climbed(odds_of, odds_of, small, np.zeros(1), feet(start), S, lambda _: True)[0].kind.tolist() == [0]
