"""Regions of a table that the pyramids surely found there do not explain: more is looked for in them."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.ground.foreground import Ground, Region
from companion.vision.pyramids.settings import PyramidSettings

Floats = NDArray[np.float64]


def open_regions(ground: Ground, regions: Sequence[Region], sure: Sequence[Floats], s: PyramidSettings) -> list[int]:
    """The numbers of regions of which the outlines of `sure` pieces, in mm, cover too little.

    Not of those in which the last look has searched, and nothing has changed since.
    """
    told = zip(regions, _explained(ground, regions, sure, s), strict=True)
    return [number for number, (region, share) in enumerate(told) if share < s.explained and _worth(ground, region, s)]


def _worth(ground: Ground, region: Region, s: PyramidSettings) -> bool:
    """True if a region has room for a piece, unless all that it shows is settled."""
    if region.area_mm2 < s.room_mm2:
        return False
    if ground.unsettled is None:
        return True
    wide, high = region.size_px
    return bool(ground.unsettled[region.y : region.y + high, region.x : region.x + wide][region.mask].any())


def _explained(
    ground: Ground, regions: Sequence[Region], outlines: Sequence[Floats], s: PyramidSettings
) -> Iterator[float]:
    """The share of each region that outlines cover."""
    placed = [ground.coarse_px(points) for points in outlines]
    first, last = (np.array([end(points, axis=0) for points in placed]).reshape(-1, 2) for end in (np.min, np.max))
    for region in regions:
        corner, mask = np.array([region.x, region.y]), np.zeros(region.mask.shape, np.uint8)
        for i in np.flatnonzero(((last >= corner) & (first <= corner + region.size_px)).all(axis=1)):
            cv2.fillConvexPoly(mask, np.rint(placed[i] - corner).astype(np.int32), 1)
        near = ground.grown(mask, s.explaining_mm) & region.mask
        yield float(near.sum() / max(1, region.mask.sum()))
