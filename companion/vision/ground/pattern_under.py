"""The pattern of a table under what lies on it: where a cloth repeats itself, another part of it looks the same.

What surrounds a thing is looked for elsewhere on the table; where all of it is found again, the pattern goes on under
the thing as it does there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.ground.foreground import Ground

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class UnderSettings:
    """When two parts of a table show one pattern."""

    rim_mm: float = 5.0  # round a thing that its shadow and its edges spoil
    around_mm: float = 26.0  # wide is the ring that has to be found again
    beyond_mm: float = -45.0  # of the markers' middles is no table that is looked at
    blur_px: int = 3  # coarse pixels over which levels are averaged
    alike: float = 0.35  # share of the ring's own spread by which the two may differ
    least_ring: float = 0.7  # of the ring that has to be in sight


def completed(ground: Ground, outlines_mm: Sequence[Floats], s: UnderSettings) -> tuple[Ground, tuple[bool, ...]]:
    """The ground without the things of these (n, 2) outlines, and of each whether its pattern is known."""
    things = [ground.grown(ground.filled([outline]), s.rim_mm).view(np.uint8) for outline in outlines_mm]
    bare = ground.free.astype(np.uint8)
    for thing in things:
        bare[thing > 0] = 0
    log = np.asarray(cv2.blur(ground.log, (s.blur_px, s.blur_px)), np.float32)
    colours, levels, known = ground.colours.copy(), ground.log.copy(), []
    for thing in things:
        shift = _found_again(log, bare, thing, ground.between_papers(s.beyond_mm), s.around_mm / ground.coarse_mm, s)
        known.append(shift is not None)
        if shift is not None:
            _copy(levels, thing, shift)
            fine = cv2.resize(thing, colours.shape[1::-1], interpolation=cv2.INTER_NEAREST)
            _copy(colours, np.asarray(fine, np.uint8), shift * ground.settings.coarse)
    return replace(ground, colours=colours, log=levels), tuple(known)


def _found_again(
    log: NDArray[np.float32],
    bare: Bytes,
    thing: Bytes,
    table: tuple[int, int, int, int],
    around_px: float,
    s: UnderSettings,
) -> NDArray[np.intp] | None:
    """(2,) rows and columns from a thing to where its surroundings are seen again; None where they are not."""
    rows, cols = np.nonzero(thing)
    if not len(rows):
        return None
    left, top, right, low = table
    if rows.min() < top or rows.max() >= low or cols.min() < left or cols.max() >= right:
        return None  # not all of it lies where another part could stand for it
    first = np.maximum(np.array([rows.min(), cols.min()]) - round(around_px), (top, left))
    last = np.minimum(np.array([rows.max(), cols.max()]) + round(around_px) + 1, (low, right))
    window = np.s_[first[0] : last[0], first[1] : last[1]]
    ring = bare[window]
    if not ring.size or ring.sum() < s.least_ring * (ring.size - thing[window].sum()):
        return None
    spread = float(log[window][ring > 0].std(axis=0).max())
    place = log[top:low, left:right]
    weights = np.repeat(ring[..., None], 3, axis=2).astype(np.float32)
    off = cv2.matchTemplate(place, log[window], cv2.TM_SQDIFF, mask=weights) / max(float(ring.sum()), 1.0)
    spoilt = cv2.filter2D((bare[top:low, left:right] == 0).astype(np.float32), -1, np.ones(ring.shape), anchor=(0, 0))
    off[spoilt[: off.shape[0], : off.shape[1]] > 0.5] = np.inf  # elsewhere lies something, too
    row, col = np.unravel_index(int(np.argmin(off)), off.shape)
    if not off[row, col] < 3 * (s.alike * spread) ** 2:
        return None
    return np.array([row + top - first[0], col + left - first[1]])


def _copy(layer: NDArray[np.generic], thing: Bytes, shift: NDArray[np.intp]) -> None:
    rows, cols = np.nonzero(thing)
    layer[rows, cols] = layer[rows + shift[0], cols + shift[1]]
