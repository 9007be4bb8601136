"""Corners that a host dragged on the page, while the camera's pictures go on."""

import numpy as np
import pytest
from loop_tables import HandLoop, TableEyes, frames

from companion.referee.happenings import PutBack, Ruled, SetUp
from companion.service.vision_loop import MAY_HAVE_MOVED, OTHER_SHAPE, PICTURE_WIDTH
from hardware.pictures import frame_of

DRAGGED = np.array([[96.0, 72.0], [864.0, 72.0], [864.0, 648.0], [96.0, 648.0]])
NOISE = np.random.default_rng(1).integers(0, 255, (1200, 1600, 3), np.uint8)


def test_corners_dragged_on_the_small_picture_are_scaled_to_the_cameras() -> None:
    table = HandLoop("khet")
    table.loop.set_corners(DRAGGED)
    table.see(*frames(3, NOISE))
    assert table.eyes.asked[-1] == pytest.approx(DRAGGED * 1600 / PICTURE_WIDTH)


@pytest.mark.parametrize(
    ("size", "kept"), [((800, 600), True), ((1280, 720), False)], ids=["smaller", "of another shape"]
)
def test_dragged_corners_follow_a_camera_that_comes_back_with_another_size(size: tuple[int, int], kept: bool) -> None:
    whole, other = (frame_of(NOISE[:high, :wide], float(n), n) for n, (wide, high) in enumerate([(1600, 1200), size]))
    table = HandLoop("khet").see(whole)
    table.loop.set_corners(DRAGGED)
    for shown, width in ((whole, 1600), (other, size[0]), (whole, 1600)):
        table.see(shown, shown)
        if width == 1600 or kept:
            assert table.eyes.asked[-1] == pytest.approx(DRAGGED * width / PICTURE_WIDTH)
        else:
            assert table.eyes.asked[-1] is None
        assert (OTHER_SHAPE in table.notices) is (width != 1600 and not kept)


@pytest.mark.parametrize(("cells", "dragged", "told"), [(5, True, True), (2, True, False), (5, False, False)])
def test_where_very_much_lies_amiss_dragged_corners_are_doubted(cells: int, dragged: bool, told: bool) -> None:
    table, shots = HandLoop("ataxx", TableEyes(), learn=False), frames(4)
    table.desk.table.record(SetUp())
    if dragged:
        table.loop.set_corners(DRAGGED)
    amiss = ("a1", "a2", "a3", "a4", "a5")[:cells]
    table.desk.table.record(Ruled("unexplained", "A4", "No action does that.", cells=amiss))
    assert (MAY_HAVE_MOVED in table.see(*shots[:2]).notices) is told
    table.desk.table.record(PutBack())
    assert MAY_HAVE_MOVED not in table.see(*shots[2:]).notices
