"""Printed sheets and cards that belong to games: the score track of K'Dak's Tower, the card of Kaxxt."""

from functools import cache

import cv2
import numpy as np

from companion.prints import kaxxt, kdak
from companion.simulator.arrays import Floats
from companion.simulator.paper import PAPER, painted
from companion.simulator.prints import Print

CARD_MM = (88.0, 63.0)
CARD_THICK_MM = 0.4
PX_PER_MM = 4
TRACK_MARGIN_MM = 6.0  # of white paper that scissors leave


@cache
def robot_card() -> Floats:
    """(352, 252, 3) linear BGR: Kaxxt's card as `companion print` makes it, the way that he looks up."""
    return painted(kaxxt.card(), PX_PER_MM)


def track_print(x_mm: float, y_mm: float, turn_deg: float = 0.0) -> Print:
    """The score track as `companion print` makes it, centred at a place."""
    image = _track()
    high, wide = (side / PX_PER_MM for side in image.shape[:2])
    return Print(image, wide, high, x_mm, y_mm, turn_deg, thick_mm=0.2)


@cache
def _track() -> Floats:
    rim = round(TRACK_MARGIN_MM * PX_PER_MM)
    image = painted(kdak.track(), PX_PER_MM)
    return np.asarray(cv2.copyMakeBorder(image, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(PAPER,) * 3))
