"""JPEG files decoded, and whether what they hold is damaged.

What is damaged in the middle is too little for the picture, or too much: the rest of it is shifted and discoloured. The
decoder gives it all the same, and writes a line on the process' standard error, which is held back meanwhile.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.picture_files import jpeg_end

COMPLAINT = b"Corrupt JPEG data"  # of the decoder
TOO_MUCH = re.compile(rb": (\d+) extraneous bytes before marker 0xd9")
FEW = 2  # bytes that nobody needs at the end; some cameras fill up with more, which are all the same


def decoded_jpeg(data: bytes) -> tuple[NDArray[np.uint8] | None, bool]:
    """The pixels of a JPEG, None where it is none, and True if it is damaged. cv2.error of too many pixels."""
    with _standard_error() as held:
        pixels = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
        held.seek(0)
        said = held.read()
    damaged = COMPLAINT in said and not _filled_up(data, said)
    return (None if pixels is None else np.asarray(pixels, dtype=np.uint8)), damaged


def _filled_up(data: bytes, said: bytes) -> bool:
    """True if what is too much stands between the picture and its end, as some cameras leave it."""
    many, end = TOO_MUCH.search(said), jpeg_end(data)
    if many is None or end is None:
        return False
    count = int(many[1])
    return count <= FEW or len(set(data[end - count : end])) == 1


@contextmanager
def _standard_error() -> Iterator[BinaryIO]:
    """A file that stands for the process' standard error; where there is none it stays empty."""
    with tempfile.TemporaryFile() as held:
        try:
            kept = os.dup(2)
        except OSError:
            yield held
            return
        try:
            os.dup2(held.fileno(), 2)
            yield held
        finally:
            os.dup2(kept, 2)
            os.close(kept)
