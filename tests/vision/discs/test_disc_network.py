"""The network that sees whether a disc lies on a cell, beside the judges that go by numbers."""

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.discs import reader as disc_reader
from companion.vision.discs.groups import GroupSettings
from companion.vision.discs.looks import BoardLooks
from companion.vision.discs.network import SIDE_PX, looks_of, shipped
from companion.vision.discs.parting import PartingSettings
from companion.vision.discs.reader import DiscReader, DiscSettings
from companion.vision.discs.rings import RingSettings, reduced
from tests.vision.disc_boards import cut_board, wrong

FAINT = (126, 139, 294, 304)  # boards on which circles and colours alone tell some cell wrongly or not at all
LIKE_DISCS = 2  # a board whose empty cells look like discs, but for real ones beside them
SETTINGS = PartingSettings()
EACH = GroupSettings(weight=0.0)  # no cell is told by what the groups of its board look like


class Sure:
    """Sees a disc on every cell."""

    def odds(self, looks: np.ndarray) -> np.ndarray:
        return np.full(len(looks), 30.0, np.float32)


def mistakes(reader: DiscReader, number: int) -> int:
    patches, pieces = cut_board(number)
    readings = reader.read(patches)
    return len(wrong(patches, pieces, readings)) + sum(reading.why is not None for reading in readings)


@pytest.mark.parametrize("number", FAINT)
def test_discs_that_hardly_differ_and_prints_that_look_like_discs_are_told_by_sight(number, monkeypatch) -> None:
    assert mistakes(DiscReader(DiscSettings(groups=EACH)), number) == 0
    monkeypatch.setattr(disc_reader, "shipped", lambda: None)
    assert mistakes(DiscReader(DiscSettings(groups=EACH)), number) > 0


def test_what_the_network_sees_weighs_against_what_a_judge_says() -> None:
    patches, pieces = cut_board(0)
    bare = [i for i, cell in enumerate(patches.cells) if cell not in pieces]
    usual, swayed = (reader.read(patches) for reader in (DiscReader(), DiscReader(network=Sure())))
    assert bare
    assert all(usual[i].beliefs[0][0].kind == "empty" for i in bare)
    assert any(swayed[i].beliefs[0][0].kind != "empty" for i in bare)


def test_empty_cells_that_look_like_discs_are_told_beside_real_ones() -> None:
    at_even_odds = DiscSettings(parting=replace(SETTINGS, gain=1e9), groups=EACH)
    assert mistakes(DiscReader(at_even_odds), LIKE_DISCS) > 0
    assert mistakes(DiscReader(DiscSettings(groups=EACH)), LIKE_DISCS) == 0


@pytest.mark.parametrize("margin_px", [0, 9, 40])
def test_cells_with_any_margin_are_seen_in_one_size_and_a_dim_board_as_a_bright_one(margin_px) -> None:
    small = reduced(cut_board(0)[0], RingSettings())
    side = int(small.cell_px) + margin_px
    pixels = np.tile(np.linspace(5, 100, side, dtype=np.float32)[None, :, None], (2, side, 1, 3))
    dim, bright = (
        looks_of(replace(small, pixels=pixels * light), BoardLooks(np.ones((2, 3), np.float32), 100 * light, 5, 1))
        for light in (1.0, 1.8)
    )
    assert dim.shape == (2, SIDE_PX, SIDE_PX, 3)
    assert np.abs(dim.astype(int) - bright).max() <= 1
    assert dim[0, 0, 0, 0] < dim[0, 0, -1, 0]


def test_of_no_cells_nothing_is_asked() -> None:
    network = shipped()
    assert network.odds(np.zeros((0, SIDE_PX, SIDE_PX, 3), np.uint8)).shape == (0,)
