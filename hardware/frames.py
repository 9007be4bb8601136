"""A frame, and where frames come from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What a camera delivered, and when.

    `pixels` are uint8 (height, width, 3) in BGR order; `small` a uint8 grey copy about 320 wide for motion.
    """

    pixels: NDArray[np.uint8]
    small: NDArray[np.uint8]
    taken_s: float  # time.monotonic() at exposure
    number: int
    checksum: int = 0  # CRC-32 of the raw picture, before scaling: equal ones in a row mean a frozen camera
    name: str | None = None  # file name, when the picture has one
    metadata: Mapping[str, Any] = field(default_factory=dict)


class FrameSource(Protocol):
    """A camera: opened, asked for frames one after the other, closed. Errors are `hardware.errors.CameraError`s."""

    def open(self) -> None:
        """Start delivering. Raises CameraError when there is no such camera."""

    def read(self, timeout_s: float) -> Frame:
        """The next frame. Raises CameraTimeout after `timeout_s`, CameraEnded when no frame will ever come."""

    def close(self) -> None:
        """Stop and release; safe to call twice."""
