"""A network that is asked about any number of inputs, or about a part of a picture, through cv2.dnn.

OpenCV plans a network anew for every other number of inputs at once, and many at once are no faster than few: there is
a plan for each of a few numbers, and no input is made up to fill one.
"""

from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.errors import UnusableWeights

Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]

AT_ONCE = 16  # inputs: as networks are written
PLANNED = 8  # sizes of a part of a picture
# OpenCV 5 has several engines; for small convolutions its first one takes three quarters of the others' time
ENGINE: tuple[int, ...] = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()


@dataclass(eq=False)
class Plans:
    """The network of a file. UnusableWeights."""

    path: Path
    sizes: tuple[int, ...] = (4, 1)  # inputs at once, the largest first
    blocked: bool = False  # it takes what `in_blocks` makes of inputs
    _nets: dict[int, "cv2.dnn.Net"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._net(self.sizes[-1])

    def answers(self, inputs: Singles) -> Singles:
        """(n, ...) of (n, planes, height, width), n at least 1."""
        parts, start = [], 0
        for size in self.sizes:
            while len(inputs) - start >= size:
                net = self._net(size)
                some = inputs[start : start + size]  # so few stay in the processor's cache
                net.setInput(in_blocks(some) if self.blocked else some)
                parts.append(np.array(net.forward(), np.float32))
                start += size
        return np.concatenate(parts)

    def of_pixels(self, patches: Pixels) -> Singles:
        """(n, ...) of (n, side, side, 3) pixels, which the network takes as planes from -1 to 1."""
        planes = patches.transpose(0, 3, 1, 2).astype(np.float32)
        planes *= np.float32(2 / 255)
        planes -= np.float32(1)
        return self.answers(planes)

    def _net(self, size: int) -> "cv2.dnn.Net":
        if size not in self._nets:
            self._nets[size] = loaded(self.path)
        return self._nets[size]


@dataclass(eq=False)
class PartPlans:
    """A network that sees a part of a picture, of any size: one plan for each of the last few sizes."""

    path: Path
    blocked: bool = False  # it takes what `in_blocks` makes of a part, whose sides are even
    _nets: dict[tuple[int, ...], "cv2.dnn.Net"] = field(default_factory=dict)

    def answers(self, planes: Singles) -> Singles:
        """(answers, cells down, cells across) to (planes, h, w)."""
        net = self._nets.pop(planes.shape, None) or loaded(self.path)
        self._nets[planes.shape] = net  # the one that was used last stays longest
        if len(self._nets) > PLANNED:
            del self._nets[next(iter(self._nets))]
        net.setInput(in_blocks(planes[None]) if self.blocked else planes[None])
        return np.asarray(net.forward()[0], np.float32)


def in_blocks(inputs: Singles) -> Singles:
    """(n, 4c, h/2, w/2) of (n, c, h, w): each pixel of blocks of 2 x 2 in a plane of its own, row by row.

    Where a network's first convolution steps by two, it is faster over these (`companion.training.blocks`).
    """
    n, c, h, w = inputs.shape
    apart = inputs.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 3, 5, 2, 4)
    return np.ascontiguousarray(apart).reshape(n, 4 * c, h // 2, w // 2)


def loaded(path: Path) -> "cv2.dnn.Net":
    """The network of a file. UnusableWeights."""
    try:
        return cv2.dnn.readNetFromONNX(str(path), *ENGINE)
    except cv2.error as error:
        raise UnusableWeights(path, error.err) from error
