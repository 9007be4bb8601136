"""The looks of everything that a maker put into the boxes: one value from which any piece is built as a solid."""

from dataclasses import dataclass

import numpy as np

from companion.pieces import TILE_THICKNESS_MM
from companion.simulator.disc_tables import DiscStyle, random_disc_style
from companion.simulator.khet_style import KhetStyle
from companion.simulator.materials import srgb
from companion.simulator.piecepack_art import PiecepackStyle, random_piecepack_style
from companion.simulator.pyramid_style import PyramidStyle, random_pyramid_style

USUAL_KHET = KhetStyle(foot_mm=33.0, pyramid_mm=21.0, figure_mm=25.0)
DISC_SHARE = 0.8  # of a cell: the diameter of usual discs
DISC_HEIGHT_SHARE = 0.19  # of the diameter
USUAL_SET_SEED = 5  # of a piecepack and of pyramids that look as most do
PLAIN_PIECEPACK = PiecepackStyle(
    inks={
        "suns": (0.13, 0.1, 0.74),
        "moons": (0.13, 0.12, 0.12),
        "crowns": (0.25, 0.5, 0.12),
        "arms": (0.62, 0.28, 0.12),
    },
    shapes={"suns": 0, "moons": 0, "crowns": 0, "arms": 0},
)


@dataclass(frozen=True, eq=False)
class SetLooks:
    """How each family of pieces is made; compared by identity, so keep one for each table."""

    khet: KhetStyle
    discs: DiscStyle
    pyramids: PyramidStyle
    piecepack: PiecepackStyle
    tile_mm: float = TILE_THICKNESS_MM


def usual_looks(colours: str, cell_mm: float) -> SetLooks:
    """Plain pieces; `cell_mm` is the cell that discs have to fit."""
    diameter = cell_mm * DISC_SHARE
    discs = DiscStyle(diameter, diameter * DISC_HEIGHT_SHARE, srgb(28, 28, 30), srgb(232, 230, 222))
    khet = KhetStyle(colours, USUAL_KHET.foot_mm, pyramid_mm=USUAL_KHET.pyramid_mm, figure_mm=USUAL_KHET.figure_mm)
    return SetLooks(khet, discs, random_pyramid_style(np.random.default_rng(USUAL_SET_SEED)), PLAIN_PIECEPACK)


def random_looks(seed: int, khet: KhetStyle, cell_mm: float) -> SetLooks:
    """Some makers' pieces beside a Khet set; the same seed gives the same ones."""
    rng = np.random.default_rng([seed, 29])
    return SetLooks(
        khet,
        random_disc_style(rng, cell_mm),
        random_pyramid_style(rng),
        random_piecepack_style(rng),
        float(rng.uniform(5.0, 8.0)),
    )
