"""Cells told by what the groups of their board look like: empty ones of each tone, black and white discs."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.pieces import EMPTY
from companion.vision.discs.groups import GroupSettings, regrouped
from companion.vision.discs.neighbours import Around
from companion.vision.discs.reader import DiscReader, DiscSettings
from tests.vision.disc_boards import cut_board, wrong

SETTINGS = GroupSettings()
SIDE = 8
PLACES = np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), axis=-1).reshape(-1, 2).astype(np.float32)
TONES = PLACES.sum(axis=1).astype(np.int64) % 2
SEEDS = st.integers(0, 2**31)
GREYS = (4.0, 4.6, 4.1, 5.2)  # of empty cells of both tones, of black and of white discs
HUES = ((0.0, 0.0), (-0.2, 0.1), (0.12, 0.0), (0.0, 0.05))


def board(seed: int, sure: float = 0.98, alike: float = 1.0) -> tuple[Around, np.ndarray]:
    """Cells that are told as they are with `sure`, and what is on them; groups spread less than usual or more."""
    rng = np.random.default_rng(seed)
    held = rng.integers(0, 3, SIDE * SIDE)
    group = np.where(held == 0, TONES, held + 1)
    greys = np.array(GREYS)[group] + alike * rng.normal(0, 0.03, len(group))
    hues = np.array(HUES)[group] + alike * rng.normal(0, 0.01, (len(group), 2))
    shares = np.full((len(held), 3), (1 - sure) / 2)
    shares[np.arange(len(held)), held] = sure
    both = np.repeat(greys[:, None], 2, axis=1).astype(np.float32)
    lights = np.exp(greys - 5.2).astype(np.float32)
    return Around(PLACES, both, shares.astype(np.float32), lights, hues.astype(np.float32), TONES), held


def in_doubt(around: Around, cells: np.ndarray, held: np.ndarray, right: float) -> Around:
    """The same where only so much is given to what is on these cells, and the rest to what looks most like it."""
    shares = around.shares.copy()
    for cell in cells:
        rival = {0: 1, 1: 0, 2: 1}[int(held[cell])]
        shares[cell] = 0.001
        shares[cell, held[cell]], shares[cell, rival] = right, 0.999 - right
    return replace(around, shares=shares)


def told(around: Around, own: int = SIDE * SIDE) -> np.ndarray:
    return regrouped(around, own, 2, SETTINGS).shares


def test_what_is_in_doubt_is_told_by_the_group_that_it_looks_like() -> None:
    before, after = 0, 0
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        around, held = board(seed)
        doubted = in_doubt(
            around, rng.choice(len(held), rng.integers(1, 10), replace=False), held, rng.uniform(0.1, 0.6)
        )
        before += (doubted.shares.argmax(axis=1) != held).any()
        after += (told(doubted).argmax(axis=1) != held).any()
    assert before > 700
    assert after < 6  # where much of a small group is in doubt at once


@given(SEEDS)
def test_shares_stay_shares_and_whatever_was_sure_stays(seed) -> None:
    around, held = board(seed, sure=0.9999, alike=4.0)
    shares = told(around)
    assert np.allclose(shares.sum(axis=1), 1, atol=1e-5)
    assert (shares >= 0).all()
    assert (shares.argmax(axis=1) == held).all()


@given(SEEDS, st.sampled_from([0, 1, 2]))
def test_boards_of_one_group_tell_nothing_new(seed, only) -> None:
    around, _ = board(seed)
    greys = np.full((SIDE * SIDE, 2), 4.5, np.float32)
    shares = np.full((SIDE * SIDE, 3), 0.05, np.float32)
    shares[:, only] = 0.9
    alike = replace(around, greys=greys, hues=np.zeros((SIDE * SIDE, 2), np.float32), shares=shares)
    assert (told(alike).argmax(axis=1) == only).all()


@given(SEEDS, st.integers(1, 5))
def test_a_few_cells_are_told_by_the_groups_of_all(seed, few) -> None:
    around, held = board(seed)
    last = np.arange(len(held) - few, len(held))
    doubted = in_doubt(around, last, held, 0.3)
    shares = told(doubted, own=few)
    assert (shares[-few:].argmax(axis=1) == held[-few:]).all()
    assert (shares[:-few] == doubted.shares[:-few]).all()


@pytest.mark.parametrize("seed", range(20))
def test_black_discs_most_of_which_are_taken_for_white_are_told_by_their_grey(seed) -> None:
    around, held = board(seed)
    black = np.flatnonzero(held == 1)
    shares = around.shares.copy()
    shares[black] = [0.001, 0.03, 0.969]
    shares[black[:3]] = [0.001, 0.969, 0.03]
    assert (told(replace(around, shares=shares)).argmax(axis=1) == held).all()


@given(SEEDS)
def test_what_is_like_nothing_on_the_board_may_be_what_nothing_else_is(seed) -> None:
    around, held = board(seed)
    taken = np.flatnonzero(held > 0)
    full = Around(*(getattr(around, name)[taken] for name in Around.__slots__))
    shares, greys, hues = full.shares.copy(), full.greys.copy(), full.hues.copy()
    shares[-1], greys[-1], hues[-1] = [0.3, 0.69, 0.01], 4.7, [0.3, -0.2]  # the only empty cell
    told_now = regrouped(replace(full, shares=shares, greys=greys, hues=hues), len(taken), 2, SETTINGS).shares
    assert told_now[-1].argmax() == 0


def test_a_single_cell_that_nothing_is_like_is_told_as_it_was() -> None:
    lone = Around(*(getattr(board(1)[0], name)[:1] for name in Around.__slots__))
    for shares in np.eye(3, dtype=np.float32) * 0.8 + 0.0667:
        assert told(replace(lone, shares=shares[None]), own=1).argmax() == shares.argmax()


@pytest.mark.parametrize("number", [126, 139])
def test_a_board_is_told_by_its_groups_without_the_network(number, monkeypatch) -> None:
    monkeypatch.setattr("companion.vision.discs.reader.shipped", lambda: None)
    patches, pieces = cut_board(number)
    each = DiscReader(DiscSettings(groups=GroupSettings(weight=0.0))).read(patches)
    doubt = [r for c, r in zip(patches.cells, each, strict=True) if r.why or r.beliefs[0][0] != pieces.get(c, EMPTY)]
    reader = DiscReader()
    readings = reader.read(patches)
    assert not wrong(patches, pieces, readings)
    assert len(doubt) > sum(r.why is not None for r in readings)
    doubted = [i for i, reading in enumerate(each) if reading in doubt][:4]
    few = patches.only(doubted)  # of a board that is watched only what has changed is read again
    assert not wrong(few, pieces, again := reader.read(few))
    assert sum(r.why is not None for r in again) < len(doubted)
