"""Which of two places a board lies at: its tones are others than those beside it; those of a checked cloth are not."""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.view import BoardPose, BoardShape
from companion.vision.boards.cells import to_table
from companion.vision.boards.settings import BoardSettings

Picture = NDArray[np.uint8]
Singles = NDArray[np.float32]
Ints = NDArray[np.integer]


def tones_of(view: Picture, settings: BoardSettings) -> Picture:
    """(h, w) a number for the tone of each pixel: which part of its channel's range, for every channel."""
    steps = np.percentile(view.reshape(-1, 3), np.linspace(0, 100, settings.tones + 1)[1:-1], axis=0)
    parts = (np.arange(256)[:, None, None] > steps.T).sum(axis=2) * settings.tones ** np.arange(3)
    return np.asarray(cv2.transform(cv2.LUT(view, parts[None].astype(np.uint8)), np.ones((1, 3))), np.uint8)


def alike_everywhere(tones: Picture, outer: tuple[int, int], beside: int, settings: BoardSettings) -> Singles:
    """For every first row and column of a board of `outer` pixels: how alike tones on it and beside it are, 0 to 1."""
    tones, every = tones[:: settings.tones_px, :: settings.tones_px], settings.tones_px
    (width, height), beside = (max(1, round(side / every)) for side in outer), max(1, round(beside / every))
    if tones.shape[0] < height or tones.shape[1] < width:
        return np.zeros((0, 0), np.float32)
    own, whole = [], []
    many = settings.tones**3
    padded = np.pad(tones, beside, constant_values=many)  # a tone that there is none of
    for tone in range(many):
        sums = np.asarray(cv2.integral((padded == tone).view(np.uint8)), np.int32)
        own.append(_boxes(sums[beside:-beside, beside:-beside], height, width))
        whole.append(_boxes(sums, height + 2 * beside, width + 2 * beside))
    alike = _shared(np.array(own), np.array(whole) - np.array(own))
    return np.asarray(alike.repeat(every, axis=0).repeat(every, axis=1), np.float32)


def _boxes(sums: Ints, height: int, width: int) -> Ints:
    """The sum over every box of this size, of sums from the first corner on."""
    return np.asarray(sums[height:, width:] - sums[:-height, width:] - sums[height:, :-width] + sums[:-height, :-width])


def _shared(one: Ints, other: Ints) -> Singles:
    """How alike histograms (n, ...) are: 1 for the same shares, 0 where they have nothing in common."""
    shares = (counts / np.maximum(counts.sum(axis=0), 1) for counts in (one, other))
    return np.asarray(np.sqrt(np.prod(list(shares), axis=0)).sum(axis=0), np.float32)


def alike_beside(view: Picture, pose: BoardPose, shape: BoardShape, s: BoardSettings) -> float:
    """How alike the tones on a board that lies so and beside it are, 0 to 1; the view is the search's, from above."""
    half = np.array([shape.cols, shape.rows]) * shape.cell_mm / 2 + shape.border_mm
    masks = []
    for more in (0.0, s.beside_cells * shape.cell_mm):
        corners = to_table(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (half + more), pose)
        at = corners / s.search_mm * (1, -1) + (np.array(view.shape[1::-1]) - 1) / 2
        masks.append(cv2.fillConvexPoly(np.zeros(view.shape[:2], np.uint8), np.rint(at).astype(np.int32), 1) > 0)
    tones, many = tones_of(view, s), s.tones**3
    own, whole = (np.bincount(tones[mask], minlength=many) for mask in masks)
    return float(_shared(own, whole - own))
