"""Colours of sets: pieces of one picture help each other, and a taught picture helps under another light."""

import numpy as np
import pytest

from companion.pieces import PYRAMID_COLOURS
from companion.vision.pyramids.colours import BODY, TERMS, PyramidColours, shipped_looks
from companion.vision.pyramids.sets import SetSettings, unknown_set

COLOURS = np.tile(np.arange(len(PYRAMID_COLOURS)), 3)


def set_off(rng, sets=0.6):
    """By how much the colours of one set differ from the usual ones."""
    return np.array([rng.multivariate_normal(np.zeros(BODY), sets * cov) for cov in shipped_looks().spread])


def pictured(off, rng, colours=COLOURS, pieces=0.03):
    """Bodies and terms of one set's pieces over some table under some light."""
    looks, n = shipped_looks(), len(colours)
    terms = np.ones((n, TERMS))
    terms[:, 1:4] = rng.normal(-0.7, 0.3, 3) + rng.normal(0, 0.02, (n, 3))
    terms[:, 4], terms[:, 5] = np.arange(n) // len(PYRAMID_COLOURS) % 2, 0
    light = rng.multivariate_normal(np.zeros(BODY), looks.drift)
    scatter = rng.multivariate_normal(np.zeros(BODY), pieces * looks.spread.mean(axis=0), n)
    return looks.means(terms)[np.arange(n), colours] + off[colours] + light + scatter, terms


def told(known, bodies, terms):
    """The most probable colours, by the bodies alone."""
    return known.told(bodies, terms, np.zeros((len(bodies), len(PYRAMID_COLOURS))), 1.0).argmax(axis=1)


def test_teaching_one_picture_gains_under_another_light_and_over_another_table():
    rng = np.random.default_rng(8)
    untaught = taught = 0  # wrong ones
    for _ in range(40):
        off = set_off(rng, 1.5)
        few = rng.choice(COLOURS, 6)
        query = pictured(off, rng, few)
        usual = unknown_set(shipped_looks(), SetSettings())
        own = usual.taught(*pictured(off, rng), COLOURS)
        untaught += int((told(usual, *query) != few).sum())
        taught += int((told(own, *query) != few).sum())
    assert untaught > 10  # else there would be nothing to gain
    assert taught < untaught / 3


def test_a_piece_that_the_network_takes_for_another_is_told_by_the_others_of_its_colour():
    rng = np.random.default_rng(4)
    red, orange = (PYRAMID_COLOURS.index(name) for name in ("red", "orange"))
    bodies, terms = pictured(set_off(rng, 0.05), rng)
    logs = np.log(0.92 * np.eye(len(PYRAMID_COLOURS))[COLOURS] + 0.008)
    wrong = COLOURS.tolist().index(red)
    logs[wrong, [red, orange]] = np.log(0.3), np.log(0.64)
    shares = PyramidColours().told(bodies, terms, logs)[0]
    assert (shares.argmax(axis=1) == COLOURS).all()
    assert np.allclose(shares.sum(axis=1), 1.0, atol=1e-6)
    assert (
        PyramidColours().told(bodies[[wrong]], terms[[wrong]], logs[[wrong]])[0].argmax() == orange
    )  # alone it is not


def test_what_was_taught_is_kept_picture_by_picture():
    rng = np.random.default_rng(6)
    off = set_off(rng)
    names = [PYRAMID_COLOURS[c] for c in COLOURS]
    colours, again = PyramidColours(), PyramidColours()
    for _ in range(2):
        colours.learn(*pictured(off, rng), names)
    again.take(colours.arrays())
    query = pictured(off, rng)
    assert np.allclose(again.told(*query)[0], colours.told(*query)[0])
    assert not np.allclose(PyramidColours().told(*query)[0], colours.told(*query)[0])
    broken = {**colours.arrays(), "colours": np.full(len(COLOURS) * 2, 77)}
    with pytest.raises(ValueError, match="teach the set anew"):
        again.take(broken)


def test_colours_that_look_alike_are_named():
    rng = np.random.default_rng(7)
    red, orange = (PYRAMID_COLOURS.index(name) for name in ("red", "orange"))
    bodies, terms = pictured(set_off(rng, 0.0), rng)
    names = [PYRAMID_COLOURS[c] for c in COLOURS]
    alike, usual = PyramidColours(), PyramidColours()
    usual.learn(bodies, terms, names)
    bodies = bodies.copy()
    bodies[orange :: len(PYRAMID_COLOURS)] = bodies[red :: len(PYRAMID_COLOURS)]
    alike.learn(bodies, terms, names)
    pair = tuple(sorted(("red", "orange"), key=PYRAMID_COLOURS.index))
    assert pair in alike.too_close(terms.mean(axis=0))
    assert pair not in usual.too_close(terms.mean(axis=0))
