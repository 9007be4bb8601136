"""What a camera's process and its owner say to each other. Pixels do not travel here: they lie in shared memory."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from multiprocessing.shared_memory import SharedMemory
from typing import Any

HEADER_BYTES = 64  # the life signs, then the picture, then its small copy
_SIGNS = struct.Struct("dd")


class Request(Enum):
    """Owner to camera."""

    NEXT = "the next picture, please"
    LIGHT = "measure the light again"
    CLOSE = "stop and go"


@dataclass(frozen=True, slots=True)
class Delivered:
    """Camera to owner: the shared memory now holds this picture, and stays so until the next request."""

    shape: tuple[int, ...]
    small_shape: tuple[int, ...]
    taken_s: float
    number: int
    checksum: int
    name: str | None
    metadata: Mapping[str, Any]
    sent_s: float


@dataclass(frozen=True, slots=True)
class Failed:
    """Camera to owner: it is over, and why."""

    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """Camera to owner: the recording is at its end."""

    text: str


def bytes_of(memory: SharedMemory) -> memoryview:
    """The memory's bytes; they are there as long as it is not closed."""
    assert memory.buf is not None
    return memory.buf


def write_signs(memory: memoryview, last_s: float, period_s: float) -> None:
    """Note when the driver last delivered, and how long it usually takes."""
    _SIGNS.pack_into(memory, 0, last_s, period_s)


def read_signs(memory: memoryview) -> tuple[float, float]:
    """(monotonic seconds of the driver's last picture or 0.0, measured period in seconds or 0.0)."""
    last_s, period_s = _SIGNS.unpack_from(memory, 0)
    return last_s, period_s
