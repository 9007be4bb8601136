"""What all discs mirror, whatever their colour: light that is added to them and changes smoothly over the board.

A disc shows the light of its own colour and the light that it mirrors. What is mirrored of a window or a lamp is as
much on a black disc as on a white one, and nearly as much on the next disc. So both colours and the sheen are fitted
to all discs at once (a Gaussian process, both colours sharing one smooth field; Rasmussen and Williams 2006, chapters
2.2, 2.7 and 5.4.2), and every disc is compared with what the others say of its place.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.discs.alone import coloured
from companion.vision.discs.looks import DIMMEST, BoardLooks, Cells
from companion.vision.discs.neighbours import OWN, Around

Singles = NDArray[np.float32]
Floats = NDArray[np.float64]

PAPER = 225.0  # grey of white paper after white balance
GAMMA = 2.2  # of the camera's greys


@dataclass(frozen=True, slots=True)
class SheenSettings:
    """What is expected of discs and sheen, in parts of the light that white paper throws back."""

    sheen: tuple[tuple[float, float], ...] = ((0.15, 60.0), (0.30, 200.0))  # spread, and how far it reaches, in mm
    usual: tuple[float, float] = (0.06, 0.75)  # of black and of white discs
    spread: tuple[float, float] = (0.05, 0.15)  # of sets about that
    noise: float = 0.03  # of a disc about its set and its sheen
    share: float = 0.12  # ... and in parts of its light
    held: float = 5e-3  # share of a disc below which a cell tells nothing
    most: float = 20.0  # log-odds beyond it tell no more
    floor: float = 0.02  # light that is nothing, for logarithms
    gap: float = 0.3  # of black and white, least (logarithm)


@dataclass(frozen=True, slots=True, eq=False)
class Sheen:
    """What the other discs say of each cell: the light of a black and of a white disc there, and how surely."""

    expected: Floats  # (n, 2)
    spread: Floats  # (n, 2) standard deviations


def lights_of(cells: Cells, looks: BoardLooks, white_known: bool) -> Singles:
    """(n) light within the circles, in parts of that of paper; of the brightest thing seen where paper is not known."""
    white = PAPER if white_known else max(looks.bright, DIMMEST)
    return np.asarray((np.maximum(cells.dim, 0) / np.float32(white)) ** np.float32(GAMMA), dtype=np.float32)


def expected(places: Singles, around: Around, cell_mm: float, s: SheenSettings) -> Sheen:
    """What the discs around say of a disc at each of these places (n, 2), each left out of its own judgement."""
    disc = around.shares[:, 1:].sum(axis=1).astype(np.float64)
    held = np.flatnonzero(disc >= s.held)
    disc, light = disc[held], around.lights[held].astype(np.float64)
    at, here = (p.astype(np.float64) * cell_mm for p in (around.places[held], places))
    white = around.shares[held, 2] / disc
    hues = np.stack([1 - white, white], axis=1)  # (m, 2)
    usual, wide = np.array(s.usual), np.array(s.spread) ** 2
    mixed = white * (1 - white) * float(np.diff(usual)[0]) ** 2  # of which colour it is, is not known either
    noise = (s.noise**2 + (s.share * light) ** 2 + mixed) / disc
    inverse = np.linalg.inv(_alike(at, at, s) + (hues * wide) @ hues.T + np.diag(noise))
    told = inverse @ (light - hues @ usual)
    own, itself = _own(places, around.places[held])
    between = _alike(here, at, s)
    through, alone = between @ inverse, np.diag(inverse)[own]
    seen, spread = np.empty((len(places), 2)), np.empty((len(places), 2))
    for colour in (0, 1):
        hue = wide[colour] * hues[:, colour]
        rows, sure = between + hue, through + hue @ inverse
        seen[:, colour] = usual[colour] + rows @ told
        spread[:, colour] = wide[colour] + sum(a * a for a, _ in s.sheen) - (rows * sure).sum(axis=1)
        taken = sure[itself, own]  # what is taken out again, so that no cell tells of itself
        seen[itself, colour] -= taken * told[own] / alone
        spread[itself, colour] += taken**2 / alone
    spread = np.maximum(spread, 0) + s.noise**2 + (s.share * seen) ** 2
    return Sheen(seen, np.sqrt(spread))


def sheen_columns(lights: Singles, sheen: Sheen, s: SheenSettings) -> Singles:
    """(n, columns) how cells of these lights (n) stand to what is expected of black and of white discs there."""
    light = lights.astype(np.float64)[:, None]
    off = (light - sheen.expected) / sheen.spread
    odds = -np.log(sheen.spread) - off**2 / 2
    clear = np.maximum(sheen.expected, 0) + s.floor
    columns = [
        np.clip(odds[:, 1] - odds[:, 0], -s.most, s.most) / 5,
        *np.clip(off, -s.most, s.most).T,
        *np.log((light + s.floor) / clear).T,
        *sheen.expected.T * 3,
        *np.log(sheen.spread).T,
        np.log(light[:, 0] + s.floor),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def sides(lights: Singles, sheen: Sheen, s: SheenSettings) -> Singles:
    """(n) where between the black (-0.5) and the white (0.5) that is expected of its place each light lies."""
    black, white = np.log(np.maximum(sheen.expected, 0) + s.floor).T
    off = np.log(lights.astype(np.float64) + s.floor) - (black + white) / 2
    return np.asarray(off / np.maximum(white - black, s.gap), dtype=np.float32)


def split(shares: Singles, sides: Singles, most: float, pull: float) -> Singles:
    """(n, 3) shares, black against white weighed by which colour's light each disc is nearer to (-0.5 to 0.5).

    Neither the judge nor the sides alone may be surer than `most` (log-odds).
    """
    odds = np.log((shares[:, 2] + 1e-6) / (shares[:, 1] + 1e-6))
    return coloured(shares, np.clip(odds, -most, most) + np.clip(pull * sides, -most, most))


def _alike(here: Floats, there: Floats, s: SheenSettings) -> Floats:
    """(n, m) covariance of the sheen at two places in millimetres."""
    far = ((here[:, None] - there[None]) ** 2).sum(axis=2)
    return np.asarray(sum(a * a * np.exp(-far / (2 * mm * mm)) for a, mm in s.sheen), dtype=np.float64)


def _own(places: Singles, around: Singles) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which of those around are cells at these places themselves, and which places these are."""
    far = np.hypot(*np.moveaxis(places[:, None] - around[None], 2, 0))
    itself, own = np.nonzero(far <= OWN)
    return own, itself
