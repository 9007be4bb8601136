"""How the grid in a flattened board lies against where it should: all sides of all cells, fitted at once."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.view import BoardShape
from companion.vision.boards.cells import CellSettings
from companion.vision.boards.settings import BoardSettings

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LineFit:
    """How the grid in a flattened board lies against where it should: board mm, counter-clockwise degrees."""

    dx_mm: float
    dy_mm: float
    turn_deg: float
    scale: float
    share: float
    error_mm: float


def measure_lines(
    flat: Picture,
    shape: BoardShape,
    cells: CellSettings,
    settings: BoardSettings,
    near: bool = False,
    rim: bool = False,
) -> LineFit | None:
    """Fits the sides of all cells in a flattened board; None when too few of them can be seen.

    `near`: the board was flattened by a good fit already, there is nothing to vote about. `rim`: the edge of the board
    alone is fitted, beside each cell of its first and last rows and columns; the margin has to show it.
    """
    if shape.kind != "grid":
        return None
    sides = _Sides.of(flat, shape, cells, settings, rim)
    if sides is None:
        return None
    least = settings.least_rim if rim else settings.least_sides
    start = np.zeros(4) if near else sides.voted(settings)
    answer, share, error_px = sides.fitted(start, settings, least)
    if share < least:
        return None
    scale = shape.cell_mm / cells.cell_px
    dx, dy, turn, stretch = (float(a) for a in answer)
    return LineFit(dx * scale, dy * scale, float(np.rad2deg(turn)), 1 + stretch, share, error_px * scale)


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """Every side of every cell: where it should be, and how strong an edge is at each offset from there.

    The unknowns are dx, dy, turn, stretch, in pixels of the flat board with y up: a side at (x, y) is moved by
    dx - turn y + stretch x (upright sides), or dy + turn x + stretch y (level sides).
    """

    edges: Singles  # (n, offsets) 0..1
    system: Floats  # (n, 4): the offset of a side is its row times the unknowns
    reach: int

    @classmethod
    def of(
        cls, flat: Picture, shape: BoardShape, cells: CellSettings, settings: BoardSettings, rim: bool
    ) -> "_Sides | None":
        reach = max(round(settings.peak_reach * cells.cell_px), 2)
        border = round(shape.border_mm / shape.cell_mm * cells.cell_px)
        x, y = (_lines(count, cells.cell_px, border if rim else None) for count in (shape.cols, shape.rows))
        upright = _side_edges(flat, x, shape.rows, reach, cells, settings)
        level = _side_edges(np.swapaxes(flat, 0, 1), y, shape.cols, reach, cells, settings)[..., ::-1]
        edges = np.concatenate([upright.reshape(-1, upright.shape[-1]), level.reshape(-1, level.shape[-1])])
        noise = float(np.median(edges[edges > 0])) if (edges > 0).any() else 0.0
        full = min(float(np.quantile(edges.max(axis=1), settings.full_share)), settings.clear_noise * noise)
        if full <= 0:
            return None
        px = cells.cell_px
        middle_x = (np.arange(shape.cols) + 0.5 - shape.cols / 2) * px
        middle_y = (shape.rows / 2 - 0.5 - np.arange(shape.rows)) * px
        ux, uy = np.meshgrid(x - shape.cols / 2 * px, middle_y, indexing="ij")
        ly, lx = np.meshgrid(shape.rows / 2 * px - y, middle_x, indexing="ij")
        none, one = np.zeros(ux.size), np.ones(ux.size)
        across = np.stack([one, none, -uy.ravel(), ux.ravel()], axis=1)
        none, one = np.zeros(lx.size), np.ones(lx.size)
        along = np.stack([none, one, lx.ravel(), ly.ravel()], axis=1)
        return cls(np.minimum(edges / full, 1), np.vstack([across, along]), reach)

    def voted(self, settings: BoardSettings) -> Floats:
        """The unknowns that most edges agree with, on a coarse grid: no single side can mislead it."""
        turns = np.deg2rad(_spread(settings.vote_turns) * settings.vote_turn_deg)
        stretches = _spread(settings.vote_stretches) * settings.vote_stretch
        offsets = np.arange(-self.reach, self.reach + 1)
        width = (2 * settings.line_px + 1, 1)  # both edges of a printed line vote for its middle
        edges = cv2.blur(self.edges, width, borderType=cv2.BORDER_CONSTANT)
        best = (-1.0, np.zeros(4))
        for turn in turns:
            for stretch in stretches:
                shift = self.system @ np.array([0.0, 0.0, turn, stretch])
                at = np.rint(shift[:, None] + offsets).astype(int) + self.reach
                inside = (at >= 0) & (at <= 2 * self.reach)
                rows = np.arange(len(at))[:, None]
                there = np.where(inside, edges[rows, np.clip(at, 0, 2 * self.reach)], 0)
                votes = [there[self.system[:, axis] == 1].sum(axis=0) for axis in (0, 1)]
                total = float(votes[0].max() + votes[1].max())
                total *= 1 - settings.vote_doubt * abs(stretch) / settings.vote_stretch
                if total > best[0]:
                    dx, dy = (float(offsets[int(np.argmax(v))]) for v in votes)
                    best = (total, np.array([dx, dy, turn, stretch]))
        return best[1]

    def fitted(self, answer: Floats, settings: BoardSettings, least: float) -> tuple[Floats, float, float]:
        """Least squares on the sides that agree: the unknowns, the share of the sides used, their error in pixels."""
        share, error = 0.0, 0.0
        for limit in settings.agree_px:
            expected, at, clear = self._seen(answer, settings)
            used = clear & (np.abs(at - expected) <= limit)
            if used.sum() < least * len(used):
                return answer, 0.0, 0.0
            keep_scale = np.array([[0, 0, 0, settings.scale_stiffness]])  # hardly seen sides must not stretch the board
            system, moved = np.vstack([self.system[used], keep_scale]), np.append(at[used], 0.0)
            answer = np.asarray(np.linalg.lstsq(system, moved, rcond=None)[0], dtype=np.float64)
            off = at[used] - self.system[used] @ answer
            share, error = float(used.mean()), float(np.sqrt((off**2).mean()))
        return answer, share, error

    def _seen(self, answer: Floats, settings: BoardSettings) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """For every side: the offset expected, the middle of the edges near there, and whether that is one thing."""
        expected = self.system @ answer
        offsets = np.arange(-self.reach, self.reach + 1)
        window = np.clip(settings.near_px + 1 - np.abs(offsets - expected[:, None]), 0, 1)
        seen = self.edges * window
        peak = seen.max(axis=1)
        seen = np.clip(seen - settings.peak_floor * peak[:, None], 0, None)
        weight = np.maximum(seen.sum(axis=1), 1e-6)
        at = (seen @ offsets) / weight
        spread = (seen @ offsets.astype(np.float64) ** 2) / weight - at**2
        return expected, at, (peak > settings.least_peak) & (spread < settings.widest_px**2)


def _spread(count: int) -> Floats:
    """So many values from -1 to 1; 0 alone when there is one."""
    return np.linspace(-1, 1, count) if count > 1 else np.zeros(1)


def _lines(count: int, px: int, border: int | None) -> Ints:
    """Pixels from the first line to all lines of so many cells, or to both edges of the board."""
    return px * np.arange(count + 1) if border is None else np.array([-border, px * count + border])


def _side_edges(
    flat: Picture, lines: Ints, along: int, reach: int, cells: CellSettings, settings: BoardSettings
) -> Singles:
    """(lines, along, offsets) steps of grey across every upright side of the cells, above what is usual there."""
    px, margin = cells.cell_px, cells.margin_px
    inset = round((1 - settings.segment) / 2 * px)
    rows = (margin + px * np.arange(along)[:, None] + np.arange(inset, px - inset, settings.segment_step)).reshape(-1)
    band = flat[rows].reshape(along, -1, flat.shape[1] * 3)
    profile = band.mean(axis=1, dtype=np.float32).reshape(along, -1, 3)  # along, columns, channels
    columns = margin + lines[:, None] + np.arange(-reach - 1, reach + 1)
    change = np.abs(np.diff(profile[:, columns], axis=2))  # a step lies between two pixels, as lines do
    steps = np.maximum(np.maximum(change[..., 0], change[..., 1]), change[..., 2])
    above = steps - np.median(steps, axis=2, keepdims=True)
    return np.ascontiguousarray(np.moveaxis(np.clip(above, 0, None), 0, 1))
