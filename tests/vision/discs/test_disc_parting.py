"""Where discs part from empty cells: by the groups that the cells of a board fall into."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.discs.groups import GroupSettings
from companion.vision.discs.parting import PartingSettings, partings
from companion.vision.discs.reader import DiscReader, DiscSettings
from tests.vision.disc_boards import cut_board, wrong

SETTINGS = PartingSettings()
NARROW = st.integers(0, 2**31)


def group(rng: np.random.Generator, count: int, middle: float, spread: float) -> np.ndarray:
    return rng.normal(middle, spread, count)


def parted(*tones: Sequence[np.ndarray]) -> np.ndarray:
    """Of boards whose tones have these groups, all of black discs."""
    odds = np.concatenate([np.concatenate(groups) for groups in tones])
    number = np.repeat(np.arange(len(tones)), [sum(map(len, groups)) for groups in tones])
    return partings(odds, np.zeros(len(odds), bool), number, len(tones), SETTINGS)


@given(NARROW, st.floats(-28, -14), st.floats(18, 50), st.integers(1, 30), st.integers(1, 30))
def test_usual_boards_part_at_even_odds(seed, empty, disc, bare, held) -> None:
    rng = np.random.default_rng(seed)
    tones = [[group(rng, bare, empty + more, 1.5), group(rng, held, disc + more, 3.0)] for more in (0, 2)]
    assert parted(*tones).tolist() == [0, 0]


@given(NARROW, st.floats(1, 4), st.floats(22, 45), st.integers(10, 40), st.integers(3, 12))
def test_prints_on_cells_of_one_tone_are_parted_from_discs(seed, prints, disc, bare, held) -> None:
    rng = np.random.default_rng(seed)
    printed = [group(rng, bare, prints, 0.8), group(rng, held, disc, 2.5)]
    light, dark = parted(printed, [group(rng, bare, -20, 1.5), group(rng, held, disc, 2.5)])
    assert printed[0].max() < light < printed[1].min()
    assert dark == 0


@given(NARROW, st.floats(-4, -2), st.integers(6, 20))
def test_black_discs_on_black_cells_are_parted_from_empty_ones(seed, black, held) -> None:
    rng = np.random.default_rng(seed)
    bare, hardly_seen = group(rng, held, -20, 1.0), group(rng, held, black, 1.0)
    dark, light = parted([bare, hardly_seen], [group(rng, held, -21, 1.5), group(rng, held, 35, 3)])
    assert bare.max() < dark < hardly_seen.min()
    assert light == 0


def test_where_one_tone_shows_how_much_is_taken_no_disc_need_lie_on_the_other() -> None:
    rng = np.random.default_rng(3)
    few = parted([group(rng, 40, 3, 0.8), group(rng, 4, 35, 3)], [group(rng, 44, 2, 0.8)])
    assert few[0] > 6
    assert few[1] > 6


def test_of_cells_all_alike_and_of_none_nothing_is_parted() -> None:
    assert parted([np.full(9, 30.0)], [np.full(9, -20.0)]).tolist() == [0, 0]
    assert parted([np.zeros(0)], [np.full(9, -20.0)]).tolist() == [0, 0]


def test_a_few_cells_are_parted_as_the_whole_board_was(monkeypatch: pytest.MonkeyPatch) -> None:
    patches, pieces = cut_board(2)  # its empty cells look like discs, but for real ones beside them
    each = DiscSettings(groups=GroupSettings(weight=0.0))  # no cell is told by what the groups of its board look like
    reader, even = DiscReader(each), DiscReader(replace(each, parting=replace(SETTINGS, gain=1e9)))
    assert not wrong(patches, pieces, reader.read(patches))
    assert wrong(patches, pieces, even.read(patches))
    few = patches.only([i for i, cell in enumerate(patches.cells) if cell not in pieces][:3])
    assert not wrong(few, pieces, reader.read(few))
    assert wrong(few, pieces, even.read(few))
