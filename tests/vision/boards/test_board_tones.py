"""How alike the tones on a board and beside it are, for every place of a board in a view."""

import numpy as np
import pytest

from companion.vision.boards.settings import BoardSettings
from companion.vision.boards.tones import alike_everywhere

SETTINGS = BoardSettings()


@pytest.mark.parametrize(("beside", "alike"), [(0, 1.0), (5, 0.0)])
def test_the_tones_beside_a_board_are_compared_with_its_own(beside: int, alike: float) -> None:
    tones = np.full((100, 120), beside, np.uint8)
    tones[30:70, 30:90] = 0
    found = alike_everywhere(tones, (60, 40), 10, SETTINGS)
    assert found[30, 30] == pytest.approx(alike, abs=0.01)


def test_what_lies_beyond_the_view_has_no_tone() -> None:
    tones = np.zeros((40, 60), np.uint8)
    assert alike_everywhere(tones, (60, 40), 10, SETTINGS)[0, 0] == 0.0
