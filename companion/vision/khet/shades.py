"""How the light falls on the pyramids of one board: the sure ones tell what a doubtful one would look like.

Seen from above, a pyramid shows two slopes behind its mirror and its foot before it. All pyramids of a set are cut
alike, so that a slope which faces north is as bright on one cell as on the next, but for the side's material and for
light that falls off across the board. These few shades (upward, and north, west, south and east, each with a slant
across the board) are estimated from the sure pyramids by Bayesian linear regression with a Gaussian prior; every
doubtful one is then compared with how each facing would look. Logarithms of brightness throughout.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.khet.views import FACINGS
from companion.vision.reader import CellPatches

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

# quarter turns counter-clockwise: facings NE, NW, SW, SE; ways north, west, south, east; a slope faces two ways
SLOPES = ((1, 2), (2, 3), (3, 0), (0, 1))
WAYS, SIDES = 4, 2
# what is estimated: each side's brightness, its slant across the board, and by ways: what slopes differ by, what
# they differ by on one side alone, their slants, what the foot differs by, and by on one side alone
SIDE, SLANT, SLOPE, OWN_SLOPE, SLOPE_SLANT, FOOT, OWN_FOOT, SIZE = 0, 2, 4, 8, 16, 24, 28, 36


@dataclass(frozen=True, slots=True)
class ShadeSettings:
    """Where a pyramid is looked at, and how much its shades vary. Lengths in cells, spreads in log brightness."""

    rings: tuple[tuple[float, float], ...] = ((0.06, 0.15), (0.15, 0.25), (0.25, 0.36))  # from the middle
    rings_mm: tuple[float, ...] = (9.0, 7.0, 5.5)  # about how high above the board a ring lies
    corner_stretch: float = 1.2  # rings reach further towards the corners
    half_width: float = 0.32  # of a sector, as a share of its distance
    samples: tuple[int, int] = (6, 5)  # along and across a sector of one ring
    dark: float = 6.0  # grey levels: noise is not told apart below
    noise: float = 0.09
    side_spread: float = 2.0
    slant: float = 0.3  # from the middle of the board to its edge
    slope: float = 0.5
    own_slope: float = 0.25
    slope_slant: float = 0.2
    foot: float = 0.15
    own_foot: float = 0.1

    def prior(self) -> Floats:
        """(SIZE) variances before anything was seen."""
        parts = (
            (self.side_spread, SIDES),
            (self.slant, 2),
            (self.slope, WAYS),
            (self.own_slope, SIDES * WAYS),
            (self.slope_slant, 2 * WAYS),
            (self.foot, WAYS),
            (self.own_foot, SIDES * WAYS),
        )
        return np.asarray(np.square(np.concatenate([np.full(count, spread) for spread, count in parts])), np.float64)


def sectors(patches: CellPatches, settings: ShadeSettings) -> Floats:
    """(n, 8, rings) mean log brightness of the sectors of each cell, from north counter-clockwise.

    Each ring is looked up where a point of about its height stands in the picture.
    """
    s, middle = settings, (patches.size - 1) / 2
    lifts = patches.lean[:, None, :] * np.array(s.rings_mm)[None, :, None] / patches.mm_per_px * np.array([1.0, -1.0])
    at = middle + _lattice(s) * (patches.cell_mm / patches.mm_per_px) + lifts[:, None, :, None, :]
    pixels = np.clip(np.rint(at).astype(np.int64), 0, patches.size - 1)
    cell = np.arange(len(patches))[:, None, None, None]
    seen = patches.pixels[cell, pixels[..., 1], pixels[..., 0]].astype(np.float32).mean(axis=-1)
    return np.asarray(np.log(seen + s.dark).mean(axis=3), np.float64)


def _lattice(settings: ShadeSettings) -> Floats:
    """(1, 8, rings, points, 2) where sectors are sampled, in cells from the middle: x right, y down."""
    along, across = settings.samples
    ways = []
    for number in range(8):
        turn = np.pi / 4 * number
        out, aside = np.array([-np.sin(turn), -np.cos(turn)]), np.array([np.cos(turn), -np.sin(turn)])
        rings = []
        for low, high in settings.rings:
            far = np.linspace(low, high, along)[:, None] * (settings.corner_stretch if number % 2 else 1.0)
            wide = np.linspace(-settings.half_width, settings.half_width, across)[None] * far
            rings.append((far[..., None] * out + wide[..., None] * aside).reshape(-1, 2))
        ways.append(np.stack(rings))
    return np.stack(ways)[None]


@dataclass(frozen=True, slots=True, eq=False)
class Pyramids:
    """What is seen of the pyramids of a board."""

    place: Floats  # (n, 2) on the board, -1 to 1 from edge to edge
    side: NDArray[np.int64]  # (n) 0 silver, 1 red
    facing: NDArray[np.int64]  # (n) the most probable one
    sure: Floats  # (n) 0 to 1: how much it counts as a witness
    shade: Floats  # (n, 4) log brightness towards north, west, south and east


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """What all other pyramids say about one."""

    fits: Floats  # (4 facings) log-likelihoods of its shades, about their mean
    level: float  # brightness of its side on its place
    level_spread: float
    differs: Floats  # (8) by how much slopes and feet differ from that, by ways
    differs_spread: Floats  # (8)


def expected(seen: Pyramids, wanted: NDArray[np.int64], settings: ShadeSettings) -> list[Expected]:
    """For every pyramid wanted what the others lead to expect."""
    rows = _rows(seen)  # (n, facings, ways, SIZE)
    believed = rows[np.arange(len(rows)), seen.facing]
    weight = seen.sure / settings.noise**2
    weighed = believed * weight[:, None, None]
    pairs = np.einsum("nwi,nwj->nij", weighed, believed)
    sums = np.einsum("nwi,nw->ni", weighed, seen.shade)
    precision = np.diag(1 / settings.prior()) + pairs.sum(axis=0)
    spreads = np.linalg.inv(precision - pairs[wanted])
    return [
        _expected(seen, rows[i], int(i), spread, spread @ (sums.sum(axis=0) - sums[i]), settings)
        for i, spread in zip(wanted, spreads, strict=True)
    ]


def _expected(seen: Pyramids, rows: Floats, i: int, spread: Floats, mean: Floats, settings: ShadeSettings) -> Expected:
    left = seen.shade[i] - rows @ mean  # (facings, ways)
    among = np.einsum("fwi,ij,fvj->fwv", rows, spread, rows) + settings.noise**2 * np.eye(WAYS)
    fits = -0.5 * (left * np.linalg.solve(among, left[..., None])[..., 0]).sum(axis=1)
    fits -= 0.5 * np.linalg.slogdet(among)[1]
    side, (x, y) = int(seen.side[i]), seen.place[i]
    level = np.zeros(SIZE)
    level[SIDE + side], level[SLANT : SLANT + 2] = 1.0, (x, y)
    differs = np.zeros((2 * WAYS, SIZE))
    for way in range(WAYS):
        differs[way, [SLOPE + way, OWN_SLOPE + WAYS * side + way]] = 1.0
        differs[way, SLOPE_SLANT + 2 * way : SLOPE_SLANT + 2 * way + 2] = x, y
        differs[WAYS + way, [FOOT + way, OWN_FOOT + WAYS * side + way]] = 1.0
    differs_spread = np.sqrt(np.einsum("di,ij,dj->d", differs, spread, differs))
    level_spread = float(np.sqrt(level @ spread @ level))
    return Expected(fits - fits.mean(), float(level @ mean), level_spread, differs @ mean, differs_spread)


def _rows(seen: Pyramids) -> Floats:
    """(n, facings, ways, SIZE) what each shade is the sum of, if the pyramid had each facing."""
    rows = np.zeros((len(seen.side), FACINGS, WAYS, SIZE))
    every = np.arange(len(seen.side))
    rows[every, :, :, SIDE + seen.side] = 1.0
    rows[..., SLANT : SLANT + 2] = seen.place[:, None, None, :]
    for facing in range(FACINGS):
        for way in range(WAYS):
            cell = rows[:, facing, way]
            if way in SLOPES[facing]:
                cell[:, SLOPE + way] = 1.0
                cell[every, OWN_SLOPE + WAYS * seen.side + way] = 1.0
                cell[:, SLOPE_SLANT + 2 * way : SLOPE_SLANT + 2 * way + 2] = seen.place
            else:
                cell[:, FOOT + way] = 1.0
                cell[every, OWN_FOOT + WAYS * seen.side + way] = 1.0
    return rows
