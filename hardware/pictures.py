"""From an array to a Frame: the small grey copy and the checksum that every camera adds."""

import zlib
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Frame

SMALL_WIDTH = 320  # pixels; enough to see a hand, small enough to compare at every frame


def checksum_of(pixels: NDArray[np.uint8]) -> int:
    """CRC-32 of the picture's bytes."""
    return zlib.crc32(np.ascontiguousarray(pixels).data) if pixels.size else 0


def small_of(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A uint8 grey copy, at most `SMALL_WIDTH` wide, of a BGR picture."""
    height, width = pixels.shape[:2]
    if width > SMALL_WIDTH:
        size = (SMALL_WIDTH, max(1, round(height * SMALL_WIDTH / width)))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def frame_of(
    pixels: NDArray[np.uint8],
    taken_s: float,
    number: int,
    name: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Frame:
    """A Frame around a uint8 (height, width, 3) BGR picture."""
    return Frame(pixels, small_of(pixels), taken_s, number, checksum_of(pixels), name, metadata or {})
