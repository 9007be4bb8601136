"""Printed sheets and cards that belong to games: the score track of K'Dak's Tower, the card of Kaxxt."""

from functools import cache

import cv2
import numpy as np

from companion.prints import kdak
from companion.simulator.arrays import Floats, Pixels
from companion.simulator.paper import WHITE, painted
from companion.simulator.prints import Print

CARD_MM = (88.0, 63.0)
CARD_THICK_MM = 0.4
PX_PER_MM = 4
TRACK_MARGIN_MM = 6.0  # of white paper that scissors leave
INK = (0.05, 0.05, 0.06)


@cache
def robot_card() -> Floats:
    """(352, 252, 3) linear BGR: a robot's head, seen from the front, with his name at the foot of the card."""
    high, wide = (round(side * PX_PER_MM) for side in CARD_MM)
    image = np.full((high, wide, 3), 0.72, np.float32)
    cv2.rectangle(image, (8, 8), (wide - 9, high - 9), (0.35, 0.16, 0.06), 3, cv2.LINE_AA)
    steel, dark, glow = (0.42, 0.36, 0.32), (0.05, 0.05, 0.06), (0.05, 0.08, 0.6)
    cv2.rectangle(image, (66, 90), (186, 210), steel, -1)
    cv2.rectangle(image, (66, 90), (186, 210), dark, 4, cv2.LINE_AA)
    cv2.line(image, (126, 90), (126, 52), dark, 5, cv2.LINE_AA)
    cv2.circle(image, (126, 46), 10, glow, -1, cv2.LINE_AA)
    for x in (98, 154):
        cv2.circle(image, (x, 132), 16, dark, -1, cv2.LINE_AA)
        cv2.circle(image, (x, 132), 8, glow, -1, cv2.LINE_AA)
    cv2.rectangle(image, (92, 172), (160, 192), dark, -1)
    for x in range(100, 160, 12):
        cv2.line(image, (x, 172), (x, 192), steel, 2)
    _write(image, "KAXXT", (54, 292), 1.5, 5)
    _write(image, "ON ICE", (76, 328), 0.9, 3)
    return image


def track_print(x_mm: float, y_mm: float, turn_deg: float = 0.0) -> Print:
    """The score track as `companion print` makes it, centred at a place."""
    image = _track()
    high, wide = (side / PX_PER_MM for side in image.shape[:2])
    return Print(image, wide, high, x_mm, y_mm, turn_deg, thick_mm=0.2)


@cache
def _track() -> Floats:
    rim = round(TRACK_MARGIN_MM * PX_PER_MM)
    image = painted(kdak.track(), PX_PER_MM)
    return np.asarray(cv2.copyMakeBorder(image, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(WHITE,) * 3))


def _write(image: Floats, text: str, at: tuple[int, int], size: float, thick: int) -> None:
    cover: Pixels = np.zeros(image.shape[:2], np.uint8)  # OpenCV 5 writes on 8-bit pictures only
    cv2.putText(cover, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, 255, thick, cv2.LINE_AA)
    share = (cover / np.float32(255))[..., None]
    image += share * (np.array(INK, np.float32) - image)
