"""The connected parts of a mask."""

import cv2
import numpy as np

from companion.vision.connected import connected


def test_parts_are_those_of_the_usual_way_of_labelling() -> None:
    rng = np.random.default_rng(5)
    for share in (0.0, 0.1, 0.4, 0.6, 1.0):
        mask = rng.random((57, 83)) < share
        labels, boxes, middles = connected(mask)
        _, usual, usual_boxes, usual_middles = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=8)
        assert np.array_equal(labels, usual)
        assert np.array_equal(boxes, usual_boxes)
        assert np.array_equal(middles, usual_middles, equal_nan=True)
