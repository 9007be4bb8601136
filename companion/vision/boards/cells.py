"""Cells of a board as rectified patches, the height of its pieces in mind."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.colours import balanced
from calibration.table import CameraPose
from companion.view import BoardPose, BoardShape
from companion.vision.reader import CellPatches

Picture = NDArray[np.uint8]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]

HEX_ROW = 3**0.5 / 2  # distance of the rows of a hexagon, in cells
SQUARES, HEXAGONS = 2, 3  # tones of the cells, at most


@dataclass(frozen=True, slots=True)
class CellSettings:
    """Size of the patches."""

    cell_px: int = 60
    margin: float = 0.3  # around a cell, in cells
    lattice_px: int = 12  # the mapping is exact at these steps and interpolated between
    glare_level: int = 250  # all channels at or above it: blown out

    @property
    def margin_px(self) -> int:
        """The margin in pixels of the patch."""
        return round(self.margin * self.cell_px)


def to_table(points_mm: Floats, board: BoardPose) -> Floats:
    """(N, 2) board millimetres (origin in the board's middle, y up) to table millimetres."""
    angle = np.deg2rad(board.rotation_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return np.asarray(points_mm @ turn.T + (board.x_mm, board.y_mm))


def to_board(points_mm: Floats, board: BoardPose) -> Floats:
    """(N, 2) table millimetres to board millimetres."""
    angle = np.deg2rad(board.rotation_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return np.asarray((np.asarray(points_mm) - (board.x_mm, board.y_mm)) @ turn)


def cell_centres(shape: BoardShape) -> Floats:
    """(n, 2) board millimetres of the middles of the cells, in the order of `shape.cells()`.

    On a hexagon `cell_mm` is the distance of neighbours; its rows are level, each half a cell beside the next.
    """
    row, col = np.divmod(np.arange(shape.rows * shape.cols), shape.cols)
    x, y = col - (shape.cols - 1) / 2, row - (shape.rows - 1) / 2
    if shape.kind == "hex":
        inside = np.abs(row - col) < (shape.rows + 1) // 2
        x, y = (x - y / 2)[inside], (y * HEX_ROW)[inside]
    return np.stack([x, y], axis=1) * shape.cell_mm


def cell_tones(cells: Sequence[str], tones: int) -> Ints:
    """The tone of each cell, no two neighbours alike: 0 or 1 as on a chessboard, 0 to 2 on a hexagon."""
    return np.array([(ord(cell[0]) + int(cell[1:])) % tones for cell in cells], dtype=np.int64)


def field_mm(shape: BoardShape) -> tuple[float, float]:
    """Width and height of the smallest upright rectangle round the squares of the cells."""
    width, height = np.ptp(cell_centres(shape), axis=0) + shape.cell_mm
    return float(width), float(height)


def outline_mm(shape: BoardShape, board: BoardPose) -> Floats:
    """(n, 2) table millimetres of the corners of the convex outline of all cells, each taken for a square."""
    half = shape.cell_mm / 2
    corners = [cell_centres(shape) + np.array([x, y]) for x in (-half, half) for y in (-half, half)]
    hull = cv2.convexHull(to_table(np.concatenate(corners), board).astype(np.float32))
    return np.asarray(hull[:, 0], np.float64)


def resized(shape: BoardShape, scale: float) -> BoardShape:
    """The board with larger or smaller cells, its rim as wide as before."""
    return shape if scale == 1 else replace(shape, cell_mm=shape.cell_mm * scale)


def cell_windows(shape: BoardShape, settings: CellSettings) -> Ints:
    """(n, 2) row and column of the first pixel of each cell's patch in the flat board."""
    width, height = field_mm(shape)
    x, y = (cell_centres(shape) / shape.cell_mm).T
    left = (x + width / shape.cell_mm / 2 - 0.5) * settings.cell_px
    top = (height / shape.cell_mm / 2 - 0.5 - y) * settings.cell_px
    return np.asarray(np.rint(np.stack([top, left], axis=1)), dtype=np.int64)


class CellCutter:
    """Cuts every cell of a board out of pictures; its mapping is computed once for one place of camera and board."""

    def __init__(
        self, pose: CameraPose, board: BoardPose, shape: BoardShape, settings: CellSettings | None = None
    ) -> None:
        self.shape, self.board, self.pose = shape, board, pose
        self.settings = settings or CellSettings()
        self._windows = cell_windows(shape, self.settings)
        self._map_x, self._map_y = self._mapping()
        self._lean, self._height_mm = self._view_direction()
        self.shown = self._shown()  # (n) the share of each cell's square that lies in the picture

    def flat(self, image: Picture) -> Picture:
        """The whole playing field with its margin, seen straight from above, one cell `cell_px` wide."""
        mode = cv2.BORDER_REPLICATE
        return np.asarray(cv2.remap(image, self._map_x, self._map_y, cv2.INTER_LINEAR, borderMode=mode), dtype=np.uint8)

    def patches(self, flat: Picture, gains: Floats | None = None) -> CellPatches:
        """All cells of what `flat` returned, as copies, white-balanced by the gains."""
        blue, green, red = cv2.split(flat)
        glare = np.asarray(cv2.min(cv2.min(blue, green), red)) >= self.settings.glare_level
        picture = flat if gains is None else balanced(flat, gains)
        size = self.settings.cell_px + 2 * self.settings.margin_px
        row, col = self._windows.T
        windows = np.lib.stride_tricks.sliding_window_view(picture, (size, size), axis=(0, 1))[row, col]
        masks = np.lib.stride_tricks.sliding_window_view(glare, (size, size))[row, col]
        mm_per_px = self.shape.cell_mm / self.settings.cell_px
        return CellPatches(
            pixels=np.ascontiguousarray(np.moveaxis(windows, 1, -1)),
            cells=tuple(self.shape.cells()),
            lean=self._lean,
            mm_per_px=mm_per_px,
            cell_mm=self.shape.cell_mm,
            margin_mm=self.settings.margin_px * mm_per_px,
            camera_height_mm=self._height_mm,
            glare=masks,
        )

    def centres_px(self) -> Floats:
        """(n, 2) picture pixels of the middles of the cells."""
        centres = to_table(cell_centres(self.shape), self.board)
        return self.pose.project(self._at_height(centres))

    def _at_height(self, points: Floats) -> Floats:
        return np.hstack([points, np.full((len(points), 1), self.shape.thickness_mm)])

    def _mapping(self) -> tuple[Singles, Singles]:
        """Picture coordinates of every pixel of the flat board."""
        scale = self.shape.cell_mm / self.settings.cell_px
        width, height = (round(mm / scale) + 2 * self.settings.margin_px for mm in field_mm(self.shape))
        z = self.shape.thickness_mm
        return plane_map(self.pose, self.board, z, (width, height), scale, self.settings.lattice_px)

    def _shown(self) -> Floats:
        lens, side = self.pose.lens, self.settings.cell_px
        inside = (self._map_x >= 0) & (self._map_x <= lens.width - 1)
        inside &= (self._map_y >= 0) & (self._map_y <= lens.height - 1)
        row, col = (self._windows + self.settings.margin_px).T
        windows = np.lib.stride_tricks.sliding_window_view(inside, (side, side))
        return np.asarray(windows[row, col].mean(axis=(1, 2)))

    def _view_direction(self) -> tuple[Singles, float]:
        camera = self.pose.position_mm
        height = float(camera[2] - self.shape.thickness_mm)
        below = to_board(camera[None, :2], self.board)
        return ((cell_centres(self.shape) - below) / height).astype(np.float32), height


def plane_map(
    pose: CameraPose, frame: BoardPose, z_mm: float, size: tuple[int, int], mm_per_px: float, lattice_px: int
) -> tuple[Singles, Singles]:
    """Picture coordinates (x, y) of a raster of `size` (width, height) around `frame` in the plane z = `z_mm`.

    The projection is exact at every `lattice_px`th pixel and linear in between: it is that smooth.
    """
    knots = [lattice_px * (np.arange(-(-length // lattice_px) + 2) - 0.5) - 0.5 for length in size]
    x = (knots[0] + 0.5 - size[0] / 2) * mm_per_px
    y = (size[1] / 2 - knots[1] - 0.5) * mm_per_px
    grid = to_table(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2), frame)
    points = np.hstack([grid, np.full((len(grid), 1), z_mm)])
    lattice = pose.project(points).astype(np.float32).reshape(len(y), len(x), 2)
    whole = (len(x) * lattice_px, len(y) * lattice_px)
    fine = np.asarray(cv2.resize(lattice, whole, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
    inner = fine[lattice_px : lattice_px + size[1], lattice_px : lattice_px + size[0]]  # the first knots lie outside
    return np.ascontiguousarray(inner[..., 0]), np.ascontiguousarray(inner[..., 1])
