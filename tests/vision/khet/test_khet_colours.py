"""Which side a piece belongs to, by colour, where gloss has turned plastic pale and mirrors show their neighbours."""

import numpy as np
import pytest

from companion.vision.khet.colours import ColourSettings, SideColours, chroma
from companion.vision.reader import CellPatches

SILVER, RED = (-0.05, 0.0), (2.2, -0.05)
SURE = np.array([0.0, -6.9])  # of a network, that it is silver


@pytest.mark.parametrize("share", [0.1, 0.14, 0.17, 0.5])
def test_plastic_that_gloss_has_turned_pale_is_red_still(share) -> None:
    colours = np.array([SILVER] * 6 + [RED] * 6 + [(RED[0] * share, RED[1] * share)])
    hints = np.array([SURE] * 6 + [SURE[::-1]] * 7)
    sides = SideColours().sides(colours, np.ones(13), hints)
    assert (sides[:6, 0] > 0.95).all()
    assert (sides[6:, 1] > 0.95).all()


@pytest.mark.parametrize("pink", [0.2, 0.35, 0.5])
def test_a_mirror_that_shows_its_red_neighbour_is_silver_still(pink) -> None:
    colours = np.array([SILVER] * 6 + [RED] * 6 + [(pink, 0.0)])
    hints = np.array([SURE] * 6 + [SURE[::-1]] * 6 + [SURE])
    assert SideColours().sides(colours, np.ones(13), hints)[-1, 0] > 0.95


def blown_out(rim, board) -> CellPatches:
    """Pieces whose top is a single highlight, with a rim of this colour (BGR), beside bare board."""
    pixels = np.empty((4, 96, 96, 3), np.uint8)
    pixels[:] = board
    pixels[:2, 24:72, 24:72] = rim
    pixels[:2, 26:70, 26:70] = 255
    cells, lean = ("a1", "b1", "c1", "d1"), np.zeros((4, 2), np.float32)
    return CellPatches(pixels, cells, lean, 38 / 60, 38.0, 11.4, 800.0, (pixels == 255).all(axis=3))


@pytest.mark.parametrize("board", [(120, 60, 30), (60, 60, 60), (120, 150, 190)])
def test_a_rim_tells_the_colour_that_gloss_hides(board) -> None:
    red, grey = (chroma(blown_out(rim, board), ColourSettings()) for rim in ((40, 40, 220), (130, 130, 130)))
    assert (red[:2, 0] > 1.5).all()
    assert (np.abs(grey[:2]) < 0.1).all()
