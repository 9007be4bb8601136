"""From an array to a Frame: the small grey copy and the checksum that every camera adds."""

import re
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Frame

PICTURES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
OF_TELEPHONES = frozenset({".avif", ".heic", ".heif"})  # what they save, and hardly anything reads
SMALL_WIDTH = 320  # pixels; enough to see a hand, small enough to compare at every frame


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder in the order of their names, 2.jpg before 10.jpg. OSError."""
    return _files_in(folder, PICTURES)


def photographs_in(folder: Path) -> list[Path]:
    """As `pictures_in`, with those that telephones save, but for the ones of which a copy lies there that is read."""
    read = {path.stem for path in pictures_in(folder)}
    found = _files_in(folder, PICTURES | OF_TELEPHONES)
    return [path for path in found if path.suffix.lower() in PICTURES or path.stem not in read]


def _files_in(folder: Path, kinds: Collection[str]) -> list[Path]:
    shown = (path for path in folder.iterdir() if not path.name.startswith("."))  # copies leave ._000.jpg behind
    return sorted((path for path in shown if path.suffix.lower() in kinds and path.is_file()), key=_order)


def _order(path: Path) -> tuple[list[str | int], str]:
    """By the numbers in a name, not by their digits; by the digits where the numbers are the same."""
    parts = re.split(r"([0-9]+)", path.stem)  # texts and numbers by turns
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], path.name


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
