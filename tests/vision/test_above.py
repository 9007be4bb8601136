"""The table as seen from straight above."""

import cv2
import numpy as np
import pytest

from calibration.markers import MarkerFinder
from companion.simulator.tables import TESTING, khet_table, picture_of
from companion.vision.above import from_above


@pytest.mark.parametrize(("size_mm", "width_px"), [((700.0, 480.0), 1400), ((800.0, 500.0), 1000)])
def test_markers_lie_to_scale_in_the_view_from_above(size_mm, width_px):
    table = khet_table(TESTING.start + 1, 1200, 900)
    view = from_above(picture_of(table), table.scene.camera, size_mm, width_px)
    scale = width_px / size_mm[0]
    assert view.shape == (round(size_mm[1] * scale), width_px, 3)
    found = MarkerFinder().find(view.mean(axis=2).astype(np.uint8), range(4))
    for marker in table.truth()["markers"]["list"]:
        x, y = np.array(marker["corners_mm"])[:, :2].T
        expected = np.stack([(size_mm[0] / 2 + x) * scale, (size_mm[1] / 2 - y) * scale], axis=1) - 0.5
        assert np.abs(found[marker["id"]] - expected).max() < 0.8 * scale


def test_a_large_picture_that_was_read_smaller_is_seen_as_the_small_one():
    table = khet_table(TESTING.start + 1, 1200, 900)
    small, pose = picture_of(table), table.scene.camera
    large = cv2.resize(small, None, fx=2.0, fy=2.0, interpolation=cv2.INTER_CUBIC)
    views = [from_above(picture, pose, (600.0, 400.0), 600).astype(int) for picture in (small, large)]
    assert np.abs(views[0] - views[1]).mean() < 3.0
