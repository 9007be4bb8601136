"""Discs of one colour only: nothing to hold them against but white paper, or else the ground of the board.

Beside paper there is little doubt: white discs send back several times the light of black ones. Without it white in dim
light looks as black does in bright light. Then the ground of the board alone may tell: there are no black discs much
brighter than its darkest cells and hardly darker than its brightest ones, and no white ones much darker than all of it.
What lies between is not told.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.discs.looks import BoardLooks

Singles = NDArray[np.float32]

WHY = "discs of one colour only, and no white paper to tell which"


@dataclass(frozen=True, slots=True)
class AloneSettings:
    """Log-odds of white, fitted to simulated boards in light of all strengths; less steep than they ask for."""

    pull: float = 3.4  # for the logarithms of grey beside the darkest and beside the brightest ground
    lean: float = 0.75
    # light in parts of that of paper: on simulated boards black discs send back up to 0.22, white ones from 0.44 on
    paper_middle: float = 0.31
    paper_pull: float = 10.0  # log-odds for the logarithm of the light
    dark_most: float = 6.0  # log-odds: so surely a single disc that is too dark for a white one is black


def white_odds(grey: float, looks: BoardLooks, settings: AloneSettings) -> float:
    """Log-odds that discs of this grey (`light_free`) are white, by the grounds of the board."""
    grounds = np.log(looks.grounds[:, 0] * looks.gain + 6)
    return settings.lean + settings.pull * float(2 * grey - grounds.min() - grounds.max())


def paper_odds(light: float, settings: AloneSettings) -> float:
    """Log-odds that discs of this light (`lights_of`, white known) are white."""
    return settings.paper_pull * math.log(max(light, 1e-3) / settings.paper_middle)


def dark_odds(lights: Singles, settings: AloneSettings) -> Singles:
    """(n) log-odds, at most 0, that discs of these lights (`lights_of`, white known) are white.

    Black ones may mirror as much light as white ones send back; white ones are never as dark as most black ones.
    """
    odds = settings.paper_pull * np.log(np.maximum(lights, 1e-3) / settings.paper_middle)
    return np.asarray(np.clip(odds, -settings.dark_most, 0), dtype=np.float32)


def beside_paper(shares: Singles, odds: float | Singles) -> Singles:
    """(n, 3) shares of cells whose discs are, by so much log-odds (of all, or of each) than was thought, white."""
    weighed = shares.copy()
    weighed[:, 2] *= np.exp(odds)
    discs = shares[:, 1:].sum(axis=1, keepdims=True) / np.maximum(weighed[:, 1:].sum(axis=1, keepdims=True), 1e-12)
    return np.hstack([shares[:, :1], weighed[:, 1:] * discs]).astype(np.float32)


def coloured(shares: Singles, odds: float | Singles) -> Singles:
    """(n, 3) shares of cells, black against white by these log-odds alone."""
    discs = shares[:, 1:].sum(axis=1)
    white = discs / (1 + np.exp(-np.asarray(odds, np.float32)))
    return np.stack([shares[:, 0], discs - white, white], axis=1).astype(np.float32)
