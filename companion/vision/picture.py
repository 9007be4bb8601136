"""Pictures as they come, made safe: colour, 8 bits, not larger than needed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import PictureUnusable
from calibration.files import read_named
from companion.vision.channels import least, most
from companion.vision.jpeg_files import decoded_jpeg
from companion.vision.picture_files import JPEG, is_cut_off, is_heic, is_picture

Floats = NDArray[np.float64]
SMALL_WIDTH = 320
LEAST_SIDE = 16
MOST_SIDES = 100  # so many times as long as wide no camera's picture is, and its small copy would fill the memory
CUT_OFF = "the picture file is cut off: its lower part is missing"
DAMAGED = "the picture file is damaged, and shows what never was: copy it once more, or take the picture again"
COLOUR_STEP, GREY = 4, 2  # every so many pixels are compared; channels so near are grey


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture at the size at which it is read; `shrunk` pixels of the original go into one of its pixels."""

    pixels: NDArray[np.uint8]  # (h, w, 3) BGR
    grey: NDArray[np.uint8]
    shrunk: float = 1.0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return int(self.pixels.shape[1]), int(self.pixels.shape[0])

    def to_original(self, points: Floats) -> Floats:
        """(N, 2) pixels of this picture in pixels of the original."""
        return (points + 0.5) * self.shrunk - 0.5

    def from_original(self, points: Floats) -> Floats:
        """(N, 2) pixels of the original in pixels of this picture."""
        return (points + 0.5) / self.shrunk - 0.5


def as_picture(pixels: Any, widest_px: int) -> Picture:
    """Any array that a camera or file gave, as a Picture; PictureUnusable when it is none."""
    image = as_bgr(pixels)
    shrunk = 1.0
    if image.shape[1] > widest_px:
        shrunk = image.shape[1] / widest_px
        size = (widest_px, max(round(image.shape[0] / shrunk), 1))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return Picture(image, np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8), shrunk)


def as_bgr(pixels: Any) -> NDArray[np.uint8]:
    """Grey, colour, with alpha; 8 or 16 bits, or floats from 0 to 1: as (h, w, 3) of 8 bits."""
    if not isinstance(pixels, np.ndarray):
        raise PictureUnusable("this is no picture")
    if pixels.ndim == 2:
        pixels = pixels[:, :, None]
    if pixels.ndim != 3 or pixels.shape[2] not in (1, 3, 4):
        raise PictureUnusable(f"a picture has 1, 3 or 4 channels; this one has the form {pixels.shape}")
    if min(pixels.shape[:2]) < LEAST_SIDE:
        raise PictureUnusable(f"the picture has {pixels.shape[1]}x{pixels.shape[0]} pixels only")
    if max(pixels.shape[:2]) > MOST_SIDES * min(pixels.shape[:2]):
        raise PictureUnusable(f"the picture is a strip of {pixels.shape[1]}x{pixels.shape[0]} pixels: take a whole one")
    image = _eight_bits(pixels)
    if image.shape[2] == 1:
        image = np.repeat(image, 3, axis=2)
    return np.ascontiguousarray(image[:, :, :3])


def small_grey(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The small grey copy that motion is looked for in."""
    height = max(round(image.shape[0] * SMALL_WIDTH / image.shape[1]), 1)
    small = cv2.resize(image, (SMALL_WIDTH, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def colourless(image: NDArray[np.uint8]) -> bool:
    """True for a grey picture: no camera's noise leaves the three channels alike everywhere."""
    few = np.ascontiguousarray(image[::COLOUR_STEP, ::COLOUR_STEP])
    return int(cv2.subtract(most(few), least(few)).max()) <= GREY


def read_picture(path: Path) -> tuple[NDArray[np.uint8], tuple[str, ...]]:
    """A picture file as (h, w, 3) BGR of 8 bits, and warnings; PictureUnusable names the file."""
    try:
        data = read_named(path)
    except OSError as error:
        raise PictureUnusable(f"{path}: {error.strerror or error}") from error
    try:
        decoded, damaged = _decoded(data)
    except cv2.error as error:  # what is damaged beyond reading gives None
        raise PictureUnusable(f"{path}: the picture has too many pixels to be read: take a smaller one") from error
    if decoded is None:
        raise PictureUnusable(f"{path}: {_why_unread(data)}")
    if data.startswith(JPEG) and is_cut_off(data):  # the others are read whole or not at all
        return as_bgr(decoded), (CUT_OFF,)
    return as_bgr(decoded), (DAMAGED,) if damaged else ()


def _decoded(data: bytes) -> tuple[Any, bool]:
    """The pixels, None where there are none, and True if they are not all as they were taken."""
    if data.startswith(JPEG):
        return decoded_jpeg(data)
    return (cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR) if data else None), False


def _why_unread(data: bytes) -> str:
    """What is wrong with a file that cannot be decoded, and what to do."""
    if not data or is_cut_off(data):
        return f"the picture file is {'cut off' if data else 'empty'}: copy it once more, or take the picture again"
    if is_heic(data):
        return "this is a HEIC picture, which is not read: save it as JPEG, and let the telephone take others so"
    if is_picture(data):
        return (
            "the picture file is damaged, or of a kind that is not read: copy it once more, or save it as JPEG or PNG"
        )
    return "this is no picture that can be read (JPEG, PNG ...)"


def _eight_bits(pixels: NDArray[Any]) -> NDArray[np.uint8]:
    if pixels.dtype == np.uint8:
        return pixels
    if pixels.dtype == np.uint16:
        return (pixels >> 8).astype(np.uint8)
    if pixels.dtype == np.bool_:
        return pixels.astype(np.uint8) * np.uint8(255)
    if np.issubdtype(pixels.dtype, np.floating):
        finite = np.nan_to_num(pixels.astype(np.float64), nan=0.0, posinf=0.0, neginf=0.0)
        return np.asarray(np.rint(np.clip(finite, 0, 1) * 255), dtype=np.uint8)
    raise PictureUnusable(f"pixels of the type {pixels.dtype} are no picture")
