"""Circles in cells: where in each patch the outline of a disc of one radius has most edges along it.

Every pixel votes with the direction of its edge, not with its strength beyond what is surely an edge and not with
its sign, so a disc that is hardly darker than its ground on one side and lighter on the other still is a circle.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.reader import CellPatches

Singles = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class RingSettings:
    """The search for circles; lengths in cells."""

    cell_px: int = 30  # patches are reduced until a cell has so many pixels
    radii: tuple[float, ...] = (0.33, 0.36, 0.39, 0.42, 0.45)
    usual_radius: float = 0.40  # where no disc has been seen yet
    reach: float = 0.24  # how far from the middle of its cell a disc may seem to lie
    width_px: float = 0.9  # of the ring, to either side
    edge_noise: float = 2.5  # an edge of so many usual steps counts in full
    edge_least: float = 2.0  # ... but at least so many grey levels a pixel
    edge_most: float = 10.0
    angles: int = 24  # points of the outline that are looked at one by one
    sure: float = 0.45  # a circle of such a score tells the radius of the set
    pooled_cells: int = 64  # so many cells are enough to find the radius
    pooled_step_px: int = 2  # and so coarse a search


@dataclass(frozen=True, slots=True, eq=False)
class SmallPatches:
    """Patches reduced to one size, and the directions of their edges."""

    pixels: Singles  # (n, S, S, 3) BGR
    glare: Singles  # (n, S, S) 0 to 1
    edges: Singles  # (n, 2, S, S) strength 0..1 times cosine and sine of twice the direction
    cell_px: float
    soft: Singles  # (n, S, S, 3) the pixels, blurred a little

    @property
    def size(self) -> int:
        """Pixels of a side."""
        return int(self.pixels.shape[1])

    def only(self, chosen: NDArray[np.intp]) -> "SmallPatches":
        """The patches with these numbers."""
        pixels, glare, edges, soft = (a[chosen] for a in (self.pixels, self.glare, self.edges, self.soft))
        return SmallPatches(pixels, glare, edges, self.cell_px, soft)


@dataclass(frozen=True, slots=True, eq=False)
class Rings:
    """The best circle of each cell: centres (n, 2) in cells from the middle (x right, y down), scores (n)."""

    radius: float  # of all, in cells
    centres: Singles
    scores: Singles
    closed: Singles  # (n, angles) how much of an edge runs along each part of the outline, 0 to 1


def reduced(patches: CellPatches, settings: RingSettings) -> SmallPatches:
    """All patches at the size at which circles are looked for."""
    cell = patches.cell_mm / patches.mm_per_px
    n, side = len(patches), patches.size
    small = max(round(side * settings.cell_px / cell), 8)
    tall = patches.pixels.reshape(n * side, side, 3)
    pixels = np.asarray(cv2.resize(tall, (small, n * small), interpolation=cv2.INTER_AREA), dtype=np.float32)
    blown = patches.glare.reshape(n * side, side).astype(np.float32)
    glare = np.asarray(cv2.resize(blown, (small, n * small), interpolation=cv2.INTER_AREA), dtype=np.float32)
    edges = _edges(pixels.reshape(n, small, small, 3), settings)
    shape = (n, small, small)
    soft = np.asarray(cv2.blur(pixels, (3, 3)), dtype=np.float32).reshape(*shape, 3)
    return SmallPatches(pixels.reshape(*shape, 3), glare.reshape(shape), edges, cell * small / side, soft)


def _edges(pixels: Singles, settings: RingSettings) -> Singles:
    n, side = pixels.shape[:2]
    tall = pixels.reshape(n * side, side, 3)
    right = np.asarray(cv2.Scharr(tall, cv2.CV_32F, 1, 0, scale=1 / 32)).reshape(n, side, side, 3)
    down = np.asarray(cv2.Scharr(tall, cv2.CV_32F, 0, 1, scale=1 / 32)).reshape(n, side, side, 3)
    strongest = np.argmax(right**2 + down**2, axis=3)[..., None]
    right, down = (np.take_along_axis(step, strongest, 3)[..., 0] for step in (right, down))
    length = np.hypot(right, down)
    length[:, [0, -1]] = 0  # there the neighbour in the pile of patches shows
    usual = float(np.median(length[:, 1:-1]))
    level = float(np.clip(settings.edge_noise * usual, settings.edge_least, settings.edge_most))
    weight = np.minimum(length / level, 1) / np.maximum(length**2, 1e-6)
    edges = np.empty((n, 2, side, side), np.float32)
    edges[:, 0], edges[:, 1] = weight * (right**2 - down**2), weight * 2 * right * down
    return edges


def find_rings(small: SmallPatches, settings: RingSettings, radius: float | None = None) -> Rings:
    """The best circle in every patch; without a radius, the one that most circles agree on."""
    if radius is None:
        radius = pooled_radius(small, settings)
    offsets, templates = _templates(small.size, small.cell_px, radius, 1, settings)
    scores = small.edges.reshape(len(small.edges), -1) @ templates
    best = scores.argmax(axis=1)
    centres = offsets[best]
    return Rings(radius, centres, scores.max(axis=1), _closed(small, centres, radius, settings))


def pooled_radius(small: SmallPatches, settings: RingSettings) -> float:
    """The radius of which there are most circles; the usual one where there are none."""
    every = -(-len(small.edges) // settings.pooled_cells)
    edges = small.edges[::every].reshape(-1, small.edges[0].size)
    totals = []
    for radius in settings.radii:
        best = (edges @ _templates(small.size, small.cell_px, radius, settings.pooled_step_px, settings)[1]).max(axis=1)
        totals.append(float(np.clip(best - settings.sure, 0, None).sum()))
    if max(totals) <= 0:
        return settings.usual_radius
    weights = np.array(totals) ** 4  # between two steps when both have nearly as many
    return round(float((weights * np.array(settings.radii)).sum() / weights.sum()), 2)


@lru_cache(maxsize=32)
def _templates(
    size: int, cell_px: float, radius: float, step_px: int, settings: RingSettings
) -> tuple[Singles, Singles]:
    """Offsets (m, 2) in cells, and rings (2 * size * size, m) that such edges are multiplied with."""
    reach = round(settings.reach * cell_px)
    reach -= reach % step_px
    steps = np.arange(-reach, reach + 1, step_px)
    at = np.arange(size + 2 * reach, dtype=np.float32) - (size + 2 * reach - 1) / 2
    x, y = np.meshgrid(at, at)
    far = np.maximum(np.hypot(x, y), 0.5)
    ring = np.exp(-(((far - radius * cell_px) / settings.width_px) ** 2) / 2)
    ring /= ring.sum()
    both = np.stack([ring * (x**2 - y**2) / far**2, ring * 2 * x * y / far**2]).astype(np.float32)
    windows = np.lib.stride_tricks.sliding_window_view(both, (size, size), axis=(1, 2))[:, ::-step_px, ::-step_px]
    offsets = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) / cell_px
    flat = np.moveaxis(windows, 0, 2).reshape(len(offsets), -1)
    return offsets.astype(np.float32), np.ascontiguousarray(flat.T)


def _closed(small: SmallPatches, centres: Singles, radius: float, settings: RingSettings) -> Singles:
    angle = np.arange(settings.angles) * 2 * np.pi / settings.angles
    reach = radius * small.cell_px + np.array([-1.0, 0.0, 1.0])
    middle = centres * small.cell_px + (small.size - 1) / 2
    x = middle[:, 0, None, None] + reach * np.cos(angle)[:, None]
    y = middle[:, 1, None, None] + reach * np.sin(angle)[:, None]
    u, v = (np.clip(np.rint(a), 0, small.size - 1).astype(int) for a in (x, y))
    seen = np.moveaxis(small.edges, 1, -1)[np.arange(len(centres))[:, None, None], v, u]
    along = seen[..., 0] * np.cos(2 * angle)[:, None] + seen[..., 1] * np.sin(2 * angle)[:, None]
    return np.asarray(np.clip(along.max(axis=2), 0, 1), dtype=np.float32)
