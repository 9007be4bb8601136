"""The colour of the light: the paper of the table markers is a known white, their ink a known black."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import TABLE_DICTIONARY, Corners, marker_cells

Picture = NDArray[np.uint8]
PaperAndInk = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class ColourSettings:
    """How the white of paper is measured and to what it is brought."""

    white_level: float = 225.0  # paper after white balance
    clipped_level: float = 252.0  # a channel at or above it tells nothing
    darkest_white: float = 25.0  # paper darker than this is no reference
    most_gain: float = 4.0
    dead_step: float = 0.04  # from ink to paper, in parts of the clearest channel's: less tells of no light at all
    clear_step: float = 25.0  # levels by which they differ at least in that one


@dataclass(frozen=True, slots=True, eq=False)
class White:
    """Paper and ink as the camera sees them, BGR 0..255: medians over the markers, and of each marker."""

    paper: NDArray[np.float64]  # (3,)
    ink: NDArray[np.float64]  # (3,)
    markers: Mapping[int, PaperAndInk]

    def gains(self, settings: ColourSettings | None = None) -> NDArray[np.float64]:
        """Factors for B, G, R that make paper neutral and of one brightness under every light."""
        settings = settings or ColourSettings()
        return np.clip(settings.white_level / np.maximum(self.paper, 1), 1 / settings.most_gain, settings.most_gain)

    def enough(self, settings: ColourSettings | None = None) -> bool:
        """True if the gains bring the paper to its brightness: it is not darker than the most gain can mend."""
        settings = settings or ColourSettings()
        return bool(self.paper.min() * settings.most_gain >= settings.white_level)

    def dead(self, settings: ColourSettings | None = None) -> NDArray[np.bool_]:
        """(3,) which channels show paper as they show ink, while another tells them apart."""
        return _dead((self.paper, self.ink), settings or ColourSettings())


def measure_white(
    image: Picture,
    corners: Mapping[int, Corners],
    name: str = TABLE_DICTIONARY,
    settings: ColourSettings | None = None,
) -> White | None:
    """Paper and ink from the cells of the markers found; None when no marker shows usable paper."""
    settings = settings or ColourSettings()
    seen = {number: _paper_and_ink(image, points, marker_cells(number, name)) for number, points in corners.items()}
    usable = {n: pair for n, pair in seen.items() if (pair[0][~_dead(pair, settings)] >= settings.darkest_white).all()}
    if not usable:
        return None
    unclipped = [pair[0] for pair in usable.values() if pair[0].max() < settings.clipped_level]
    papers = unclipped or [pair[0] for pair in usable.values()]
    paper = np.median(papers, axis=0)
    ink = np.median([pair[1] for pair in usable.values()], axis=0)
    return White(paper, ink, seen)


def _dead(pair: PaperAndInk, settings: ColourSettings) -> NDArray[np.bool_]:
    steps = np.abs(pair[0] - pair[1])
    return np.asarray((steps < settings.dead_step * steps.max()) & (steps.max() >= settings.clear_step))


def balanced(image: Picture, gains: NDArray[np.float64]) -> Picture:
    """The picture with its channels multiplied by the gains."""
    steps = np.arange(256)[:, None] * gains[None, :]
    table = np.clip(np.rint(steps), 0, 255).astype(np.uint8).reshape(256, 1, 3)
    return np.asarray(cv2.LUT(image, table), dtype=np.uint8)


def _paper_and_ink(image: Picture, corners: Corners, black: NDArray[np.bool_]) -> PaperAndInk:
    """Median colour of the white and of the black cells of one marker, read at their middles."""
    side = len(black)
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    homography = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    centres = np.stack(np.meshgrid(np.arange(side) + 0.5, np.arange(side) + 0.5), axis=-1)
    spread = np.array([(-0.15, -0.15), (0.15, -0.15), (0, 0), (-0.15, 0.15), (0.15, 0.15)])
    points = (centres[:, :, None, :] + spread).reshape(-1, 1, 2)
    pixels = cv2.perspectiveTransform(points, homography).reshape(side, side, len(spread), 2)
    x = np.clip(np.rint(pixels[..., 0]), 0, image.shape[1] - 1).astype(int)
    y = np.clip(np.rint(pixels[..., 1]), 0, image.shape[0] - 1).astype(int)
    colours = image[y, x].astype(np.float64)
    return np.median(colours[~black].reshape(-1, 3), axis=0), np.median(colours[black].reshape(-1, 3), axis=0)
