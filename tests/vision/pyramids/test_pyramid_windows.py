"""What has changed on a watched table is shown beside what is seen now, but where a piece has left it bare."""

from dataclasses import replace

import numpy as np
import pytest
from table_seen_before import CAME, OLD, S, before, ground

from companion.vision.ground.foreground import Past
from companion.vision.pyramids.known import Known
from companion.vision.pyramids.placed import outlines_of
from companion.vision.pyramids.proposals import region_round
from companion.vision.pyramids.shapes import CLASSES
from companion.vision.pyramids.windows import BAND, gradient_of, windows_of

BLACK, YELLOW = OLD[1], CAME[3]


def changed_at(now, then, found, piece) -> float:
    """The greatest change that is shown where a piece lies or lay."""
    seen = replace(now, past=Past(then, found))
    _, size, pose, x, y, heading = piece
    region = region_round(now, np.array([(x, y)]), S.proposals)
    windows = windows_of(seen, [region], S.search)
    (outline,) = outlines_of(now, Known(CLASSES.index((size, pose)), x, y, heading).placed(0.0))
    col, row = np.rint(now.fine_px(outline.mean(axis=0)) - windows.corner[0]).astype(int)
    return float(np.abs(windows.since[0][row - 4 : row + 5, col - 4 : col + 5]).max())


def test_what_came_is_shown() -> None:
    assert changed_at(ground(*OLD, YELLOW), ground(*OLD), before(), YELLOW) > 0.3


@pytest.mark.parametrize(("found", "shown"), [(True, False), (False, True)])
def test_what_went_is_not_shown_where_it_was_known(found: bool, shown: bool) -> None:
    """The gap has the outline of a piece, and clear plastic looks like the bare table."""
    gap = changed_at(ground(OLD[0]), ground(*OLD), before() if found else (), BLACK)
    assert (gap > 0.3) == shown
    assert shown or gap == 0.0


def test_another_piece_in_the_place_of_a_known_one_is_shown() -> None:
    other = ("red", *BLACK[1:])
    assert changed_at(ground(OLD[0], other), ground(*OLD), before(), other) > 0.3


@pytest.mark.parametrize("blur_px", [0.0, 0.8, 2.0])
def test_a_gradient_shows_no_seam_between_the_bands_it_is_taken_in(blur_px: float) -> None:
    log = np.random.default_rng(5).random((3 * BAND + 7, 40, 3)).astype(np.float32)
    about = slice(BAND - 20, BAND + 20)
    whole, alone = gradient_of(log, blur_px)[about], gradient_of(log[about], blur_px)
    np.testing.assert_array_equal(whole[10:-10], alone[10:-10])
