"""Where pyramids may lie: a small network looks over the whole table, drawn from above, and proposes hypotheses.

It sees how the table differs from its bare surface, its fine detail (clear plastic on cloth is little else), and from
where the camera looks. It says of every cell of a few millimetres how probable it is that a piece of each size and pose
has its middle there, where exactly, and which way it points. `weights/pyramid_proposals.onnx`, described by the .json
beside it, runs in `cv2.dnn`; without it, hypotheses are laid out by edges alone (`search`).
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.ground.foreground import Ground, Region
from companion.vision.plans import PartPlans
from companion.vision.pyramids.hypotheses import Hypotheses
from companion.vision.pyramids.shapes import STANDING
from companion.vision.weights import WEIGHTS

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Pixels = NDArray[np.uint8]
Ints = NDArray[np.intp]

NAME = "pyramid_proposals"
STRIDE = 4  # coarse pixels of a cell
LEVELS, MIDDLE = 100.0, 128.0  # of a unit of the logarithm, and of no difference
DETAIL, DETAIL_SPAN = 400.0, 40.0  # levels of a unit of the logarithm of fine detail, and those that count as one
PLANES = 9  # B, G, R over the surface; lean along x and y; detail of the four fine pixels of each
HEAT, SHIFT, LYING, UPRIGHT = slice(0, 6), slice(6, 8), slice(8, 10), slice(10, 12)  # of the answers
ANSWERS = 12
REACH = 48  # coarse pixels: no cell sees farther


@dataclass(frozen=True, slots=True)
class ProposalSettings:
    """What is proposed."""

    least: float = 0.12  # heat of a peak
    beside: float = 0.06  # heat of other classes at the same peak
    most: int = 150
    beyond_mm: float = 30.0  # the markers' papers, no pieces are looked for
    margin_mm: float = 45.0  # of the table round all peaks that is looked at closely
    round_cells: int = 8  # the table is cut to so many cells, so that the network is planned once


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """n places: class number, (x, y, heading, 0), heat."""

    kind: Ints
    place: Floats
    heat: Floats


@cache
def shipped_proposals() -> PartPlans | None:
    """The network that comes with the project; None when its weights are absent."""
    path = WEIGHTS / f"{NAME}.onnx"
    return PartPlans(path, blocked=True) if path.exists() else None


def differences(ground: Ground) -> Pixels:
    """(h, w, 3) how the coarse picture differs from the bare surface, in levels."""
    off = cv2.subtract(ground.log, ground.surface)
    return np.asarray(np.clip(off * LEVELS + MIDDLE, 0, 255), np.uint8)


def fine_detail(colours: Pixels) -> Pixels:
    """(2h, 2w) how each fine pixel differs in brightness from the coarse pixel that it is part of, in levels."""
    levels = np.log(np.arange(256, dtype=np.float32) + 10)
    log = cv2.LUT(cv2.cvtColor(colours, cv2.COLOR_BGR2GRAY), levels)
    size = log.shape[1], log.shape[0]
    mean = cv2.resize(log, (size[0] // 2, size[1] // 2), interpolation=cv2.INTER_AREA)
    off = cv2.subtract(log, cv2.resize(mean, size, interpolation=cv2.INTER_NEAREST))
    return np.asarray(cv2.addWeighted(off, DETAIL, off, 0, MIDDLE, dtype=cv2.CV_8U), np.uint8)


def planes_of(differs: Pixels, lean: Singles, detail: Pixels) -> Singles:
    """(PLANES, h, w) as the network takes them; `detail` is (2h, 2w)."""
    high, wide = differs.shape[:2]
    planes = np.empty((PLANES, high, wide), np.float32)
    planes[:3] = (differs.transpose(2, 0, 1).astype(np.float32) - np.float32(MIDDLE)) * np.float32(2 / LEVELS)
    planes[3:5] = lean
    four = detail.reshape(high, 2, wide, 2).transpose(1, 3, 0, 2).reshape(4, high, wide)
    planes[5:] = (four.astype(np.float32) - np.float32(MIDDLE)) * np.float32(1 / DETAIL_SPAN)
    return planes


def lean_over(ground: Ground, shape: tuple[int, int]) -> Singles:
    """(2, h, w) tangents by which the camera sees each coarse pixel from aside, along x and y."""
    step = ground.coarse_mm
    x, y, high = ground.camera
    along = (ground.left_mm + np.arange(shape[1]) * step - x) / high
    across = (ground.top_mm - np.arange(shape[0]) * step - y) / high
    return np.stack(np.broadcast_arrays(along[None], across[:, None])).astype(np.float32)


def propose(ground: Ground, network: PartPlans, s: ProposalSettings) -> Proposals:
    """Everything that may be a pyramid on the table."""
    differs = differences(ground)
    left, top, right, low = _span(ground, s)
    part = np.ascontiguousarray(differs[top:low, left:right])
    lean = lean_over(ground, differs.shape[:2])[:, top:low, left:right]
    fine = ground.settings.coarse
    detail = fine_detail(ground.colours[top * fine : low * fine, left * fine : right * fine])
    return peaks(network.answers(planes_of(part, lean, detail)), ground, s, (left, top))


def given(likely: Hypotheses) -> Proposals:
    """Hypotheses that are likely for another reason."""
    return Proposals(likely.kind, likely.place, np.ones(len(likely)))


def with_more(proposed: Proposals, more: Proposals) -> Proposals:
    """Both."""
    return Proposals(
        np.concatenate([proposed.kind, more.kind]),
        np.concatenate([proposed.place, more.place]),
        np.concatenate([proposed.heat, more.heat]),
    )


def in_zone(ground: Ground, proposed: Proposals) -> Proposals:
    """Those where pieces are to be looked for."""
    if ground.zone is None:
        return proposed
    kept = ground.nearest(ground.zone, proposed.place[:, :2])
    return Proposals(proposed.kind[kept], proposed.place[kept], proposed.heat[kept])


def in_reach(ground: Ground, places_mm: Floats, s: ProposalSettings) -> NDArray[np.bool_]:
    """(n) which of (n, 2) places lie between the markers or hardly beyond them."""
    if not ground.covered_mm:
        return np.ones(len(places_mm), bool)
    papers = np.vstack(ground.covered_mm)
    low, high = papers.min(axis=0) - s.beyond_mm, papers.max(axis=0) + s.beyond_mm
    return np.asarray(((places_mm >= low) & (places_mm <= high)).all(axis=1))


def _span(ground: Ground, s: ProposalSettings) -> tuple[int, int, int, int]:
    """Left, top, right and low coarse pixel of the table between the markers and a little beyond, in whole cells.

    Where only a zone is looked at, of the part that the network has to see to tell what lies there.
    """
    cell = STRIDE * s.round_cells
    high, wide = ground.log.shape[:2]
    left, top, right, low = ground.between_papers(s.beyond_mm)
    left, top = min(left, wide - cell), min(top, high - cell)
    right, low = left + max((right - left) // cell, 1) * cell, top + max((low - top) // cell, 1) * cell
    if ground.zone is None or not ground.zone[top:low, left:right].any():
        return left, top, right, low
    row, col = np.nonzero(ground.zone[top:low, left:right])
    first, last = _around(col, cell, right - left)
    upper, lower = _around(row, cell, low - top)
    return left + first, top + upper, left + last, top + lower


def _around(at: Ints, cell: int, size: int) -> tuple[int, int]:
    """The first and the last pixel, on the borders of cells, of what tells what lies at these pixels."""
    first, last = max(int(at.min()) - REACH, 0) // cell, -(-(int(at.max()) + 1 + REACH) // cell)
    return first * cell, min(last * cell, size)


def peaks(answers: Singles, ground: Ground, s: ProposalSettings, corner: tuple[int, int] = (0, 0)) -> Proposals:
    """The places at which the heat has a peak, and the other classes that are likely there.

    `corner` is the coarse pixel at which the part of the table that the answers are of begins.
    """
    heat = 1 / (1 + np.exp(-answers[HEAT]))
    around = np.stack([np.asarray(cv2.dilate(layer, np.ones((3, 3), np.uint8))) for layer in heat])
    own = (heat >= around) & (heat > s.least)
    most = heat.max(axis=0)
    summit = (most >= np.asarray(cv2.dilate(most, np.ones((3, 3), np.uint8)))) & (most > s.least)
    own |= summit & (heat > s.beside)
    kind, row, col = np.nonzero(own)
    best = np.argsort(-heat[kind, row, col])[: s.most]
    kind, row, col = kind[best], row[best], col[best]
    shift, lying, upright = (answers[part][:, row, col].astype(np.float64) for part in (SHIFT, LYING, UPRIGHT))
    at = np.stack([(col + 0.5 + shift[0]) * STRIDE - 0.5, (row + 0.5 + shift[1]) * STRIDE - 0.5], axis=-1) + corner
    half = ground.settings.coarse
    place = np.zeros((len(kind), 4))
    place[:, :2] = ground.to_mm(at * half + (half - 1) / 2)
    stands = kind < STANDING
    place[:, 2] = np.where(
        stands, np.degrees(np.arctan2(upright[1], upright[0])) / 4, np.degrees(np.arctan2(lying[1], lying[0]))
    )
    return Proposals(kind, place, heat[kind, row, col].astype(np.float64))


def region_round(ground: Ground, places_mm: Floats, s: ProposalSettings) -> Region:
    """The part of the table that holds all places and what lies round them."""
    step, at = ground.coarse_mm, ground.coarse_px(places_mm)
    high, wide = ground.log.shape[:2]
    low = np.clip(np.floor(at.min(axis=0) - s.margin_mm / step), 0, (wide - 1, high - 1)).astype(int)
    top = np.clip(np.ceil(at.max(axis=0) + s.margin_mm / step), low + 1, (wide, high)).astype(int)
    width, height = (int(n) for n in top - low)
    return Region(int(low[0]), int(low[1]), np.ones((height, width), bool), width * height * step**2)
