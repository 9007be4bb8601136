"""Which side a piece belongs to, by colour, where gloss has turned plastic pale and mirrors show their neighbours."""

import numpy as np
import pytest

from companion.vision.khet_colours import SideColours

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
