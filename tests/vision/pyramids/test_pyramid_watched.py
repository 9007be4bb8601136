"""Pyramids of a table that is watched: the network is shown what has changed since the last look, too."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from table_seen_before import OLD, ground

from companion.vision.ground.foreground import Past, log_of
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.look import NAME, WATCHED, columns_of, look_of, shipped_look
from companion.vision.pyramids.patches import CHANNELS, MIDDLE, SINCE, PatchSettings, patches
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.proposals import ProposalSettings, region_round
from companion.vision.pyramids.score import features
from companion.vision.pyramids.search_settings import SearchSettings
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.windows import windows_of
from companion.vision.weights import WEIGHTS

FLUSH = ("black", "small", "lying", 41.0, 4.2, 195.0)  # against the medium one
SEARCH = SearchSettings()
needs_weights = pytest.mark.skipif(not (WEIGHTS / f"{WATCHED}.onnx").exists(), reason="the network is not here")


def lit(taken, share):
    """The same ground in another light."""
    shift = np.float32(np.log(share))
    colours = np.clip((taken.colours + taken.settings.dark_level) * share - taken.settings.dark_level, 0, 255)
    return replace(taken, colours=colours.astype(np.uint8), log=taken.log + shift)


def faint(piece, share):
    """The table with one more piece that differs from it by this share of what it would."""
    bare, there = ground(*OLD), ground(*OLD, piece)
    colours = cv2.addWeighted(there.colours, share, bare.colours, 1 - share, 0)
    small = cv2.resize(colours, bare.log.shape[1::-1], interpolation=cv2.INTER_AREA)
    return replace(bare, colours=colours, log=log_of(small, bare.settings))


def darker(taken, piece):
    """The same ground, where a piece would hide a darker place."""
    colours, (outline,) = taken.colours.copy(), outlines_of(taken, at(piece))
    place = cv2.fillConvexPoly(
        np.zeros(colours.shape[:2], np.uint8), np.rint(taken.fine_px(outline)).astype(np.int32), 1
    )
    colours[place > 0] //= 2
    small = cv2.resize(colours, taken.log.shape[1::-1], interpolation=cv2.INTER_AREA)
    return replace(taken, colours=colours, log=log_of(small, taken.settings))


def at(piece):
    """It as a hypothesis of the first window."""
    _, size, pose, x, y, heading = piece
    return Hypotheses(np.array([CLASSES.index((size, pose))]), np.array([[x, y, heading, 0.0]]), np.zeros(1, np.intp))


def round_it(piece, now, then=None, once=False):
    """The windows round a piece of one ground, after another."""
    known = now if then is None else replace(now, past=Past(then, (), once))
    return windows_of(known, [region_round(now, at(piece).place[:, :2], ProposalSettings())], SEARCH)


def told(windows, piece):
    """What the network for these windows says of a piece there."""
    network, tried = look_of(windows), at(piece)
    shown = patches(windows, tried, None, PatchSettings(since=network.since))
    return float(
        network.look(shown, columns_of(features(windows, tried, SEARCH), None, tried.kind), tried.kind).odds[0]
    )


@pytest.mark.parametrize("light", [1.0, 0.8])
def test_windows_of_a_watched_table_tell_what_has_changed_whatever_the_light(light):
    piece = ("yellow", "medium", "lying", -40.0, -30.0, 30.0)
    windows = round_it(piece, ground(*OLD, piece), lit(ground(*OLD), light))
    (since,) = windows.since
    assert since.shape == windows.shown[0].shape
    (patch,) = patches(windows, at(piece), None, PatchSettings(since=True))
    assert patch.shape[0] == CHANNELS + SINCE
    off, inside = np.abs(patch[CHANNELS:].astype(float) - MIDDLE).max(axis=0), patch[3] > 128
    assert np.median(off[inside]) > 30
    still = round_it(OLD[0], ground(*OLD, piece), lit(ground(*OLD), light))
    (patch,) = patches(still, at(OLD[0]), None, PatchSettings(since=True))
    assert np.median(np.abs(patch[CHANNELS:].astype(float) - MIDDLE)) < 8


@pytest.mark.parametrize(("then", "once"), [(None, False), (OLD, True)])
def test_a_first_look_and_photographs_tell_of_no_change(then, once):
    windows = round_it(FLUSH, ground(*OLD, FLUSH), None if then is None else ground(*then), once)
    assert windows.since is None
    assert look_of(windows) is shipped_look()


def test_the_first_looks_after_a_touch_tell_what_came_by_it():
    now, then = ground(*OLD, FLUSH), ground(*OLD)
    (patch,) = patches(round_it(FLUSH, now, then), at(FLUSH), None, PatchSettings(since=True))
    touched = replace(now, past=Past(now, (), calm=Past(then, ())))
    windows = windows_of(touched, [region_round(now, at(FLUSH).place[:, :2], ProposalSettings())], SEARCH)
    (again,) = patches(windows, at(FLUSH), None, PatchSettings(since=True))
    assert (again == patch).all()
    assert (patch[CHANNELS:] != MIDDLE).any()


@needs_weights
def test_a_watched_table_is_looked_at_by_a_network_of_its_own():
    network = look_of(round_it(FLUSH, ground(*OLD, FLUSH), ground(*OLD)))
    assert network is shipped_look(WATCHED)
    assert network.since
    assert not shipped_look().since


@needs_weights
def test_the_same_picture_shows_a_piece_that_came_and_none_where_one_was_taken_off():
    came = told(round_it(FLUSH, ground(*OLD, FLUSH), ground(*OLD)), FLUSH)
    gone = told(round_it(FLUSH, ground(*OLD), ground(*OLD, FLUSH)), FLUSH)
    assert came > 4.0
    assert gone < -4.0


@needs_weights
@pytest.mark.parametrize("look", [("large", "upright"), ("medium", "upright"), ("small", "lying")])
def test_a_change_of_its_outline_speaks_for_a_piece_that_has_nearly_the_tone_of_the_table(look):
    bare, piece = ground(*OLD), ("yellow", *look, -40.0, -30.0, 30.0)
    now = faint(piece, 0.1)
    came = told(round_it(piece, now, bare), piece)
    assert came > max(0.0, told(round_it(piece, now, now), piece) + 1.0)


@needs_weights
@pytest.mark.parametrize("look", CLASSES)
def test_the_bare_table_that_something_dark_has_left_is_no_piece(look):
    now, piece = ground(*OLD), ("yellow", *look, -40.0, -30.0, 30.0)
    assert told(round_it(piece, now, darker(now, piece)), piece) < -4.0


def test_without_its_weights_the_network_of_pictures_looks_at_watched_tables(own_weights):
    for ending in (".onnx", ".npz"):
        (own_weights / f"{NAME}{ending}").write_bytes((WEIGHTS / f"{NAME}{ending}").read_bytes())
    windows = round_it(FLUSH, ground(*OLD, FLUSH), ground(*OLD))
    assert not look_of(windows).since
    assert told(windows, FLUSH) == pytest.approx(told(round_it(FLUSH, ground(*OLD, FLUSH)), FLUSH), abs=1e-3)
