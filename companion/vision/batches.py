"""Patches through a network that was exported for a fixed number of them at once."""

import cv2
import numpy as np
from numpy.typing import NDArray

Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]


def in_batches(net: "cv2.dnn.Net", patches: Pixels, batch: int) -> Singles:
    """(n, answers) of (n, s, s, 3) pixels, which the network takes as planes from -1 to 1."""
    planes = patches.transpose(0, 3, 1, 2).astype(np.float32) * np.float32(2 / 255) - np.float32(1)
    parts = []
    for first in range(0, len(planes), batch):
        part = planes[first : first + batch]
        full = np.zeros((batch, *part.shape[1:]), np.float32)
        full[: len(part)] = part  # the last batch is filled up
        net.setInput(full)
        parts.append(np.array(net.forward()[: len(part)], np.float32))
    return np.concatenate(parts)
